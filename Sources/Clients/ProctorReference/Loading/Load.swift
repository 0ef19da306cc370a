internal import ProctorHTTP
internal import ProctorLoop
internal import ProctorNegotiate
internal import ProctorSOCKS

/// Runs a ``Loader``: passes events to it and performs its actions.
///
/// Belongs to its loop's thread; only ``submit(_:)``, ``suspend()``, ``resume()`` and ``didConsume(_:)`` may be called
/// on any thread.
@safe final class Load: TransferHost {
    let loop: EventLoop
    private let client: any LoadClient
    private let pool: ConnectionPool
    private let options: LoadOptions
    private let loopState: LoopBound<State>

    @safe private final class State {
        var loader: Loader
        var filter: (any ActionFilter)?
        var cache: CacheHandling?
        /// Events that a client submitted inside a call.
        var pending: [LoadEvent] = []
        var isBusy = false
        var nextRequest: (request: ClientRequest, onNewConnection: Bool)?
        var transfer: Transfer?
        /// The connection of a message of NTLM, to which the next one belongs.
        var heldConnection: PooledConnection?
        /// The ALPN name of the protocol of the last transfer that had a connection.
        var protocolName: String?
        var handshakeAnswer: HandshakeAnswer?
        var openedTunnel: ClientRequest?
        var isSuspended = false
        /// Events of the transfer that came while the load was suspended, from a read that had begun before.
        var held: [LoadEvent] = []
        /// Bytes that the client received and has not yet processed.
        var backlog = 0
        var waiters: [UnsafeContinuation<Void, Never>] = unsafe []

        init(_ request: ClientRequest, options: LoadOptions) {
            loader = Loader(request, policy: options.policy)
            loader.findRoutes = options.findRoutes
            loader.strictHosts = options.strictHosts
            filter = options.makeActionFilter?()
            cache = options.cache.map {
                CacheHandling($0, mayStore: options.policy.asksToStore, fault: options.cacheFault)
            }
        }
    }

    init(_ request: ClientRequest, options: LoadOptions, pool: ConnectionPool, client: any LoadClient) {
        loop = pool.loop
        (self.client, self.pool, self.options) = (client, pool, options)
        loopState = LoopBound(State(request, options: options), on: pool.loop)
    }

    private var state: State { loopState.value }

    /// The current or last request; loop thread only.
    var request: ClientRequest {
        loop.preconditionOnLoop()
        return state.loader.request
    }

    /// The number of bytes of the current content that were collected for the cache; loop thread only.
    var collectedByteCount: Int { state.cache?.collectedByteCount ?? 0 }

    // MARK: From any thread

    /// Submits an answer or `cancel`; late ones have no effect.
    func submit(_ event: LoadEvent) {
        loop.perform { self.handle(event) }
    }

    /// Stops all events, transfers and timers until ``resume()``.
    func suspend() { onLoop { $0.state.isSuspended = true } }

    func resume() {
        onLoop { load in
            let state = load.state
            state.isSuspended = false
            let held = state.held
            state.held = []
            for event in held { load.process(event) }
        }
    }

    /// Records that the client has processed this number of bytes.
    func didConsume(_ byteCount: Int) { onLoop { $0.state.backlog -= byteCount } }

    private func onLoop(_ change: @escaping @Sendable (Load) -> Void) {
        loop.perform {
            change(self)
            self.wake()
        }
    }

    // MARK: On the loop

    /// Sends bytes behind a reply that has switched protocols; false where the connection takes no more.
    func sendUpgraded(_ bytes: [UInt8]) async -> Bool { await state.transfer?.sendUpgraded(bytes) ?? false }

    /// Returns at the end of the load; call it once, in a task of the loop; cancelling that task cancels the load.
    func run() async {
        loop.preconditionOnLoop()
        await withTaskCancellationHandler {
            if let limit = options.resourceLimit {
                await run(within: limit)
            } else {
                await runTransfers()
            }
        } onCancel: {
            submit(.cancel)
        }
    }

