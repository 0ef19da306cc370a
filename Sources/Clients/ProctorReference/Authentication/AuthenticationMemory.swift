internal import ProctorBase
internal import ProctorCrypto
internal import ProctorHTTP

/// The protection spaces and credentials that all loads of one client share.
struct AuthenticationMemory: Sendable {
    /// The stores in the order in which they are searched; new credentials are stored in the first one.
    let stores: [ReferenceCredentialStore]
    /// Makes a different, unpredictable nonce for each Digest answer (RFC 7616 §3.4).
    let makeClientNonce: @Sendable () -> String
    let hasher: any DigestHasher
    /// The whole content of a file, for its hash; nil where the file is unreadable or too long.
    let readFile: @Sendable (_ path: String) -> [UInt8]?
    /// Spaces that accepted a stored credential, in the order of acceptance.
    private var known: [KnownSpace] = []

    /// A protection space whose requests get their credential before a challenge.
    struct KnownSpace: Sendable {
        let space: LoadChallenge.ProtectionSpace
        var scope: ProtectionScope
        /// For a Digest space: the nonce and its count, which all loads share.
        var digest: DigestSession?
    }

    /// Makes an empty memory; without a store, it keeps no credentials.
    init(
        stores: [ReferenceCredentialStore] = [], hasher: any DigestHasher = OpenSSLHasher(),
        readFile: @escaping @Sendable (_ path: String) -> [UInt8]? = {
            OpenFile.content(of: $0, upTo: 1 << 26)
        },
        makeClientNonce: @escaping @Sendable () -> String = Self.randomNonce
    ) {
        (self.stores, self.hasher, self.readFile, self.makeClientNonce) = (stores, hasher, readFile, makeClientNonce)
    }

    static let none = AuthenticationMemory()

    // MARK: Credentials

    func credential(for space: LoadChallenge.ProtectionSpace) -> LoadCredential? {
        for store in stores {
            if let credential = store.credential(for: space) { return credential }
        }
        return nil
    }

    // MARK: Spaces

    /// The authorization that may go with a request for `url` before a challenge.
    func recall(_ url: ClientURL, at origin: Origin, isProxy: Bool) -> Authorization? {
        guard !known.isEmpty else { return nil }
        var best: (known: KnownSpace, fit: Int)?
        for known in known where known.space.isProxy == isProxy && known.space.origin == origin {
            guard let fit = known.scope.fit(of: url), fit >= best?.fit ?? 0 else { continue }
            best = (known, fit)
        }
        guard let known = best?.known, let credential = credential(for: known.space) else { return nil }
        return try? Authorization(credential, recalling: known)
    }

    subscript(space: LoadChallenge.ProtectionSpace) -> KnownSpace? { known.first { $0.space == space } }

    /// Stores an accepted credential if it is to be kept, and records its space.
    mutating func remember(_ authorization: Authorization) {
        let credential = authorization.credential
        guard authorization.source == .store || credential.persistence != .none, !stores.isEmpty else { return }
        if authorization.source != .store {
            stores.first?.set(credential, for: authorization.space)
            if credential.persistence == .permanent {
                ReferenceCredentialStore.process.set(credential, for: authorization.space)
            }
        }
        // Messages of NTLM and Negotiate answer a challenge, so they are never sent before one.
        guard authorization.messages == nil else { return }
        var space = KnownSpace(space: authorization.space, scope: authorization.scope, digest: authorization.digest)
        if let before = self[space.space] { space.scope.formUnion(before.scope) }
        known.removeAll { $0.space == space.space }
        known.append(space)
        if known.count > Self.bound { known.removeFirst() }
    }

    /// Records the nonce that a load has used or received; does nothing for an unknown space.
    mutating func update(_ authorization: Authorization) {
        guard let index = known.firstIndex(where: { $0.space == authorization.space }) else { return }
        known[index].digest = authorization.digest
    }

