internal import ProctorBase
internal import ProctorDocument
internal import ProctorLoop
internal import ProctorTLS
import ProctorTLSWire

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A server's private authority, opened at its first use, and the contexts of TLS that were made by it.
///
/// Safe from any thread. What takes long is done on threads of its own, so that no loop waits for a key.
final class TLSContexts: Sendable {
    private let place: AuthorityStorage
    private let folders: [String]
    private let environment: [String: String]
    private let keyLogPath: String?
    private let state = Locked(State())
    /// Of the process.
    static let threads = EncodingThreads(mostThreads: 4)
    /// For large keys, whose primes take seconds; only they wait for one another.
    private static let slowThreads = EncodingThreads(mostThreads: 1)

    private struct State {
        var opening: Task<Result<OpenAuthority, SecurityRefusal>, Never>?
        var opened: OpenAuthority?
        var revocation: RevocationURLs?
        var contexts: [Key: Found] = [:]
        /// The oldest first.
        var order: [Key] = []
        /// Mintings that are under way or wait for a thread, be their contexts kept or not.
        var mintingCount = 0
        /// Nothing is opened or kept any more.
        var isClosed = false
    }

    /// The private authority, once its files are read or made.
    struct OpenAuthority: Sendable {
        let authority: Authority
        let keyLog: KeyLog?
        /// What is wrong with files of certificates, one sentence each.
        let complaints: [String]
    }

    /// What tells contexts apart: what a connection is to be shown, and how.
    struct Key: Hashable, Sendable {
        let profile: String
        let setup: TLSProgram
        let names: CertificateNames
        /// What the fixture brings itself, for which nothing is minted.
        var given: ServerIdentity?
    }

    /// A context, or what makes it.
    enum Found {
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

    /// Sets where certificates say that revocation is told of.
    func setRevocation(_ place: RevocationURLs) {
        state.withLock { $0.revocation = place }
    }

    var revocation: RevocationURLs? { state.withLock { $0.revocation } }

    /// The authority, made or read at the first call; after a refusal the next call tries again.
    func open() async throws(SecurityRefusal) -> OpenAuthority {
        let task = try state.withLock { state throws(SecurityRefusal) in
            guard !state.isClosed else { throw Self.closedRefusal }
            if let task = state.opening { return task }
            // Owned by the state; every caller waits for it.
            let task = Task { await Self.threads.run { self.openNow() } }
            state.opening = task
            return task
        }
        switch await task.value {
        case .success(let opened): return opened
        case .failure(let refusal):
            state.withLock { state in
                if state.opening == task { state.opening = nil }
            }
            throw refusal
        }
    }

