/// What answers a challenge: a name and a password, or a token.
public struct LoadCredential: Sendable, Hashable {
    /// Sent as UTF-8 (RFC 7617 §2.1, RFC 7616 §4).
    public var user: String
    /// Sent as UTF-8, or hashed so.
    public var password: String
    /// For Bearer, and for nothing else; then user and password are not looked at (RFC 6750 §2.1).
    public var token: String?
    /// Who may find it again.
    public var persistence: Persistence

    /// For how long a credential is kept that was let in.
    public enum Persistence: Sendable, Hashable {
        /// For its load.
        case none
        /// In the credential store of its session.
        case session
        /// In the store of the process too.
        case permanent
    }

    /// Nothing is checked here; a colon in the name is refused when Basic is to send it.
    public init(user: String, password: String, persistence: Persistence = .none) {
        self.user = user
        self.password = password
        self.persistence = persistence
    }

    /// Nothing is checked here; what is no token of RFC 6750 §2.1 is refused when it is to be sent.
    public init(token: String, persistence: Persistence = .none) {
        user = ""
        password = ""
        self.token = token
        self.persistence = persistence
    }

    /// The same secret, however long each of the two is kept.
    func isSame(as other: LoadCredential) -> Bool {
        user == other.user && password == other.password && token == other.token
    }
}
