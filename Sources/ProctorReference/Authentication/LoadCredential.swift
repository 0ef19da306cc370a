internal import ProctorBase

/// What answers a challenge: a name and a password, or a token.
public struct LoadCredential: Sendable, Hashable {
    /// Sent as UTF-8 (RFC 7617 §2.1, RFC 7616 §4).
    public var user: String
    /// Sent as UTF-8, or hashed so.
    public var password: String
    /// For Bearer, and for nothing else; then user and password are not looked at (RFC 6750 §2.1).
    public var token: String?
    /// For how long it is kept.
    public var persistence: Persistence

    /// For how long an accepted credential is kept.
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

    /// Whether both are the same secret, however long each is kept.
    func isSame(as other: LoadCredential) -> Bool {
        user == other.user && password == other.password && token == other.token
    }
}

/// Credentials by protection space, for the challenges of other loads; from any thread.
///
/// What it has is proposed with a challenge, is the answer by default, and is sent unasked where that space has
/// challenged before. Kept in memory alone.
public final class ReferenceCredentialStore: Sendable {
    private let credentials = Locked<[LoadChallenge.ProtectionSpace: LoadCredential]>([:])
    private let fallback: @Sendable (LoadChallenge.ProtectionSpace) -> LoadCredential?

    /// What is to be kept permanently, which here is as long as the process lives; every session looks into it.
    public static let process = ReferenceCredentialStore()

    /// Empty.
    public convenience init() {
        self.init { _ in nil }
    }

    /// What it does not have itself it asks for from `fallback`, on the thread of the load.
    init(fallback: @escaping @Sendable (LoadChallenge.ProtectionSpace) -> LoadCredential?) {
        self.fallback = fallback
    }

    /// nil where none is stored for exactly that space.
    public func credential(for space: LoadChallenge.ProtectionSpace) -> LoadCredential? {
        credentials.withLock { $0[space] } ?? fallback(space)
    }

    /// Takes the place of the one before; its own persistence is not looked at.
    public func set(_ credential: LoadCredential, for space: LoadChallenge.ProtectionSpace) {
        credentials.withLock { $0[space] = credential }
    }

    /// Does nothing where none is stored.
    public func remove(for space: LoadChallenge.ProtectionSpace) {
        credentials.withLock { $0[space] = nil }
    }

    /// Removes what a server has refused, unless another one has taken its place meanwhile.
    func remove(_ refused: LoadCredential, for space: LoadChallenge.ProtectionSpace) {
        credentials.withLock { credentials in
            if credentials[space]?.isSame(as: refused) == true { credentials[space] = nil }
        }
    }
}