    /// Removes a refused credential, so that no load tries it again.
    mutating func forget(_ authorization: Authorization) {
        known.removeAll { $0.space == authorization.space }
        for store in stores { store.remove(authorization.credential, for: authorization.space) }
    }

    /// The most spaces that are kept at a time.
    private static let bound = 256

    /// 126 random bits as 32 hexadecimal digits.
    @Sendable static func randomNonce() -> String {
        // With the highest bit set, all 16 digits are written.
        let halves = (0..<2).map { _ in UInt64.random(in: 1 << 63 ... .max) }
        return halves.map { String($0, radix: 16) }.joined()
    }
}

/// A credential for a challenge: a user and a password, or a token.
public struct LoadCredential: Sendable, Hashable {
    /// The user name, sent as UTF-8 (RFC 7617 §2.1, RFC 7616 §4); no colon in it for Basic.
    public var user: String
    /// The password, sent or hashed as UTF-8.
    public var password: String
    /// A token for Bearer (RFC 6750 §2.1); where it is set, user and password are ignored.
    public var token: String?
    /// How long the credential is kept after a server has accepted it.
    public var persistence: Persistence

    /// For how long an accepted credential is kept.
    public enum Persistence: Sendable, Hashable {
        /// For its load only.
        case none
        /// In the credential store of its session.
        case session
        /// In the credential store of its session and in that of the process.
        case permanent
    }

    /// Makes a credential for Basic and Digest without checking it; Basic later refuses a colon in the user name.
    public init(user: String, password: String, persistence: Persistence = .none) {
        (self.user, self.password, self.persistence) = (user, password, persistence)
    }

    /// Makes a credential for Bearer; a token that RFC 6750 §2.1 does not permit is refused when it is to be sent.
    public init(token: String, persistence: Persistence = .none) {
        user = ""
        password = ""
        (self.token, self.persistence) = (token, persistence)
    }

    /// Whether both have the same user and password, or token; persistence is ignored.
    func isSame(as other: LoadCredential) -> Bool {
        user == other.user && password == other.password && token == other.token
    }
}

/// Credentials by protection space, for the challenges of later loads; any thread may use it.
///
/// A stored credential is proposed with a challenge, is the default answer, and is sent before a challenge when its
/// space has sent one earlier. The store is in memory only.
public final class ReferenceCredentialStore: Sendable {
    private let credentials = Locked<[LoadChallenge.ProtectionSpace: LoadCredential]>([:])
    private let fallback: @Sendable (LoadChallenge.ProtectionSpace) -> LoadCredential?

    /// The store of the process, which every session consults; it keeps credentials with permanent persistence.
    public static let process = ReferenceCredentialStore()

    /// Makes an empty store.
    public convenience init() {
        self.init { _ in nil }
    }

    /// `fallback` is called for a missing credential, on the load's thread.
    init(fallback: @escaping @Sendable (LoadChallenge.ProtectionSpace) -> LoadCredential?) {
        self.fallback = fallback
    }

    /// Every stored credential by its space.
    package var all: [LoadChallenge.ProtectionSpace: LoadCredential] { credentials.withLock { $0 } }

    /// The stored credential for exactly that space; nil where there is none.
    public func credential(for space: LoadChallenge.ProtectionSpace) -> LoadCredential? {
        credentials.withLock { $0[space] } ?? fallback(space)
    }

    /// Stores a credential in place of the former one; its `persistence` is ignored.
    public func set(_ credential: LoadCredential, for space: LoadChallenge.ProtectionSpace) {
        credentials.withLock { $0[space] = credential }
    }

    /// Removes the credential of the space; does nothing where none is stored.
    package func remove(for space: LoadChallenge.ProtectionSpace) {
        credentials.withLock { $0[space] = nil }
    }

    /// Removes a refused credential, unless another one has replaced it.
    func remove(_ refused: LoadCredential, for space: LoadChallenge.ProtectionSpace) {
        credentials.withLock { credentials in
            if credentials[space]?.isSame(as: refused) == true { credentials[space] = nil }
        }
    }
}
