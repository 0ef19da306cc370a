internal import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop
internal import ProctorScenario
internal import ProctorTrace

/// One accepted connection: reads requests, takes turns, plays replies, keeps the journal.
///
/// Loop thread only.
///
/// It is one task, a child of the group that accepted it, and never leaves its loop.
final class Connection: @unchecked Sendable {
    let socket: Socket
    let endpoint: Endpoint
    let bounds: ConnectionBounds
    /// nil where plain HTTP is spoken.
    let securing: Securing?

    // TLS, where it is spoken.
    /// What the client is shown.
    var certificateProfile = ""
    /// A certificate is to be asked for before the first reply.
    var asksForCertificate = false
    /// The next record is cut, and nothing goes out behind it.
    var isTruncating = false
    /// The client sent a fatal alert.
    var wasRefusedByPeer = false

    // Reading.
    var reader: RequestReader
    var request = IncomingRequest()
    /// Bytes taken from the socket that the reader has not seen; empty while nothing is pipelined.
    var pending: [UInt8] = []
    var pendingStart = 0
    /// When requests began.
    var arrival: RequestArrival
    /// Bytes of the current request that the reader has seen.
    var requestByteCount = 0
    /// Of those, what stands in no event of the reader yet: a head, or a line within chunked content, that is not whole.
    var unfinished = UnreadBytes()
    /// Effects before an exchange is known; nil for nearly every connection.
    var script: ConnectionScript?
    var headDeadline: UInt64 = .max
    /// Of the request before the current one; nil before the first is over.
    var lastRequestByteCount: Int?
    /// What came behind the last request; nil for nearly every connection.
    var surplus: Surplus?
    /// The peer's end was found by who reads requests, so that all it sent was seen.
    var wasReadToEnd = false
    /// What follows on the connection is no HTTP, or is not read as such.
    var leavesHTTP = false
    /// Behind the last reply: content of its request, as framed, and whatever else.
    var lateContent = UnreadBytes()
    var lateBytes = UnreadBytes()
    /// Nobody can tell the bytes that follow from those of a layer that failed.
    var ignoresLateBytes = false
    /// The request behind whose reply the connection is no HTTP any more; nil while it is.
    var opaqueLog: RequestLog?
    /// Nothing is to be sent any more, and whatever comes is taken as it comes.
    var isOpaqueAtRest = false
    /// False until the effects at `accept` are over.
    var hasBegun = false

    // Tunnels.
    /// The connection that this one is carried by; nil for one that was accepted.
    let carrier: Connection?
    /// What this connection has become; nil for nearly every one.
    var tunnel: Connection?
    /// Whether Host must say the name of the origin.
    var checksHost = true

    // Journals that know this connection.
    var attachments: [Attachment] = []
    /// This connection's number in the lobby of a shared port.
    private var lobbyNumber = 0
    var isStopping = false {
        didSet { tunnel?.isStopping = isStopping }
    }

    /// All that is replied has been sent, or given up; what follows is the farewell.
    private var isEnding = false

    /// What has come before the server stopped is read, as the last request.
    private var hearsLastRequest = false

    struct Attachment {
        let journal: Journal
        /// Of the journal; nothing is written into a later one.
        let epoch: Int
        let number: Int
        /// nil where nothing of this connection has to be kept.
        let memory: ConnectionMemory?
    }

    /// `opening` is when it was opened at the latest, in MonotonicClock nanoseconds; nil: now.
    init(
        socket: Socket, endpoint: Endpoint, bounds: ConnectionBounds, securing: Securing? = nil,
        carrier: Connection? = nil, opening: UInt64? = nil
    ) {
        self.socket = socket
        self.carrier = carrier
        self.securing = securing
        self.endpoint = endpoint
        self.bounds = bounds
        reader = endpoint.reader(bounds.request)
        arrival = RequestArrival(opening: opening ?? MonotonicClock.nanoseconds)
    }

    /// Between two requests.
    var isBetweenRequests: Bool {
        tunnel?.isBetweenRequests
            ?? (isOpaqueAtRest || request.isAwaited && pendingStart == pending.count
                || request.head == nil && reader.isBetweenRequests && pendingStart == pending.count)
    }

