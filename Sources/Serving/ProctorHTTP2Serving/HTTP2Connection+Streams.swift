internal import ProctorBase
internal import ProctorHTTP
internal import ProctorHTTP2
internal import ProctorJournal
internal import ProctorLoop
internal import ProctorReplies
internal import ProctorScenario
internal import ProctorServing

extension MultiplexedStream {
    /// Its number as frames have it.
    var id: UInt32 { UInt32(truncatingIfNeeded: number) }

    /// Whether a DATA frame gets an entry of the journal.
    ///
    /// So many of a stream have entries of their own, and with them the last one of each side: a long reply would fill a journal.
    func isNoted(dataEndingStream endsStream: Bool) -> Bool {
        dataEntryCount += 1
        return endsStream || dataEntryCount <= FrameNote.dataEntryLimit
    }
}

/// What streams ask of HTTP/2: field sections and content within the windows.
extension HTTP2Connection: MultiplexedConnection {
    var hasInputEnded: Bool { input.hasEnded }

    // MARK: Sending

    func room(for part: ContentPart, on stream: MultiplexedStream) -> Int {
        let shape = stream.shape
        let room = room(on: stream)
        return (part.isOneFrame || shape.padding != nil ? min(room, Int(state.peers.maxFrameSize)) : room)
            - shape.overhead
    }

    func sendAtOnce(_ bytes: [UInt8], _ tail: [UInt8], on stream: MultiplexedStream) -> Bool {
        let count = bytes.count + tail.count
        guard stream.shape.overhead == 0, count == 0 ? output.room > 0 : count <= room(on: stream) else { return false }
        sendContent(bytes[...], endsStream: false, on: stream)
        if !tail.isEmpty { sendContent(tail[...], endsStream: false, on: stream) }
        return true
    }

    func sendRaw(_ bytes: [UInt8], on stream: MultiplexedStream) -> Bool {
        sendRaw(bytes)
        return true
    }

    /// A field section whose frames go out one by one.
    private final class SplitSection {
        let block: SentBlock

        init(_ block: SentBlock) { self.block = block }
    }

    func sendSection(
        _ section: StreamSection, frame: Int?, on stream: MultiplexedStream
    ) throws(ConnectionEnd) -> (byteCount: Int, isLast: Bool) {
        let before = output.byteCount
        guard let frame else {
            try sendSection(section, on: stream)
            return (output.byteCount - before, true)
        }
        if frame == 0 { stream.splitSection = SplitSection(try block(of: section, on: stream)) }
        guard let block = (stream.splitSection as? SplitSection)?.block else { return (0, true) }
        send(block.frames[frame])
        let isLast = frame + 1 == block.frames.count
        if isLast {
            journalSentBlock(block.note)
            stream.splitSection = nil
        }
        return (output.byteCount - before, isLast)
    }

    func sendContent(_ content: ArraySlice<UInt8>, _ part: ContentPart, ends: Bool, on stream: MultiplexedStream) -> Int
    {
        let before = output.byteCount
        let padding = stream.shape.padding
        if part.isOneFrame || padding != nil {
            sendFrame(content, endsStream: ends, padding: padding, on: stream)
        } else {
            sendContent(content, endsStream: ends, on: stream)
        }
        return output.byteCount - before
    }

    func awaitRoom(on stream: MultiplexedStream) async throws(ConnectionEnd) {
        let overhead = stream.shape.overhead
        flush()
        guard room(on: stream) <= overhead else { return }
        guard output.room <= overhead, !output.isWriting else {
            // With room for output it is a window that is shut.
            guard output.room > overhead else { return try await stream.waitForChange(within: nil) }
            return try await stream.waitForPeer(within: nil)
        }
        try await output.write()
        wakeStreams()
    }

    func flush(_ note: (() -> Void)?) {
        if let note { output.whenSent(note) }
        flush()
    }

    /// A reset leaves in the output what is queued.
    func keepEnd(_ end: JournalEvent, of stream: MultiplexedStream, _ log: RequestLog) -> Bool {
        output.keepEnd(end, of: stream.id, log)
    }

    // MARK: Effects

    func perform(_ action: Effect.Action, on stream: MultiplexedStream) async throws(ConnectionEnd) -> Int {
        switch action {
        case .frames(.pad(let byteCount)): stream.shape.padding = byteCount
        case .frames(.continuation(let byteCount)): stream.shape.blockByteCount = byteCount
        case .frames(let frames):
            let before = output.byteCount
            defer { flush() }
            try performFrames(frames, on: stream)
            return output.byteCount - before
        default:
            // Effects of the connection, which knows them all, come behind all frames so far.
            try await drain()
            _ = try await connection.perform(action)
            guard connection.isHalfClosed else { return 0 }
            try await stream.waitForChange(toEndWithin: bounds.stall)
            throw .serverEnded(.closed)
        }
        return 0
    }

    func push(
        _ pushed: PushedRequest, beside request: StageRequest<MultiplexedStream>, _ head: RequestHead, origin: Int
    ) throws(ConnectionEnd) -> Int? {
        try ReplyPusher(request: request, head: head, origin: origin, owner: self).push(pushed)
    }

    // MARK: Ends

    func endSending(on stream: MultiplexedStream) {
        guard state.canSend(on: stream.id) else { return }
        sendContent([], endsStream: true, on: stream)
        flush()
    }

    func endStream(_ stream: MultiplexedStream, by refusal: StreamRefusal) {
        let code: ErrorCode =
            switch refusal {
            case .connect: .connectError
            case .version: .http11Required
            case .effect: stream.isOfTunnel ? .connectError : .cancel
            }
        reset(stream, code)
    }

    func stopReading(_ stream: MultiplexedStream) { reset(stream, .noError) }

    func stopAccepting(behind stream: MultiplexedStream) { goAway(.noError) }

    // MARK: Tunnels

    func acceptTunnel(on stream: MultiplexedStream) { state.acceptedTunnel(on: stream.id) }

    func carry(
        on stream: MultiplexedStream, receiveBufferByteCount: Int?, _ make: (Socket, WaitingConnections) -> Connection
    ) async throws(ConnectionEnd) {
        let (near, far) = try await Connection.socketPair(
            on: socket.loop, receiveBufferByteCount: receiveBufferByteCount)
        let tunnel = StreamTunnel(stream, of: self, to: make(near, waiting), far: far)
        tunnels[stream.id] = tunnel
        stream.didChange = tunnel.streamChanged
        defer {
            stream.didChange = nil
            tunnels[stream.id] = nil
        }
        if stream.end != nil { tunnel.streamChanged() }
        try await tunnel.run()
    }
}
