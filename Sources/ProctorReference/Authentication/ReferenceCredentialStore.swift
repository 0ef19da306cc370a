internal import ProctorBase

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
