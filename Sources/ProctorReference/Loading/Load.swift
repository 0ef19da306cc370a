import ProctorLoop

/// Runs a ``Loader``: hands it what happens and does what it wants.
///
/// Belongs to its loop's thread; only ``answer(_:)``, ``suspend()``, ``resume()`` and ``didConsume(_:)`` may be called
/// from elsewhere.
@safe final class Load: ExchangeHost, @unchecked Sendable {
    /// Where everything happens.
    let loop: EventLoop
    private let client: any LoadClient
    private let pool: ConnectionPool
    private let options: LoadOptions
    private var loader: Loader
    private var filter: (any ActionFilter)?
    private var caching: CacheCourse?
    private let cookies: CookieCourse?
    /// Events of a client that answers while it is told.
    private var pending: [LoadEvent] = []
    private var isBusy = false
    private var nextRequest: (request: ClientRequest, onNewConnection: Bool)?
    private var exchange: Exchange?
    /// For the handshake that waits for it.
    private var handshakeAnswer: HandshakeAnswer?
    /// For the exchange that waits for it.
    private var openedTunnel: ClientRequest?
    private var isSuspended = false
    /// What came over the wire while it was suspended, as a read that was under way may bring.
    private var held: [LoadEvent] = []
    /// Bytes that the client was told of and has not taken yet.
    private var backlog = 0
    private var waiters: [UnsafeContinuation<Void, Never>] = unsafe []

    /// Nothing happens before ``run()``.
    init(_ request: ClientRequest, options: LoadOptions, pool: ConnectionPool, client: any LoadClient) {
        loop = pool.loop
        self.client = client
        self.pool = pool
        self.options = options
        loader = Loader(request, policy: options.policy)
        filter = options.makeFilter?()
        cookies = options.cookies
        caching = options.cache.map { CacheCourse($0, mayStore: options.policy.asksToStore) }
    }

    /// The request that is under way, or was last; loop thread only.
    var request: ClientRequest {
        loop.preconditionOnLoop()
        return loader.request
    }

    /// The port of our end while a request is on the wire; loop thread only.
    var localPort: UInt16? { exchange?.localPort }

    /// Bytes of the content under way that are kept for the cache; loop thread only.
    var collectedByteCount: Int { caching?.collectedByteCount ?? 0 }

    // MARK: From any thread

    /// An answer, or `cancel`; what comes too late changes nothing.
    func answer(_ event: LoadEvent) {
        loop.perform { self.take(event) }
    }

    /// Hands nothing on, begins no exchange and lets no time run out, until ``resume()``.
    func suspend() { onLoop { $0.isSuspended = true } }

    /// Goes on after ``suspend()``.
    func resume() {
        onLoop { load in
            load.isSuspended = false
            let held = load.held
            load.held = []
            for event in held { load.process(event) }
        }
    }

    /// The client has taken so many bytes of what it was told.
    func didConsume(_ byteCount: Int) { onLoop { $0.backlog -= byteCount } }

    private func onLoop(_ change: @escaping @Sendable (Load) -> Void) {
        loop.perform {
            change(self)
            self.wake()
        }
    }

    // MARK: On the loop

    /// Returns when the load has ended; to be called once, by a task of the loop, whose cancelling cancels the load.
    func run() async {
        loop.preconditionOnLoop()
        await withTaskCancellationHandler {
            if let limit = options.resourceLimit {
                await run(within: limit)
            } else {
                await runExchanges()
            }
        } onCancel: {
            answer(.cancel)
        }
    }

    private func run(within limit: UInt64) async {
        await withTaskGroup { group in
            group.addTask {
                guard await self.loop.sleep(for: .nanoseconds(Int64(clamping: limit))) else { return }
                self.take(.timedOut)
            }
            await runExchanges()
            group.cancelAll()
        }
    }

    private func runExchanges() async {
        take(.start)
        while true {
            if let next = nextRequest, !isSuspended {
                nextRequest = nil
                // Before the cache looks at it: what is stored may vary with cookies.
                let request = cookies?.completed(next.request, isRedirected: loader.isRedirected) ?? next.request
                switch caching?.begin(request) ?? CacheCourse.wayWithoutCache(request) {
                case .send(let request): await exchange(request, onNewConnection: next.onNewConnection)
                case .answer(let response): await play(response)
                case .fail(let error): take(.failed(ExchangeFailure(error)))
                }
            } else if loader.isEnded {
                return
            } else {
                await change()
            }
        }
    }

    private func exchange(_ request: ClientRequest, onNewConnection: Bool) async {
        let exchange = Exchange(
            request: request, proxy: options.policy.proxy(for: request.url), names: options.names,
            security: options.security, fault: options.transportFault, pool: pool, host: self,
            onNewConnection: onNewConnection)
        self.exchange = exchange
        await exchange.run()
        self.exchange = nil
        guard let validation = caching?.validation else { return }
        caching?.endValidation()
        switch validation {
        case .holds(let response): await play(response)
        // Nothing is stored any more that could be asked about.
        case .isAnothers(let error): take(.failed(ExchangeFailure(error, mayBeRetried: true)))
        }
    }

