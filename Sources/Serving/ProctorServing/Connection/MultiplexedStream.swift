internal import ProctorBase
package import ProctorHTTP
package import ProctorJournal
package import ProctorLoop
package import ProctorReplies
package import ProctorScenario

/// One request on a stream of HTTP/2 or HTTP/3, with its reply; on the loop's thread only.
///
/// What comes is kept until it is asked for, and frames keep what goes out apart. It is one class for both protocols, so that what
/// is generic over ``Wire`` is compiled for it; what they do differently, ``owner`` does.
package final class MultiplexedStream {
    package let number: UInt64
    /// The connection whose frames carry it.
    package let owner: any MultiplexedConnection
    package let connection: any RequestConnection
    package let input: RequestInput
    package var arrived: StreamInput
    /// How the reply's frames are written.
    package var shape = FrameShape()
    /// Bytes of content that the stream may send before others get room.
    package var share = MultiplexedStream.shareByteCount
    /// A reply that waits for room, and refers to the stream until it is taken out; nil: none.
    package var kept: KeptReply?
    /// Bytes that the stream's window has not got back yet, where its owner gives them back.
    package var owedByteCount = 0
    /// Entries of the journal about DATA, of both sides, where its owner counts them.
    package var dataEntryCount = 0
    /// What its owner keeps of a field section whose frames go out one by one; nil: none does.
    package var splitSection: AnyObject?

    /// Whether a script plays behind a reply that is no HTTP.
    package private(set) var isConversing = false
    /// Whether a 2xx reply to CONNECT was sent, so that content is of another protocol.
    package private(set) var hasLeftHTTP = false
    /// Set while a WebSocket is open on the stream.
    package private(set) var webSocket: (any HeldWebSocket)?
    /// Called when something of the stream has changed, while it carries a connection to an origin.
    package var didChange: (() -> Void)?
    /// Whether the end of our half was sent, as far as its owner asks that.
    package var hasSentEnd = false
    /// Whether an effect has sent that end, behind which the rest of the reply is left out.
    package private(set) var isHalfClosed = false
    /// Bytes of its reply that were queued and then dropped.
    package var untakenByteCount = 0
    /// Whether an effect has told the client that the rest of the request is not wanted.
    package var isStopped = false

    /// Content that one stream sends before others get room.
    private static let shareByteCount = 32 << 10

    /// `hasEnded`: the client has ended its half with the head.
    package init(
        _ number: UInt64, of owner: any MultiplexedConnection, on connection: any RequestConnection, head: RequestHead,
        hasEnded: Bool, arrival: RequestArrival
    ) {
        (self.number, self.owner, self.connection) = (number, owner, connection)
        input = RequestInput(streamOf: connection.endpoint, owner.bounds, head: head, arrival: arrival)
        arrived = StreamInput(hasEnded: hasEnded)
    }

    /// Answers its request as far as no step waits, and lets its owner do what is left.
    package func answerRequest(_ head: RequestHead) {
        do throws(ConnectionEnd) {
            let route = connection.endpoint.route(
                head, connection.scheme, at: { connection.local }, checksHost: connection.checksHost,
                remembering: &connection.mount)
            if let rest = try reply(to: head, by: route) { owner.start(self, rest) } else { owner.closeIfDone(self) }
        } catch {
            owner.endStream(self, error)
        }
    }

    /// The stream stays open longer than its request is read: the server counts it until it is freed.
    package func countAsOpen() {
        if arrived.openCount == nil { arrived.openCount = OpenStreamCount(owner.bounds.usage) }
    }

    // MARK: What comes

    /// Whether the client has ended its half.
    package var hasEnded: Bool { arrived.hasEnded }
    /// Why nothing can be sent or received any more; nil while that is possible.
    package var end: ConnectionEnd? { arrived.end }

    package func didReceive(_ content: ArraySlice<UInt8>) {
        arrived.append(content)
        wake()
    }

    /// The client has ended its half, with `trailers` where a field section did so.
    package func didEnd(with trailers: FieldSection? = nil) {
        arrived.endHalf(with: trailers)
        wake()
    }

    /// Nothing more can be sent or received.
    package func close(with reason: ConnectionEnd) {
        guard arrived.close(with: reason) else { return }
        if let kept = kept.take() {
            kept.noteEnd(reason)
            owner.forgetWaiting(self)
        }
        wake()
    }

    /// Lets waiting tasks look again.
    package func wake() {
        arrived.wakeTask()
        didChange?()
    }

    /// Takes all content that has come; the caller gives the window back.
    package func takeUnread() -> [UInt8] { arrived.takeAll() }

    /// Takes content that has come, as far as the goal wants it, and lets the peer send as much again.
    private func takeUnread(until goal: RequestInput.Goal) {
        let byteCount = arrived.hand(to: input, until: goal, keeping: bounds.keptBodyByteCount)
        if byteCount > 0 { owner.credit(byteCount, on: self) }
    }

    /// FIN of our half was sent by an effect.
    package func didSendEnd() { (hasSentEnd, isHalfClosed) = (true, true) }

    /// Ends our half by an effect, behind which the rest of the reply is left out.
    package func halfClose() {
        owner.endSending(on: self)
        isHalfClosed = true
    }
}

