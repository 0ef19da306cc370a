import ProctorBase

/// A reference to an immutable object, which knows at which places the parameters of Digest stand.
package final class DigestCredential: Sendable {
    package let credentials: Credentials
    private let places: Places
    /// nil if it is missing, zero, or not eight lower-case hexadecimal digits.
    package let nonceCount: UInt32?
    /// MD5 if the credential names none; nil for an unknown name.
    package let algorithm: DigestAlgorithm?
    /// nil if it is missing or unknown.
    package let quality: QualityOfProtection?

    /// Indexes of `credentials.parameters`, of which there are fewer than 128 (AuthenticationScanner.parameterLimit); -1 for none.
    private struct Places {
        var username, extendedUser, userhash, realm, nonceText, uri: Int8
        var algorithmText, opaque, qop, nonceCountText, clientNonceText, response: Int8

        init(_ parameters: [AuthenticationParameter]) {
            (username, extendedUser, userhash, realm, nonceText, uri) = (-1, -1, -1, -1, -1, -1)
            (algorithmText, opaque, qop, nonceCountText, clientNonceText, response) = (-1, -1, -1, -1, -1, -1)
            var place: Int8 = -1
            for parameter in parameters.prefix(Int(Int8.max)) {
                place += 1
                // Compares lengths first, since this code runs for most requests.
                switch parameter.name.utf8.count {
                case 2: if parameter.isNamed("nc") { nonceCountText = place }
                case 3:
                    if parameter.isNamed("uri") {
                        uri = place
                    } else if parameter.isNamed("qop") {
                        qop = place
                    }
                case 5:
                    if parameter.isNamed("realm") {
                        realm = place
                    } else if parameter.isNamed("nonce") {
                        nonceText = place
                    }
                case 6:
                    if parameter.isNamed("cnonce") {
                        clientNonceText = place
                    } else if parameter.isNamed("opaque") {
                        opaque = place
                    }
                case 8:
                    if parameter.isNamed("username") {
                        username = place
                    } else if parameter.isNamed("response") {
                        response = place
                    } else if parameter.isNamed("userhash") {
                        userhash = place
                    }
                case 9:
                    if parameter.isNamed("algorithm") {
                        algorithmText = place
                    } else if parameter.isNamed("username*") {
                        extendedUser = place
                    }
                default: break
                }
            }
        }
    }

    /// Parameters that Digest does not define are ignored (RFC 7616 §3.4).
    package init(_ credentials: Credentials) {
        let places = Places(credentials.parameters)
        (self.credentials, self.places) = (credentials, places)
        let parameters = credentials.parameters
        func parameter(at place: Int8) -> AuthenticationParameter? { place < 0 ? nil : parameters[Int(place)] }
        nonceCount = parameter(at: places.nonceCountText).flatMap { Self.nonceCount($0.bytes) }
        algorithm = if let text = parameter(at: places.algorithmText) { Self.algorithm(text) } else { .md5 }
        quality = parameter(at: places.qop).flatMap(Self.quality)
    }

    var username: AuthenticationParameter? { parameter(at: places.username) }
    var extendedUser: AuthenticationParameter? { parameter(at: places.extendedUser) }
    var userhash: AuthenticationParameter? { parameter(at: places.userhash) }
    var realm: AuthenticationParameter? { parameter(at: places.realm) }
    var nonceText: AuthenticationParameter? { parameter(at: places.nonceText) }
    var uri: AuthenticationParameter? { parameter(at: places.uri) }
    var algorithmText: AuthenticationParameter? { parameter(at: places.algorithmText) }
    var opaque: AuthenticationParameter? { parameter(at: places.opaque) }
    var qop: AuthenticationParameter? { parameter(at: places.qop) }
    var nonceCountText: AuthenticationParameter? { parameter(at: places.nonceCountText) }
    var clientNonceText: AuthenticationParameter? { parameter(at: places.clientNonceText) }
    var response: AuthenticationParameter? { parameter(at: places.response) }

    private func parameter(at place: Int8) -> AuthenticationParameter? {
        place < 0 ? nil : credentials.parameters[Int(place)]
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
