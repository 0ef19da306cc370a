internal import ProctorBase
internal import ProctorHTTP
internal import ProctorHTTP3
internal import ProctorJournal
internal import ProctorLoop
internal import ProctorReplies
internal import ProctorScenario
internal import ProctorServing
internal import ProctorTLS

/// One request of a connection of HTTP/3, with its reply; on the loop's thread only.
final class HTTP3Stream {
    let number: UInt64
    let connection: HTTP3Connection
    let input: RequestInput
    var arrived: StreamInput
    var kept: KeptReply<HTTP3Stream>?
    var share = HTTP3Connection.shareByteCount
    /// Whether a script plays behind a reply that is no HTTP.
    private(set) var isConversing = false
    /// Whether FIN was sent.
    private(set) var hasSentEnd = false
    /// Whether an effect has sent FIN, behind which the rest of the reply is left out.
    private(set) var isHalfClosed = false
    /// Whether an effect has told the client that the rest of the request is not wanted.
    var isStopped = false

    /// Content of one DATA frame.
    private static let frameByteCount = 16 << 10

    /// `hasEnded`: the client has ended its half with the head.
    init(_ number: UInt64, of connection: HTTP3Connection, head: RequestHead, hasEnded: Bool) {
        (self.number, self.connection) = (number, connection)
        input = RequestInput(
            streamOf: connection.endpoint, connection.bounds, head: head, arrival: connection.takeArrival())
        arrived = StreamInput(hasEnded: hasEnded)
    }
}

extension HTTP3Stream: ReplyKeepingWire {
    var keeper: HTTP3Connection { connection }

    // MARK: Receiving

    func wake() { arrived.wakeTask() }

    func waitForPeer(within limit: UInt64?) async throws(ConnectionEnd) { try await waitForChange(within: limit) }

    func credit(_ byteCount: Int) { connection.credit(byteCount, on: number) }

    func sendWaiting() { connection.flush() }

    // MARK: Sending

    /// Bytes of content that may be queued now.
    private var room: Int { hasSentEnd ? 0 : connection.link.room(on: number) }

    func sendAtOnce(_ bytes: [UInt8], _ tail: [UInt8]) -> Int {
        guard end == nil, bytes.count + tail.count <= room else { return 0 }
        _ = connection.sendContent((bytes + tail)[...], on: self, ends: false)
        connection.flush()
        return bytes.count + tail.count
    }

    func prepare(for reply: LaidOutReply, _ log: RequestLog) {}

    func send(_ section: StreamSection, frame: Int?) throws(ConnectionEnd) -> (byteCount: Int, isLast: Bool) {
        if let end { throw end }
        hasSentEnd = section.endsStream
        return (connection.sendSection(section, on: self), true)
    }

    func send(
        _ content: inout ContentCursor, upTo most: Int, _ part: ContentPart, _ buffer: inout [UInt8]
    ) throws(ConnectionEnd) -> Int? {
        if let end { throw end }
        let room = min(room, share)
        guard room > 0 || most == 0 else { return nil }
        // Behind HTTP they are content.
        if part.isInserted, !isConversing {
            guard case .bytes(let bytes) = content.source else {
                throw .unanswerable("its effect sends more bytes at once than a stream of HTTP/3 keeps waiting")
            }
            connection.sendRaw(bytes, on: self)
            content.skip(bytes.count)
            return bytes.count
        }
        let bytes = try ConnectionEnd.rethrow { () throws(ReplyFailure) in
            try content.takeBytes(upTo: min(most, room, Self.frameByteCount), in: &buffer)
        }
        share -= bytes.count
        let ends = part.endsReply && content.position >= content.end
        if ends { hasSentEnd = true }
        let count = connection.sendContent(bytes, on: self, ends: ends)
        if part.isPaced { connection.flush() }
        return count
    }

    func awaitRoom() async throws(ConnectionEnd) {
        share = HTTP3Connection.shareByteCount
        connection.flush()
        guard room == 0 else {
            if let end { throw end }
            return
        }
        try await connection.waitForRoom(self)
    }

