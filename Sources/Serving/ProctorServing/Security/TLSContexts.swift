internal import ProctorBase
internal import ProctorDocument
internal import ProctorLoop
internal import ProctorReplies
package import ProctorTLS
import ProctorTLSWire

/// A server's private authority, opened at its first use, and the TLS contexts made with it.
///
/// Safe from any thread. Keys are made on other threads, so that no loop waits.
package final class TLSContexts: Sendable {
    private let place: AuthorityStorage
    private let folders: [String]
    private let environment: [String: String]
    private let keyLogPath: String?
    private let state = Locked(State())

    private struct State {
        var opening: Task<Result<OpenAuthority, SecurityRefusal>, Never>?
        var opened: OpenAuthority?
        var revocation: RevocationURLs?
        var contexts: [Key: Slot] = [:]
        var order: [Key] = []
        /// Certificates that are being made or wait for a thread.
        var mintingCount = 0
        var isClosed = false
    }

    /// The private authority with its files read or made.
    package struct OpenAuthority: Sendable {
        package let authority: Authority
        package let keyLog: KeyLog?
        /// Faults in files of certificates, one sentence each.
        let complaints: [String]
    }

    /// Identifies a context: its certificate and configuration.
    package struct Key: Hashable, Sendable {
        let profile: String
        let setup: TLSProgram
        let names: CertificateNames
        /// The fixture's own certificate; nil: one is made.
        var given: ServerIdentity?
    }

    package enum Slot {
        case ready(TLSServerContext)
        case making(Minting)
    }

    /// The most kept contexts: clients choose the server name, and every run has its own address.
    private static let contextLimit = 64
    /// The most waiting jobs: clients choose the server name.
    static let mintingLimit = 64

    /// `folders` describe certificates, of which a later one wins; `environment` decides where the user's data is.
    package init(
        _ place: AuthorityStorage, folders: [String], environment: [String: String], keyLogPath: String?
    ) {
        (self.place, self.folders, self.environment, self.keyLogPath) = (place, folders, environment, keyLogPath)
    }

    // MARK: The authority

    package func setRevocation(_ place: RevocationURLs) {
        state.withLock { $0.revocation = place }
    }

    package var revocation: RevocationURLs? { state.withLock { $0.revocation } }

    /// The authority, opened at the first call; after a refusal the next call tries again.
    package func open() async throws(SecurityRefusal) -> OpenAuthority {
        let task = try state.withLock { state throws(SecurityRefusal) in
            guard !state.isClosed else { throw Self.closedRefusal }
            if let task = state.opening { return task }
            // Owned by the state; every caller waits for it.
            let task = Task(executorPreference: WorkThreads.security) {
                Result { () throws(SecurityRefusal) in try self.openNow() }
            }
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

    /// Opens the authority for a port where a client names the certificate; throws where the usual one is missing.
    package func openForLabels() async throws(SecurityRefusal) {
        let catalog = try await open().authority.catalog
        let usual = TLSProgram().certificate
        guard catalog.profiles[usual] == nil else { return }
        let places =
            folders.isEmpty ? "no folder 'certs' was found" : "looked for in \(folders.joined(separator: ", "))"
        throw SecurityRefusal(
            .unknownName,
            "there is no certificate profile '\(usual)' (\(places)); name the folder 'certs' that comes with proctor by --certs "
                + "or PROCTOR_CERTS, or let it stand beside the program or the fixtures")
    }

    /// Opens the authority; blocking.
    func openNow() throws(SecurityRefusal) -> OpenAuthority {
        let (catalog, diagnostics) = CertificateCatalog.load(folders: folders)
        if let failure = diagnostics.first(where: \.isTransient) {
            throw SecurityRefusal(.authority, "the certificate profiles can't be read now; ask again: \(failure)")
        }
        let authority: Authority
        do throws(AuthorityError) {
            authority = try Authority.open(place, catalog: catalog, environment: environment)
        } catch {
            throw SecurityRefusal(error)
        }
        var keyLog: KeyLog?
        do throws(CallFailure) {
            if let keyLogPath { keyLog = try KeyLog(path: keyLogPath) }
        } catch {
            authority.close()
            throw SecurityRefusal(.authority, "the key log \(keyLogPath ?? "") can't be written: \(error.text)")
        }
        let opened = OpenAuthority(authority: authority, keyLog: keyLog, complaints: diagnostics.map(\.description))
        let isClosed = state.withLock { state in
            if !state.isClosed { state.opened = opened }
            return state.isClosed
        }
        guard !isClosed else {
            authority.close()
            throw Self.closedRefusal
        }
        return opened
    }

    /// The authority; nil where it was not opened.
    package var opened: OpenAuthority? { state.withLock { $0.opened } }

    private static let closedRefusal = SecurityRefusal(
        .authority, "the server is being stopped, so its authority is opened no more")

    /// Removes the files of an ephemeral authority; results of jobs in progress are dropped.
    package func close() {
        let opened = state.withLock { state in
            state.isClosed = true
            state.contexts = [:]
            state.order = []
            return state.opened
        }
        opened?.authority.close()
    }

    // MARK: Contexts

    package func find(_ key: Key) throws(SecurityRefusal) -> Slot {
        let now = Authority.systemTime()
        let (slot, opened) = try state.withLock { state throws(SecurityRefusal) in
            guard !state.isClosed else { throw Self.closedRefusal }
            return (state.contexts[key], state.opened)
        }
        switch slot {
        case .ready(let context) where context.identity.freshness.contains(now): return .ready(context)
        case .making(let minting): return .making(minting)
        case .ready, nil: break
        }
        guard let opened else { throw SecurityRefusal(.authority, "the authority was not opened") }
        let cached = key.given ?? opened.authority.cachedIdentity(key.profile, names: key.names, revocation: revocation)
        if let cached {
            let context = try Self.context(key.setup, cached, by: opened)
            state.withLock { Self.store(.ready(context), as: key, in: &$0) }
            return .ready(context)
        }
        let new = Minting()
        let (minting, isNew) = try state.withLock { state throws(SecurityRefusal) in
            if case .making(let minting)? = state.contexts[key] { return (minting, false) }
            guard state.mintingCount < Self.mintingLimit else {
                throw SecurityRefusal(
                    .busy,
                    "\(Self.mintingLimit) certificates are being made already, and no more than that at once; "
                        + "ask for fewer different names, or again later")
            }
            state.mintingCount += 1
            Self.store(.making(new), as: key, in: &state)
            return (new, true)
        }
        if isNew {
            Self.threads(for: [key.profile], in: opened).add(within: .ofInput) { _ in
                self.mint(key, by: opened, for: minting)
            }
        }
        return .making(minting)
    }

    /// A certificate whose large key is there takes milliseconds, and does not wait behind another key's primes.
    static func threads(for profiles: [String], in opened: OpenAuthority) -> WorkThreads {
        let authority = opened.authority
        let isSlow = profiles.contains {
            authority.catalog.profiles[$0]?.hasLargeKey == true && !authority.hasKeys(of: $0)
        }
        return isSlow ? .largeKeys : .security
    }

    private func mint(_ key: Key, by opened: OpenAuthority, for minting: Minting) {
        do throws(SecurityRefusal) {
            let identity = try Self.identity(key.profile, names: key.names, revocation: revocation, by: opened)
            let context = try Self.context(key.setup, identity, by: opened)
            state.withLock { state in
                state.mintingCount -= 1
                Self.store(.ready(context), as: key, in: &state)
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

    private static func store(_ slot: Slot, as key: Key, in state: inout State) {
        guard !state.isClosed else { return }
        if state.contexts.updateValue(slot, forKey: key) == nil { state.order.append(key) }
        // A connection that waits for a dropped context still gets it.
        if state.order.count > contextLimit { state.contexts[state.order.removeFirst()] = nil }
    }

    /// Blocking.
    static func identity(
        _ profile: String, names: CertificateNames, revocation: RevocationURLs?, by opened: OpenAuthority
    ) throws(SecurityRefusal) -> ServerIdentity {
        try Result { () throws(AuthorityError) in
            try opened.authority.identity(profile, names: names, revocation: revocation)
        }.mapError(SecurityRefusal.init).get()
    }

    static func context(
        _ setup: TLSProgram, _ identity: ServerIdentity, by opened: OpenAuthority
    ) throws(SecurityRefusal) -> TLSServerContext {
        try Result { () throws(TLSSetupError) in
            try TLSServerContext(
                setup, identity: identity,
                clientAuthority: setup.clientCertificate == .none ? nil : opened.authority.certificateDER,
                keyLog: opened.keyLog)
        }.mapError(SecurityRefusal.init).get()
    }
}

extension CertificateProfile {
    /// Whether a key of its own or of an issuer takes so long that others must not wait for it.
    fileprivate var hasLargeKey: Bool {
        ([key] + issuers.map(\.key)).contains { $0 == .rsa4096 || $0 == .rsa8192 }
    }
}

/// A context that another thread makes, and the connections that wait for it; safe from any thread.
package final class Minting: Sendable {
    package typealias Outcome = Result<TLSServerContext, SecurityRefusal>

    private let state = Locked(State())

    private struct State {
        var outcome: Outcome?
        var waiters: [ObjectIdentifier: SyncWaiter] = [:]
        /// The callbacks of connections of QUIC, which wait without a task.
        var callers: [@Sendable (Outcome) -> Void] = []
    }

    /// To be called once; wakes the connections that wait.
    func finish(_ outcome: Outcome) {
        let (waiters, callers) = state.withLock { state in
            state.outcome = outcome
            defer { (state.waiters, state.callers) = ([:], []) }
            return (Array(state.waiters.values), state.callers)
        }
        for waiter in waiters { waiter.wake() }
        for caller in callers { caller(outcome) }
    }

    /// Calls `body` once, on any thread: now, or when the job has ended.
    package func whenFinished(_ body: @escaping @Sendable (Outcome) -> Void) {
        let known = state.withLock { state in
            if state.outcome == nil { state.callers.append(body) }
            return state.outcome
        }
        if let known { body(known) }
    }

    /// nil until the job has ended.
    var result: Outcome? { state.withLock { $0.outcome } }

    /// Waits for the outcome, at most `limit` nanoseconds; throws when the client leaves first.
    func outcome(for wire: any Wire, within limit: UInt64) async throws(ConnectionEnd) -> Outcome {
        let waiter = SyncWaiter(wire)
        state.withLock { if $0.outcome == nil { $0.waiters[ObjectIdentifier(waiter)] = waiter } }
        defer {
            state.withLock { $0.waiters[ObjectIdentifier(waiter)] = nil }
            waiter.close()
        }
        let start = MonotonicClock.nanoseconds
        while true {
            // No other code of this thread runs between the check and the wait, so no wake-up is lost.
            if let outcome = result { return outcome }
            let passed = MonotonicClock.nanoseconds &- start
            guard passed < limit else { throw .timedOut }
            try await wire.waitWhilePeerStays(within: limit - passed)
        }
    }
}
