internal import ProctorBase
internal import ProctorHTTP
internal import ProctorHTTP2
internal import ProctorLoop

/// An HTTP/2 connection, shared by any number of transfers (RFC 9113); loop thread only.
///
/// A task of its own reads from it until ``close()``, also while no stream is open, so that GOAWAY and the end of an
/// idle connection are noticed at once.
final class HTTP2Connection: Sendable {
    let socket: Socket
    let destination: Destination
    /// The number among all connections of the pool, from 1.
    let number: Int
    let pool: ConnectionPool
    let fault: HTTP2Fault?
    private let loopState: LoopBound<State>

    final class State {
        var frames: ConnectionState
        let encoder: HeaderEncoder
        fileprivate(set) var secured: SecuredConnection?
        var reader = FrameReader(expectsPreface: false)
        var output: HTTP2Output
        var events: [ConnectionEvent] = []
        /// The stream that the current frame ends.
        var endedStream: UInt32?
        /// Streams with an id, whose transfer has not ended.
        var streams: [UInt32: HTTP2Stream] = [:]
        /// Reservations of streams without an id yet.
        var reserved: [ObjectIdentifier: HTTP2Stream] = [:]
        var nextNumber: UInt32
        var openedCount = 0
        var hasSettings = false
        /// The server's GOAWAY, as part of a sentence.
        var goAway: String?
        /// Whether no further stream may be opened; the connection ends with its last stream.
        var isRetired = false
        var isClosed = false
        /// Whether the server has closed its end or the connection broke, so that nothing more is sent.
        var isPeerGone = false
        /// Origins for whose requests the server wants another connection (421).
        var misdirected: Set<Origin> = []
        var idleSince: UInt64?
        var tasks: [Task<Void, Never>] = []

        init(_ frames: consuming ConnectionState, _ encoder: HeaderEncoder, _ fault: HTTP2Fault?) {
            self.frames = frames
            self.encoder = encoder
            output = HTTP2Output()
            nextNumber = fault == .evenStreams ? 2 : 1
        }
    }

    /// nil without memory.
    init?(
        _ socket: Socket, to destination: Destination, number: Int, secured: SecuredConnection?, fault: HTTP2Fault?,
        pool: ConnectionPool
    ) {
        guard let frames = ConnectionState(role: .client), let encoder = HeaderEncoder() else { return nil }
        self.socket = socket
        self.destination = destination
        self.number = number
        self.pool = pool
        self.fault = fault
        loopState = LoopBound(State(frames, encoder, fault), on: pool.loop)
        state.secured = secured
    }

    var loop: EventLoop { pool.loop }

    var state: State { loopState.value }

    /// nil for a connection without TLS.
    var secured: SecuredConnection? { state.secured }

    // MARK: Life

    /// Sends the preface (RFC 9113 §3.4) and begins to read.
    func start() {
        state.idleSince = MonotonicClock.nanoseconds
        state.output.append(raw: FrameReader.preface)
        if fault != .noSettings {
            send(.settings([Setting(.enablePush, 0), Setting(.maxHeaderListSize, Self.listByteLimit)]))
        }
        flush()
        state.tasks.append(Task(executorPreference: loop) { await self.read() })
    }

    /// The most bytes of a field section, counted as for SETTINGS_MAX_HEADER_LIST_SIZE.
    private static let listByteLimit = UInt32(ReplyLimits().headByteCount)

    private func read() async {
        while !state.isClosed {
            do throws(SocketError) {
                let isOpen: Void? = try await socket.read(within: pool.limits.idleTime.wholeNanoseconds) {
                    readFrames($0)
                }
                flush()
                if isOpen == nil { lose(.lost("\(socket.peer) closed the connection\(afterGoAway)")) }
            } catch {
                switch error {
                case .timedOut: if idleTimeIsOver { close() }
                case .cancelled: lose(.shutDown)
                case .failed(let failure):
                    lose(.lost("the connection to \(socket.peer) broke (\(failure.text))\(afterGoAway)"))
                case .layerFailed(let sentence): lose(.insecure(sentence))
                }
            }
        }
    }

    private var afterGoAway: String { state.goAway.map { " after its \($0)" } ?? "" }

