internal import ProctorHTTP
internal import ProctorHTTP2
internal import ProctorLoop

/// The frames to be sent on one connection, in their order.
struct HTTP2FrameQueue {
    /// Bytes that the system has not accepted yet.
    fileprivate(set) var pending: [UInt8] = []
    fileprivate(set) var isWriting = false
    /// Whether GOAWAY went out.
    fileprivate(set) var hasGoAway = false

    /// Streams wait while this number of bytes is pending.
    private static let roomByteCount = 64 << 10

    /// The number of bytes of content that streams may add now.
    var room: Int { isWriting ? 0 : max(0, Self.roomByteCount - pending.count) }

    mutating func append(_ frame: Frame) {
        if frame.type == .goAway { hasGoAway = true }
        FrameWriter.append(frame, to: &pending)
    }

    mutating func append(raw bytes: [UInt8]) { pending += bytes }

    fileprivate mutating func appendData(_ content: ArraySlice<UInt8>, on stream: UInt32, endsStream: Bool) {
        FrameWriter.appendData(content, on: stream, endsStream: endsStream, to: &pending)
    }
}

/// Sends the client's frames.
extension HTTP2Connection {
    func send(_ frame: Frame) {
        state.frames.willSend(frame)
        state.output.append(frame)
    }

    func open(
        _ stream: SharedStream, _ fields: [HeaderField], method: [UInt8], endsStream: Bool
    ) throws(RequestRefusal) -> UInt64 {
        places.reserved[ObjectIdentifier(stream)] = nil
        let number = state.nextNumber
        // The server may permit fewer streams since the place was given.
        guard !isRetired, streamRoom > 0, number <= FlowWindow.largest, let block = state.encoder.encode(fields) else {
            throw .noPlace
        }
        state.nextNumber = number + 2
        places.streams[UInt64(number)] = stream
        let most = frameByteLimit
        for frame in Frame.headers(dividing: block.bytes, on: number, endsStream: endsStream, most: most) {
            send(frame)
        }
        // The frame codec must know the method as soon as HEADERS is sent.
        state.frames.sentRequest(method, on: number)
        return UInt64(number)
    }

    /// The most bytes of a frame's payload.
    private var frameByteLimit: Int { fault == .framesTooLong ? 1 << 20 : Int(state.frames.peers.maxFrameSize) }

    /// How many bytes of content may go out on the stream now (RFC 9113 §5.2).
    func room(on number: UInt64) -> Int {
        guard let window = state.frames.sendWindow(of: UInt32(number)) else { return 0 }
        var room = state.output.room
        if fault != .overrunsStreamWindow { room = min(room, window.size) }
        if fault != .overrunsConnectionWindow { room = min(room, state.frames.sendWindow.size) }
        return max(0, room)
    }

    /// What waits behind the system's buffer is little, and goes out whatever becomes of the stream.
    func hasUnsent(on number: UInt64) -> Bool { false }

    /// Sends content within the windows, in frames as long as the server permits.
    func send(_ content: ArraySlice<UInt8>, on id: UInt64, endsStream: Bool) {
        let number = UInt32(id)
        let most = frameByteLimit
        var rest = content
        repeat {
            let piece = rest.prefix(most)
            rest = rest.dropFirst(most)
            let ends = endsStream && rest.isEmpty
            state.frames.willSendData(ofByteCount: piece.count, on: number, endsStream: ends)
            state.output.appendData(piece, on: number, endsStream: ends)
        } while !rest.isEmpty
    }

    func sendTrailers(_ fields: [HeaderField], on id: UInt64) {
        // Without a place in the encoder's table the content ends without them.
        guard let block = state.encoder.encode(fields) else { return send([], on: id, endsStream: true) }
        let frames = Frame.headers(dividing: block.bytes, on: UInt32(id), endsStream: true, most: frameByteLimit)
        for frame in frames { send(frame) }
    }

    func credit(_ byteCount: Int, on number: UInt64) {
        guard fault != .noWindowUpdates else { return }
        send(.windowUpdate(UInt32(byteCount), on: UInt32(number)))
    }

    /// The window of the connection has been given back already.
    func drop(_ byteCount: Int, on number: UInt64) {}

    /// Sends WINDOW_UPDATE for the connection, for all bytes that arrived on its streams (RFC 9113 §6.9).
    ///
    /// Only the window of a stream limits the server, so a stream that is not read blocks no other one.
    func creditConnection() {
        let missing = Int(FlowWindow.usual) - state.frames.receiveWindow.size
        guard missing >= Int(FlowWindow.usual / 4), fault != .noWindowUpdates else { return }
        send(.windowUpdate(UInt32(min(missing, Int(FlowWindow.largest)))))
    }

    // MARK: Output

    /// Sends what the system accepts at once; a task sends the rest.
    func flush() {
        guard !state.output.isWriting, !state.output.pending.isEmpty, !socket.isClosed else { return }
        let count = socket.writeAtOnce(state.output.pending)
        state.output.pending.removeFirst(count)
        guard !state.output.pending.isEmpty, !isClosed else { return }
        state.output.isWriting = true
        state.tasks.append(Task(executorPreference: loop) { await self.write() })
    }

    private func write() async {
        while !state.output.pending.isEmpty, !socket.isClosed {
            let bytes = state.output.pending
            state.output.pending = []
            do throws(SocketError) {
                try await socket.write(bytes)
            } catch {
                // The reading task finds the reason; pending bytes can no longer be sent.
                state.output.pending = []
                return
            }
        }
        state.output.isWriting = false
        // The first task reads; the others have finished writing.
        state.tasks = Array(state.tasks.prefix(1))
        wakeSenders()
    }
}
