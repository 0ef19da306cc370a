internal import ProctorHTTP2
internal import ProctorLoop

/// The frames that go out on one connection, in their order.
struct HTTP2Output {
    /// Bytes that the system has not taken.
    fileprivate(set) var pending: [UInt8] = []
    fileprivate(set) var isWriting = false
    /// Whether GOAWAY went out.
    fileprivate(set) var hasGoAway = false

    /// Streams wait while so many bytes are pending.
    private static let roomByteCount = 64 << 10

    /// Bytes of content that streams may add now.
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

/// What the client sends.
extension HTTP2Connection {
    func send(_ frame: Frame) {
        state.frames.willSend(frame)
        state.output.append(frame)
    }

    /// Opens a stream with the field section of its request; nil where none can be opened.
    func open(
        _ stream: HTTP2Stream, _ fields: [HeaderField], method: [UInt8], endsStream: Bool
    ) -> UInt32? {
        state.reserved[ObjectIdentifier(stream)] = nil
        let number = state.nextNumber
        guard !state.isRetired, number <= FlowWindow.largest, let block = state.encoder.encode(fields) else {
            return nil
        }
        state.nextNumber = number + 2
        state.streams[number] = stream
        let most = frameByteLimit
        for frame in Frame.headers(dividing: block.bytes, on: number, endsStream: endsStream, most: most) {
            send(frame)
        }
        // The stream is known since its HEADERS.
        state.frames.sentRequest(method, on: number)
        return number
    }

    /// Bytes of a payload.
    private var frameByteLimit: Int { fault == .framesTooLong ? 1 << 20 : Int(state.frames.peers.maxFrameSize) }

    /// How many bytes of content may go out on the stream now (RFC 9113 §5.2).
    func room(on number: UInt32) -> Int {
        guard let window = state.frames.sendWindow(of: number) else { return 0 }
        var room = state.output.room
        if fault != .overrunsStreamWindow { room = min(room, window.size) }
        if fault != .overrunsConnectionWindow { room = min(room, state.frames.sendWindow.size) }
        return max(0, room)
    }

    /// Sends content that the windows have room for, in frames as long as the server takes.
    func send(_ content: ArraySlice<UInt8>, on number: UInt32, endsStream: Bool) {
        let most = frameByteLimit
        var rest = content
        repeat {
            let part = rest.prefix(most)
            rest = rest.dropFirst(most)
            let ends = endsStream && rest.isEmpty
            state.frames.willSendData(ofByteCount: part.count, on: number, endsStream: ends)
            state.output.appendData(part, on: number, endsStream: ends)
        } while !rest.isEmpty
    }

    /// Lets the server send on all streams what it has sent on them, wherever it went (RFC 9113 §6.9).
    ///
    /// The connection's window holds nothing back: that of a stream does, so that one which is not read stops no other.
    func creditConnection() {
        let missing = Int(FlowWindow.usual) - state.frames.receiveWindow.size
        guard missing >= Int(FlowWindow.usual / 4), fault != .noWindowUpdates else { return }
        send(.windowUpdate(UInt32(min(missing, Int(FlowWindow.largest)))))
    }

    // MARK: Output

    /// Sends what the system takes at once; a task sends the rest.
    func flush() {
        guard !state.output.isWriting, !state.output.pending.isEmpty, !socket.isClosed else { return }
        let count = socket.writeAtOnce(state.output.pending)
        state.output.pending.removeFirst(count)
        guard !state.output.pending.isEmpty, !state.isClosed else { return }
        state.output.isWriting = true
        state.tasks.append(Task(executorPreference: loop) { await self.write() })
    }

    private func write() async {
        while !state.output.pending.isEmpty, !socket.isClosed {
            let part = state.output.pending
            state.output.pending = []
            do throws(SocketError) {
                try await socket.write(part)
            } catch {
                // The reading task finds the reason; what is pending can no longer be sent.
                state.output.pending = []
                return
            }
        }
        state.output.isWriting = false
        // The first task reads; the others have written.
        state.tasks = Array(state.tasks.prefix(1))
        wakeSenders()
    }

    /// Windows or the room for output have grown.
    func wakeSenders() {
        for stream in state.streams.values { stream.roomHasGrown() }
    }
}
