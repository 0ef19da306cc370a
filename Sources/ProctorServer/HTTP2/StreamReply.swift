internal import ProctorHTTP
internal import ProctorHTTP2
internal import ProctorJournal
internal import ProctorLoop
internal import ProctorScenario

/// Plays the reply to one request on a stream of HTTP/2.
struct StreamReply {
    let stream: HTTP2Stream
    let request: StageRequest

    private var stage: Stage { request.stage }
    private var log: RequestLog { request.log }
    private var content: RequestContent { request.content }
    private var input: RequestInput { stream.input }

    /// Sends a reply whose content is in memory and fits into the windows; any other is left to the player.
    func play(
        _ part: PlayedPart, for view: RequestView, noting events: consuming EventList
    ) throws(ConnectionEnd) -> RestOfAnswer? {
        guard !input.request.hasUnreadContent, stage.script(of: part) == nil else {
            log.append(events)
            return { () async throws(ConnectionEnd) in try await play(part, for: view) }
        }
        // A plan that can't be made is tried again by the player, which notes why.
        let plan =
            stage.keptPlan(of: part, for: view.head)
            ?? (try? stage.plan(of: part, for: view, request.numbers, stream.bounds))
        guard let message = plan?.message, stream.owner.canSend(message.content.count, on: stream) else {
            log.append(events)
            if let plan, plan.isOfContent, !plan.opensTunnel(answering: view.head) {
                stream.owner.begin(WaitingReply(plan, log), on: stream)
                return nil
            }
            return { () async throws(ConnectionEnd) in try await play(part, for: view, by: plan) }
        }
        events.append(message.section.reply.map { .replyBegun($0) })
        log.append(events)
        let before = stream.owner.output.byteCount
        try stream.owner.send(message.section, on: stream)
        if !message.section.endsStream { stream.owner.sendContent(message.content[...], endsStream: true, on: stream) }
        log.append(.replySent(status: message.status, byteCount: stream.owner.output.byteCount - before))
        return nil
    }

    private func play(
        _ part: PlayedPart, for view: RequestView, by found: ReplyPlan? = nil
    ) async throws(ConnectionEnd) {
        var part = part
        let exchange = stage.compiled.exchanges[part.exchange].exchange
        let view = try await request.view(view, with: exchange, readFor: part)
        var plan = found
        let log = log
        var player = StreamPlayer(stream: stream, reports: ReportAwaiter(reports: stage.reports) { log.append($0) })
        player.pusher = ReplyPusher(request: request, head: view.head, origin: exchange.origin, stream: stream)
        do throws(ConnectionEnd) {
            if plan == nil, let script = stage.script(of: part) {
                switch try await request.finish(script, nil, part, for: view, &player) {
                case .nothing: plan = ReplyPlan(steps: [.end], opaque: nil, persistence: .usual)
                case .reply(let made): part.scripted = made
                case .failure(let reason): throw ConnectionEnd.unanswerable(reason)
                case .whole: preconditionFailure("a script made bytes of HTTP/1.1 for a stream")
                case .step: preconditionFailure("a script waits for a step that was done")
                }
            }
            // Usually the plan exists; otherwise the content is first coded on another thread.
            if plan == nil { plan = try stage.plan(of: part, for: view, request.numbers, stream.bounds) }
            if plan == nil {
                plan = try await stage.awaitPlan(of: part, for: view, request.numbers, on: stream, stream.bounds)
            }
            if let plan {
                if plan.setCookies != nil {
                    player.milestone = request.cookiesSet(by: plan, answering: view.head, origin: exchange.origin)
                }
                if plan.opensTunnel(answering: view.head) {
                    stream.acceptTunnel()
                } else if plan.isOfContent, player.milestone == nil, !input.request.hasUnreadContent,
                    player.sentByteCount == 0
                {
                    if let end = stream.end { throw end }
                    stream.owner.begin(WaitingReply(plan, log), on: stream)
                    // The connection waits no longer than the reply may.
                    return stream.owner.wakeReader()
                }
                try await player.play(plan, log)
            }
        } catch {
            return try await request.end(
                by: error, plan, answering: view, sentByteCount: player.sentByteCount, isWhole: player.isWhole)
        }
        log.append(.replySent(status: plan?.status, byteCount: player.sentByteCount))
        if let plan, plan.opensTunnel(answering: view.head) { return try await leaveHTTP(plan) }
        guard input.request.hasUnreadContent else { return }
        if input.mayBeWithheld, exchange.expectation == .final {
            content.noteUnfinished()
            return stream.owner.reset(stream, .noError)
        }
        try await Self.settle(content)
    }

    /// Behind a 2xx reply to CONNECT: leads to the origin, or plays the script.
    private func leaveHTTP(_ plan: ReplyPlan) async throws(ConnectionEnd) {
        if let end = stream.end { throw end }
        if let tunnel = plan.tunnel { return try await stream.open(tunnel, of: stage, log: log) }
        try await stream.converse(plan.opaque ?? [], behind: request)
    }

    /// After a reply: takes what is left of the request, or tells the client to keep it (RFC 9113 §8.1).
    static func settle(_ content: RequestContent) async throws(ConnectionEnd) {
        guard content.channel.input.request.hasUnreadContent else { return }
        try await content.receive(.end, isAnswered: true)
    }
}
