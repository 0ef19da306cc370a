internal import ProctorBase
internal import ProctorHTTP
internal import ProctorHTTP2
internal import ProctorJournal
internal import ProctorLoop
internal import ProctorScenario

/// A connection that speaks HTTP/2: reads frames, answers each request on its stream, and writes frames in their order
/// (RFC 9113); on the loop's thread only.
///
/// What needs no wait is answered while the frames of one read are taken, so that their replies go out together. Each
/// other answer has a task of its own, which ends with the connection.
final class HTTP2Connection {
    /// The connection below, which owns this object.
    unowned let connection: Connection
    let socket: Socket
    let bounds: ConnectionBounds
    private let waiting: WaitingConnections
    let output: HTTP2Output
    var state: ConnectionState
    var blocks: SentBlocks
    /// What the fixture says of this end.
    let behaviour: HTTP2Behaviour
    var reader = FrameReader(expectsPreface: true)
    private(set) var streams: [UInt32: HTTP2Stream] = [:]
    var heads: RepeatedHeads
    /// Answers that wait for a task.
    private var starting: [Starting] = []
    /// The first of them, whose tasks have not run yet.
    private var begunCount = 0
    /// Why the connection is over; nil while it is not.
    private var end: ConnectionEnd?
    private var hasFinished = false
    /// Whether GOAWAY was sent, so that the connection ends with its last stream.
    private var isLeaving = false
    /// When the first byte of the present frame was read, in MonotonicClock nanoseconds.
    private var frameMoment: UInt64 = 0
    /// When the request of the present field block began; nil where none does.
    private var blockArrival: RequestArrival?
    /// When the client must have acknowledged our SETTINGS, in MonotonicClock nanoseconds.
    private var settingsDeadline: UInt64 = .max
    /// When the bounds against floods began to count, in MonotonicClock nanoseconds.
    private var floodsBegan: UInt64 = 0
    /// Bytes of content that the connection's window has not got back yet.
    var owed = 0
    private var events: [ConnectionEvent] = []
    /// Tasks of streams and of output that have not ended.
    private var taskCount = 0
    /// Its place among the connections that wait.
    var place = WaitingConnections.Place()

    /// Whether the client has sent FIN; what it asked before is answered.
    private(set) var isRead = false
    /// The reading task waits by it when there is nothing to read any more.
    private let pause: LoopPause

    private struct Starting {
        let stream: HTTP2Stream
        let rest: RestOfAnswer
    }

    /// Hands the connection to the tasks of its streams.
    private final class Holder {
        var connection: HTTP2Connection?
    }

    /// Requests that are answered at once on one connection; what we say in SETTINGS.
    static let streamLimit: UInt32 = 100
    /// Nanoseconds after which the bounds against floods count anew.
    private static let floodInterval: UInt64 = 60_000_000_000
    /// Bytes of a field section, as SETTINGS_MAX_HEADER_LIST_SIZE counts them.
    static let listByteLimit: UInt32 = 64 << 10

    /// nil where there is no memory.
    init?(_ connection: Connection) {
        guard let state = ConnectionState(role: .server), let encoder = HeaderEncoder() else { return nil }
        self.connection = connection
        self.state = state
        blocks = SentBlocks(encoder)
        behaviour = connection.endpoint.http2Behaviour
        heads = RepeatedHeads(isOfProxy: connection.endpoint.isProxy)
        socket = connection.socket
        pause = LoopPause(on: connection.socket.loop)
        bounds = connection.bounds
        waiting = connection.waiting
        output = HTTP2Output(socket: connection.socket, bounds: connection.bounds)
    }

    // MARK: Life

    /// Serves the connection to its end; `received` are bytes that were read already.
    func serve(_ received: [UInt8]) async -> ConnectionEnd {
        sendSettings()
        if connection.effects.hasScript { await playPreface() }
        begin(with: received)
        // Most connections wait here for most of their life, beside no frame of a group.
        while !hasFinished {
            output.flush()
            if needsTask {
                await serveByTasks()
            } else if presentEnd == nil {
                await readOnce()
            } else {
                await finish()
            }
        }
        waiting.remove(self)
        return presentEnd ?? .serverCloses
    }

    @inline(never)
    private func begin(with received: [UInt8]) {
        if connection.isStopping { stop() }
        if !received.isEmpty { take(received.span) }
    }

    /// Whether an answer or the output waits for a task.
    private var needsTask: Bool { starting.count > begunCount || output.needsWriter }

