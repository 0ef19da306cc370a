internal import ProctorBase
internal import ProctorHTTP
internal import ProctorHTTP2
internal import ProctorLoop

/// An HTTP/2 connection, shared by any number of transfers (RFC 9113); loop thread only.
///
/// A task of its own reads from it until ``close()``, also while no stream is open, so that GOAWAY and the end of an
/// idle connection are noticed at once.
final class HTTP2Connection: SharedConnection {
    let socket: Socket
    let destination: Destination
    /// The number among all connections of the pool, from 1.
    let number: Int
    let pool: ConnectionPool
    let fault: StreamFault?
    private let loopState: LoopBound<State>

    final class State {
        var frames: ConnectionState
        let encoder: HeaderEncoder
        fileprivate(set) var secured: SecuredConnection?
        var reader = FrameReader(expectsPreface: false)
        var output: HTTP2FrameQueue
        var events: [ConnectionEvent] = []
        /// The stream that the current frame ends.
        var endedStream: UInt32?
        let places = StreamPlaces()
        var nextNumber: UInt32
        var hasSettings = false
        /// Whether the server has closed its end or the connection broke, so that nothing more is sent.
        var isPeerGone = false
        var tasks: [Task<Void, Never>] = []

        init(_ frames: consuming ConnectionState, _ encoder: HeaderEncoder, _ fault: StreamFault?) {
            self.frames = frames
            self.encoder = encoder
            output = HTTP2FrameQueue()
            nextNumber = fault == .evenStreams ? 2 : 1
        }
    }

    /// nil without memory.
    init?(
        _ socket: Socket, to destination: Destination, number: Int, secured: SecuredConnection?, fault: StreamFault?,
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

    var state: State { loopState.value }

    var places: StreamPlaces { state.places }

    var rules: StreamRules { .http2 }

    var peer: SocketAddress { socket.peer }

    var localPort: UInt16? { socket.local.port }

    /// nil for a connection without TLS.
    var secured: SecuredConnection? { state.secured }

    func stream(_ number: UInt32) -> SharedStream? { places.streams[UInt64(number)] }

    // MARK: Life

    /// Sends the preface (RFC 9113 §3.4) and begins to read.
    func start() {
        places.idleSince = MonotonicClock.nanoseconds
        state.output.append(raw: FrameReader.preface)
        if fault != .noSettings {
            send(.settings([Setting(.enablePush, 0), Setting(.maxHeaderListSize, Self.listByteLimit)]))
        }
        flush()
        state.tasks.append(Task(executorPreference: loop) { await self.read() })
    }

    /// The most bytes of a field section, counted as for SETTINGS_MAX_HEADER_LIST_SIZE.
    private static let listByteLimit = UInt32(ReplyLimits().headByteCount)

    /// A task reads from the beginning.
    func startReading() {}

    private func read() async {
        while !isClosed {
            do throws(SocketError) {
                let isOpen: Void? = try await socket.read(within: pool.limits.idleTime.wholeNanoseconds) {
                    readFrames($0)
                }
                flush()
                if isOpen == nil { lose(.lost("\(socket.peer) closed the connection\(places.afterGoAway)")) }
            } catch {
                switch error {
                case .timedOut: if idleTimeIsOver { close() }
                case .cancelled: lose(.shutDown)
                case .failed(let failure):
                    lose(.lost("the connection to \(socket.peer) broke (\(failure.text))\(places.afterGoAway)"))
                case .layerFailed(let sentence): lose(.insecure(sentence))
                }
            }
        }
    }

    private var idleTimeIsOver: Bool {
        guard let start = places.idleSince else { return false }
        return MonotonicClock.nanoseconds &- start >= pool.limits.idleTime.wholeNanoseconds
    }

    /// Ends every stream with this failure, and the connection.
    func lose(_ failure: StreamFailure) {
        switch failure {
        case .lost, .insecure: state.isPeerGone = true
        case .reset, .unprocessed, .violation, .notHTTP2, .tooMuch, .unwanted, .shutDown: break
        }
        failStreams(with: failure)
        close()
    }

    /// Sends GOAWAY when the server still reads (RFC 9113 §6.8), and closes; no stream may be open.
    func close() {
        guard places.markClosed() else { return }
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

    /// How many more streams may be opened: those that the server permits, less those that are open (RFC 9113 §5.1.2).
    ///
    /// Until the server's SETTINGS arrive, only one may be open, since they may permit no more.
    var streamRoom: Int {
        if fault == .tooManyStreams { return .max }
        let most = state.hasSettings ? Int(state.frames.peers.maxConcurrentStreams ?? UInt32(Int32.max)) : 1
        return most - places.streams.count
    }

    /// Whether the server permits an extended CONNECT (RFC 8441 §3); nil before its SETTINGS have come.
    var permitsExtendedConnect: Bool? { state.hasSettings ? state.frames.peers.enableConnectProtocol : nil }

    /// Resets a stream that is still open.
    func cancel(_ stream: SharedStream, _ number: UInt64) {
        let number = UInt32(number)
        if state.frames.isOpen(number), fault != .cancelsWithoutReset { send(.resetStream(number, .cancel)) }
    }
}