    /// Between two requests, so that ending it loses nothing.
    var isIdle: Bool { isBetweenRequests && !socket.hasUnsentRecords }

    /// What an end of the connection would cut now, for a person; nil where that is nothing.
    var unfinishedWork: String? {
        if let tunnel { return tunnel.unfinishedWork }
        guard !isEnding, !isIdle else { return nil }
        guard let head = request.head else {
            let part = isBetweenRequests ? "the end of a reply" : "a request that is not whole yet"
            return "\(part) (\(socket.peer))"
        }
        let line = "\(EscapedText.of(head.methodBytes, limit: 40)) \(EscapedText.of(head.targetBytes))"
        let owner =
            switch endpoint {
            case .origin(let stage, _), .door(let stage, _): " of \(stage.scenario.id)"
            case .shared: ""
            }
        return "the reply to \(line)\(owner) (\(socket.peer))"
    }

    /// Has a connection that is to stop read what the system holds of a request; the grace bounds it.
    func hearWaitingRequest() {
        if let tunnel { tunnel.hearWaitingRequest() } else { hearsLastRequest = true }
        if isOpaqueAtRest { socket.cancel() }
    }

    /// Of the URLs by which the connection was meant to be reached.
    var scheme: Scheme {
        switch endpoint {
        case .origin(let stage, let origin): stage.scenario.origins[origin].scheme
        case .shared, .door: securing == nil ? .http : .https
        }
    }

    /// Serves the connection to its end and gives the descriptor back.
    func serve() async {
        switch endpoint {
        case .origin(let stage, let origin): attach(to: stage, origin: origin)
        case .door(let stage, _): attach(to: stage, origin: nil)
        case .shared(let port): enter(port.lobby)
        }
        var end: ConnectionEnd
        do throws(ConnectionEnd) {
            try turnAwayBeyondBound()
            try await playScript()
            if let securing { try await secure(by: securing) }
            while !isStopping || hearsLastRequest {
                hearsLastRequest = false
                try await serveRequest()
            }
            end = .stopped
        } catch {
            end = error
        }
        MemoryReturn.noteFreed(request.keptContent.count)
        // Whoever sends a fatal alert has ended it (RFC 8446 §6.2).
        if case .insecure = end, wasRefusedByPeer { end = .peerClosed }
        await finish(end)
    }

    /// Ends the connection of a client that connects without end.
    private func turnAwayBeyondBound() throws(ConnectionEnd) {
        switch endpoint {
        case .shared: return
        case .origin(let stage, _), .door(let stage, _):
            guard let number = attachments.first?.number else { return }
            let (isBeyond, bound) = stage.isBeyondBound(connection: number)
            if let bound { note(.boundReached(bound)) }
            if isBeyond { throw .oursInOrder }
        }
    }

    private func serveRequest() async throws(ConnectionEnd) {
        try await receive(.head)
        if let refusal = request.refusal { try await refuse(refusal) }
        guard let head = request.head else { throw .peerClosed }
        if asksForCertificate, request.isComplete {
            arrival.begin(at: MonotonicClock.nanoseconds)
            try await askForCertificate()
        }
        var route = endpoint.route(head, scheme, at: socket.local, checksHost: checksHost)
        if case .later(let find) = route {
            arrival.begin(at: MonotonicClock.nanoseconds)
            route = await find()
        }
        if let violation = endpoint.objection(to: head, route) {
            unfinished.take(head.bytes.span)
            try await refuse(violation)
        }
        switch route {
        case .stage(let stage, let origin, let target):
            try await answer(head, target, on: stage, origin: origin)
        case .named(let route): try await answer(head, by: route)
        case .control(let api):
            try await answer(head, by: api, lobbyLog(head))
        case .page(let page):
            try await answer(head, withPage: await page(), lobbyLog(head))
        case .later: preconditionFailure("a route that was found leads to another that is to be found")
        }
        MemoryReturn.noteFreed(request.keptContent.count)
        request = IncomingRequest()
        arrival.end()
        lastRequestByteCount = requestByteCount
        requestByteCount = 0
        headDeadline = .max
        script?.beginRequest()
    }