    /// Serves the connection as long as tasks of it run, or to its end.
    private func serveByTasks() async {
        let held = LoopBound(Holder(), on: socket.loop)
        held.value.connection = self
        defer { held.value.connection = nil }
        await withDiscardingTaskGroup { group in
            while true {
                output.flush()
                if output.needsWriter {
                    taskCount += 1
                    group.addTask { await held.value.connection?.write() }
                }
                for _ in starting.indices.dropFirst(begunCount) {
                    taskCount += 1
                    group.addTask { await held.value.connection?.runNext() }
                }
                begunCount = starting.count
                if presentEnd != nil {
                    await finish()
                    group.cancelAll()
                    return
                }
                guard taskCount > 0 else { return }
                await readOnce()
            }
        }
    }

    /// A task ends; behind the last one the connection waits without the group.
    private func endTask() {
        taskCount -= 1
        if taskCount == 0, streams.isEmpty { wakeReader() }
    }

    /// The reason to end now; nil while frames are read.
    private var presentEnd: ConnectionEnd? {
        if let end { return end }
        if isRead, streams.isEmpty { return .peerClosed }
        return isLeaving && streams.isEmpty && output.isEmpty ? .serverCloses : nil
    }

    /// Plays the effects behind the first SETTINGS.
    private func playPreface() async {
        connection.effects.http2 = self
        do throws(ConnectionEnd) {
            try await connection.effects.play(at: .preface)
        } catch {
            end(with: error)
        }
    }

    /// Ends what is left; once ``presentEnd`` is there.
    private func finish() async {
        guard let end = presentEnd else { return }
        self.end = end
        hasFinished = true
        // GOAWAY and what else was written goes out before the end.
        if end.readsOn || isStopped(end) { try? await output.write() }
        for stream in streams.values { stream.end(with: end) }
        streams = [:]
    }

    private func isStopped(_ end: ConnectionEnd) -> Bool {
        switch end {
        case .stopped, .timedOut: true
        default: false
        }
    }

    /// Ends the connection; the first reason counts.
    func end(with reason: ConnectionEnd) {
        if end == nil { end = reason }
        wakeReader()
    }

    private func runNext() async {
        defer { endTask() }
        let next = starting.removeFirst()
        begunCount -= 1
        do throws(ConnectionEnd) {
            try await next.rest()
            closeIfDone(next.stream)
        } catch {
            leave(next.stream, error)
        }
        flush()
    }

    /// The task of a stream has ended with an error.
    private func leave(_ stream: HTTP2Stream, _ error: ConnectionEnd) {
        guard end == nil else { return }
        switch error {
        case .streamReset, .streamEnded: streams[stream.number] = nil
        // Other streams may still be answered.
        case .peerClosed where isRead: streams[stream.number] = nil
        case .timedOut: reset(stream, .cancel)
        case .sourceFailed, .unanswerable: reset(stream, .internalError)
        case .refused: reset(stream, .protocolError)
        case .stopped, .peerClosed, .peerReset, .serverCloses, .tunnelEnded, .serverEnded, .insecure:
            end(with: error)
        }
        wakeReader()
    }

    func wakeReader() {
        socket.endWaitForInput()
        pause.end()
    }

    private func write() async {
        defer { endTask() }
        do throws(ConnectionEnd) {
            try await output.write()
            for stream in streams.values { stream.wake() }
            if isLeaving || isRead { wakeReader() }
        } catch {
            end(with: error)
        }
    }

    /// Sends what the system takes at once, and lets a task send the rest.
    func flush() {
        output.flush()
        wakeForWriter()
    }

    /// Lets the reading task begin a task that writes what the system did not take at once.
    private func wakeForWriter() {
        if output.needsWriter || isLeaving || isRead { wakeReader() }
    }

    /// Sends what is pending, or waits until the windows grow.
    ///
    /// `overhead` bytes of padding are no room.
    func makeRoom(for stream: HTTP2Stream, beyond overhead: Int = 0) async throws(ConnectionEnd) {
        flush()
        guard room(on: stream) <= overhead else { return }
        guard output.room <= overhead, !output.isWriting else {
            // With room for output it is a window that is shut.
            return output.room > overhead ? try await stream.waitForPeer() : try await stream.waitForChange()
        }
        try await output.write()
        wakeStreams()
    }

    /// Sends all that is pending.
    func drain() async throws(ConnectionEnd) {
        output.flush()
        while !output.isEmpty {
            try await output.write()
            guard !output.isEmpty, await socket.loop.sleep(for: .milliseconds(1)) else { return }
        }
    }

    // MARK: Reading

