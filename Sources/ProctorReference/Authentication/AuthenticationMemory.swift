internal import ProctorCrypto
internal import ProctorHTTP

/// What the loads of one client know together of those who ask for credentials; a value that is handed to each event.
///
/// What is not in it comes from outside: stored credentials, and the nonces of this side.
struct AuthenticationMemory: Sendable {
    /// Looked through in this order; what is to be kept is put into the first one.
    let stores: [ReferenceCredentialStore]
    /// Unguessable, for each Digest answer another one (RFC 7616 §3.4).
    let makeClientNonce: @Sendable () -> String
    let hasher: any DigestHasher
    /// All of a file whose content is to be hashed; nil where it can't be had or is too long.
    let readFile: @Sendable (_ path: String) -> [UInt8]?
    /// Spaces that accepted a stored credential; the latest last.
    private var known: [KnownSpace] = []

    /// A space that a request may be sent to with its credential unasked.
    struct KnownSpace: Sendable {
        let space: LoadChallenge.ProtectionSpace
        var scope: ProtectionScope
        /// Of a Digest space: its nonce and how far its count is, which all loads share.
        var digest: DigestSession?
    }

    /// Knows nothing; without a store it never will.
    init(
        stores: [ReferenceCredentialStore] = [], hasher: any DigestHasher = OpenSSLHasher(),
        readFile: @escaping @Sendable (_ path: String) -> [UInt8]? = HashedFile.read,
        makeClientNonce: @escaping @Sendable () -> String = ClientNonce.random
    ) {
        self.stores = stores
        self.hasher = hasher
        self.readFile = readFile
        self.makeClientNonce = makeClientNonce
    }

    /// For loads on their own.
    static let none = AuthenticationMemory()

    // MARK: Credentials

    /// A stored one.
    func credential(for space: LoadChallenge.ProtectionSpace) -> LoadCredential? {
        for store in stores {
            if let credential = store.credential(for: space) { return credential }
        }
        return nil
    }

    // MARK: Spaces

    /// What may be sent unasked with a request to there.
    func recall(_ url: ClientURL, at origin: Origin, isProxy: Bool) -> Authorization? {
        guard !known.isEmpty else { return nil }
        var best: (known: KnownSpace, fit: Int)?
        for known in known where known.space.isProxy == isProxy && known.space.origin == origin {
            guard let fit = known.scope.fit(of: url), fit >= best?.fit ?? 0 else { continue }
            best = (known, fit)
        }
        guard let found = best?.known, let credential = credential(for: found.space) else { return nil }
        return try? Authorization(credential, recalling: found)
    }

    /// How far the others are with that space; nil where they know nothing of it.
    subscript(space: LoadChallenge.ProtectionSpace) -> KnownSpace? { known.first { $0.space == space } }

    /// The credential was accepted: if it is to be kept it is stored, and its space is known.
    mutating func remember(_ authorization: Authorization) {
        let credential = authorization.credential
        guard authorization.source == .store || credential.persistence != .none, !stores.isEmpty else { return }
        if authorization.source != .store {
            stores.first?.set(credential, for: authorization.space)
            if credential.persistence == .permanent {
                ReferenceCredentialStore.process.set(credential, for: authorization.space)
            }
        }
        var space = KnownSpace(
            space: authorization.space, scope: authorization.scope, digest: authorization.digest)
        if let before = self[space.space] { space.scope.formUnion(before.scope) }
        known.removeAll { $0.space == space.space }
        known.append(space)
        if known.count > Self.bound { known.removeFirst() }
    }

    /// A nonce was used or replaced; nothing where the space is not known.
    mutating func update(_ authorization: Authorization) {
        guard let index = known.firstIndex(where: { $0.space == authorization.space }) else { return }
        known[index].digest = authorization.digest
    }

    /// The credential was refused, so no load should try it again.
    mutating func forget(_ authorization: Authorization) {
        known.removeAll { $0.space == authorization.space }
        for store in stores { store.remove(authorization.credential, for: authorization.space) }
    }

    /// Spaces that are known at a time.
    private static let bound = 256
}

/// The random part of a Digest answer that is of this side.
enum ClientNonce {
    /// 126 random bits as 32 hexadecimal digits.
    @Sendable static func random() -> String {
        // The top bit keeps the leading digits.
        let halves = (0..<2).map { _ in UInt64.random(in: 1 << 63 ... .max) }
        return halves.map { String($0, radix: 16) }.joined()
    }
}
