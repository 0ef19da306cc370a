import ProctorBase

/// A reference to an immutable object, since its parameters are expensive to copy.
package final class DigestCredential: Sendable {
    package let credentials: Credentials
    let username, extendedUser, userhash, realm, nonceText, uri, algorithmText: AuthenticationParameter?
    let opaque, qop, nonceCountText, clientNonceText, response: AuthenticationParameter?
    /// nil if it is missing, zero, or not eight lower-case hexadecimal digits.
    package let nonceCount: UInt32?
    /// MD5 if the credential names none; nil for an unknown name.
    package let algorithm: DigestAlgorithm?
    /// nil if it is missing or unknown.
    package let quality: QualityOfProtection?

    /// Parameters that Digest does not define are ignored (RFC 7616 §3.4).
    package init(_ credentials: Credentials) {
        self.credentials = credentials
        var username, extendedUser, userhash, realm, nonceText, uri, algorithmText: AuthenticationParameter?
        var opaque, qop, nonceCountText, clientNonceText, response: AuthenticationParameter?
        for parameter in credentials.parameters {
            // Compares lengths first, since this code runs for most requests.
            switch parameter.name.utf8.count {
            case 2: if parameter.isNamed("nc") { nonceCountText = parameter }
            case 3:
                if parameter.isNamed("uri") { uri = parameter }
                if parameter.isNamed("qop") { qop = parameter }
            case 5:
                if parameter.isNamed("realm") { realm = parameter }
                if parameter.isNamed("nonce") { nonceText = parameter }
            case 6:
                if parameter.isNamed("cnonce") { clientNonceText = parameter }
                if parameter.isNamed("opaque") { opaque = parameter }
            case 8:
                if parameter.isNamed("username") { username = parameter }
                if parameter.isNamed("response") { response = parameter }
                if parameter.isNamed("userhash") { userhash = parameter }
            case 9:
                if parameter.isNamed("algorithm") { algorithmText = parameter }
                if parameter.isNamed("username*") { extendedUser = parameter }
            default: break
            }
        }
        (self.username, self.extendedUser, self.userhash, self.realm) = (username, extendedUser, userhash, realm)
        (self.nonceText, self.uri, self.algorithmText, self.opaque) = (nonceText, uri, algorithmText, opaque)
        (self.qop, self.nonceCountText, self.clientNonceText) = (qop, nonceCountText, clientNonceText)
        self.response = response
        nonceCount = nonceCountText.flatMap { Self.nonceCount($0.bytes) }
        algorithm = if let algorithmText { Self.algorithm(algorithmText) } else { .md5 }
        quality = qop.flatMap(Self.quality)
    }

    package var nonce: [UInt8]? { nonceText?.bytes }

    package var clientNonce: [UInt8]? { clientNonceText?.bytes }

    private static func nonceCount(_ digits: [UInt8]) -> UInt32? {
        guard digits.count == 8 else { return nil }
        var count: UInt32 = 0
        for digit in digits {
            guard digit.isLowerHexadecimal, let value = digit.hexadecimalValue else { return nil }
            count = count << 4 | UInt32(value)
        }
        return count == 0 ? nil : count
    }

    /// The usual spellings as bytes, compared without making a `String`.
    private static let algorithms = DigestAlgorithm.allCases.map { (Array($0.rawValue.utf8), $0) }

    private static func algorithm(_ text: AuthenticationParameter) -> DigestAlgorithm? {
        algorithms.first { $0.0 == text.bytes }?.1 ?? DigestAlgorithm(named: text.value)
    }

    private static let qualities = QualityOfProtection.allCases.map { (Array($0.rawValue.utf8), $0) }

    private static func quality(_ text: AuthenticationParameter) -> QualityOfProtection? {
        qualities.first { $0.0 == text.bytes }?.1 ?? QualityOfProtection(rawValue: text.value.lowercased())
    }
}
