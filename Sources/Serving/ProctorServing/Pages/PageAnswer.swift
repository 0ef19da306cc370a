internal import ProctorHTTP
internal import ProctorJournal
internal import ProctorLoop
internal import ProctorReplies

/// Answers a request of the shared port that belongs to no scenario: with a page, or by the control API.
struct PageAnswer<Carrier: Wire> {
    private let wire: Carrier
    private let head: RequestHead
    private let port: any SharedService
    /// Nil where the connection is in no journal.
    private let log: RequestLog?

    init(wire: Carrier, head: RequestHead) {
        guard case .shared(let port) = wire.endpoint else {
            preconditionFailure("a page is asked for at the port of an origin")
        }
        (self.wire, self.head, self.port) = (wire, head, port)
        guard let attachment = wire.journals.first else {
            log = nil
            return
        }
        let log = RequestLog(
            journal: port.log.journal, epoch: 0, connection: attachment.number, request: port.log.admitRequest())
        log.appendHead(head)
        self.log = log
    }

    private var input: RequestInput { wire.input }

    func callControl(at place: SocketAddress) async throws(ConnectionEnd) {
        let limit = port.bodyLimit(of: head)
        let bodies = port.callBounds.bodies
        input.request.keptLimit = limit
        var heldByteCount = 0
        defer { bodies.release(heldByteCount) }
        if head.expectsContinue, try await wire.sendContinue() { log?.append(.continueSent) }
        while input.request.hasUnreadContent, input.request.contentByteCount <= limit {
            // A body that never ends reserves only the bytes that have come, and one more step.
            let step = max(1, min(BodyBudget.step, head.contentByteCount ?? .max))
            let goal = min(limit + 1, input.request.contentByteCount + step)
            guard bodies.reserve(max(0, goal - heldByteCount)) else { return try await refuseBody() }
            heldByteCount = max(goal, heldByteCount)
            try await wire.receive(.content(goal))
            if let refusal = input.request.refusal { try await wire.refuse(refusal) }
        }
        let reply =
            input.request.contentByteCount > limit
            ? port.refusal(.bodyTooLong(limit: limit))
            : await port.replyToCall(
                head, body: input.request.keptContent, wire.scheme, at: place, from: WaitingPeer.bound(wire))
        if let stream = reply.stream { return try await send(reply, followedBy: stream) }
        try await send(reply)
    }

    /// Answers with a page; a refusing page is noted in the journal as a missed request.
    func sendPage(with reply: BuiltInReply) async throws(ConnectionEnd) {
        if reply.status >= 400 {
            let line = String(decoding: reply.body.prefix { $0 != 0x0A }, as: UTF8.self)
            log?.append(.missed(Miss(nearestExchange: nil, differences: [line])))
        }
        let isText = reply.contentType.hasPrefix("text/plain")
        let asPage = reply.status >= 400 && isText && head.wantsHTML && head.readsPages
        try await send(asPage ? port.page(of: reply) : reply)
    }

    /// Refuses a call because the bodies of other calls use the whole budget.
    private func refuseBody() async throws(ConnectionEnd) {
        let held = "the bodies of calls that are under way hold \(BodyBudget.limit) bytes, which is the limit"
        let byteCount = try await wire.write(port.refusal(.busy(held)), to: head, closes: true)
        wire.noteReply(status: 503, byteCount: byteCount, log)
        // What the client still sends on a stream is refused alone.
        guard head.isMultiplexed else { throw .serverCloses }
    }

    private func send(_ reply: BuiltInReply) async throws(ConnectionEnd) {
        let usage = wire.bounds.usage
        guard let held = usage.openPage(reply.body.count) else {
            let bound = "answers that clients do not read hold \(ServerUsage.pageByteLimit) bytes, which is the limit"
            return try await write(port.refusal(.busy(bound)))
        }
        defer {
            usage.closePage(held)
            MemoryReturn.noteFreed(held)
        }
        try await write(reply)
    }

    private func write(_ reply: BuiltInReply) async throws(ConnectionEnd) {
        let byteCount = try await wire.write(reply, to: head, closes: false)
        try await settle(status: reply.status, byteCount: byteCount)
    }

    /// Apart, since its frame would stand in that of every call.
    @inline(never)
    private func send(
        _ reply: BuiltInReply, followedBy stream: any ReplyStream
    ) async throws(ConnectionEnd) {
        guard port.callBounds.streams.enter() else {
            return try await send(port.refusal(.busy("\(StreamCount.limit) streams are open, which is the limit")))
        }
        defer { port.callBounds.streams.decrement() }
        var byteCount = try await wire.write(reply, to: head, closes: false)
        if !head.hasMethod("HEAD") {
            byteCount += try await StreamAnswer(
                wire: wire, isChunked: !head.isMultiplexed && head.version != .http10
            ).send(stream)
        }
        try await settle(status: reply.status, byteCount: byteCount)
    }

    /// Notes the reply, and reads the rest of the request or ends the connection.
    private func settle(status: Int, byteCount: Int) async throws(ConnectionEnd) {
        wire.noteReply(status: status, byteCount: byteCount, log)
        guard wire.staysOpen(after: head) else { throw .serverCloses }
        try await wire.receive(.end)
        for violation in input.request.takeViolations() { log?.append(.violation(violation)) }
        if let refusal = input.request.refusal {
            log?.append(.violation(refusal))
            input.takeRest()
            wire.journals.append(input.unfinished.event(.refused))
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