    /// What a try to read leaves to do.
    private enum Next {
        case nothing
        /// Something has to come, until a moment of MonotonicClock in nanoseconds.
        case wait(until: UInt64)
        /// The layer or another task needs a turn first.
        case turn
        /// Nothing can come any more.
        case pause
    }

    /// Takes what has come, or waits until something comes.
    private func readOnce() async {
        switch readAtOnce() {
        case .nothing: return
        case .wait(let deadline): await waitForInput(until: deadline)
        case .turn: await readInTurn()
        case .pause: _ = await pause.wait(until: .max)
        }
    }

    // Not inlined: what they hold would be in the frame of a connection that waits.

    @inline(never)
    private func readAtOnce() -> Next {
        guard !isRead else { return .pause }
        do throws(SocketError) {
            switch try socket.readAtOnce({ take($0) }) {
            case .bytes: return .nothing
            case .nothing:
                didReadAll()
                trim()
                return .wait(until: patience)
            case .end:
                inputEnded()
                return .nothing
            case .needsTurn: return .turn
            }
        } catch {
            didFail(error)
            return .nothing
        }
    }

    @inline(never)
    private func waitForInput(until deadline: UInt64) async {
        do throws(SocketError) {
            try await socket.waitForInput(until: deadline) { self.takeWhatCame() }
        } catch {
            didFail(error)
        }
    }

    @inline(never)
    private func readInTurn() async {
        do throws(SocketError) {
            let isOpen: Void? = try await socket.read(within: streams.isEmpty ? bounds.idle : bounds.progress) {
                take($0)
            }
            if isOpen == nil { inputEnded() }
        } catch {
            didFail(error)
        }
    }

    private func didFail(_ error: SocketError) {
        guard error == .timedOut else { return end(with: ConnectionEnd(error)) }
        if MonotonicClock.nanoseconds >= settingsDeadline, !state.areSettingsAcknowledged {
            settingsDeadline = .max
            judge(HTTP2Violation(.settingsNotAcknowledged, at: reader.offset, frame: .settings, stream: 0))
        } else {
            goAway(.noError)
            end(with: .timedOut)
        }
    }

    /// The client has sent FIN: what it asked before is answered, as far as that needs no more of it, and tunnels that
    /// it has not ended are lost.
    private func inputEnded() {
        isRead = true
        for (number, stream) in streams where stream.hasLeftHTTP && !stream.hasEnded {
            stream.end(with: .streamReset)
            streams[number] = nil
        }
        wakeStreams()
    }

    /// Until when the next frame is waited for.
    private var patience: UInt64 {
        let idle = Socket.deadline(within: streams.isEmpty ? bounds.idle : .max)
        return state.areSettingsAcknowledged ? idle : min(idle, settingsDeadline)
    }

    /// SETTINGS went out, which the client has to acknowledge.
    func expectAcknowledgement() { settingsDeadline = Socket.deadline(within: bounds.progress) }

    /// Reads and answers without the task, as far as no step waits.
    private func takeWhatCame() -> InputWait {
        do throws(SocketError) {
            while true {
                switch try socket.readAtOnce({ take($0) }) {
                case .bytes: continue
                case .nothing:
                    output.flush()
                    didReadAll()
                    trim()
                    return needsTask || presentEnd != nil ? .ends : .beginsAnew(until: patience)
                case .end:
                    inputEnded()
                    return .ends
                case .needsTurn: return .ends
                }
            }
        } catch {
            end(with: ConnectionEnd(error))
            return .ends
        }
    }

    private func take(_ bytes: borrowing Span<UInt8>) {
        let moment = MonotonicClock.nanoseconds
        waiting.remove(self)
        if moment &- floodsBegan > Self.floodInterval {
            floodsBegan = moment
            state.clearFloods()
        }
        connection.input.arrival.didRead()
        if reader.isBetweenFrames { frameMoment = moment }
        var position = 0
        while end == nil, let part = reader.next(bytes, at: &position) {
            switch part {
            case .preface: continue
            case .notHTTP2(let violation): judge(violation)
            case .frame(let frame): take(frame)
            }
            frameMoment = moment
        }
    }

    /// Nothing else has come so far.
    private func didReadAll() {
        guard connection.input.arrival.hasWaiting, reader.isBetweenFrames, !socket.hasUnreadBytes else { return }
        connection.input.arrival.didReadAll()
    }

    /// When the request began whose field block has ended.
    func takeArrival() -> RequestArrival {
        blockArrival.take() ?? connection.input.arrival.takeStream(at: frameMoment)
    }