    private func run(within limit: UInt64) async {
        await withTaskGroup { group in
            group.addTask {
                guard await self.loop.sleep(for: .nanoseconds(Int64(clamping: limit))) else { return }
                self.handle(.timedOut)
            }
            await runTransfers()
            group.cancelAll()
        }
    }

    private func runTransfers() async {
        handle(.start)
        while true {
            if let next = state.nextRequest, !state.isSuspended {
                state.nextRequest = nil
                // Set before the cache is asked, since stored responses may vary with cookies.
                let isRedirected = state.loader.isRedirected
                let request = options.cookies?.completed(next.request, isRedirected: isRedirected) ?? next.request
                let way = state.cache?.chooseWay(for: request)
                switch way ?? CacheHandling.wayWithoutCache(request, fault: options.cacheFault) {
                case .send(let request): await transfer(request, onNewConnection: next.onNewConnection)
                case .answer(let response): await replayStored(response)
                case .fail(let error): handle(.failed(TransferFailure(error)))
                }
            } else if state.loader.isEnded {
                if let held = takeHeldConnection() { pool.store(held) }
                return
            } else {
                await change()
            }
        }
    }

    private func transfer(_ request: ClientRequest, onNewConnection: Bool) async {
        let origin = request.url.origin
        // A stream could not be sent again where the alternative can't be asked.
        let mayTurn =
            origin.scheme == .https && options.upgrade == nil && !request.body.isConsumedBySending
            && state.loader.policy.proxy(for: request.url) == nil && socksProxy(for: origin) == nil
        var alternative = mayTurn ? options.alternatives?.first(of: origin) : nil
        while await !exchange(request, by: alternative, onNewConnection: onNewConnection), let unreached = alternative {
            options.alternatives?.remove(unreached, of: origin)
            alternative = options.alternatives?.first(of: origin)
        }
        guard let validation = state.cache?.validation else { return }
        state.cache?.endValidation()
        switch validation {
        case .holds(let response): await replayStored(response)
        // The stored response is removed, so the repeated request has no condition.
        case .isAnothers(let error): handle(.failed(TransferFailure(error, mayBeRetried: true)))
        }
    }

    private func socksProxy(for origin: Origin) -> SOCKSProxy? {
        if let proxy = state.loader.policy.route?.socks { return proxy }
        return options.policy.proxyExceptions.contain(origin) ? nil : options.socksProxy
    }

    /// Asks the origin or an alternative service of it; false where that could not be asked.
    private func exchange(
        _ request: ClientRequest, by alternative: Alternative?, onNewConnection: Bool
    ) async -> Bool {
        var request = request
        if let alternative { request.fields.append(HTTPField("Alt-Used", alternative.used)) }
        let transfer = Transfer(
            request: request, proxy: state.loader.policy.proxy(for: request.url), names: options.names,
            security: options.security, speaksHTTP2: options.speaksHTTP2, speaksHTTP3: options.speaksHTTP3,
            proxySpeaksHTTP2: options.proxySpeaksHTTP2, socks: socksProxy(for: request.url.origin),
            alternative: alternative, fault: options.transportFault,
            upgrade: options.upgrade, pool: pool, host: self, onNewConnection: onNewConnection)
        state.transfer = transfer
        await transfer.run()
        state.protocolName = transfer.protocolName ?? state.protocolName
        state.transfer = nil
        return !transfer.isUnreached
    }

    /// Reports a stored response with the events of a transfer.
    private func replayStored(_ response: CacheHandling.StoredAnswer) async {
        handle(.storedHead(response.head))
        var content = response.content[...]
        while true {
            switch await nextStep() {
            case .abort: return
            case .drain: return handle(.drained)
            case .readOn where content.isEmpty: return handle(.replyEnded)
            case .readOn:
                handle(.content(Array(content.prefix(Self.pieceByteCount))))
                content = content.dropFirst(Self.pieceByteCount)
            }
        }
    }

    private static let pieceByteCount = 65_536

    func handle(_ event: LoadEvent) {
        loop.preconditionOnLoop()
        // A 304 that the client does not see sets cookies too; a stored response sets none.
        if case .head(let head) = event {
            options.cookies?.storeCookies(head, of: state.loader.request)
            heed(head)
        }
        process(event)
    }

