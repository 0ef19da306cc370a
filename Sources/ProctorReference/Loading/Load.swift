internal import ProctorLoop

/// Runs a ``Loader``: hands it what happens and does what it wants.
///
/// Belongs to its loop's thread; only ``answer(_:)``, ``suspend()``, ``resume()`` and ``didConsume(_:)`` may be called
/// from elsewhere.
@safe final class Load: TransferHost {
    /// Where everything happens.
    let loop: EventLoop
    private let client: any LoadClient
    private let pool: ConnectionPool
    private let options: LoadOptions
    private let loopState: LoopBound<State>

    @safe private final class State {
        var loader: Loader
        var filter: (any ActionFilter)?
        var cache: CacheHandling?
        /// Events of a client that answers while it is told.
        var pending: [LoadEvent] = []
        var isBusy = false
        var nextRequest: (request: ClientRequest, onNewConnection: Bool)?
        var transfer: Transfer?
        /// For the handshake that waits for it.
        var handshakeAnswer: HandshakeAnswer?
        /// For the transfer that waits for it.
        var openedTunnel: ClientRequest?
        var isSuspended = false
        /// What came over the wire while it was suspended, as a read that was under way may bring.
        var held: [LoadEvent] = []
        /// Bytes that the client was told of and has not taken yet.
        var backlog = 0
        var waiters: [UnsafeContinuation<Void, Never>] = unsafe []

        init(_ request: ClientRequest, options: LoadOptions) {
            loader = Loader(request, policy: options.policy)
            filter = options.makeFilter?()
            cache = options.cache.map { CacheHandling($0, mayStore: options.policy.asksToStore) }
        }
    }

    /// Nothing happens before ``run()``.
    init(_ request: ClientRequest, options: LoadOptions, pool: ConnectionPool, client: any LoadClient) {
        loop = pool.loop
        self.client = client
        self.pool = pool
        self.options = options
        loopState = LoopBound(State(request, options: options), on: pool.loop)
    }

    private var state: State { loopState.value }

    /// The request that is under way, or was last; loop thread only.
    var request: ClientRequest {
        loop.preconditionOnLoop()
        return state.loader.request
    }

    /// Bytes of the content under way that are kept for the cache; loop thread only.
    var collectedByteCount: Int { state.cache?.collectedByteCount ?? 0 }

    // MARK: From any thread

    /// An answer, or `cancel`; what comes too late changes nothing.
    func answer(_ event: LoadEvent) {
        loop.perform { self.take(event) }
    }

    /// Hands nothing on, begins no transfer and lets no time run out, until ``resume()``.
    func suspend() { onLoop { $0.state.isSuspended = true } }

    /// Goes on after ``suspend()``.
    func resume() {
        onLoop { load in
            let state = load.state
            state.isSuspended = false
            let held = state.held
            state.held = []
            for event in held { load.process(event) }
        }
    }

    /// The client has taken so many of the bytes that it was told of.
    func didConsume(_ byteCount: Int) { onLoop { $0.state.backlog -= byteCount } }

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
                await runTransfers()
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
            await runTransfers()
            group.cancelAll()
        }
    }

    private func runTransfers() async {
        take(.start)
        while true {
            if let next = state.nextRequest, !state.isSuspended {
                state.nextRequest = nil
                // Before the cache looks at it: what is stored may vary with cookies.
                let isRedirected = state.loader.isRedirected
                let request = options.cookies?.completed(next.request, isRedirected: isRedirected) ?? next.request
                switch state.cache?.begin(request) ?? CacheHandling.wayWithoutCache(request) {
                case .send(let request): await transfer(request, onNewConnection: next.onNewConnection)
                case .answer(let response): await play(response)
                case .fail(let error): take(.failed(TransferFailure(error)))
                }
            } else if state.loader.isEnded {
                return
            } else {
                await change()
            }
        }
    }

    private func transfer(_ request: ClientRequest, onNewConnection: Bool) async {
        let transfer = Transfer(
            request: request, proxy: options.policy.proxy(for: request.url), names: options.names,
            security: options.security, fault: options.transportFault, pool: pool, host: self,
            onNewConnection: onNewConnection)
        state.transfer = transfer
        await transfer.run()
        state.transfer = nil
        guard let validation = state.cache?.validation else { return }
        state.cache?.endValidation()
        switch validation {
        case .holds(let response): await play(response)
        // Nothing is stored any more that could be asked about.
        case .isAnothers(let error): take(.failed(TransferFailure(error, mayBeRetried: true)))
        }
    }

    /// Tells of a stored response as an transfer tells of one that comes over the wire.
    private func play(_ response: CacheHandling.StoredAnswer) async {
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
        // Also of a 304 to a request of the cache, which is told to no client; a stored answer sets no cookies.
        if case .head(let head) = event { options.cookies?.take(head, of: state.loader.request) }
        process(event)
    }

    private func process(_ event: LoadEvent) {
        if state.cache?.takes(event) == true { return }
        if case .cacheAnswered(isStored: true) = event, state.loader.phase == .storing { state.cache?.store() }
        if state.isSuspended, event.isOfTheWire { return hold(event) }
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

    /// Sending goes on meanwhile: its steps are one, however many they are.
    private func hold(_ event: LoadEvent) {
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
        // The transfer asks for its next step and finds it in the phase.
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
            client.load(self, tells: call)
        }
    }

    // MARK: Waiting

    func nextStep() async -> TransferStep {
        while true {
            // The client is told nothing of a 304 that was asked for here; the rest of it is to get out of the way.
            if state.cache?.validation != nil, !state.loader.isEnded { return .drain }
            if let step = state.loader.phase.step, step != .readOn || mayRead { return step }
            await change()
        }
    }

    func answer(to challenge: LoadChallenge) async -> HandshakeAnswer? {
        state.handshakeAnswer = nil
        take(.handshakeAsks(challenge))
        while state.handshakeAnswer == nil, !state.loader.isEnded { await change() }
        return state.loader.isEnded ? nil : state.handshakeAnswer
    }

    func tunnelRequest() async -> ClientRequest? {
        state.openedTunnel = nil
        take(.tunnelNeeded)
        while state.openedTunnel == nil, !state.loader.isEnded { await change() }
        return state.loader.isEnded ? nil : state.openedTunnel
    }

    var idleLimit: UInt64 { state.isSuspended ? .max : options.idleLimit }

    private var mayRead: Bool { !state.isSuspended && state.backlog < max(1, options.backlogLimit) }

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

extension LoadEvent {
    /// Told by an transfer.
    fileprivate var isOfTheWire: Bool {
        switch self {
        case .handshakeAsks, .tunnelNeeded, .tunnelOpened, .tunnelRefused, .bodySent, .head, .storedHead, .content,
            .replyEnded, .drained, .failed:
            true
        default: false
        }
    }
}

/// The user of a load: one of the shapes.
protocol LoadClient: AnyObject, Sendable {
    /// On the loop's thread, in order; may answer at once or later by ``Load/answer(_:)``.
    func load(_ load: Load, tells call: DelegateCall)
}