    /// Opens the authority; blocking.
    func openNow() -> Result<OpenAuthority, SecurityRefusal> {
        let (book, diagnostics) = CertificateCatalog.load(folders: folders)
        let authority: Authority
        do throws(AuthorityError) {
            authority = try Authority.open(place, catalog: book, environment: environment)
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
        let opened = OpenAuthority(authority: authority, keyLog: keyLog, complaints: diagnostics.map(\.description))
        let isClosed = state.withLock { state in
            if !state.isClosed { state.opened = opened }
            return state.isClosed
        }
        guard !isClosed else {
            authority.close()
            return .failure(Self.closedRefusal)
        }
        return .success(opened)
    }

    /// The authority where it was opened before.
    var opened: OpenAuthority? { state.withLock { $0.opened } }

    private static let closedRefusal = SecurityRefusal(
        .authority, "the server is being stopped, so its authority is opened no more")

    /// Removes what an authority of this server's own has left in files; what is under way then is dropped.
    func close() {
        let opened = state.withLock { state in
            state.isClosed = true
            state.contexts = [:]
            state.order = []
            return state.opened
        }
        opened?.authority.close()
    }

    // MARK: Contexts

    /// The context of that key, or what makes it now; at once where the certificate is there.
    func find(_ key: Key) throws(SecurityRefusal) -> Found {
        let now = Int64(time(nil))
        let (slot, opened) = try state.withLock { state throws(SecurityRefusal) in
            guard !state.isClosed else { throw Self.closedRefusal }
            return (state.contexts[key], state.opened)
        }
        switch slot {
        case .ready(let context) where context.identity.freshUntil > now: return .ready(context)
        case .making(let minting): return .making(minting)
        case .ready, nil: break
        }
        guard let opened else { throw SecurityRefusal(.authority, "the authority was not opened") }
        if let given = key.given {
            let context = try Self.context(key.setup, given, by: opened)
            keep(.ready(context), as: key)
            return .ready(context)
        }
        if let identity = opened.authority.cachedIdentity(key.profile, names: key.names, revocation: revocation) {
            let context = try Self.context(key.setup, identity, by: opened)
            keep(.ready(context), as: key)
            return .ready(context)
        }
        let new = Minting()
        let (minting, isNew) = try state.withLock { state throws(SecurityRefusal) in
            // Another loop may have been faster.
            if case .making(let minting)? = state.contexts[key] { return (minting, false) }
            guard state.mintingCount < Self.mintingLimit else {
                throw SecurityRefusal(
                    .busy,
                    "\(Self.mintingLimit) certificates are being made already, and no more than that at once; "
                        + "ask for fewer different names, or again later")
            }
            state.mintingCount += 1
            Self.keep(.making(new), as: key, in: &state)
            return (new, true)
        }
        if isNew { Self.threads(for: [key.profile], in: opened).add { self.mint(key, by: opened, for: minting) } }
        return .making(minting)
    }

    /// Where certificates of these profiles are to be made.
    static func threads(for profiles: [String], in opened: OpenAuthority) -> EncodingThreads {
        let book = opened.authority.catalog
        return profiles.contains { book.profiles[$0]?.hasLargeKey == true } ? slowThreads : threads
    }

    private func mint(_ key: Key, by opened: OpenAuthority, for minting: Minting) {
        do throws(SecurityRefusal) {
            let identity = try Self.identity(key.profile, names: key.names, revocation: revocation, by: opened)
            let context = try Self.context(key.setup, identity, by: opened)
            state.withLock { state in
                state.mintingCount -= 1
                Self.keep(.ready(context), as: key, in: &state)
            }
            minting.finish(.success(context))
        } catch {
            state.withLock { state in
                state.mintingCount -= 1
                state.contexts[key] = nil
                state.order.removeAll { $0 == key }
            }
            minting.finish(.failure(error))
        }
    }

    private func keep(_ slot: Found, as key: Key) {
        state.withLock { Self.keep(slot, as: key, in: &$0) }
    }

    private static func keep(_ slot: Found, as key: Key, in state: inout State) {
        guard !state.isClosed else { return }
        if state.contexts.updateValue(slot, forKey: key) == nil { state.order.append(key) }
        // A connection that waits for a context that is dropped here gets it still.
        if state.order.count > contextLimit { state.contexts[state.order.removeFirst()] = nil }
    }

    /// Blocking.
    static func identity(
        _ profile: String, names: CertificateNames, revocation: RevocationURLs?, by opened: OpenAuthority
    ) throws(SecurityRefusal) -> ServerIdentity {
        do throws(AuthorityError) {
            return try opened.authority.identity(profile, names: names, revocation: revocation)
        } catch {
            throw SecurityRefusal(error)
        }
    }

    static func context(
        _ setup: TLSProgram, _ identity: ServerIdentity, by opened: OpenAuthority
    ) throws(SecurityRefusal) -> TLSServerContext {
        do throws(TLSSetupError) {
            return try TLSServerContext(
                setup, identity: identity,
                clientAuthority: setup.clientCertificate == .none ? nil : opened.authority.certificateDER,
                keyLog: opened.keyLog)
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

/// A context that is being made on another thread, and the connections that wait for it.
///
/// Safe from any thread.
final class Minting: Sendable {
    typealias Outcome = Result<TLSServerContext, SecurityRefusal>

    private let state = Locked(State())

    private struct State {
        var outcome: Outcome?
        var waiters: [Int: SyncWaiter] = [:]
        var nextWaiter = 0
    }

    /// To be called once; the connections that wait go on.
    func finish(_ outcome: Outcome) {
        let waiters = state.withLock { state in
            state.outcome = outcome
            defer { state.waiters = [:] }
            return Array(state.waiters.values)
        }
        for waiter in waiters { waiter.wake() }
    }

    /// What came of it; nil as long as it is made.
    var result: Outcome? { state.withLock { $0.outcome } }

    /// The outcome, waited for while the client of a socket is there, at most `limit` nanoseconds.
    func outcome(for socket: Socket, within limit: UInt64) async throws(ConnectionEnd) -> Outcome {
        let waiter = SyncWaiter(socket)
        let number = state.withLock { state in
            let number = state.nextWaiter
            state.nextWaiter += 1
            if state.outcome == nil { state.waiters[number] = waiter }
            return number
        }
        defer {
            state.withLock { $0.waiters[number] = nil }
            waiter.end()
        }
        let start = MonotonicClock.nanoseconds
        while true {
            // Between the look and the wait this thread does nothing else, so that no waking is lost.
            if let outcome = result { return outcome }
            let passed = MonotonicClock.nanoseconds &- start
            guard passed < limit else { throw .timedOut }
            do throws(SocketError) {
                try await socket.waitUntilPeerIsGone(within: limit - passed)
            } catch {
                if error == .timedOut { continue }
                throw ConnectionEnd(error)
            }
            throw socket.wasReset ? .peerReset : .peerClosed
        }
    }
}

extension RevocationURLs {
    /// On the shared port at `address`, as a client on this machine reaches it.
    init(servedAt address: SocketAddress) {
        let reachable: SocketAddress =
            switch address {
            case .ipv4("0.0.0.0", let port): .ipv4(host: "127.0.0.1", port: port)
            case .ipv6("::", let port): .ipv6(host: "::1", port: port)
            case .ipv4, .ipv6, .unix: address
            }
        let base = "http://\(reachable)\(ControlCall.prefix)"
        self.init(revocationList: "\(base)/crl", responder: "\(base)/ocsp")
    }
}