    /// Tells of a stored response as an exchange tells of one that comes over the wire.
    private func play(_ response: CacheCourse.StoredAnswer) async {
        take(.storedHead(response.head))
        var content = response.content[...]
        while true {
            switch await nextStep() {
            case .abort: return
            case .drain: return take(.drained)
            case .readOn where content.isEmpty: return take(.replyEnded)
            case .readOn:
                take(.content(Array(content.prefix(Self.pieceByteCount))))
                content = content.dropFirst(Self.pieceByteCount)
            }
        }
    }

    /// Of stored content: as much as one read brings.
    private static let pieceByteCount = 65_536

    func take(_ event: LoadEvent) {
        loop.preconditionOnLoop()
        // Of a 304 to a question of the cache too, of which nobody else hears; what the cache answers with sets nothing.
        if case .head(let head) = event { cookies?.take(head, of: loader.request) }
        process(event)
    }

    private func process(_ event: LoadEvent) {
        if caching?.takes(event) == true { return }
        if case .cacheAnswered(isStored: true) = event, loader.phase == .storing { caching?.store() }
        if isSuspended, event.isOfTheWire { return hold(event) }
        pending.append(event)
        guard !isBusy else { return }
        isBusy = true
        var index = 0
        while index < pending.count {
            let event = pending[index]
            index += 1
            var actions = options.keeper.map { loader.handle(event, knowing: &$0.memory) } ?? loader.handle(event)
            if filter != nil { actions = filter?.filter(actions, after: event, of: loader) ?? actions }
            for action in actions { perform(action) }
        }
        pending.removeAll(keepingCapacity: true)
        isBusy = false
        wake()
    }

    /// Sending goes on meanwhile: its steps are one, however many they are.
    private func hold(_ event: LoadEvent) {
        if case .bodySent(let count, let expected) = event, case .bodySent(let before, _)? = held.last {
            let (sum, overflow) = before.addingReportingOverflow(count)
            held[held.count - 1] = .bodySent(byteCount: overflow ? .max : sum, expected: expected)
        } else {
            held.append(event)
        }
    }

    private func perform(_ action: LoadAction) {
        switch action {
        case .send(let request, let onNewConnection): nextRequest = (request, onNewConnection)
        // The exchange asks for its next step and finds it in the phase.
        case .drain: break
        case .answerHandshake(let answer): handshakeAnswer = answer
        case .openTunnel(let request): openedTunnel = request
        case .abort:
            nextRequest = nil
            exchange?.cancel()
        case .tell(let notice):
            if case .data(let bytes) = notice {
                backlog += bytes.count
                caching?.collect(bytes)
            }
            client.load(self, tells: notice)
        }
    }

    // MARK: Waiting

    func nextStep() async -> ExchangeStep {
        while true {
            // The client is told nothing of a 304 that was asked for here; the rest of it is to get out of the way.
            if caching?.validation != nil, !loader.isEnded { return .drain }
            if let step = loader.phase.step, step != .readOn || mayRead { return step }
            await change()
        }
    }

    func answer(to challenge: LoadChallenge) async -> HandshakeAnswer? {
        handshakeAnswer = nil
        take(.handshakeAsks(challenge))
        while handshakeAnswer == nil, !loader.isEnded { await change() }
        return loader.isEnded ? nil : handshakeAnswer
    }

    func tunnelRequest() async -> ClientRequest? {
        openedTunnel = nil
        take(.tunnelNeeded)
        while openedTunnel == nil, !loader.isEnded { await change() }
        return loader.isEnded ? nil : openedTunnel
    }

    var idleLimit: UInt64 { isSuspended ? .max : options.idleLimit }

    private var mayRead: Bool { !isSuspended && backlog < max(1, options.backlogLimit) }

    private func change() async {
        unsafe await withUnsafeContinuation { continuation in unsafe waiters.append(continuation) }
    }

    private func wake() {
        guard unsafe !waiters.isEmpty else { return }
        let woken = unsafe waiters
        unsafe waiters = []
        unsafe woken.forEach { unsafe $0.resume() }
    }
}

extension LoadEvent {
    /// Told by an exchange.
    fileprivate var isOfTheWire: Bool {
        switch self {
        case .handshakeAsks, .tunnelNeeded, .tunnelOpened, .tunnelRefused, .bodySent, .head, .storedHead, .content,
            .replyEnded, .drained, .failed:
            true
        case .start, .cancel, .canonicalAnswered, .redirectAnswered, .storageAnswered, .challengeAnswered,
            .bodyStreamAnswered, .responseAnswered, .cacheAnswered, .timedOut:
            false
        }
    }
}
