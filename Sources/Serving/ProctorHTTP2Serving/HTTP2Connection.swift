internal import ProctorBase
internal import ProctorHTTP
internal import ProctorHTTP2
internal import ProctorJournal
internal import ProctorLoop
internal import ProctorScenario
internal import ProctorServing

/// A connection that speaks HTTP/2: reads frames, answers each request on its stream, and writes frames in their order
/// (RFC 9113); on the loop's thread only.
///
/// What needs no wait is answered while the frames of one read are taken, so that their replies go out together. Each
/// other answer has a task of its own, which ends with the connection.
final class HTTP2Connection: SucceedingConnection {
    /// The connection below, which owns this object.
    unowned let connection: Connection
    let journals: ConnectionJournals
    /// What the connection below has read, and when.
    let below: RequestInput
    let socket: Socket
    let bounds: ConnectionBounds
    let waiting: WaitingConnections
    let output: HTTP2Output
    var state: ConnectionState
    var blocks: SentBlocks
    /// What the fixture says of this end.
    let behaviour: HTTP2Behaviour
    var input = HTTP2Input()
    var streams = StreamTable<UInt32, MultiplexedStream>()
    var heads: RepeatedHeads
    /// The last field block, of which ``heads`` has what was made.
    var lastBlock: ConnectionEvent.FieldBlock?
    /// Frames that the journal has not told yet.
    var repeated = RepeatedFrames()
    /// What the journals are told next, in one write.
    var notes = JournalEvents()
    /// The replies that wait without tasks.
    var waitingReplies = WaitingReplies()
    /// What streams carry to origins.
    var tunnels: [UInt32: StreamTunnel] = [:]
    /// The answers that need tasks, and how many tasks run.
    var tasks = AnswerTasks()
    /// Why the connection is over; nil while it is not.
    private(set) var end: ConnectionEnd?
    private var hasFinished = false
    /// Whether GOAWAY was sent, so that the connection ends with its last stream.
    private(set) var isLeaving = false
    /// Whether it stops once all that has come is read.
    private(set) var stopsWhenRead = false
    /// Bytes of content that the connection's window has not got back yet.
    var owed = 0
    /// Its place among the connections that wait.
    private(set) lazy var place = WaitingConnections.Place(of: self)

    /// Requests that are answered at once on one connection; what we say in SETTINGS.
    static let streamLimit: UInt32 = 100
    /// Streams of one connection that are ended at once.
    private static let fewStreams = 4
    /// Bytes of a field section, as SETTINGS_MAX_HEADER_LIST_SIZE counts them.
    static let listByteLimit: UInt32 = 64 << 10

    /// nil where there is no memory.
    init?(_ connection: Connection) {
        guard let state = ConnectionState(role: .server), let encoder = HeaderEncoder() else { return nil }
        self.connection = connection
        (journals, below) = (connection.journals, connection.input)
        self.state = state
        blocks = SentBlocks(encoder)
        behaviour = connection.endpoint.http2Behaviour
        heads = RepeatedHeads(of: .http2, isOfProxy: connection.endpoint.isProxy)
        socket = connection.socket
        bounds = connection.bounds
        waiting = connection.waiting
        output = HTTP2Output(socket: connection.socket, bounds: connection.bounds, journals: connection.journals)
    }

    var openStreamCount: Int { streams.count }
    var isBetweenRequests: Bool { streams.isEmpty && input.held.isEmpty }

    // MARK: Life

    /// Serves the connection to its end; `received` are bytes that were read already.
    func serve(_ received: [UInt8]) async -> ConnectionEnd {
        sendSettings()
        if connection.hasEffects { await playPreface() }
        startReading(with: received)
        // Most connections wait here for most of their life, beside no frame of a group.
        while !hasFinished {
            sendOut()
            if needsTask {
                await serveByTasks()
            } else if presentEnd == nil {
                await readOnce()
            } else {
                await finish()
            }
        }
        waiting.remove(place)
        return presentEnd ?? .serverCloses
    }

    @inline(never)
    private func startReading(with received: [UInt8]) {
        if !received.isEmpty {
            below.arrival.didRead(received.count)
            input.store(received, readAt: MonotonicClock.nanoseconds)
            input.isNew = true
        }
        if connection.isStopping { stop() }
    }

    /// The reason to end now; nil while frames are read.
    var presentEnd: ConnectionEnd? {
        if let end { return end }
        if input.hasEnded, streams.isEmpty { return .peerClosed }
        return isLeaving && streams.isEmpty && output.isEmpty ? .serverCloses : nil
    }

    /// Plays the effects behind the first SETTINGS.
    private func playPreface() async {
        do throws(ConnectionEnd) {
            try await connection.playPreface(of: self)
        } catch {
            close(with: error)
        }
    }

    /// Ends what is left; once ``presentEnd`` is there.
    func finish() async {
        guard let end = presentEnd else { return }
        self.end = end
        hasFinished = true
        noteRepeated()
        // GOAWAY and what else was written goes out before the end.
        if end.readsOn || isStopped(end) { try? await output.write() }
        dropUnsent(by: end)
        // Much is noted now.
        if streams.count > Self.fewStreams { await socket.loop.yieldToOthers() }
        for stream in streams.values { stream.close(with: end) }
        streams = StreamTable()
    }

    /// Tells of replies what the system did not take, and says nothing of frames.
    private func dropUnsent(by end: ConnectionEnd) {
        var byteCounts: [UInt32: Int] = [:]
        for (note, byteCount) in output.takeUnsent() {
            byteCounts[note.stream, default: 0] += byteCount
            guard let log = note.log, case .replySent(let status, let sentByteCount)? = note.event else { continue }
            let untaken = byteCounts[note.stream] ?? 0
            log.append(end.replyEvent(status: status, sentByteCount: max(0, sentByteCount - untaken)))
        }
        for (number, byteCount) in byteCounts { streams[number]?.untakenByteCount += byteCount }
    }

