internal import ProctorBase
package import ProctorHTTP
package import ProctorReplies

/// What is left of an answer whose next step may wait, as a value; on the loop's thread only.
///
/// What answers a request goes on by plain calls until the answer is over, which is nil, or has to wait: then it returns
/// this value, which says where it stands, and a task goes on with it.
package indirect enum WaitingAnswer<Carrier: Wire> {
    /// Who answers is to be found.
    case routing(Carrier, RequestHead, @Sendable () async -> Route)
    /// Content is to be read, or a comparison to be ended, before an exchange can be chosen.
    case choosing(StageRequest<Carrier>, OriginRequest, Comparison?)
    /// No exchange answers, and the nearest one is to be found.
    case explaining(StageRequest<Carrier>, Stage.Unanswered, RequestView)
    /// A page of the server stands in place of a reply; `closes`: nothing follows it.
    case page(StageRequest<Carrier>, BuiltInReply, RequestHead, closes: Bool)
    /// Content is to be read or coded, or steps of a script are to be done, before a reply can be played.
    case planning(StageRequest<Carrier>, PlayedPart, RequestView, ScriptedReply?)
    case playing(PlayedReply<Carrier>, ReplyCursor.Pause)
    /// A reply was played, and what follows it may wait.
    case following(PlayedReply<Carrier>)
    /// What is asked and told in turn: a page, a control call, a proxy, a certificate.
    case dialogue(() async throws(ConnectionEnd) -> Void)

    /// Does all of it.
    package func finish() async throws(ConnectionEnd) {
        // Without the frame of ``goOn()``, which has room for every other state.
        if case .dialogue(let hold) = self { return try await hold() }
        var rest: Self? = self
        while let next = rest { rest = try await next.goOn() }
    }

    /// Goes on behind the wait; nil: the answer is over.
    private func goOn() async throws(ConnectionEnd) -> Self? {
        switch self {
        case .routing(let wire, let head, let find):
            if !head.isMultiplexed { wire.input.arrival.start(at: MonotonicClock.nanoseconds) }
            return try wire.reply(to: head, by: await find())
        case .choosing(let request, let asked, let comparison): return try await request.choose(asked, comparison)
        case .explaining(let request, let unanswered, let view):
            return request.page(about: try await request.nearest(to: unanswered), to: view)
        case .page(let request, let page, let head, let closes):
            try await request.wire.sendPage(page, to: head, closes: closes, request.log)
        case .planning(let request, let part, let view, let scripted):
            return try await request.plan(part, for: view, scripted)
        case .playing(var reply, let pause): return try await reply.goOn(after: pause)
        case .following(let reply): try await reply.follow()
        case .dialogue(let hold): try await hold()
        }
        return nil
    }
}
