internal import ProctorBase
internal import ProctorHTTP
internal import ProctorHTTP3
internal import ProctorJournal
internal import ProctorLoop
internal import ProctorQUICLink
internal import ProctorReplies
internal import ProctorScenario
internal import ProctorServing
internal import ProctorTLSWire

/// A connection of QUIC that speaks HTTP/3: it finds the certificate, reads frames, and answers each request on its stream
/// (RFC 9114); on the loop's thread only.
///
/// What needs no wait is answered while a datagram is read, and a reply that waits for room alone is a value (``ReplyKeeper``).
/// Each other answer has a task of its own, which ends with the connection.
final class HTTP3Connection: RequestConnection {
    let link: any QUICLink
    let loop: EventLoop
    let endpoint: Endpoint
    let bounds: ConnectionBounds
    let local: SocketAddress
    let journals = ConnectionJournals()
    var mount: KnownMount?
    private(set) var secured: HandshakeNote?
    private(set) var securityFacts: SecurityFacts?
    private(set) var isStopping = false

    private let contexts: QUICContexts
    /// nil before the handshake is over, and once the connection is.
    private(set) var session: HTTP3Session?
    /// The frames of both sides, for the journal.
    var frames = HTTP3FrameLog()
    /// What they say of our frames that no packet has had.
    var unsent = UnsentNotes()
    private(set) var streams = StreamTable<UInt64, MultiplexedStream>()
    var heads = RepeatedHeads(of: .http3, isOfProxy: false)
    /// The field section of the last request, of which ``heads`` has what was made.
    var lastBlock: HTTP3Event.FieldBlock?
    /// The replies that wait without tasks.
    var waitingReplies = WaitingReplies()
    /// Streams whose tasks wait for room, in the order in which they get it.
    var roomWaiters: [MultiplexedStream] = []
    /// Ends the replies that wait too long; nil while none waits.
    var overdue: Task<Void, Never>?
    /// Whether those that wait get room now.
    var isGivingRoom = false
    /// Bytes that were queued so far on all streams.
    private(set) var queuedByteCount = 0
    /// A request whose first datagram may still have its end.
    private var opening: (stream: UInt64, block: HTTP3Event.FieldBlock)?
    private var tasks: [UInt64: Task<Void, Never>] = [:]
    private var arrival: RequestArrival
    private var certificateProfile = ""
    private var isCertificateRefused = false
    /// How an effect has ended the connection; nil while none has.
    private var endByEffect: ConnectionEnd?
    /// The highest request stream that came; nil: none.
    private(set) var lastStream: UInt64?
    /// Streams on which we have sent STOP_SENDING.
    private var stopped: Set<UInt64> = []
    private var isLeaving = false
    private unowned let owner: any HTTP3ConnectionOwner

    init(
        _ link: any QUICLink, at local: SocketAddress, endpoint: Endpoint, bounds: ConnectionBounds,
        contexts: QUICContexts, on loop: EventLoop, owner: any HTTP3ConnectionOwner
    ) {
        (self.link, self.local, self.endpoint, self.bounds, self.contexts) = (link, local, endpoint, bounds, contexts)
        (self.loop, self.owner) = (loop, owner)
        arrival = RequestArrival(opening: MonotonicClock.nanoseconds)
        enterJournals()
    }

    // MARK: For requests

    var peer: SocketAddress { link.peer }
    var scheme: Scheme { .https }
    var overSocket: Connection? { nil }
    var clientSocket: Socket? { nil }
    var carrier: (any Wire)? { nil }
    var depth: Int { 0 }
    var socks: SOCKSConnection? { nil }
    var checksHost: Bool { true }

    func didEnter(_ stage: Stage, origin: Int?, numberInOrigin: Int, number: Int, isNew: Bool) {}

    func takeArrival() -> RequestArrival { arrival.takeStream(at: MonotonicClock.nanoseconds, offset: 0) }

    // MARK: Requests

