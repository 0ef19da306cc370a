import ProctorBase

/// A credential of Digest with its parameters found by name (RFC 7616 §3.4); nothing is judged yet.
public struct DigestCredential: Sendable {
    /// As it was read.
    public let credentials: Credentials
    var username, extendedUser, userhash, realm, nonceText, uri, algorithmText: AuthenticationParameter?
    var opaque, qop, nonceCountText, clientNonceText, response: AuthenticationParameter?

    /// Looks the parameters up; those that Digest does not know are ignored (RFC 7616 §3.4).
    public init(_ credentials: Credentials) {
        self.credentials = credentials
        for parameter in credentials.parameters {
            // By length first: most requests pay for this.
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
        nonceCount = nonceCountText.flatMap { Self.nonceCount($0.bytes) }
        if let algorithmText { algorithm = Self.algorithm(algorithmText) }
        quality = qop.flatMap(Self.quality)
    }

    /// To look it up; nil where it is missing.
    public var nonce: [UInt8]? { nonceText?.bytes }

    /// Of the client; nil where it is missing.
    public var clientNonce: [UInt8]? { clientNonceText?.bytes }

    /// nil where it is missing, zero, or not eight lower-case hexadecimal digits.
    public private(set) var nonceCount: UInt32?

    /// MD5 where none is named; nil for a name that is not known.
    public private(set) var algorithm: DigestAlgorithm? = .md5

    /// nil where it is missing, or its name is not known.
    public private(set) var quality: QualityOfProtection?

    private static func nonceCount(_ digits: [UInt8]) -> UInt32? {
        guard digits.count == 8 else { return nil }
        var count: UInt32 = 0
        for digit in digits {
            guard digit.isLowerHexadecimal, let value = digit.hexadecimalValue else { return nil }
            count = count << 4 | UInt32(value)
        }
        return count == 0 ? nil : count
    }

    /// As nearly everybody writes it, without the cost of text.
    private static let algorithms = DigestAlgorithm.allCases.map { (Array($0.rawValue.utf8), $0) }

    private static func algorithm(_ text: AuthenticationParameter) -> DigestAlgorithm? {
        algorithms.first { $0.0 == text.bytes }?.1 ?? DigestAlgorithm(named: text.value)
    }

    private static let qualities = QualityOfProtection.allCases.map { (Array($0.rawValue.utf8), $0) }

    private static func quality(_ text: AuthenticationParameter) -> QualityOfProtection? {
        qualities.first { $0.0 == text.bytes }?.1 ?? QualityOfProtection(rawValue: text.value.lowercased())
    }
}
