package import ProctorHTTP

/// A challenge of Digest as a client reads it (RFC 7616 §3.3, RFC 2617, RFC 2069).
package struct DigestChallenge: Sendable, Equatable {
    /// The unquoted value.
    package let realm: [UInt8]
    /// Replaced by `nextnonce` of Authentication-Info (§3.5).
    package var nonce: [UInt8]
    /// Sent back unchanged.
    package let opaque: [UInt8]?
    /// MD5 if the challenge names none.
    package let algorithm: DigestAlgorithm
    /// Sent back unchanged; nil if the challenge names none.
    package let algorithmName: [UInt8]?
    /// The known values of `qop`, in order; empty without `qop`, which means the form of RFC 2069.
    package let qualities: [QualityOfProtection]
    /// Whether the credential was correct except for an old nonce.
    package let isStale: Bool
    /// The URIs of the protection space; empty for the whole origin.
    package let domain: [[UInt8]]
    /// Whether the server can find a user by the hash of the name (§3.4.4).
    package let wantsUserhash: Bool

    /// nil for a challenge that no client can answer: no realm, no nonce, an unknown algorithm, or only unknown values
    /// of `qop`.
    package init?(_ challenge: AuthenticationChallenge) {
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