    private var idleTimeIsOver: Bool {
        guard let start = state.idleSince else { return false }
        return MonotonicClock.nanoseconds &- start >= pool.limits.idleTime.wholeNanoseconds
    }

    /// Ends every stream with this failure, and the connection.
    func lose(_ failure: HTTP2Failure) {
        let streams = state.streams.values.sorted { ($0.number ?? 0) < ($1.number ?? 0) }
        let reserved = state.reserved.values
        switch failure {
        case .lost, .insecure: state.isPeerGone = true
        case .reset, .unprocessed, .violation, .notHTTP2, .tooMuch, .shutDown: break
        }
        state.isRetired = true
        state.streams = [:]
        state.reserved = [:]
        for stream in streams { stream.fail(failure) }
        for stream in reserved {
            stream.fail(.unprocessed("\(socket.peer) ended the connection before the request was sent", isUnsent: true))
        }
        close()
    }

    /// Sends GOAWAY when the server still reads (RFC 9113 §6.8), and closes; no stream may be open.
    func close() {
        guard !state.isClosed else { return }
        state.isClosed = true
        state.isRetired = true
        if !socket.isClosed {
            if !state.output.hasGoAway, !state.isPeerGone {
                send(.goAway(lastStream: state.frames.lastStreamOfPeer, .noError))
            }
            flush()
            secured?.keepTicket(of: destination)
            // OpenSSL resumes no session that ended without close_notify.
            if secured != nil { socket.halfClose() }
            socket.close()
        }
        for task in state.tasks { task.cancel() }
        state.tasks = []
        pool.didClose(self)
    }

    // MARK: Places

    var isRetired: Bool { state.isRetired }

    var isClosed: Bool { state.isClosed }

    /// Since when no stream is open, in MonotonicClock nanoseconds; nil while a stream is open.
    var idleSince: UInt64? { state.idleSince }

    /// Whether one more stream may be opened now (RFC 9113 §5.1.2).
    ///
    /// Until the server's SETTINGS arrive, only one may be open, since they may permit no more.
    var hasRoom: Bool {
        guard !state.isRetired else { return false }
        if fault == .tooManyStreams { return true }
        let count = state.streams.count + state.reserved.count
        guard state.hasSettings else { return count == 0 }
        return count < Int(state.frames.peers.maxConcurrentStreams ?? UInt32(Int32.max))
    }

    /// Whether the server permits an extended CONNECT (RFC 8441 §3); nil before its SETTINGS have come.
    var permitsExtendedConnect: Bool? { state.hasSettings ? state.frames.peers.enableConnectProtocol : nil }

    /// Whether requests to this origin may be sent on this connection, as far as the server has answered.
    func mayServe(_ origin: Origin) -> Bool { !state.isRetired && !state.misdirected.contains(origin) }

    /// The server answered a request to the origin with 421 (RFC 9110 §15.5.20).
    func misdirect(_ origin: Origin) { state.misdirected.insert(origin) }

    /// Reserves a stream; the caller has checked ``hasRoom``.
    func reserve() -> HTTP2Stream {
        state.openedCount += 1
        state.idleSince = nil
        let stream = HTTP2Stream(on: self, isReused: state.openedCount > 1)
        state.reserved[ObjectIdentifier(stream)] = stream
        return stream
    }

    /// Permits no new streams; the connection ends with its last one.
    func retire() {
        state.isRetired = true
        closeIfDone()
        pool.placesHaveChanged(on: self)
    }

    func release(_ stream: HTTP2Stream) {
        state.reserved[ObjectIdentifier(stream)] = nil
        if let number = stream.number, state.streams.removeValue(forKey: number) != nil {
            if state.frames.isOpen(number), fault != .cancelsWithoutReset {
                send(.resetStream(number, .cancel))
            }
            flush()
        }
        closeIfDone()
        guard !state.isClosed else { return }
        if state.streams.isEmpty, state.reserved.isEmpty {
            state.idleSince = MonotonicClock.nanoseconds
            secured?.keepTicket(of: destination)
        }
        pool.placesHaveChanged(on: self)
    }

    private func closeIfDone() {
        if state.isRetired, state.streams.isEmpty, state.reserved.isEmpty { close() }
    }
}