    // MARK: Journals

    /// This connection's number in the stage's journal; opens it there when it is new.
    ///
    /// `origin` is nil for one that leads to every name of the stage: it belongs to none of them.
    @discardableResult
    func attach(to stage: Stage, origin: Int?) -> Attachment {
        let index = attachments.firstIndex { $0.journal === stage.journal }
        if let index, attachments[index].epoch == stage.epoch { return attachments[index] }
        if origin != nil { carrier?.attachCarrier(to: stage) }
        let numbers = stage.admitConnection(origin: origin)
        let attachment = Attachment(
            journal: stage.journal, epoch: numbers.epoch, number: numbers.inStage,
            memory: ConnectionMemory(stage.compiled))
        if let index { attachments.remove(at: index) }
        attachments.append(attachment)
        stage.cookies?.watch(self)
        let effects = origin.map { stage.scenario.origins[$0].connectionEffects } ?? []
        if index == nil, !effects.isEmpty {
            let script = ConnectionScript(effects, connection: numbers.inOrigin)
            if !script.isEmpty { self.script = script }
        }
        if let origin { carrier?.noteTunnel(to: origin, of: stage, as: numbers.inStage) }
        stage.journal.append(
            epoch: numbers.epoch, connection: numbers.inStage,
            .connectionOpened(
                origin: origin.map { stage.scenario.origins[$0].name } ?? "names", peer: socket.peer.description,
                local: socket.local.description))
        return attachment
    }

    private func enter(_ lobby: Lobby) {
        lobbyNumber = lobby.admitConnection()
        attachments.append(Attachment(journal: lobby.journal, epoch: 0, number: lobbyNumber, memory: nil))
        lobby.journal.append(
            connection: lobbyNumber,
            .connectionOpened(origin: "shared", peer: socket.peer.description, local: socket.local.description))
    }

    /// Where a request that belongs to no scenario is noted.
    private func lobbyLog(_ head: RequestHead) -> RequestLog? {
        guard case .shared(let port) = endpoint else { return nil }
        let log = RequestLog(
            journal: port.lobby.journal, epoch: 0, connection: lobbyNumber, request: port.lobby.admitRequest())
        log.append(.requestHead(head, target: head.target))
        for violation in head.violations { log.append(.violation(violation)) }
        return log
    }

    /// Notes what concerns the connection as a whole in every journal that knows it.
    func note(_ event: JournalEvent) {
        // The last one knows best what the client wanted.
        for (index, attachment) in attachments.enumerated() {
            attachment.journal.append(
                epoch: attachment.epoch, connection: attachment.number, isCopy: index + 1 < attachments.count, event)
        }
    }

    // MARK: End

    private func finish(_ end: ConnectionEnd) async {
        isEnding = true
        guard let event = end.event else { return }
        switch end {
        // A peer that speaks TLS is told that this was all (RFC 8446 §6.1).
        case .peerClosed, .timedOut, .stopped: if socket.layer != nil { socket.halfClose() }
        case .insecure:
            socket.saysGoodbye = false
            socket.halfClose()
        case .oursInOrder, .refused, .sourceFailed: socket.halfClose()
        case .peerReset, .oursDone, .tunnelEnded: break
        }
        switch end {
        case .oursInOrder, .sourceFailed: takePending()
        // It was told why, and what follows is not read.
        case .refused: leavesHTTP = true
        case .insecure: (leavesHTTP, ignoresLateBytes) = (true, true)
        case .peerClosed, .peerReset: if wasReadToEnd { noteUnfinishedHead(hasLeft: true) }
        case .timedOut, .stopped: if script == nil { noteUnfinishedHead(hasLeft: false) }
        case .oursDone, .tunnelEnded: break
        }
        noteUnreadBytes()
        noteEnd(event)
        switch end {
        case .oursInOrder, .refused, .sourceFailed, .insecure:
            await linger()
        case .peerClosed, .peerReset, .timedOut, .stopped, .oursDone, .tunnelEnded:
            // A server that stops cancels it when the grace is over.
            await socket.drainLayer(within: bounds.progress)
            socket.close()
        }
    }
}
