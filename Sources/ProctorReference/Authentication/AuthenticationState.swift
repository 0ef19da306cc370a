internal import ProctorHTTP

/// How far a load is with those who ask it for credentials.
struct AuthenticationState: Sendable {
    /// What goes to the server.
    var server: Authorization?
    /// What goes to the proxy (RFC 9110 §11.7.2).
    var proxy: Authorization?
    /// Credentials refused so far, by space (R17).
    private(set) var failures: [LoadChallenge.ProtectionSpace: Failure] = [:]
    /// By the client, which is asked about each once (R15).
    var rejected: Set<LoadChallenge.ProtectionSpace> = []
    /// Servers that the credential in the URL was tried at.
    var triedURLs: Set<Origin> = []
    var usesStored = true

    /// What became of the credentials for one space.
    struct Failure: Sendable {
        var count = 0
        /// The last one.
        var credential: LoadCredential?
    }

    subscript(isProxy isProxy: Bool) -> Authorization? {
        get { isProxy ? proxy : server }
        set { if isProxy { proxy = newValue } else { server = newValue } }
    }

    /// The one that is in use was refused and is in use no more.
    mutating func fail(isProxy: Bool) {
        guard let refused = self[isProxy: isProxy] else { return }
        failures[refused.space, default: Failure()].count += 1
        failures[refused.space]?.credential = refused.credential
        self[isProxy: isProxy] = nil
    }
}
