/// What a Digest credential protects (RFC 7616 §3.3); the raw values are those of `qop`.
public enum QualityOfProtection: String, Sendable, CaseIterable {
    /// Method and target.
    case authentication = "auth"
    /// Content too.
    case integrity = "auth-int"
}
