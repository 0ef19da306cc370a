internal import ProctorBase
internal import ProctorHTTP
internal import ProctorHTTP2
internal import ProctorJournal
internal import ProctorLoop
internal import ProctorReplies
internal import ProctorScenario

/// One accepted connection, or one that a tunnel carries: reads requests and answers each in order; on the loop's
/// thread only; one task serves it, and other code runs between two steps of that task.
final class Connection {
    let socket: Socket
    let endpoint: Endpoint
    let bounds: ConnectionBounds
    /// What carries this connection in a tunnel; nil for an accepted connection.
    let carrier: (any Wire)?
    /// Those that it waits among while it speaks HTTP/2.
    let waiting: WaitingConnections

    // The parts of the connection; each part knows those above it.
    let journals = ConnectionJournals()
    let input: RequestInput
    let output: ConnectionOutput
    let late: LateInput
    let effects: ConnectionEffectPlayer
    let receiver: RequestReceiver
    /// Nil where plain HTTP is spoken.
    private let handshake: ServerHandshake?

    /// What the handshake agreed on; nil without TLS.
    var secured: HandshakeNote? { handshake?.secured }

    /// The connection to an origin that this connection has become; nil before a CONNECT succeeds.
    var tunnel: Connection?
    var checksHost = true
    /// Of a connection to the shared port.
    private var mount: KnownMount?
    var isStopping = false {
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
    private(set) var socks: SOCKSOpening?
    /// Set where the connection speaks HTTP/2.
    private var http2: HTTP2Connection?
    /// Bytes that were read of a connection that speaks HTTP/2 from here on; nil while it speaks HTTP/1.1.
    private var receivedForHTTP2: [UInt8]?
    /// What is no longer HTTP; nil while it is.
    var held: HeldConversation<Connection>?
    /// What is left of the answer to a request that was read without the task.
    private var outcome: Result<WaitingAnswer<Connection>?, ConnectionEnd>?
    /// Whether all replies were sent or given up, so that only the closing is left.
    private var isEnding = false

    /// `opening` is the latest time at which the connection was opened, in MonotonicClock nanoseconds; nil: now.
    init(
        socket: Socket, endpoint: Endpoint, bounds: ConnectionBounds, security: ListenerSecurity? = nil,
        carrier: (any Wire)? = nil, waiting: WaitingConnections, opening: UInt64? = nil
    ) {
        self.socket = socket
        self.endpoint = endpoint
        self.bounds = bounds
        self.carrier = carrier
        self.waiting = waiting
        input = RequestInput(endpoint, bounds, opening: opening ?? MonotonicClock.nanoseconds)
        output = ConnectionOutput(socket: socket, bounds: bounds, journals: journals)
        late = LateInput(socket: socket, bounds: bounds, input: input, journals: journals)
        effects = ConnectionEffectPlayer(endpoint: endpoint, output: output, journals: journals, late: late)
        receiver = RequestReceiver(
            output: output, input: input, effects: effects, journals: journals)
        handshake = security.map { [output, input, receiver, effects, journals] in
            ServerHandshake($0, output: output, input: input, receiver: receiver, effects: effects, journals: journals)
        }
        effects.connection = self
        if case .origin(let stage, let origin) = endpoint, let program = stage.scenario.origins[origin].socks {
            socks = SOCKSOpening(program, self)
        }
    }

    // MARK: Life

    func serve() async {
        var end: ConnectionEnd
        do throws(ConnectionEnd) {
            var part = try start()
            while true {
                if let part {
                    await part.run(on: socket.loop)
                    try part.requireSuccess()
                }
                guard goesOnWithRequests() else { break }
                try await receiver.receiveHead(answerWhatCame)
                part = try takeOutcome()
            }
            end = .stopped
        } catch {
            end = error
            held = nil
        }
        // Beside the frames of HTTP/1.1, not above them: the connection waits here for most of its life. A WebSocket is run
        // from here, since its frames have to fit one slab with those below them.
        if case .webSocket(let conversation) = held {
            end = await conversation.run()
        } else if held != nil || receivedForHTTP2 != nil {
            end = await goOn()
        }
        await finish(asOfPeer(end))
    }

    // Steps that do not wait are never inlined into `serve`: their variables would be in the frame of an idle
    // connection, which has to fit one slab with those it calls.

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
    private func start() throws(ConnectionEnd) -> ConnectionPart? {
        enterJournals()
        try turnAwayBeyondBound()
        guard effects.hasScript || handshake != nil || socks != nil || !endpoint.speaksHTTP1
        else { return nil }
        return ConnectionPart(
            .dialogue { () async throws(ConnectionEnd) in
                try await self.effects.playEffects(at: self.input.scriptPosition)
                try await self.handshake?.run()
                try await self.socks?.run()
                if self.speaksHTTP2FromHere { self.receivedForHTTP2 = self.takeReadBytes() }
            })
    }

    /// Whether no request of HTTP/1.1 can come: the handshake has agreed on HTTP/2, or the port speaks nothing else.
    private var speaksHTTP2FromHere: Bool {
        guard endpoint.speaksHTTP2 else { return false }
        return !endpoint.speaksHTTP1 || handshake?.facts?.applicationProtocol == Array("h2".utf8)
    }

    /// Goes on in another way than by requests of HTTP/1.1.
    @inline(never)
    private func goOn() async -> ConnectionEnd {
        guard case .opaque(let conversation) = held else { return await serveHTTP2(receivedForHTTP2.take() ?? []) }
        do throws(ConnectionEnd) { try await conversation.rest() } catch { return error }
    }

    @inline(never)
    private func serveHTTP2(_ received: [UInt8]) async -> ConnectionEnd {
        guard let http2 = beginHTTP2() else { return .serverCloses }
        defer { self.http2 = nil }
        return await http2.serve(received)
    }

    /// nil where there is no memory.
    private func beginHTTP2() -> HTTP2Connection? {
        http2 = HTTP2Connection(self)
        late.leavesHTTP = true
        late.ignoresLateBytes = true
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
        effects.beginNextRequest()
    }

    /// What is left to do for the received request: of an answer that was begun without the task, or of a new one.
    @inline(never)
    private func takeOutcome() throws(ConnectionEnd) -> ConnectionPart? {
        hasAnswered = true
        let rest = if let outcome = outcome.take() { try outcome.get() } else { try replyToRequest() }
        return rest.map { ConnectionPart($0) }
    }

    /// Reads and answers what has come while the task waits for a request, as far as no step waits; nil: the task has
    /// to go on, with the ``outcome`` where there is one.
    private func answerWhatCame() -> InputWait? {
        var hasBytes = false
        var left = Self.requestsOfTurn
        do throws(ConnectionEnd) {
            while true {
                switch try receiver.readHeadAtOnce() {
                case .bytes: hasBytes = true
                case .nothing:
                    guard hasBytes else { return .goesOn }
                    return .beginsAnew(until: Socket.deadline(within: input.patience()))
                case .end: try receiver.endOfInput()
                case .needsTurn: return .ends
                }
                guard input.isReached(.head) else { continue }
                let rest = try replyToRequest()
                if rest == nil, !isStopping, receivedForHTTP2 == nil {
                    endRequest()
                    left -= 1
                    if left > 0 || input.buffer.isEmpty { continue }
                    return .goesOnLater(until: Socket.deadline(within: input.patience()))
                }
                outcome = .success(rest)
                return nil
            }
        } catch {
            outcome = .failure(error)
            return nil
        }
    }

    /// Requests of one connection that are answered before others get the loop.
    private static let requestsOfTurn = 64

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
            return try reply(to: head, on: self)
        }
        return .dialogue { () async throws(ConnectionEnd) in
            self.input.arrival.start(at: MonotonicClock.nanoseconds)
            try await handshake.askForCertificate()
            try await self.reply(to: head, on: self)?.finish()
        }
    }

    /// Answers a request on this connection, or on a stream of it, as far as no step waits.
    func reply<Carrier: Wire>(
        to head: RequestHead, on wire: Carrier
    ) throws(ConnectionEnd) -> WaitingAnswer<Carrier>? {
        try reply(
            to: head, on: wire,
            by: endpoint.route(head, scheme, at: socket.local, checksHost: checksHost, remembering: &mount))
    }

    func reply<Carrier: Wire>(
        to head: RequestHead, on wire: Carrier, by route: Route
    ) throws(ConnectionEnd) -> WaitingAnswer<Carrier>? {
        if case .later(let find) = route { return .routing(wire, head, find) }
        if !head.isMultiplexed, let violation = endpoint.objection(to: head, route) {
            input.unfinished.append(head.bytes.span)
            return .dialogue { () async throws(ConnectionEnd) in try await wire.refuse(violation) }
        }
        switch route {
        case .stage(let stage, let origin, let target):
            if head.isMultiplexed, let refusal = http2Refusal(of: head, target, of: stage, origin: origin) {
                logRefusal(refusal, of: head, stage, origin: origin)
                try wire.endRequest(.http11Required)
                return nil
            }
            let request = OriginRequest(head: head, target: target, origin: origin)
            return try StageRequest.handle(request, of: stage, on: wire)
        case .named(let route): return try NamedAnswer(wire: wire, head: head).reply(by: route)
        case .control:
            let place = socket.local
            return .dialogue { () async throws(ConnectionEnd) in
                try await PageAnswer(wire: wire, head: head).callControl(at: place)
            }
        case .page(let page):
            return .dialogue { () async throws(ConnectionEnd) in
                let reply = await page()
                try await PageAnswer(wire: wire, head: head).sendPage(with: reply)
            }
        case .later: preconditionFailure("a route that is to be found was found above")
        }
    }

    /// Why a scenario of the shared port has no answer on a stream; runs have looked for that before.
    private func http2Refusal(
        of head: RequestHead, _ target: [UInt8], of stage: Stage, origin: Int
    ) -> ProtocolRefusal? {
        guard case .shared = endpoint else { return nil }
        let view = RequestView(
            head: head, target: target, body: nil, comparison: stage.compiled.comparison(for: head))
        return stage.compiled.http2Refusal(of: view, origin: origin)
    }

    /// Notes that the client is told to ask over HTTP/1.1 for a scenario that has its bytes (RFC 9113 §7,
    /// HTTP_1_1_REQUIRED).
    private func logRefusal(_ refusal: ProtocolRefusal, of head: RequestHead, _ stage: Stage, origin: Int) {
        let log = RequestLog(stage, attach(to: stage, origin: origin), noting: head)
        let why = "over HTTP/2 the exchange is refused, and the client told to use HTTP/1.1: \(refusal)"
        log.append(.missed(Miss(nearestExchange: nil, differences: [why])))
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
        case .refused: late.leavesHTTP = true
        case .insecure: (late.leavesHTTP, late.ignoresLateBytes) = (true, true)
        case .peerClosed, .peerReset: if input.wasReadToEnd { late.noteUnfinishedHead(hasLeft: true) }
        case .timedOut, .stopped: if !effects.hasScript { late.noteUnfinishedHead(hasLeft: false) }
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
    var securityFacts: SecurityFacts? { handshake?.facts }

    // MARK: Stopping

    var isBetweenRequests: Bool {
        if let http2 { return http2.streams.isEmpty && http2.input.held.isEmpty }
        return tunnel?.isBetweenRequests ?? (input.isAtRest || held == nil && input.isBetweenRequests)
    }

    /// Between two requests, so that ending the connection loses nothing.
    var isIdle: Bool { isBetweenRequests && !socket.hasUnsentRecords }

    /// What an end of the connection would cut now, as text; nil: nothing.
    var unfinishedWork: String? {
        if let tunnel { return tunnel.unfinishedWork }
        if let http2, !http2.streams.isEmpty {
            return "replies on \(Plural.count(http2.streams.count, "stream")) of HTTP/2 (\(socket.peer))"
        }
        guard !isEnding, !isIdle else { return nil }
        if let held {
            let part = if case .webSocket = held { "a WebSocket" } else { "what follows a reply" }
            return "\(part)\(endpoint.stage.map { " of \($0.scenario.id)" } ?? "") (\(socket.peer))"
        }
        guard let head = input.request.head else {
            let part = isBetweenRequests ? "the end of a reply" : "a request that is not whole yet"
            return "\(part) (\(socket.peer))"
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
    func leaveWebSocket() -> Bool {
        if let tunnel { return tunnel.leaveWebSocket() }
        if let http2 { http2.leaveWebSockets() }
        guard case .webSocket(let conversation)? = held else { return false }
        return conversation.sendGoingAway()
    }

    // MARK: Journals

    private func enterJournals() {
        switch endpoint {
        case .origin(let stage, let origin): attach(to: stage, origin: origin)
        case .namesProxy(let stage, _): attach(to: stage, origin: nil)
        case .shared(let port):
            let log = port.log
            let number = log.admitConnection()
            _ = journals.add(
                .init(journal: log.journal, epoch: 0, number: number, memory: nil, takesFrames: false))
            log.journal.append(connection: number, opened(at: "shared"))
        }
    }

    /// This connection's number in the stage's journal; opens the connection there when it is new.
    ///
    /// `origin` is nil for a connection that leads to every name of the stage and so belongs to no single origin.
    @discardableResult
    func attach(to stage: Stage, origin: Int?) -> ConnectionJournals.Attachment {
        if let attachment = journals.attachment(to: stage) { return attachment }
        if origin != nil { carrier?.attachAsCarrier(to: stage) }
        let numbers = stage.admitConnection(origin: origin)
        let attachment = ConnectionJournals.Attachment(
            journal: stage.journal, epoch: numbers.epoch, number: numbers.inStage,
            memory: ConnectionMemory(stage.compiled))
        let isNew = journals.add(attachment)
        if stage.cookies != nil { stage.transport?.watch(self) }
        if let origin {
            if isNew {
                effects.setScript(
                    stage.scenario.origins[origin].connectionEffects, connection: numbers.inOrigin)
            }
            carrier?.noteTunnel(to: origin, of: stage, as: numbers.inStage)
        }
        stage.journal.append(
            epoch: numbers.epoch, connection: numbers.inStage,
            opened(at: origin.map { stage.scenario.origins[$0].name } ?? "names"))
        return attachment
    }

    private func opened(at origin: String) -> JournalEvent {
        let socket = clientSocket ?? socket
        return .connectionOpened(origin: origin, peer: socket.peer.description, local: socket.local.description)
    }

    /// Ends a connection beyond the run's bound of connections.
    private func turnAwayBeyondBound() throws(ConnectionEnd) {
        guard let stage = endpoint.stage, let number = journals.attachments.first?.number else { return }
        let (isBeyond, bound) = stage.isBeyondBound(connection: number)
        if let bound { journals.append(.boundReached(bound)) }
        if isBeyond { throw .serverCloses }
    }

    // MARK: For every answer

    var scheme: Scheme {
        switch endpoint {
        // A tunnel may have the TLS of another origin.
        case .origin where carrier != nil && handshake != nil: .https
        case .origin(let stage, let origin): stage.compiled.scenario.origins[origin].scheme
        case .shared, .namesProxy: handshake == nil ? .http : .https
        }
    }
}
