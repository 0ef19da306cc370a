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
    /// Events of a client that answers while it is told.
    private var pending: [LoadEvent] = []
    private var isBusy = false
    private var nextRequest: (request: ClientRequest, onNewConnection: Bool)?
    private var exchange: Exchange?
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
    }

    /// The request that is under way, or was last; loop thread only.
    var request: ClientRequest {
        loop.preconditionOnLoop()
        return loader.request
    }

    /// The port of our end while a request is on the wire; loop thread only.
    var localPort: UInt16? { exchange?.localPort }

    // MARK: From any thread

    /// An answer, or `cancel`; what comes too late changes nothing.
    func answer(_ event: LoadEvent) {
        if loop.isCurrent {
            take(event)
        } else {
            loop.submit { self.take(event) }
        }
    }

    /// Hands nothing on, begins no exchange and lets no time run out, until ``resume()``.
    func suspend() { onLoop { $0.isSuspended = true } }

    /// Goes on after ``suspend()``.
    func resume() {
        onLoop { load in
            load.isSuspended = false
            let held = load.held
            load.held = []
            for event in held { load.take(event) }
        }
    }

    /// The client has taken so many bytes of what it was told.
    func didConsume(_ byteCount: Int) { onLoop { $0.backlog -= byteCount } }

    private func onLoop(_ change: @escaping @Sendable (Load) -> Void) {
        if loop.isCurrent {
            change(self)
            wake()
        } else {
            loop.submit {
                change(self)
                self.wake()
            }
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
                let exchange = Exchange(
                    request: next.request, pool: pool, host: self, onNewConnection: next.onNewConnection)
                self.exchange = exchange
                await exchange.run()
                self.exchange = nil
            } else if loader.isEnded {
                return
            } else {
                await change()
            }
        }
    }

    func take(_ event: LoadEvent) {
        loop.preconditionOnLoop()
        if isSuspended, event.isOfTheWire { return hold(event) }
        pending.append(event)
        guard !isBusy else { return }
        isBusy = true
        var index = 0
        while index < pending.count {
            let event = pending[index]
            index += 1
            var actions = loader.handle(event)
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
        case .abort:
            nextRequest = nil
            exchange?.cancel()
        case .tell(let notice):
            if case .data(let bytes) = notice { backlog += bytes.count }
            client.load(self, tells: notice)
        }
    }

    // MARK: Waiting

    func nextStep() async -> ExchangeStep {
        while true {
            if let step = loader.phase.step, step != .readOn || mayRead { return step }
            await change()
        }
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
        case .bodySent, .head, .content, .replyEnded, .drained, .failed: true
        case .start, .cancel, .canonicalAnswered, .redirectAnswered, .challengeAnswered, .bodyStreamAnswered,
            .responseAnswered, .cacheAnswered, .timedOut:
            false
        }
    }
}