    private func handle(_ event: HTTP3Event, in session: HTTP3Session) {
        if let opening {
            self.opening = nil
            var ends = false
            if case .end(opening.stream) = event { ends = true }
            open(opening.stream, opening.block, hasEnded: ends)
            if ends { return }
        }
        switch event {
        case .head(let number, let block): opening = (number, block)
        case .content(let number, let bytes):
            guard let stream = streams[number] else { return credit(bytes.count, on: number) }
            stream.didReceive(bytes[...])
        case .refusedHead(let number, let block): journalBlock(block, on: number)
        case .trailers(let number, let block):
            journalBlock(block, on: number)
            streams[number]?.arrived.trailers = block.section.fields.section
        case .end(let number): streams[number]?.didEnd()
        // RESET_STREAM answers our STOP_SENDING (RFC 9000 §3.5): the reply goes on.
        case .reset(let number, _) where stopped.contains(number): break
        case .reset(let number, _):
            drop(number, .streamReset)
            finishLeaving()
        case .stop(let number, _):
            // The library drops what is queued since.
            streams[number]?.untakenByteCount += link.unsentByteCount(on: number)
            drop(number, .streamReset)
            finishLeaving()
        case .violation(let violation): noteViolation(violation)
        case .refused, .opened, .settings, .goAway, .maxPushID, .cancelPush, .promise, .push, .priorityUpdate, .unknown,
            .blocked:
            break
        }
    }

    private func open(_ number: UInt64, _ block: HTTP3Event.FieldBlock, hasEnded: Bool) {
        journalBlock(block, on: number)
        let head = heads.head(on: UInt32(clamping: number), endsStream: hasEnded) {
            (block.check, block.section.fields)
        }
        lastStream = max(lastStream ?? 0, number)
        guard streams.isEmpty || bounds.usage.openStreamCount < bounds.streamCount else {
            journals.append(
                .turnedAway(TurnedAway(.streams, limit: bounds.streamCount, stream: UInt32(clamping: number))))
            session?.endStream(number, .requestRejected)
            return
        }
        let stream = MultiplexedStream(
            number, of: self, on: self, head: head, hasEnded: hasEnded, arrival: takeArrival())
        streams[number] = stream
        stream.answerRequest(head)
    }

    func start(_ stream: MultiplexedStream, _ rest: WaitingAnswer<MultiplexedStream>) {
        stream.countAsOpen()
        let held = LoopBound<Answer?>(nil, on: loop)
        held.value = Answer(connection: self, stream: stream, rest: rest)
        // Owned by the connection, which cancels it at its end.
        tasks[stream.number] = Task(executorPreference: loop) {
            guard let answer = held.value.take() else { return }
            let (connection, stream, rest) = (answer.connection, answer.stream, answer.rest)
            do throws(ConnectionEnd) {
                try await rest.finish()
                connection.closeIfDone(stream)
            } catch {
                connection.endStream(stream, error)
            }
            connection.tasks[stream.number] = nil
            connection.flush()
            connection.finishLeaving()
        }
    }

    /// What a task takes over.
    private struct Answer {
        let connection: HTTP3Connection
        let stream: MultiplexedStream
        let rest: WaitingAnswer<MultiplexedStream>
    }

    /// Forgets a stream whose answer is over; no effect where a reply waits.
    func closeIfDone(_ stream: MultiplexedStream) {
        guard stream.kept == nil else { return }
        // The effects of a reply may have left its stream open.
        if stream.end == nil, !stream.hasSentEnd { reset(stream.number, code: HTTP3Code.noError.rawValue) }
        // What the client still sends is not wanted (RFC 9114 §4.1).
        if !stream.hasEnded, stream.end == nil, !stream.isStopped { session?.stopReading(stream.number) }
        forget(stream)
        finishLeaving()
    }

    /// Nothing more is sent or received on a stream.
    private func drop(_ number: UInt64, _ reason: ConnectionEnd) {
        guard let stream = streams[number] else { return }
        stream.close(with: reason)
        forget(stream)
    }