    private func take(_ frame: ReadFrame) {
        let isData = frame.frame.type == .data
        // Its end may come later, in CONTINUATION.
        if frame.frame.type == .headers { blockArrival = connection.input.arrival.takeStream(at: frameMoment) }
        if !isData || streams[frame.frame.stream]?.isNoted(dataEndingStream: frame.frame.endsStream) != false {
            connection.journals.note(frames: .frame(FrameNote(frame, by: .client)))
        }
        // Out of the property, so that its buffer has one owner and is used again.
        var found: [ConnectionEvent] = []
        swap(&found, &events)
        state.receive(frame, into: &found)
        // The connection's window is for all streams, so that one that is over, or whose content is not read, stops no
        // other (RFC 9113 §6.9).
        if isData, frame.payloadByteCount > 0, end == nil { credit(frame.payloadByteCount) }
        for event in found where end == nil { handle(event, frame.frame.payload) }
        found.removeAll(keepingCapacity: true)
        swap(&found, &events)
    }

    /// Gives back what a connection without streams does not need while it waits.
    ///
    /// Tasks of streams that were reset meanwhile may not have run yet; each takes its answer from ``starting``.
    private func trim() {
        guard streams.isEmpty, starting.isEmpty else { return }
        streams = [:]
        starting = []
        events = []
        output.trim()
        state.trim()
        waiting.append(self, at: frameMoment)
    }

    /// Gives back what is made anew once something comes; no stream is open.
    func rest() {
        blocks.rest()
        state.rest()
        heads = RepeatedHeads(isOfProxy: connection.endpoint.isProxy)
    }

    // MARK: Streams

    func begin(_ stream: HTTP2Stream) { streams[stream.number] = stream }

    func start(_ stream: HTTP2Stream, _ rest: @escaping RestOfAnswer) {
        starting.append(Starting(stream: stream, rest: rest))
    }

    /// Forgets a stream whose reply was sent and whose request is complete.
    func closeIfDone(_ stream: HTTP2Stream) {
        streams[stream.number] = nil
        // What the client still sends is not wanted (RFC 9113 §8.1).
        if state.isOpen(stream.number) { send(.resetStream(stream.number, .noError)) }
        if isLeaving || isRead { wakeReader() }
    }

    func reset(_ stream: HTTP2Stream, _ code: ErrorCode) {
        if state.isOpen(stream.number) { send(.resetStream(stream.number, code)) }
        stream.end(with: .streamReset)
        streams[stream.number] = nil
        output.flush()
    }

    func stream(_ number: UInt32) -> HTTP2Stream? { streams[number] }

    func didReset(_ number: UInt32) {
        streams[number]?.end(with: .streamReset)
        streams[number] = nil
    }

    /// Windows or the room for output have grown.
    func wakeStreams() {
        for stream in streams.values { stream.wake() }
    }

    // MARK: Ending

    /// Says that no further request is answered; the connection ends with its last stream.
    func goAway(_ code: ErrorCode, debug: String = "") {
        send(.goAway(lastStream: state.lastStreamOfPeer, code, debug: Array(debug.utf8.prefix(1_024))))
        isLeaving = true
        output.flush()
    }

    /// The server stops: the requests that have come are answered.
    func stop() {
        guard !isLeaving, end == nil else { return }
        goAway(.noError)
        for stream in streams.values {
            stream.tunnel?.stop()
            if stream.isAtRest { reset(stream, .cancel) }
        }
        wakeReader()
    }

    /// Judges a departure of the client: notes it and ends what it concerns.
    func judge(_ violation: HTTP2Violation) {
        connection.journals.note(
            .frameViolation(FrameViolationNote(violation, isReadOver: connection.endpoint.acceptsAnything)))
        guard !connection.endpoint.acceptsAnything, let code = violation.errorCode else { return }
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
            end(with: .refused)
        }
    }

    /// Streams that a GOAWAY excludes are not answered.
    func abandonStreams(above last: UInt32) {
        for (number, stream) in streams where number > last {
            stream.end(with: .streamEnded)
            streams[number] = nil
        }
    }

    private func sendSettings() {
        expectAcknowledgement()
        if let preface = behaviour.preface { return send(raw: preface) }
        let usual = [
            Setting(.maxConcurrentStreams, Self.streamLimit), Setting(.maxHeaderListSize, Self.listByteLimit),
        ]
        let own = behaviour.settings
        send(.settings(usual.filter { usual in !own.contains { $0.identifier == usual.identifier } } + own))
    }
}
