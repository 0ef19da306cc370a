/// Where a server tells what was revoked; certificates of profiles that speak of revocation name it.
public struct RevocationPlace: Sendable, Hashable {
    /// URL of the CRL (RFC 5280 §4.2.1.13).
    public let revocationList: String
    /// URL of the OCSP responder (RFC 5280 §4.2.2.1).
    public let responder: String

    /// Both are absolute `http` URLs.
    public init(revocationList: String, responder: String) {
        self.revocationList = revocationList
        self.responder = responder
    }
}
