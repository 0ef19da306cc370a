internal import ProctorHTTP
internal import ProctorJournal
internal import ProctorLoop

/// Answers a request of the shared port that belongs to no scenario: with a page, or by the control API.
struct PageAnswer<Channel: RequestChannel> {
    private let channel: Channel
    private let head: RequestHead
    /// Nil for another port than the shared one, whose journal has such requests.
    private let log: RequestLog?

    init(channel: Channel, head: RequestHead) {
        self.channel = channel
        self.head = head
        guard case .shared(let port) = channel.endpoint, let attachment = channel.journals.attachments.first
        else {
            log = nil
            return
        }
        let log = RequestLog(
            journal: port.log.journal, epoch: 0, connection: attachment.number, request: port.log.admitRequest())
        log.note(head)
        self.log = log
    }

    private var input: RequestInput { channel.input }

    func answer(by api: ControlAPI) async throws(ConnectionEnd) {
        let limit = ControlRequest.bodyLimit(of: head)
        input.request.keptLimit = limit
        var heldByteCount = 0
        defer { api.bodies.give(heldByteCount) }
        if head.expectsContinue, try await channel.sendContinue() { log?.append(.continueSent) }
        while input.request.hasUnreadContent, input.request.contentByteCount <= limit {
            // A body that never ends reserves only the bytes that have come, and one more step.
            let step = max(1, min(BodyBudget.step, head.contentByteCount ?? .max))
            let goal = min(limit + 1, input.request.contentByteCount + step)
            guard api.bodies.take(max(0, goal - heldByteCount)) else { return try await refuseBody() }
            heldByteCount = max(goal, heldByteCount)
            try await channel.receive(.content(goal))
            if let refusal = input.request.refusal { try await channel.refuse(refusal) }
        }
        let reply =
            input.request.contentByteCount > limit
            ? ControlError.bodyTooLong(limit: limit).reply
            : await api.answer(
                head, body: input.request.keptContent, channel.scheme, at: channel.socket.local,
                to: WaitingPeer.bound(channel.peer))
        if let stream = reply.stream { return try await send(reply, followedBy: stream, of: api) }
        try await send(reply)
    }

    /// Answers with a page; a refusing page is noted in the journal as a missed request.
    func answer(with reply: BuiltInReply) async throws(ConnectionEnd) {
        if reply.status >= 400 {
            let line = String(decoding: reply.body.prefix { $0 != 0x0A }, as: UTF8.self)
            log?.append(.missed(Miss(nearestExchange: nil, differences: [line])))
        }
        let isText = reply.contentType.hasPrefix("text/plain")
        let asPage = reply.status >= 400 && isText && head.wantsHTML && head.readsPages
        try await send(asPage ? PageFrame.page(of: reply) : reply)
    }

    /// Refuses a call because the bodies of other calls use the whole budget.
    private func refuseBody() async throws(ConnectionEnd) {
        let held = "the bodies of calls that are under way hold \(BodyBudget.limit) bytes, which is the limit"
        let byteCount = try await channel.write(ControlError.busy(held).reply, to: head, closes: true)
        log?.append(.replySent(status: 503, byteCount: byteCount))
        // What the client still sends on a stream is refused alone.
        guard head.isMultiplexed else { throw .serverCloses }
    }

    private func send(_ reply: BuiltInReply) async throws(ConnectionEnd) {
        let usage = channel.bounds.usage
        guard let held = usage.openPage(reply.body.count) else {
            let bound = "answers that clients do not read hold \(ServerUsage.pageByteLimit) bytes, which is the limit"
            return try await write(ControlError.busy(bound).reply)
        }
        defer {
            usage.closePage(held)
            MemoryReturn.noteFreed(held)
        }
        try await write(reply)
    }

    private func write(_ reply: BuiltInReply) async throws(ConnectionEnd) {
        let byteCount = try await channel.write(reply, to: head, closes: false)
        try await settle(status: reply.status, byteCount: byteCount)
    }

    /// Apart, since its frame would stand in that of every call.
    @inline(never)
    private func send(
        _ reply: BuiltInReply, followedBy stream: JournalStream, of api: ControlAPI
    ) async throws(ConnectionEnd) {
        guard api.streams.enter() else {
            return try await send(ControlError.busy("\(StreamCount.limit) streams are open, which is the limit").reply)
        }
        defer { api.streams.leave() }
        var byteCount = try await channel.write(reply, to: head, closes: false)
        if !head.hasMethod("HEAD") {
            byteCount += try await StreamAnswer(
                channel: channel, isChunked: !head.isMultiplexed && head.version != .http10
            ).send(stream)
        }
        try await settle(status: reply.status, byteCount: byteCount)
    }

    /// Notes the reply, and reads the rest of the request or ends the connection.
    private func settle(status: Int, byteCount: Int) async throws(ConnectionEnd) {
        log?.append(.replySent(status: status, byteCount: byteCount))
        guard channel.staysOpen(after: head) else { throw .serverCloses }
        try await channel.receive(.end)
        for violation in input.request.takeViolations() { log?.append(.violation(violation)) }
        if let refusal = input.request.refusal {
            log?.append(.violation(refusal))
            input.takeRest()
            channel.journals.note(input.unfinished.event(.refused))
            throw .refused
        }
    }
}

extension RequestHead {
    /// Nil where the framing does not announce a length.
    fileprivate var contentByteCount: Int? {
        if case .length(let count) = framing { count } else { nil }
    }
}