    /// Gives the window of the connection back of what nobody takes any more.
    private func forget(_ stream: MultiplexedStream) {
        streams[stream.number] = nil
        credit(stream.takeUnread().count, on: stream.number)
    }

    /// The answer of a stream has ended with an error.
    func endStream(_ stream: MultiplexedStream, _ error: ConnectionEnd) {
        guard link.end == nil else { return }
        forget(stream)
        switch error {
        case .streamReset, .streamEnded, .peerClosed, .peerReset, .tunnelEnded, .stopped: break
        case .timedOut: reset(stream, .requestCancelled)
        case .sourceFailed, .unanswerable, .insecure: reset(stream, .internalError)
        case .refused: reset(stream, .messageError)
        case .serverCloses: endConnection(by: .application(HTTP3Code.noError.rawValue), .closed)
        case .serverEnded: break
        }
        finishLeaving()
    }

    private func noteViolation(_ violation: HTTP3Violation) {
        let isReadOver = endpoint.acceptsAnything
        journals.append(
            .frameViolation(
                FrameViolationNote(violation, frame: violation.frame?.description ?? "", isReadOver: isReadOver)))
        guard !isReadOver, violation.scope == .stream else { return }
        drop(violation.stream, .streamReset)
        finishLeaving()
    }

    // MARK: What is sent

    func flush() { if link.flush() { giveRoom() } }

    func reset(_ stream: MultiplexedStream, _ code: HTTP3Code) {
        session?.endStream(stream.number, code)
        stream.close(with: .streamReset)
        forget(stream)
        flush()
    }

    /// Says from which request on nothing is answered; the connection ends with its last stream where that is the next one.
    func goAway(_ last: FrameAction.LastStream, behind stream: UInt64) {
        let next: UInt64 =
            switch last {
            case .highest: (lastStream ?? stream) + 4
            case .this: stream + 4
            case .before: stream
            case .most: (1 << 62) - 4
            case .number(let number): UInt64(number)
            }
        session?.goAway(from: next)
        for number in streams.keys where number >= next { drop(number, .streamEnded) }
        if case .highest = last { isLeaving = true }
        flush()
    }

    private func finishLeaving() {
        guard isLeaving, streams.isEmpty, tasks.isEmpty, link.end == nil else { return }
        endConnection(by: .application(HTTP3Code.noError.rawValue), isStopping ? .stopped : .closed)
    }

    /// Closes the connection, or ends it by a stateless reset where `close` is nil.
    func endConnection(by close: QUICClose?, _ how: JournalEvent.Ending) {
        guard link.end == nil else { return }
        endByEffect = how == .stopped ? .stopped : .serverEnded(how)
        if let close {
            flush()
            link.close(close)
        } else {
            link.abort()
        }
    }

    // MARK: Stopping

    /// The server stops: what was asked is answered.
    func stop() {
        guard !isStopping else { return }
        isStopping = true
        guard session != nil else { return endConnection(by: .application(HTTP3Code.noError.rawValue), .stopped) }
        goAway(.highest, behind: 0)
        finishLeaving()
    }

    /// Whether it may be closed for others, its client being silent.
    func isSilent(at now: UInt64) -> Bool {
        let isIdle = streams.isEmpty && tasks.isEmpty
        return session != nil && !isStopping && (isIdle || now >= link.heardAt + Self.silentTime)
    }

    /// Nanoseconds from the last datagram of a client that has asked.
    private static let silentTime: UInt64 = 5_000_000_000

    /// Closes the connection, since as many others are open as may be.
    func makePlace(of limit: Int) {
        endByEffect = .refused
        link.close(
            .application(
                HTTP3Code.noError.rawValue,
                reason: "\(limit) connections are open, the limit of the server, and this one was silent longest"))
    }

    /// Ends what is left at the end of the grace.
    func cut() { endConnection(by: .application(HTTP3Code.noError.rawValue), .stopped) }
}

