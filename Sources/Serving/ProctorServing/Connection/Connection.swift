internal import ProctorBase
internal import ProctorHTTP
package import ProctorJournal
package import ProctorLoop
package import ProctorReplies
internal import ProctorScenario

/// One accepted connection, or one that a tunnel carries: reads requests and answers each in order; on the loop's
/// thread only.
///
/// No task waits for a request: the socket calls the connection when bytes come. A task runs while anything else has to
/// wait, and other code runs between two steps of it.
package final class Connection: InputReader {
    package let socket: Socket
    package let endpoint: Endpoint
    package let bounds: ConnectionBounds
    /// What carries this connection in a tunnel; nil for an accepted connection.
    package let carrier: (any Wire)?
    /// The connections among which this one waits while it speaks HTTP/2.
    package let waiting: WaitingConnections

    // The parts of the connection.
    package let journals = ConnectionJournals()
    package let input: RequestInput
    package let output: ConnectionOutput
    /// Nil where the origin has no connection effects.
    var effects: ConnectionEffectPlayer?
    /// Nil where plain HTTP is spoken.
    private var handshake: ServerHandshake?
    private var madeLate: LateInput?
    /// The bytes that follow are not read as HTTP.
    var leavesHTTP = false
    /// The bytes that follow are ignored, because the TLS layer failed and their meaning is unknown.
    var ignoresLateBytes = false

    /// Made when it is asked for: few connections that wait have any.
    var late: LateInput {
        if let madeLate { return madeLate }
        let new = LateInput(of: self)
        madeLate = new
        return new
    }

    /// What the handshake agreed on; nil without TLS.
    package var secured: HandshakeNote? { handshake?.secured }

    /// The connection to an origin that this connection has become; nil before a CONNECT succeeds.
    var tunnel: Connection?
    package var checksHost = true
    /// The scenario asked for last, on a connection to the shared port.
    package var mount: KnownMount?
    package var isStopping = false {
        didSet {
            tunnel?.isStopping = isStopping
            if isStopping { http2?.stop() }
        }
    }
    /// Whether the present request has been answered, or will be when the rest of its answer is played.
    private var hasAnswered = false
    /// Whether a request that the system has received is still answered, though the server has stopped.
    private var readsLastRequest = false
    /// What comes before the tunnel of a proxy of SOCKS; nil: HTTP is spoken from the first byte on.
    package private(set) var socks: SOCKSConnection?
    /// Set where the connection speaks HTTP/2.
    private var http2: (any SucceedingConnection)?
    /// Bytes that were read of a connection that speaks HTTP/2 from here on; nil while it speaks HTTP/1.1.
    private var receivedForHTTP2: [UInt8]?
    /// What is no longer HTTP; nil while it is.
    var held: HeldConversation<Connection>?
    /// What the next task begins with.
    private var step: Step?
    /// Nil while a request is waited for.
    private var task: Task<Void, Never>?
    /// The tasks that end the connection by time.
    var timers: [Task<Void, Never>] = []
    /// Nil once the connection has ended.
    private var owner: (any ConnectionOwner)?
    /// Whether all replies were sent or given up, so that only the closing is left.
    private var isEnding = false

    /// `opening` is the latest time at which the connection was opened, in MonotonicClock nanoseconds; nil: now.
    init(
        socket: Socket, endpoint: Endpoint, bounds: ConnectionBounds, security: ListenerSecurity? = nil,
        carrier: (any Wire)? = nil, waiting: WaitingConnections, opening: UInt64? = nil
    ) {
        (self.socket, self.endpoint, self.bounds, self.carrier) = (socket, endpoint, bounds, carrier)
        self.waiting = waiting
        input = RequestInput(endpoint, bounds, opening: opening ?? MonotonicClock.nanoseconds)
        output = ConnectionOutput(socket: socket, bounds: bounds, journals: journals)
        handshake = security.map { ServerHandshake($0, of: self) }
        if case .origin(let stage, let origin) = endpoint, let program = stage.scenario.origins[origin].socks {
            // Without the module the reader refuses such scenarios.
            socks = SOCKSProxying.slot.part.map { SOCKSConnection($0.open(program), self) }
        }
    }

    // MARK: Life

    /// Serves the connection, which `owner` keeps until it is told of the end.
    func serve(for owner: any ConnectionOwner) {
        self.owner = owner
        startTimers()
        do throws(ConnectionEnd) {
            if let opening = try start() { return startTask(.rest(opening)) }
        } catch {
            return startTask(.end(error))
        }
        if let step = goOn() { startTask(step) }
    }

    /// What a task of the connection does.
    private enum Step {
        /// What is left of an answer, or of the opening.
        case rest(WaitingAnswer<Connection>)
        /// The next head cannot be read at once.
        case head
        /// What is no longer HTTP/1.1.
        case conversation
        case end(ConnectionEnd)
        /// An answer is over.
        case next
    }

    /// Goes on behind an answer or the opening, as far as nothing waits; nil: a request is waited for, without a task.
    private func goOn() -> Step? {
        guard goesOnWithRequests() else {
            return held == nil && receivedForHTTP2 == nil ? .end(.stopped) : .conversation
        }
        guard let wait = answerInput() else { return step.take() ?? .next }
        task = nil
        switch wait {
        case .goesOn, .ends: socket.awaitInput(by: self, until: Socket.deadline(within: input.patience()))
        case .beginsAnew(let deadline): socket.awaitInput(by: self, until: deadline)
        case .goesOnLater(let deadline): socket.awaitInput(by: self, until: deadline, isBehind: true)
        }
        return nil
    }

    package func inputCame() -> InputWait { answerInput() ?? .ends }

    package func inputWaitEnded(_ error: SocketError?) {
        if let error { step = .end(connectionEnd(by: error)) }
        startTask(step.take() ?? .next)
    }

    /// Goes on in a task, which ends, and gives its memory back, when a request is waited for.
    private func startTask(_ step: Step) {
        self.step = step
        let held = heldForTasks()
        task = Task(executorPreference: socket.loop) { await held.value?.run() }
    }

    private func run() async {
        do throws(ConnectionEnd) {
            while let step = step.take() ?? goOn() {
                switch step {
                case .rest(let rest): try await rest.finish()
                case .head:
                    try await read(until: .head)
                    hasAnswered = true
                    try await replyToRequest()?.finish()
                case .conversation: return beginConversation()
                case .end(let end): throw end
                case .next: break
                }
            }
        } catch {
            await finish(asOfPeer(error))
            didEnd()
        }
    }

    /// A task of its own, without the frames of this one: in it a WebSocket or a connection of HTTP/2 waits for most of
    /// its life, and its frames have to fit one slab (1,024 bytes).
    private func beginConversation() {
        let held = heldForTasks()
        task = Task(executorPreference: socket.loop) { await held.value?.converse() }
    }

    private func converse() async {
        let end: ConnectionEnd
        if case .webSocket(let conversation) = held {
            end = await conversation.run()
        } else {
            end = await goOnInAnotherWay()
        }
        await finish(asOfPeer(end))
        didEnd()
    }

    private func didEnd() {
        for timer in timers { timer.cancel() }
        (timers, task) = ([], nil)
        owner.take()?.connectionEnded(self)
    }

    /// Ends the waits of the connection's task that a cancellation ends; the socket is cancelled apart from it.
    func cancelTask() { task?.cancel() }

    // Steps that do not wait are never inlined into a task in which the connection waits: their variables would be in
    // its frame.

    /// A client that sends a fatal alert has ended the connection (RFC 8446 §6.2).
    @inline(never)
    private func asOfPeer(_ end: ConnectionEnd) -> ConnectionEnd {
        held = nil
        let end = input.cause(of: end)
        MemoryReturn.noteFreed(input.request.keptContent.count)
        guard case .insecure = end, handshake?.wasRefusedByPeer == true else { return end }
        return .peerClosed
    }

    /// Enters the journals; returns what comes before the first request, nil where nothing does.
    @inline(never)
    private func start() throws(ConnectionEnd) -> WaitingAnswer<Connection>? {
        enterJournals()
        try turnAwayBeyondBound()
        guard hasEffects || handshake != nil || socks != nil || !endpoint.speaksHTTP1
        else { return nil }
        return .dialogue { () async throws(ConnectionEnd) in
            try await self.playEffects(at: self.input.scriptPosition)
            try await self.handshake?.run()
            try await self.socks?.run()
            if self.speaksHTTP2FromHere { self.receivedForHTTP2 = self.takeReadBytes() }
        }
    }

    /// Whether no request of HTTP/1.1 can come: the handshake has agreed on HTTP/2, or the port speaks nothing else.
    private var speaksHTTP2FromHere: Bool {
        guard endpoint.speaksHTTP2 else { return false }
        return !endpoint.speaksHTTP1 || handshake?.facts?.applicationProtocol == Array("h2".utf8)
    }

    /// Goes on in another way than by requests of HTTP/1.1.
    @inline(never)
    private func goOnInAnotherWay() async -> ConnectionEnd {
        guard case .opaque(let conversation) = held else { return await serveHTTP2(receivedForHTTP2.take() ?? []) }
        do throws(ConnectionEnd) { try await conversation.rest() } catch { return error }
    }

    @inline(never)
    private func serveHTTP2(_ received: [UInt8]) async -> ConnectionEnd {
        guard let http2 = beginHTTP2() else { return .serverCloses }
        defer { self.http2 = nil }
        return await http2.serve(received)
    }

    /// nil where there is no memory, or no module that speaks it.
    private func beginHTTP2() -> (any SucceedingConnection)? {
        http2 = SucceedingConnections.slot.part?.begin(self)
        leavesHTTP = true
        ignoresLateBytes = true
        return http2
    }

    /// The bytes of the preface of HTTP/2, by which a client that knows the server begins (RFC 9113 §3.3), and what came
    /// behind them; nil where the first request is anything else.
    private func bytesOfHTTP2(_ refusal: Violation) -> [UInt8]? {
        guard refusal.kind == .http2Preface, endpoint.speaksHTTP2, handshake == nil, input.previousByteCount == nil
        else { return nil }
        defer { input.unfinished.removeAll() }
        return input.unfinished.kept + takeReadBytes()
    }

    /// The bytes that were read and belong to no request yet.
    private func takeReadBytes() -> [UInt8] {
        defer { input.replaceKept(with: []) }
        return Array(input.buffer.unread)
    }

    /// Whether another request may come by HTTP/1.1, behind the one that was answered or the opening.
    @inline(never)
    private func goesOnWithRequests() -> Bool {
        if hasAnswered { endRequest() }
        defer { readsLastRequest = false }
        return receivedForHTTP2 == nil && held == nil && (!isStopping || readsLastRequest)
    }

    private func endRequest() {
        hasAnswered = false
        guard held == nil else { return input.leaveHTTP() }
        MemoryReturn.noteFreed(input.request.keptContent.count)
        input.beginNextRequest()
        effects?.beginNextRequest()
    }

    /// Reads and answers what has come, as far as no step waits; nil: a task has to go on, with the ``step``.
    private func answerInput() -> InputWait? {
        var hasBytes = false
        var left = Self.requestsOfTurn
        do throws(ConnectionEnd) {
            while true {
                if !input.isReached(.head) {
                    switch try readHeadAtOnce() {
                    case .bytes: hasBytes = true
                    case .nothing:
                        // A peer that sends only records without plaintext does not extend the wait.
                        guard hasBytes else { return .goesOn }
                        return .beginsAnew(until: Socket.deadline(within: input.patience()))
                    case .end: try endOfInput()
                    case .needsTurn:
                        step = .head
                        return nil
                    }
                    guard input.isReached(.head) else { continue }
                }
                let rest = try replyToRequest()
                guard rest == nil, !isStopping, receivedForHTTP2 == nil, held == nil else {
                    hasAnswered = true
                    step = rest.map { .rest($0) } ?? .next
                    return nil
                }
                endRequest()
                left -= 1
                if left <= 0, !input.buffer.isEmpty {
                    return .goesOnLater(until: Socket.deadline(within: input.patience()))
                }
            }
        } catch {
            step = .end(error)
            return nil
        }
    }

    /// Requests of one connection that are answered before others get the loop.
    private static let requestsOfTurn = 64

    /// Answers a request by its route, asked of the connection itself: through its protocol the question costs retains.
    private func reply(to head: RequestHead) throws(ConnectionEnd) -> WaitingAnswer<Connection>? {
        try reply(
            to: head,
            by: endpoint.route(head, scheme, at: { local }, checksHost: checksHost, remembering: &mount))
    }

    /// Answers the request as far as no step waits.
    @inline(never)
    private func replyToRequest() throws(ConnectionEnd) -> WaitingAnswer<Connection>? {
        if let refusal = input.request.refusal {
            if let received = bytesOfHTTP2(refusal) {
                receivedForHTTP2 = received
                return nil
            }
            return .dialogue { () async throws(ConnectionEnd) in try await self.refuse(refusal) }
        }
        guard let head = input.request.head else { throw .peerClosed }
        guard let handshake, handshake.asksForCertificate, input.request.isComplete else {
            return try reply(to: head)
        }
        return .dialogue { () async throws(ConnectionEnd) in
            self.input.arrival.start(at: MonotonicClock.nanoseconds)
            try await handshake.askForCertificate()
            try await self.reply(to: head)?.finish()
        }
    }

    @inline(never)
    private func finish(_ end: ConnectionEnd) async {
        isEnding = true
        guard let event = end.event else { return }
        if case .insecure = end { socket.sendsCloseNotify = false }
        if end.sendsFIN(throughTLS: socket.layer != nil) { socket.halfClose() }
        switch end {
        case .serverCloses, .sourceFailed, .unanswerable: late.takeKept()
        // The peer was told why; following bytes are not read.
        case .refused: leavesHTTP = true
        case .insecure: (leavesHTTP, ignoresLateBytes) = (true, true)
        case .peerClosed, .peerReset: if input.wasReadToEnd { late.noteUnfinishedHead(hasLeft: true) }
        case .timedOut, .stopped: if !hasEffects { late.noteUnfinishedHead(hasLeft: false) }
        case .serverEnded, .tunnelEnded, .streamReset, .streamEnded: break
        }
        late.noteUnreadBytes()
        noteEnd(event)
        if end.readsOn {
            await late.linger()
        } else {
            // A server that stops cancels this task when the grace is over.
            await socket.drainLayer(within: bounds.progress)
            socket.close()
        }
    }

    func noteEnd(_ event: JournalEvent) {
        journals.append(event)
        // Both have one socket, or two that end alike; a connection of HTTP/2 goes on.
        (carrier as? Connection)?.noteEnd(event)
    }

    /// What TLS has settled; nil without TLS.
    package var securityFacts: SecurityFacts? { handshake?.facts }

    // MARK: Stopping

    var isBetweenRequests: Bool {
        if let http2 { return http2.isBetweenRequests }
        return tunnel?.isBetweenRequests ?? (input.isAtRest || held == nil && input.isBetweenRequests)
    }

    /// Between two requests, so that ending the connection loses nothing.
    package var isIdle: Bool { isBetweenRequests && !socket.hasUnsentRecords }

    /// What an end of the connection would cut now, as text; nil: nothing.
    var unfinishedWork: String? {
        if let tunnel { return tunnel.unfinishedWork }
        if let http2, http2.openStreamCount > 0 {
            return "replies on \(Plural.count(http2.openStreamCount, "stream")) of HTTP/2 (\(socket.peer))"
        }
        guard !isEnding, !isIdle else { return nil }
        if let held {
            let work = if case .webSocket = held { "a WebSocket" } else { "what follows a reply" }
            return "\(work)\(endpoint.stage.map { " of \($0.scenario.id)" } ?? "") (\(socket.peer))"
        }
        guard let head = input.request.head else {
            let work = isBetweenRequests ? "the end of a reply" : "a request that is not whole yet"
            return "\(work) (\(socket.peer))"
        }
        let line = "\(EscapedText.escape(head.methodBytes, limit: 40)) \(EscapedText.escape(head.targetBytes))"
        let owner = endpoint.stage.map { " of \($0.scenario.id)" } ?? ""
        return "the reply to \(line)\(owner) (\(socket.peer))"
    }

    /// Makes a connection that is to stop read a request that the system has received; the grace bounds the time.
    func readWaitingRequest() {
        if let tunnel { tunnel.readWaitingRequest() } else { readsLastRequest = true }
        if input.isAtRest, !leaveWebSocket() { socket.cancel() }
    }

    /// Says on a WebSocket that the server goes away; true where the client is to answer that.
    ///
    /// On HTTP/2 it is said on each stream, and nothing is waited for.
    package func leaveWebSocket() -> Bool {
        if let tunnel { return tunnel.leaveWebSocket() }
        if let http2 { http2.leaveWebSockets() }
        guard case .webSocket(let conversation)? = held else { return false }
        return conversation.sendGoingAway()
    }

    // MARK: For every answer

    package var scheme: Scheme {
        switch endpoint {
        // A tunnel may have the TLS of another origin.
        case .origin where carrier != nil && handshake != nil: .https
        case .origin(let stage, let origin): stage.compiled.scenario.origins[origin].scheme
        case .shared, .namesProxy: handshake == nil ? .http : .https
        }
    }
}
