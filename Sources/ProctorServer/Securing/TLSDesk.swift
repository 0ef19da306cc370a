internal import ProctorBase
internal import ProctorDocument
internal import ProctorTLS

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A server's private authority, opened at its first use, and the contexts of TLS that were made by it.
///
/// Safe from any thread. What takes its time is done on threads of its own, so that no loop waits for a key.
final class TLSDesk: Sendable {
    private let place: AuthorityPlace
    private let folders: [String]
    private let environment: [String: String]
    private let keyLogPath: String?
    private let state = Locked(State())
    /// Of the process.
    static let threads = EncodingThreads(mostThreads: 4)
    /// For large keys, whose primes take seconds; they wait for one another, and nobody else does.
    private static let slowThreads = EncodingThreads(mostThreads: 1)

    private struct State {
        var opening: Task<Result<Room, SecurityRefusal>, Never>?
        var room: Room?
        var revocation: RevocationPlace?
        var contexts: [Wish: Slot] = [:]
        /// The oldest first.
        var order: [Wish] = []
        /// Those that are under way or wait for a thread, be they kept or not.
        var mintingCount = 0
        /// Nothing is opened or kept any more.
        var isClosed = false
    }

    /// The authority, once it is there.
    struct Room: Sendable {
        let authority: Authority
        let keyLog: KeyLog?
        /// What is wrong with files of certificates, one sentence each.
        let complaints: [String]
    }

    /// What one connection is to be shown, and how.
    struct Wish: Hashable, Sendable {
        let profile: String
        let setup: TLSServerSetup
        let names: CertificateNames
        /// What the fixture brings itself, for which nothing is minted.
        var given: ServerIdentity?
    }

    private enum Slot {
        case ready(TLSServerContext)
        case making(Minting)
    }

    /// Clients choose the name they ask for, and every run has its own address: more contexts are not kept.
    private static let contextLimit = 64
    /// Clients choose the name they ask for, so more mintings do not wait for a thread.
    static let mintingLimit = 64

    init(_ configuration: ServerConfiguration) {
        place = configuration.authority
        folders = configuration.certificateFolders
        environment = configuration.environment
        keyLogPath = configuration.keyLogPath
    }

    // MARK: The authority

    /// Where certificates say that revocation is told of.
    func setRevocation(_ place: RevocationPlace) {
        state.withLock { $0.revocation = place }
    }

    var revocation: RevocationPlace? { state.withLock { $0.revocation } }

    /// The authority, made or read by the first who asks; after a refusal the next one tries again.
    func open() async throws(SecurityRefusal) -> Room {
        let task = try state.withLock { state throws(SecurityRefusal) in
            guard !state.isClosed else { throw Self.closedRefusal }
            if let task = state.opening { return task }
            let task = Task { await Self.threads.run { self.openNow() } }
            state.opening = task
            return task
        }
        switch await task.value {
        case .success(let room): return room
        case .failure(let refusal):
            state.withLock { state in
                if state.opening == task { state.opening = nil }
            }
            throw refusal
        }
    }

    /// Blocking.
    func openNow() -> Result<Room, SecurityRefusal> {
        let (book, diagnostics) = CertificateBook.load(folders: folders)
        let authority: Authority
        do throws(AuthorityRefusal) {
            authority = try Authority.open(place, book: book, environment: environment)
        } catch {
            return .failure(SecurityRefusal(error))
        }
        var keyLog: KeyLog?
        do throws(CallFailure) {
            keyLog = try keyLogPath.map { path throws(CallFailure) in try KeyLog(path: path) }
        } catch {
            authority.close()
            return .failure(
                SecurityRefusal(.authority, "the key log \(keyLogPath ?? "") can't be written: \(error.text)"))
        }
        let room = Room(authority: authority, keyLog: keyLog, complaints: diagnostics.map(\.description))
        let isClosed = state.withLock { state in
            if !state.isClosed { state.room = room }
            return state.isClosed
        }
        guard !isClosed else {
            authority.close()
            return .failure(Self.closedRefusal)
        }
        return .success(room)
    }

    /// The authority where it was opened before.
    var room: Room? { state.withLock { $0.room } }

    private static let closedRefusal = SecurityRefusal(
        .authority, "the server is being stopped, so its authority is opened no more")

    /// Removes what an authority of this server's own has left in files; what is under way then is dropped.
    func close() {
        let room = state.withLock { state in
            state.isClosed = true
            state.contexts = [:]
            state.order = []
            return state.room
        }
        room?.authority.close()
    }