/// Keeps a connection until it has ended.
protocol HTTP3ConnectionOwner: AnyObject {
    func connectionEnded(_ connection: HTTP3Connection)
}

// MARK: - The handshake and the end

extension HTTP3Connection: QUICConnectionHandler {
    func receive(_ event: QUICEvent, on link: any QUICLink) {
        switch event {
        case .helloReceived(let hello): choose(for: hello)
        case .handshakeCompleted(let agreement): didAgree(agreement)
        case .received(let stream, let bytes, let ends):
            noteFrames(bytes, on: stream, ends)
            session?.receive(bytes.span, on: stream, ends: ends)
            finishOpening()
        case .reset(let stream, let code):
            noteEnd("RESET_STREAM", HTTP3Code(rawValue: code), of: stream, by: .client)
            session?.receiveReset(stream, HTTP3Code(rawValue: code))
        case .stopped(let stream, let code):
            noteEnd("STOP_SENDING", HTTP3Code(rawValue: code), of: stream, by: .client)
            session?.receiveStop(stream, HTTP3Code(rawValue: code))
        case .acknowledged(let number): streams[number]?.wake()
        case .windowGrown(let number):
            guard let stream = streams[number] else { return }
            stream.wake()
            guard stream.kept != nil else { return }
            if link.room > 0 { continueReply(on: stream) } else { waitingReplies.wantRoom = true }
        case .hasRoom: giveRoom()
        case .rested: MemoryReturn.noteRested()
        case .streamClosed(let stream):
            frames.forget(stream)
            if !stopped.isEmpty { stopped.remove(stream) }
        // Of a client's end.
        case .asksForTrust, .asksForIdentity, .streamsPermitted: break
        case .ended(let end): didEnd(end)
        }
    }

    func didReadDatagrams(on link: any QUICLink) { session?.sendAcknowledgements() }

    private func finishOpening() {
        guard let opening else { return }
        self.opening = nil
        open(opening.stream, opening.block, hasEnded: false)
    }

    private func choose(for hello: ClientHello) {
        journals.append(.clientHello(ClientHelloNote(hello)))
        do throws(ConnectionEnd) {
            try turnAwayBeyondBound()
        } catch {
            return endConnection(by: .application(HTTP3Code.noError.rawValue), .closed)
        }
        let held = LoopBound<HTTP3Connection?>(nil, on: loop)
        held.value = self
        contexts.find(for: hello, at: local, on: loop) { outcome in
            guard let connection = held.value else { return }
            held.value = nil
            connection.beginHandshake(outcome)
        }
    }

    private func beginHandshake(_ outcome: Result<QUICContexts.Chosen, SecurityRefusal>) {
        switch outcome {
        case .success(let chosen):
            certificateProfile = chosen.profile
            link.beginHandshake(chosen.context)
        case .failure(let refusal):
            isCertificateRefused = true
            journals.append(.handshakeFailed(moment: "certificate", reason: refusal.description))
            // internal_error, or unrecognized_name (RFC 8446 §6.2).
            link.refuse(alert: refusal.reason == .unknownName ? 112 : 80, reason: refusal.description)
        }
    }

    private func didAgree(_ agreement: QUICAgreement) {
        MemoryReturn.noteFreedHandshake()
        let note = HandshakeNote(
            version: TLSVersion.tls13.rawValue, cipherSuite: agreement.cipherSuite, group: agreement.group,
            applicationProtocol: agreement.applicationProtocol, serverName: agreement.serverName, isResumed: false,
            certificate: certificateProfile)
        secured = note
        securityFacts = SecurityFacts(
            serverName: agreement.serverName.map { Array($0.utf8) },
            applicationProtocol: agreement.applicationProtocol.map { Array($0.utf8) })
        journals.append(.secured(note))
        let behaviour = endpoint.http3Behaviour
        let session = HTTP3Session(
            over: self, settings: behaviour.allSettings, preface: behaviour.preface, streams: behaviour.streams,
            insertsFields: behaviour.inserts
        ) { [unowned self] event, session in self.handle(event, in: session) }
        session.readsContent = false
        session.holdsAcknowledgements = true
        if endpoint.acceptsAnything { session.code = { _ in nil } }
        self.session = session
        session.open()
    }