// MARK: - Waiting

extension MultiplexedStream {
    /// Waits until something of the stream has changed; throws when that takes longer than `limit` nanoseconds, by default
    /// ``ConnectionBounds/progress``, and where the stream is over.
    package func waitForChange(within limit: UInt64?) async throws(ConnectionEnd) {
        if let end { throw end }
        let isChanged = await arrived.pause(on: loop).wait(until: Socket.deadline(within: limit ?? bounds.progress))
        if let end { throw end }
        guard isChanged else { throw .timedOut }
    }

    /// Waits for what only the client can bring about, as ``waitForChange(within:)`` does; throws where nothing comes of it any more.
    package func waitForPeer(within limit: UInt64?) async throws(ConnectionEnd) {
        if let end { throw end }
        if owner.hasInputEnded { throw .peerClosed }
        try await waitForChange(within: limit)
    }

    /// Waits until the stream or its connection is over.
    package func waitForChange(toEndWithin limit: UInt64) async throws(ConnectionEnd) {
        let deadline = Socket.deadline(within: limit)
        while true {
            let now = MonotonicClock.nanoseconds
            guard now < deadline else { throw .timedOut }
            try await waitForPeer(within: deadline - now)
        }
    }

    /// The connection reads on meanwhile, so that its frames or its end end the stream.
    package func waitWhilePeerStays(until deadline: UInt64) async throws(ConnectionEnd) {
        arrived.isWaitEnded = false
        while !arrived.isWaitEnded {
            if let end { throw end }
            guard await arrived.pause(on: loop).wait(until: deadline) else { break }
        }
        if let end { throw end }
    }

    package func endWaits() {
        arrived.isWaitEnded = true
        wake()
    }
}

// MARK: - As a wire

extension MultiplexedStream: Wire {
    package static var layout: WireLayout { .sections }

    // MARK: Receiving

    package var hasUntakenContent: Bool { !arrived.isEmpty }

    package func read(until goal: RequestInput.Goal) async throws(ConnectionEnd) {
        takeUnread(until: goal)
        while !input.isReached(goal) {
            // The windows that were given back.
            flush(nil)
            try await waitForPeer(within: nil)
            takeUnread(until: goal)
        }
    }

    package func awaitBytes(within limit: UInt64) async throws(ConnectionEnd) {
        let deadline = Socket.deadline(within: limit)
        while true {
            let bytes = takeUnread()
            if !bytes.isEmpty {
                owner.credit(bytes.count, on: self)
                flush(nil)
                return input.store(bytes.span)
            }
            if let end { throw end }
            if hasEnded { throw .peerClosed }
            let now = MonotonicClock.nanoseconds
            guard now < deadline else { throw .timedOut }
            try await waitForChange(within: deadline - now)
        }
    }

    package func readAtOnce(_ take: (Span<UInt8>) -> Void) throws(ConnectionEnd) -> ReadAtOnce {
        let bytes = takeUnread()
        guard bytes.isEmpty else {
            take(bytes.span)
            owner.credit(bytes.count, on: self)
            flush(nil)
            return .bytes
        }
        if let end { throw end }
        return hasEnded ? .end : .nothing
    }

    /// The task of the stream wakes, and does what `answer` would.
    package func awaitInput(until deadline: UInt64, answer: @escaping () -> InputWait) async throws(ConnectionEnd) {
        guard !hasUntakenContent, !hasEnded else { return }
        let now = MonotonicClock.nanoseconds
        guard now < deadline else { throw .timedOut }
        try await waitForChange(within: deadline - now)
    }

    // MARK: Sending

    package var peerEnd: ConnectionEnd? { end }
    package var sendsAtOnce: Bool { !input.request.hasUnreadContent }

    package func sendAtOnce(_ bytes: [UInt8], _ tail: [UInt8]) -> Int {
        guard end == nil, owner.sendAtOnce(bytes, tail, on: self) else { return 0 }
        flush(nil)
        return bytes.count + tail.count
    }

    package func prepare(for reply: LaidOutReply, _ log: RequestLog) { if reply.traits.leavesHTTP { acceptTunnel() } }

    package func send(_ section: StreamSection, frame: Int?) throws(ConnectionEnd) -> (byteCount: Int, isLast: Bool) {
        try owner.sendSection(section, frame: frame, on: self)
    }