    /// Heeds what a reply says of its origin, where that has shown who it is.
    private func heed(_ head: ReplyHead) {
        let origin = state.loader.request.url.origin
        guard origin.scheme == .https, !head.isInterim, let transfer = state.transfer, transfer.isVouchedFor else {
            return
        }
        options.strictHosts?.heed(
            head.fields.values(named: "Strict-Transport-Security").map { Array($0) }, from: origin.undottedHost)
        options.alternatives?.heed(head, of: origin, by: transfer.alternative)
    }

    private func process(_ event: LoadEvent) {
        if state.cache?.takes(event) == true { return }
        if case .cacheAnswered(let answer) = event, state.loader.phase == .storing { state.cache?.store(answer) }
        if state.isSuspended, event.isOfTheWire { return deferEvent(event) }
        state.pending.append(event)
        guard !state.isBusy else { return }
        state.isBusy = true
        var index = 0
        while index < state.pending.count {
            let event = state.pending[index]
            index += 1
            var actions =
                options.memory.map { state.loader.handle(event, knowing: &$0.value) } ?? state.loader.handle(event)
            if state.filter != nil {
                actions = state.filter?.filter(actions, after: event, of: state.loader) ?? actions
            }
            for action in actions { perform(action) }
        }
        state.pending.removeAll(keepingCapacity: true)
        state.isBusy = false
        wake()
    }

    /// Keeps an event for later; events of progress are merged, since sending continues during a suspension.
    private func deferEvent(_ event: LoadEvent) {
        if case .bodySent(let count, let expected) = event, case .bodySent(let before, _)? = state.held.last {
            let (sum, overflow) = before.addingReportingOverflow(count)
            state.held[state.held.count - 1] = .bodySent(byteCount: overflow ? .max : sum, expected: expected)
        } else {
            state.held.append(event)
        }
    }

    private func perform(_ action: LoadAction) {
        switch action {
        case .send(let request, let onNewConnection): state.nextRequest = (request, onNewConnection)
        // The transfer asks for its next step, which depends on the phase.
        case .drain: break
        case .answerHandshake(let answer): state.handshakeAnswer = answer
        case .openTunnel(let request): state.openedTunnel = request
        case .abort:
            state.nextRequest = nil
            state.transfer?.cancel()
        case .tell(let call):
            if case .data(let bytes) = call {
                state.backlog += bytes.count
                state.cache?.collect(bytes)
            }
            client.load(self, tells: call.naming(protocolName))
        }
    }

    private var protocolName: String? {
        let name = state.transfer?.protocolName ?? state.protocolName
        return options.transportFault?.hasWrongMetrics == true ? name.map { _ in "http/1.1" } : name
    }

    // MARK: Waiting

    func nextStep() async -> TransferStep {
        while true {
            // The client does not see a 304 to a condition of the cache; the rest of that reply is discarded.
            if state.cache?.validation != nil, !state.loader.isEnded { return .drain }
            if let step = state.loader.step, step != .readOn || mayRead { return step }
            await change()
        }
    }

    func handshakeAnswer(to challenge: LoadChallenge) async -> HandshakeAnswer? {
        state.handshakeAnswer = nil
        handle(.handshakeAsks(challenge))
        while state.handshakeAnswer == nil, !state.loader.isEnded { await change() }
        return state.loader.isEnded ? nil : state.handshakeAnswer
    }

    func tunnelRequest() async -> ClientRequest? {
        state.openedTunnel = nil
        handle(.tunnelNeeded)
        while state.openedTunnel == nil, !state.loader.isEnded { await change() }
        return state.loader.isEnded ? nil : state.openedTunnel
    }

    func holdConnection(_ connection: PooledConnection?) -> HeldConnection {
        guard state.loader.authentication.isBound else { return .notWanted }
        state.heldConnection = connection
        return connection == nil ? .missing : .held
    }

    func takeHeldConnection() -> PooledConnection? {
        defer { state.heldConnection = nil }
        return state.heldConnection
    }

    var idleLimit: UInt64 { state.isSuspended ? .max : options.idleLimit }

