internal import ProctorBase
internal import ProctorHTTP
internal import ProctorHTTP2
internal import ProctorJournal
internal import ProctorLoop
internal import ProctorReplies
internal import ProctorScenario

/// A stream of HTTP/2: field sections and content within the windows.
extension HTTP2Stream: ReplyKeepingWire {
    var connection: Connection { owner.connection }
    var keeper: HTTP2Connection { owner }

    func credit(_ byteCount: Int) { owner.credit(byteCount, on: self) }

    func sendWaiting() { owner.flush() }

    // MARK: Sending

    func sendAtOnce(_ bytes: [UInt8], _ tail: [UInt8]) -> Int {
        guard end == nil, shape.overhead == 0, owner.canSend(bytes.count + tail.count, on: self) else { return 0 }
        owner.sendContent(bytes[...], endsStream: false, on: self)
        if !tail.isEmpty { owner.sendContent(tail[...], endsStream: false, on: self) }
        owner.flush()
        return bytes.count + tail.count
    }

    func prepare(for reply: LaidOutReply, _ log: RequestLog) { if reply.traits.leavesHTTP { acceptTunnel() } }

    func send(_ section: StreamSection, frame: Int?) throws(ConnectionEnd) -> (byteCount: Int, isLast: Bool) {
        let before = owner.output.byteCount
        guard let frame else {
            owner.sendBlock(try owner.block(of: section, on: self, shape))
            return (owner.output.byteCount - before, true)
        }
        let block = try frame == 0 ? owner.block(of: section, on: self, shape) : self.block
        self.block = block
        guard let block else { return (0, true) }
        owner.send(block.frames[frame])
        let isLast = frame + 1 == block.frames.count
        if isLast {
            owner.journalSentBlock(block.note)
            self.block = nil
        }
        return (owner.output.byteCount - before, isLast)
    }

    func send(
        _ content: inout ContentCursor, upTo most: Int, _ part: ContentPart, _ buffer: inout [UInt8]
    ) throws(ConnectionEnd) -> Int? {
        if let end { throw end }
        // Behind HTTP they are content.
        if part.isInserted, !isConversing {
            guard case .bytes(let bytes) = content.source else {
                throw .unanswerable("its effect sends more bytes at once than a connection of HTTP/2 keeps waiting")
            }
            owner.sendRaw(bytes)
            content.skip(bytes.count)
            return bytes.count
        }
        let overhead = shape.overhead
        let room = min(owner.room(on: self), share)
        // A frame of no bytes needs no window.
        guard room > overhead || most == 0 && overhead == 0 else { return nil }
        let before = owner.output.byteCount
        var count = min(most, room - overhead)
        let isByFrame = part.isOneFrame || shape.padding != nil
        if isByFrame { count = min(count, Int(owner.state.peers.maxFrameSize) - overhead) }
        let bytes = try ConnectionEnd.rethrow { () throws(ReplyFailure) in
            try content.takeBytes(upTo: count, in: &buffer)
        }
        share -= bytes.count
        let endsStream = part.endsReply && content.position >= content.end
        if isByFrame {
            owner.sendFrame(bytes, endsStream: endsStream, padding: shape.padding, on: self)
        } else {
            owner.sendContent(bytes, endsStream: endsStream, on: self)
        }
        if part.isPaced { owner.flush() }
        return owner.output.byteCount - before
    }

    func awaitRoom() async throws(ConnectionEnd) {
        if let end { throw end }
        share = HTTP2Connection.shareByteCount
        try await owner.makeRoom(for: self, beyond: shape.overhead)
    }

    func flush(_ note: (() -> Void)?) {
        if let note { owner.output.whenSent(note) }
        owner.flush()
    }

    // MARK: Effects

    func perform(_ action: Effect.Action) async throws(ConnectionEnd) -> Int {
        if isConversing, let end = action.verb.facts.endsStream {
            switch end {
            case .both: throw .serverCloses
            case .reset:
                owner.flush()
                owner.reset(self, isOfTunnel ? .connectError : .cancel)
                throw .streamReset
            case .sending:
                endSending()
                isHalfClosed = true
                return 0
            }
        }
        switch action {
        case .stall:
            owner.flush()
            try await waitForChange(toEndWithin: bounds.stall)
        case .frames(.pad(let byteCount)): shape.padding = byteCount
        case .frames(.continuation(let byteCount)): shape.blockByteCount = byteCount
        case .frames(let frames):
            let before = owner.output.byteCount
            defer { owner.flush() }
            try owner.perform(frames, on: self)
            return owner.output.byteCount - before
        default:
            // Effects of the connection, which knows them all, come behind all frames so far.
            try await owner.drain()
            try await owner.connection.output.perform(action)
            guard owner.connection.output.isHalfClosed else { return 0 }
            try await waitForChange(toEndWithin: bounds.stall)
            throw .serverEnded(.closed)
        }
        return 0
    }

    // MARK: Ends

    func endReply(_ content: RequestContent<HTTP2Stream>) { shape = FrameShape() }

    /// Takes what is left of the request.
    func settle(_ content: RequestContent<HTTP2Stream>, _ way: Settling) async throws(ConnectionEnd) {
        if case .mayLeave = way {
            content.noteUnfinished()
            return owner.reset(self, .noError)
        }
        if input.request.hasUnreadContent { try await content.receive(.end, isAnswered: true) }
        if case .closes(page: true) = way { owner.goAway(.noError) }
    }

    func endRequest(_ refusal: StreamRefusal) {
        let code: ErrorCode =
            switch refusal {
            case .connect: .connectError
            case .version: .http11Required
            }
        owner.reset(self, code)
    }

    // MARK: What is no longer HTTP

    /// `close` and `half-close` are END_STREAM from here on, and `reset` is RST_STREAM.
    func leaveHTTP(_ log: RequestLog) { isConversing = true }

    func holdConversation(_ conversation: HeldConversation<HTTP2Stream>) async throws(ConnectionEnd) {
        try await playConversation(conversation) { webSocket = $0 }
    }

    func endSending() {
        guard owner.state.canSend(on: number) else { return }
        owner.sendContent([], endsStream: true, on: self)
        owner.flush()
    }

    private func acceptTunnel() {
        hasLeftHTTP = true
        owner.state.acceptedTunnel(on: number)
    }

    func carry(
        isSecured: Bool, receiveBufferByteCount: Int?, _ make: (Socket, WaitingConnections) -> Connection
    ) async throws(ConnectionEnd) {
        if !hasLeftHTTP { acceptTunnel() }
        let (near, far) = try await StreamTunnel.sockets(on: loop, receiveBufferByteCount: receiveBufferByteCount)
        let tunnel = StreamTunnel(self, to: make(near, owner.connection.waiting), far: far)
        self.tunnel = tunnel
        defer { self.tunnel = nil }
        if end != nil { tunnel.streamChanged() }
        try await tunnel.run()
    }
}
