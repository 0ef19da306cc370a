internal import ProctorBase
internal import ProctorHTTP
internal import ProctorHTTP3
internal import ProctorJournal
internal import ProctorLoop
internal import ProctorQUICLink
internal import ProctorReplies
internal import ProctorScenario
internal import ProctorServing
internal import ProctorTLS

/// What streams ask of HTTP/3.
extension HTTP3Connection: MultiplexedConnection {
    /// Content of one DATA frame.
    private static let frameByteCount = 16 << 10

    var hasInputEnded: Bool { false }

    // MARK: Sending

    /// Bytes of content that may be queued now.
    private func room(on stream: MultiplexedStream) -> Int {
        stream.hasSentEnd ? 0 : link.room(on: stream.number)
    }

    func room(for part: ContentPart, on stream: MultiplexedStream) -> Int {
        min(room(on: stream), Self.frameByteCount)
    }

    func sendAtOnce(_ bytes: [UInt8], _ tail: [UInt8], on stream: MultiplexedStream) -> Bool {
        guard bytes.count + tail.count <= room(on: stream) else { return false }
        _ = session?.sendContent((bytes + tail)[...], on: stream.number, ends: false)
        return true
    }

    func sendRaw(_ bytes: [UInt8], on stream: MultiplexedStream) -> Bool {
        guard room(on: stream) > 0 else { return false }
        send(bytes, on: stream.number, ends: false)
        return true
    }

    func sendSection(
        _ section: StreamSection, frame: Int?, on stream: MultiplexedStream
    ) -> (byteCount: Int, isLast: Bool) {
        stream.hasSentEnd = section.endsStream
        let count = session?.sendFields(section.fields, on: stream.number, ends: section.endsStream) ?? 0
        session?.sendInstructions()
        return (count, true)
    }

    func sendContent(_ content: ArraySlice<UInt8>, _ part: ContentPart, ends: Bool, on stream: MultiplexedStream) -> Int
    {
        if ends { stream.hasSentEnd = true }
        return session?.sendContent(content, on: stream.number, ends: ends) ?? 0
    }

    func awaitRoom(on stream: MultiplexedStream) async throws(ConnectionEnd) {
        flush()
        guard room(on: stream) == 0 else {
            if let end = stream.end { throw end }
            return
        }
        roomWaiters.append(stream)
        defer { roomWaiters.removeAll { $0 === stream } }
        link.awaitRoom()
        try await stream.waitForChange(within: nil)
    }

    func flush(_ note: (() -> Void)?) {
        flush()
        note?()
    }

    func credit(_ byteCount: Int, on stream: MultiplexedStream) { credit(byteCount, on: stream.number) }

    // MARK: Effects

    func perform(_ action: Effect.Action, on stream: MultiplexedStream) async throws(ConnectionEnd) -> Int {
        switch (action, action.verb.facts.endsStream) {
        case (_, .sending): stream.halfClose()
        case (.close(let isAbrupt, _), _):
            if !isAbrupt { try await awaitAcknowledgement(of: stream) }
            endConnection(by: .application(HTTP3Code.noError.rawValue), .closed)
            throw .serverEnded(.closed)
        case (.reset(let isAbrupt), _):
            if !isAbrupt { try await awaitAcknowledgement(of: stream) }
            endConnection(by: nil, .reset)
            throw .serverEnded(.reset)
        case (.frames(let frames), _):
            if case .closeConnection = frames { try await awaitAcknowledgement(of: stream) }
            return try perform(frames, on: stream)
        default: throw .unanswerable("its effect does what HTTP/3 has not")
        }
        return 0
    }

    /// Waits, within ``ConnectionBounds/settle``, until the client has acknowledged all of the stream.
    private func awaitAcknowledgement(of stream: MultiplexedStream) async throws(ConnectionEnd) {
        flush()
        let deadline = Socket.deadline(within: bounds.settle)
        while link.byteCount(on: stream.number) > 0, MonotonicClock.nanoseconds < deadline {
            try await stream.waitWhilePeerStays(until: deadline)
        }
    }

    /// The server pushes nothing.
    func push(
        _ pushed: PushedRequest, beside request: StageRequest<MultiplexedStream>, _ head: RequestHead, origin: Int
    ) -> Int? { nil }

    // MARK: Ends

    func endSending(on stream: MultiplexedStream) {
        guard !stream.hasSentEnd, stream.end == nil else { return }
        stream.hasSentEnd = true
        _ = session?.sendContent([], on: stream.number, ends: true)
        flush()
    }

    func endStream(_ stream: MultiplexedStream, by refusal: StreamRefusal) {
        let code: HTTP3Code =
            switch refusal {
            case .connect: .connectError
            case .version: .versionFallback
            case .effect: .requestCancelled
            }
        reset(stream, code)
    }

    func stopReading(_ stream: MultiplexedStream) {
        session?.stopReading(stream.number)
        flush()
    }

    func stopAccepting(behind stream: MultiplexedStream) { goAway(.highest, behind: stream.number) }

    // MARK: What is no longer HTTP

    func acceptTunnel(on stream: MultiplexedStream) {}

    func carry(
        on stream: MultiplexedStream, receiveBufferByteCount: Int?, _ make: (Socket, WaitingConnections) -> Connection
    ) throws(ConnectionEnd) {
        throw .unanswerable("a tunnel leads to its origin over HTTP/1.1 and HTTP/2 alone")
    }
}