    private var mayRead: Bool { !state.isSuspended && state.backlog < max(1, options.backlogByteLimit) }

    private func change() async {
        unsafe await withUnsafeContinuation { continuation in unsafe state.waiters.append(continuation) }
    }

    private func wake() {
        guard unsafe !state.waiters.isEmpty else { return }
        let woken = unsafe state.waiters
        unsafe state.waiters = []
        unsafe woken.forEach { unsafe $0.resume() }
    }
}

/// What a host says to a connection that is offered to it.
enum HeldConnection { case notWanted, held, missing }

protocol LoadClient: AnyObject, Sendable {
    /// Called on the loop's thread, in order; answers go to ``Load/submit(_:)``, now or later.
    func load(_ load: Load, tells call: DelegateCall)
}

package protocol ActionFilter {
    /// Returns the actions in place of `actions`, which `loader` has made for `event`.
    mutating func filter(_ actions: [LoadAction], after event: LoadEvent, of loader: Loader) -> [LoadAction]
}

struct LoaderPolicy: Sendable, Equatable {
    /// The most redirects that the client is asked about; the next one fails the load (R9).
    var redirectLimit = 20
    /// Whether a redirect to a URL that was asked before fails the load.
    var refusesCycles = false
    /// Whether each part of multipart/x-mixed-replace is a response of its own (R26).
    var splitsParts = true
    /// The statuses, of 301 and 302, whose redirects keep method and content.
    var keptMethods: Set<Int> = []
    /// Whether the client sees the canonical form of its request (R7); true only for NSURLConnection and NSURLDownload.
    var announcesCanonicalForm = false
    /// Whether the client is asked to store a complete, storable response (R32).
    var asksToStore = false
    /// The proxy that gets `http` requests in absolute form (RFC 9112 §3.2.2) and makes tunnels for `https`.
    var proxy: Origin?
    /// The proxy for `https`, in place of ``proxy``; nil: that is for both.
    var httpsProxy: Origin?
    /// The way to the current URL in place of ``proxy``; nil: none was looked for.
    var route: ProxyRoute?
    /// Whether requests to loopback addresses and `localhost` do not use the proxy.
    var sparesLoopback = false
    /// The hosts whose requests do not use the proxy.
    var proxyExceptions = ProxyExceptions([])
    /// Whether the client is asked about Bearer; a URLProtocol can't ask (R20), so it ignores such challenges (R16).
    var asksForTokens = true
    /// Whether questions of handshakes get default handling without a call, as a URLProtocol must do (R20).
    var resolvesTrustItself = false
    /// Whether the content of a redirect is read while its question has no answer.
    ///
    /// Then another load, such as that of the next URLProtocol object, can use the connection.
    var readsOpenRedirects = false
    /// Whether stored credentials are proposed, tried and sent before a challenge (R19).
    var usesStoredCredentials = true
    /// Whether a request is sent again on another connection after a 421 over HTTP/2.
    var leavesMisdirection = true

    /// What is offered within Negotiate, the preferred one first.
    var mechanisms: [NegotiateMechanism] = [.ntlm]
    var believesAnyServer = false

    /// Whether a WebSocket is asked for, to which the proxy makes a tunnel over `http` too.
    var opensWebSocket = false

    /// The proxy for requests to that URL, in absolute form or by a tunnel; nil: none.
    func proxy(for url: ClientURL) -> Origin? {
        guard let route else {
            if sparesLoopback, url.origin.isLoopback { return nil }
            if proxyExceptions.contain(url.origin) { return nil }
            return url.origin.scheme == .https ? httpsProxy ?? proxy : proxy
        }
        return if case .proxy(let origin) = route { origin } else { nil }
    }

    /// The proxy that receives the whole request in absolute form.
    func handingProxy(for url: ClientURL) -> Origin? {
        url.origin.scheme == .http && !opensWebSocket ? proxy(for: url) : nil
    }

    /// The proxy that makes a tunnel and cannot read the request.
    func tunnelProxy(for url: ClientURL) -> Origin? {
        url.origin.scheme == .https || opensWebSocket ? proxy(for: url) : nil
    }
}