    private func isStopped(_ end: ConnectionEnd) -> Bool {
        switch end {
        case .stopped, .timedOut: true
        default: false
        }
    }

    /// Ends the connection; the first reason counts.
    func close(with reason: ConnectionEnd) {
        if end == nil { end = below.cause(of: reason) }
        wakeReader()
    }

    func wakeReader() {
        socket.endWaitForInput()
        socket.endWaitForPeer()
    }

    /// Sends what the system takes at once, and lets a task send the rest.
    func flush() {
        sendOut()
        wakeForWriter()
    }

    /// Lets the reading task begin a task that writes what the system did not take at once.
    private func wakeForWriter() {
        if output.needsWriter || isLeaving || input.hasEnded { wakeReader() }
    }

    /// Sends all that is pending.
    func drain() async throws(ConnectionEnd) {
        output.flush()
        while !output.isEmpty {
            try await output.write()
            guard !output.isEmpty, await socket.loop.sleep(for: .milliseconds(1)) else { return }
        }
    }

    /// Counts the connection among those that wait, where it has no streams.
    ///
    /// Tasks of streams that were reset meanwhile may not have run yet; each takes its answer from ``tasks``.
    func waitAmongOthers() {
        guard streams.isEmpty, tasks.starting.isEmpty, input.held.isEmpty else { return }
        waiting.append(place)
    }

    /// Gives back what is made anew once something comes; no stream is open.
    func rest() {
        streams = StreamTable()
        tasks.trim()
        input.trim()
        output.trim()
        blocks.rest()
        state.rest()
        heads.forget()
        lastBlock = nil
    }

    // MARK: Streams

    func start(_ stream: MultiplexedStream, _ rest: WaitingAnswer<MultiplexedStream>) {
        stream.countAsOpen()
        tasks.add(AnswerTasks.Starting(stream: stream, rest: rest))
    }

    /// Forgets a stream whose reply was sent and whose request is complete; no effect where a reply waits.
    func closeIfDone(_ stream: MultiplexedStream) {
        guard stream.kept == nil else { return }
        streams[stream.id] = nil
        // What the client still sends is not wanted (RFC 9113 §8.1).
        if state.isOpen(stream.id) { send(.resetStream(stream.id, .noError)) }
        if isLeaving || input.hasEnded { wakeReader() }
    }

    func reset(_ stream: MultiplexedStream, _ code: ErrorCode) {
        if state.isOpen(stream.id) { send(.resetStream(stream.id, code)) }
        stream.close(with: .streamReset)
        streams[stream.id] = nil
        output.flush()
    }

    func didReset(_ number: UInt32) {
        streams[number]?.close(with: .streamReset)
        streams[number] = nil
    }

    /// Windows or the room for output have grown.
    func wakeStreams() {
        // Those that wait without tasks have nothing to wake.
        if streams.count > waitingReplies.count { for stream in streams.values { stream.wake() } }
        continueReplies()
    }

    // MARK: Ending

    /// Says that no further request is answered; the connection ends with its last stream.
    func goAway(_ code: ErrorCode, debug: String = "") {
        send(.goAway(lastStream: state.lastStreamOfPeer, code, debug: Array(debug.utf8.prefix(1_024))))
        isLeaving = true
        output.flush()
    }

    /// The server stops: the requests that have come are answered, read or not.
    func stop() {
        guard !isLeaving, end == nil else { return }
        stopsWhenRead = input.isNew || socket.hasUnreadBytes
        guard !stopsWhenRead else { return }
        goAway(.noError)
        for stream in streams.values {
            tunnels[stream.id]?.stop()
            if stream.input.isAtRest, stream.webSocket?.sendGoingAway() != true { reset(stream, .cancel) }
        }
        wakeReader()
    }

    /// Says on each WebSocket that the server goes away.
    func leaveWebSockets() { for stream in streams.values { _ = stream.webSocket?.sendGoingAway() } }

    /// Judges a departure of the client: notes it and ends what it concerns.
    func judge(_ violation: HTTP2Violation) {
        noteRepeated()
        journals.append(
            .frameViolation(FrameViolationNote(violation, isReadOver: connection.endpoint.acceptsAnything)))
        guard !connection.endpoint.acceptsAnything, let code = violation.code else { return }
        switch violation.scope {
        case .none: return
        case .stream:
            // One beyond the limit was never opened.
            if state.isOpen(violation.stream) || violation.kind == .tooManyStreams {
                send(.resetStream(violation.stream, code))
            }
            didReset(violation.stream)
        case .connection:
            goAway(code, debug: "\(violation.kind.rawValue): \(violation.sentence) (\(violation.section))")
            close(with: .refused)
        }
    }

    /// Streams that a GOAWAY excludes are not answered.
    func abandonStreams(above last: UInt32) {
        for stream in streams.values where stream.id > last {
            stream.close(with: .streamEnded)
            streams[stream.id] = nil
        }
    }

    private func sendSettings() {
        expectAcknowledgement()
        if let preface = behaviour.preface { return sendRaw(preface) }
        let usual = [
            Setting(.maxConcurrentStreams, Self.streamLimit), Setting(.maxHeaderListSize, Self.listByteLimit),
        ]
        let own = behaviour.settings
        send(.settings(usual.filter { usual in !own.contains { $0.identifier == usual.identifier } } + own))
    }
}