    private func didEnd(_ end: QUICEnd) {
        if secured == nil { noteFailure(end) }
        switch end {
        case .closedByPeer(let close): noteClose(close, by: .client)
        case .closedByUs(let close): noteClose(close, by: .server)
        case .resetByPeer, .idle, .handshakeTimeout, .noCommonVersion, .dropped: break
        }
        let reason = reasonOfEnd(end)
        for stream in streams.values { stream.close(with: reason) }
        streams = StreamTable()
        for task in tasks.values { task.cancel() }
        overdue?.cancel()
        session = nil
        journals.append(reason.event)
        owner.connectionEnded(self)
    }

    func reasonOfEnd(_ end: QUICEnd) -> ConnectionEnd { endByEffect ?? ConnectionEnd(end) }

    /// The handshake has failed: by an alert of the client, or before its end.
    private func noteFailure(_ end: QUICEnd) {
        if case .closedByUs(let close) = end { return noteOurRefusal(close) }
        guard case .closedByPeer(let close) = end, !close.isOfApplication, (0x100...0x1FF).contains(close.code) else {
            return
        }
        let alert = TLSAlert(isOurs: false, isFatal: true, number: UInt8(close.code & 0xFF))
        journals.append(.alert(AlertNote(alert)))
        journals.append(
            .handshakeFailed(moment: "finished", reason: "the client sent alert \(alert.number) (\(alert.name))"))
    }

    /// What the client sent before the end of its handshake was refused by us; the owner has told of a certificate that it lacks.
    private func noteOurRefusal(_ close: QUICClose) {
        guard !close.isOfApplication, !isCertificateRefused else { return }
        journals.append(
            .handshakeFailed(
                moment: certificateProfile.isEmpty ? "client-hello" : "finished",
                reason: String(decoding: close.reason, as: UTF8.self)))
    }
}

extension HTTP3Connection: HTTP3Carrier {
    var isOver: Bool { link.end != nil }
    func openStream() -> UInt64? { link.openStream() }

    func send(_ bytes: [UInt8], on stream: UInt64, ends: Bool) {
        queuedByteCount += bytes.count
        link.send(bytes, on: stream, ends: ends)
        noteQueuedFrames(bytes, on: stream, ends)
    }

    func sendData(_ head: [UInt8], _ content: ArraySlice<UInt8>, on stream: UInt64, ends: Bool) {
        queuedByteCount += head.count + content.count
        link.send(head, content, on: stream, ends: ends)
        guard !noteQueuedData(content.count, behindHead: head.count, on: stream, ends) else { return }
        noteQueuedFrames(head + content, on: stream, ends)
    }

    func credit(_ byteCount: Int, on stream: UInt64) { link.credit(byteCount, on: stream) }

    func reset(_ stream: UInt64, code: UInt64) {
        noteEnd("RESET_STREAM", HTTP3Code(rawValue: code), of: stream, by: .server)
        link.reset(stream, code: code)
    }

    func stop(_ stream: UInt64, code: UInt64) {
        noteEnd("STOP_SENDING", HTTP3Code(rawValue: code), of: stream, by: .server)
        stopped.insert(stream)
        link.stop(stream, code: code)
    }

    func close(code: UInt64, reason: String) {
        endByEffect = endByEffect ?? .refused
        link.close(.application(code, reason: reason))
    }
}

extension ConnectionEnd {
    init(_ end: QUICEnd) {
        self =
            switch end {
            case .closedByPeer: .peerClosed
            case .closedByUs: .refused
            case .resetByPeer: .peerReset
            case .idle, .handshakeTimeout: .timedOut
            // A server has no connection of another version.
            case .dropped, .noCommonVersion: .stopped
            }
    }
}