    package func send(
        _ content: inout ContentCursor, upTo most: Int, _ part: ContentPart, _ buffer: inout [UInt8]
    ) throws(ConnectionEnd) -> Int? {
        if let end { throw end }
        // Behind HTTP they are content.
        if part.isInserted, !isConversing { return try insert(&content) }
        let overhead = shape.overhead
        let room = min(owner.room(for: part, on: self), share - overhead)
        // A frame of no bytes needs no window.
        guard room > 0 || most == 0 && overhead == 0 else { return nil }
        let bytes = try ConnectionEnd.rethrow { () throws(ReplyFailure) in
            try content.takeBytes(upTo: min(most, room), in: &buffer)
        }
        share -= bytes.count
        let ends = part.endsReply && content.position >= content.end
        let byteCount = owner.sendContent(bytes, part, ends: ends, on: self)
        if part.isPaced { flush(nil) }
        return byteCount
    }

    /// Sends bytes of an effect between frames.
    private func insert(_ content: inout ContentCursor) throws(ConnectionEnd) -> Int? {
        guard case .bytes(let bytes) = content.source else {
            let version = input.request.head?.version.text ?? ""
            throw .unanswerable("its effect sends more bytes at once than a stream of \(version) keeps waiting")
        }
        guard owner.sendRaw(bytes, on: self) else { return nil }
        content.skip(bytes.count)
        return bytes.count
    }

    package func awaitRoom() async throws(ConnectionEnd) {
        if let end { throw end }
        share = Self.shareByteCount
        try await owner.awaitRoom(on: self)
    }

    package func keepReply(_ reply: PlayedReply<MultiplexedStream>) -> Bool {
        owner.keepReply(reply, on: self)
        return true
    }

    /// Lets the stream send as much as one may before others get room.
    func beginShare() { share = Self.shareByteCount }

    package func flush(_ note: (() -> Void)?) { owner.flush(note) }

    // MARK: Effects

    package func perform(_ action: Effect.Action) async throws(ConnectionEnd) -> Int {
        if isConversing, let end = action.verb.facts.endsStream {
            switch end {
            case .both: throw .serverCloses
            case .reset:
                flush(nil)
                owner.endStream(self, by: .effect)
                throw .streamReset
            case .sending:
                halfClose()
                return 0
            }
        }
        guard case .stall = action else { return try await owner.perform(action, on: self) }
        flush(nil)
        try await waitForChange(toEndWithin: bounds.stall)
        return 0
    }

    // MARK: Ends

    package func endReply(_ content: RequestContent<MultiplexedStream>) { shape = FrameShape() }

    /// Takes what is left of the request.
    package func settle(_ content: RequestContent<MultiplexedStream>, _ way: Settling) async throws(ConnectionEnd) {
        if case .mayLeave = way {
            content.noteUnfinished()
            return owner.stopReading(self)
        }
        if input.request.hasUnreadContent { try await content.receive(.end, isAnswered: true) }
        if case .closes(page: true) = way { owner.stopAccepting(behind: self) }
    }

    package func endRequest(_ refusal: StreamRefusal) { owner.endStream(self, by: refusal) }

    // MARK: What is no longer HTTP

    /// Whether it is a CONNECT without `:protocol`, which asks for a tunnel to an authority.
    package var isOfTunnel: Bool { input.request.head?.form == .authority }

    /// `close` and `half-close` end our half from here on, and `reset` ends the stream.
    package func leaveHTTP(_ log: RequestLog) { isConversing = true }

    /// Plays what is no longer HTTP to its end, behind which the connection goes on.
    package func holdConversation(
        _ conversation: HeldConversation<MultiplexedStream>
    ) async throws(ConnectionEnd) {
        switch conversation {
        case .webSocket(let conversation):
            webSocket = conversation
            defer { webSocket = nil }
            try endConversation(await conversation.run())
        case .opaque(let conversation):
            do throws(ConnectionEnd) {
                try await conversation.rest()
            } catch {
                try endConversation(error)
            }
        case .ended(let reason): try endConversation(reason)
        }
    }

    private func endConversation(_ reason: ConnectionEnd) throws(ConnectionEnd) {
        if let end { throw end }
        switch reason {
        // The stream ends, and the connection goes on.
        case .peerClosed, .serverCloses, .serverEnded: owner.endSending(on: self)
        default: throw reason
        }
    }

    private func acceptTunnel() {
        hasLeftHTTP = true
        owner.acceptTunnel(on: self)
    }

    package func carry(
        isSecured: Bool, receiveBufferByteCount: Int?, _ make: (Socket, WaitingConnections) -> Connection
    ) async throws(ConnectionEnd) {
        if !hasLeftHTTP { acceptTunnel() }
        try await owner.carry(on: self, receiveBufferByteCount: receiveBufferByteCount, make)
    }
}

/// How the frames of a reply are written, where an effect has said so.
package struct FrameShape {
    /// Bytes behind the content of DATA and HEADERS; nil: these frames have no padding.
    package var padding: UInt8?
    /// Bytes of a field block in one frame; nil: as many as the client takes.
    package var blockByteCount: Int?

    /// Bytes of a payload that are no content.
    package var overhead: Int { padding.map { Int($0) + 1 } ?? 0 }
}
