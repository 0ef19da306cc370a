import ProctorBase

/// A challenge of Digest as a client reads it (RFC 7616 §3.3, RFC 2617, RFC 2069).
public struct DigestChallenge: Sendable, Equatable {
    /// As it was written, escapes undone.
    public let realm: [UInt8]
    /// Replaced by `nextnonce` of Authentication-Info (§3.5).
    public var nonce: [UInt8]
    /// Goes back as it came.
    public let opaque: [UInt8]?
    /// MD5 where none is named.
    public let algorithm: DigestAlgorithm
    /// As it was written, goes back as it came; nil where none is named.
    public let algorithmName: [UInt8]?
    /// The known ones, in order; empty: there is no `qop`, and the form of RFC 2069 is wanted.
    public let qualities: [QualityOfProtection]
    /// Whether only the age of the nonce was wrong.
    public let isStale: Bool
    /// URIs of the protection space; empty: all of the origin.
    public let domain: [[UInt8]]
    /// Whether the server can find a user by a hash of the name (§3.4.4).
    public let wantsUserhash: Bool

    /// nil where it can't be answered: no realm, no nonce, an unknown algorithm, or no `qop` of it is known.
    public init?(_ challenge: AuthenticationChallenge) {
        guard challenge.isScheme("Digest"), let realm = challenge[parameter: "realm"],
            let nonce = challenge[parameter: "nonce"]
        else { return nil }
        let name = challenge[parameter: "algorithm"]
        guard let algorithm = name.map({ DigestAlgorithm(named: $0.value) }) ?? .md5 else { return nil }
        self.realm = realm.bytes
        self.nonce = nonce.bytes
        self.algorithm = algorithm
        algorithmName = name?.bytes
        opaque = challenge[parameter: "opaque"]?.bytes
        let quality = challenge["qop"]
        qualities =
            quality?.split { $0 == "," || $0 == " " || $0 == "\t" }.compactMap {
                QualityOfProtection(rawValue: $0.lowercased())
            } ?? []
        guard quality == nil || !qualities.isEmpty else { return nil }
        isStale = challenge["stale"]?.lowercased() == "true"
        domain =
            challenge[parameter: "domain"]?.bytes.split(whereSeparator: \.isBlank).map { Array($0) } ?? []
        wantsUserhash = challenge["userhash"]?.lowercased() == "true"
    }
}

/// A credential of Digest with its parameters found by name (RFC 7616 §3.4); nothing is judged yet.
public struct DigestCredential: Sendable {
    /// The credentials as they were read.
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

    /// The nonce, by which the server looks it up; nil where it is missing.
    public var nonce: [UInt8]? { nonceText?.bytes }

    /// The client's nonce; nil where it is missing.
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

    /// The usual spelling, without the cost of text.
    private static let algorithms = DigestAlgorithm.allCases.map { (Array($0.rawValue.utf8), $0) }

    private static func algorithm(_ text: AuthenticationParameter) -> DigestAlgorithm? {
        algorithms.first { $0.0 == text.bytes }?.1 ?? DigestAlgorithm(named: text.value)
    }

    private static let qualities = QualityOfProtection.allCases.map { (Array($0.rawValue.utf8), $0) }

    private static func quality(_ text: AuthenticationParameter) -> QualityOfProtection? {
        qualities.first { $0.0 == text.bytes }?.1 ?? QualityOfProtection(rawValue: text.value.lowercased())
    }
}