    func flush(_ note: (() -> Void)?) {
        connection.flush()
        note?()
    }

    // MARK: Effects

    func perform(_ action: Effect.Action) async throws(ConnectionEnd) -> Int {
        switch (action, action.verb.facts.endsStream) {
        case (_, .both) where isConversing: throw .serverCloses
        case (_, .reset) where isConversing:
            connection.reset(self, .requestCancelled)
            throw .streamReset
        case (_, .sending):
            endSending()
            isHalfClosed = true
        case (.stall, _):
            connection.flush()
            try await waitForChange(toEndWithin: bounds.stall)
        case (.close(let isAbrupt, _), _):
            if !isAbrupt { try await awaitAcknowledgement() }
            connection.endConnection(by: .application(HTTP3Code.noError.rawValue), .closed)
            throw .serverEnded(.closed)
        case (.reset(let isAbrupt), _):
            if !isAbrupt { try await awaitAcknowledgement() }
            connection.endConnection(by: nil, .reset)
            throw .serverEnded(.reset)
        case (.frames(let frames), _):
            if case .closeConnection = frames { try await awaitAcknowledgement() }
            return try connection.perform(frames, on: self)
        default: throw .unanswerable("its effect does what HTTP/3 has not")
        }
        return 0
    }

    /// Waits, within ``ConnectionBounds/settle``, until the client has acknowledged all of the stream.
    private func awaitAcknowledgement() async throws(ConnectionEnd) {
        connection.flush()
        let deadline = Socket.deadline(within: bounds.settle)
        while connection.link.byteCount(on: number) > 0, MonotonicClock.nanoseconds < deadline {
            try await waitWhilePeerStays(until: deadline)
        }
    }

    // MARK: Ends

    func endReply(_ content: RequestContent<HTTP3Stream>) {}

    /// Takes what is left of the request.
    func settle(_ content: RequestContent<HTTP3Stream>, _ way: Settling) async throws(ConnectionEnd) {
        if case .mayLeave = way {
            content.noteUnfinished()
            return connection.stopReading(self)
        }
        connection.flush()
        if input.request.hasUnreadContent { try await content.receive(.end, isAnswered: true) }
        if case .closes(page: true) = way { connection.goAway(.highest, behind: number) }
    }

    func endRequest(_ refusal: StreamRefusal) {
        let code: HTTP3Code =
            switch refusal {
            case .connect: .connectError
            case .version: .versionFallback
            }
        connection.reset(self, code)
    }

    // MARK: What is no longer HTTP

    /// `close` and `half-close` are FIN from here on, and `reset` is RESET_STREAM.
    func leaveHTTP(_ log: RequestLog) { isConversing = true }

    func holdConversation(_ conversation: HeldConversation<HTTP3Stream>) async throws(ConnectionEnd) {
        try await playConversation(conversation) { _ in }
    }

    /// FIN was sent by an effect.
    func didSendEnd() { (hasSentEnd, isHalfClosed) = (true, true) }

    func endSending() {
        guard !hasSentEnd, end == nil else { return }
        hasSentEnd = true
        _ = connection.sendContent([], on: self, ends: true)
        connection.flush()
    }

    func carry(
        isSecured: Bool, receiveBufferByteCount: Int?, _ make: (Socket, WaitingConnections) -> Connection
    ) throws(ConnectionEnd) {
        throw .unanswerable("a tunnel leads to its origin over HTTP/1.1 and HTTP/2 alone")
    }
}

extension HTTP3Code {
    /// What means the same in HTTP/3 (RFC 9114 Appendix A.4).
    init(_ code: ErrorCode) {
        self =
            switch code {
            case .noError: .noError
            case .protocolError: .messageError
            case .internalError: .internalError
            case .refusedStream: .requestRejected
            case .cancel: .requestCancelled
            case .connectError: .connectError
            case .enhanceYourCalm: .excessiveLoad
            case .http11Required: .versionFallback
            default: .generalProtocolError
            }
    }
}
