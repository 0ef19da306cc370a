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
    /// Those that are known, in order; empty: there is no `qop`, and the form of RFC 2069 is wanted.
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