    // MARK: Contexts

    enum Found {
        case ready(TLSServerContext)
        case making(Minting)
    }

    /// The context that was made for the wish, or what makes it now; at once where the certificate is there.
    func find(_ wish: Wish) throws(SecurityRefusal) -> Found {
        let now = Int64(time(nil))
        let (slot, room) = try state.withLock { state throws(SecurityRefusal) in
            guard !state.isClosed else { throw Self.closedRefusal }
            return (state.contexts[wish], state.room)
        }
        switch slot {
        case .ready(let context) where context.identity.freshUntil > now: return .ready(context)
        case .making(let minting): return .making(minting)
        case .ready, nil: break
        }
        guard let room else { throw SecurityRefusal(.authority, "the authority was not opened") }
        if let given = wish.given {
            let context = try Self.context(wish.setup, given, room)
            keep(.ready(context), as: wish)
            return .ready(context)
        }
        if let identity = room.authority.cachedIdentity(wish.profile, names: wish.names, revocation: revocation) {
            let context = try Self.context(wish.setup, identity, room)
            keep(.ready(context), as: wish)
            return .ready(context)
        }
        let new = Minting()
        let (minting, isNew) = try state.withLock { state throws(SecurityRefusal) in
            // Another loop may have been faster.
            if case .making(let minting)? = state.contexts[wish] { return (minting, false) }
            guard state.mintingCount < Self.mintingLimit else {
                throw SecurityRefusal(
                    .busy,
                    "\(Self.mintingLimit) certificates are being made already, and no more than that at once; "
                        + "ask for fewer different names, or again later")
            }
            state.mintingCount += 1
            Self.keep(.making(new), as: wish, &state)
            return (new, true)
        }
        if isNew { Self.threads(for: [wish.profile], in: room).add { self.mint(wish, room, minting) } }
        return .making(minting)
    }

    /// Where certificates of these profiles are to be made.
    static func threads(for profiles: [String], in room: Room) -> EncodingThreads {
        let book = room.authority.book
        return profiles.contains { book.profiles[$0]?.hasLargeKey == true } ? slowThreads : threads
    }

    private func mint(_ wish: Wish, _ room: Room, _ minting: Minting) {
        do throws(SecurityRefusal) {
            let identity = try Self.identity(wish.profile, wish.names, revocation, room)
            let context = try Self.context(wish.setup, identity, room)
            state.withLock { state in
                state.mintingCount -= 1
                Self.keep(.ready(context), as: wish, &state)
            }
            minting.finish(.success(context))
        } catch {
            state.withLock { state in
                state.mintingCount -= 1
                state.contexts[wish] = nil
                state.order.removeAll { $0 == wish }
            }
            minting.finish(.failure(error))
        }
    }

    private func keep(_ slot: Slot, as wish: Wish) {
        state.withLock { Self.keep(slot, as: wish, &$0) }
    }

    private static func keep(_ slot: Slot, as wish: Wish, _ state: inout State) {
        guard !state.isClosed else { return }
        if state.contexts.updateValue(slot, forKey: wish) == nil { state.order.append(wish) }
        // Whoever waits for one that goes has it still.
        if state.order.count > contextLimit { state.contexts[state.order.removeFirst()] = nil }
    }

    /// Blocking.
    static func identity(
        _ profile: String, _ names: CertificateNames, _ revocation: RevocationPlace?, _ room: Room
    ) throws(SecurityRefusal) -> ServerIdentity {
        do throws(AuthorityRefusal) {
            return try room.authority.identity(profile, names: names, revocation: revocation)
        } catch {
            throw SecurityRefusal(error)
        }
    }

    static func context(
        _ setup: TLSServerSetup, _ identity: ServerIdentity, _ room: Room
    ) throws(SecurityRefusal) -> TLSServerContext {
        do throws(TLSRefusal) {
            return try TLSServerContext(
                setup, identity: identity,
                clientAuthority: setup.clientCertificate == .none ? nil : room.authority.certificateDER,
                keyLog: room.keyLog)
        } catch {
            throw SecurityRefusal(error)
        }
    }
}

extension CertificateProfile {
    /// Whether a key of its own or of an issuer takes so long that others must not wait behind it.
    fileprivate var hasLargeKey: Bool {
        ([key] + issuers.map(\.key)).contains { $0 == .rsa3072 || $0 == .rsa4096 || $0 == .rsa8192 }
    }
}
