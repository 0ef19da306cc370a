internal import ProctorBase
internal import ProctorHTTP
internal import ProctorJournal
internal import ProctorLoop
internal import ProctorReplies

extension StageRequest {
    /// The journal's event about the request's cookies; nil where there is none.
    ///
    /// A request that a proxy hands on is judged once.
    func cookiesJudged(of head: RequestHead, origin: Int) -> JournalEvent? {
        guard let cookies = stage.cookies, !input.request.isJudgedByCookies else { return nil }
        input.request.isJudgedByCookies = true
        input.arrival.start(at: MonotonicClock.nanoseconds)
        let verdict = cookies.judge(head, origin: origin, epoch: log.epoch, since: wire.requestBeginning)
        return verdict.map { .cookiesJudged($0) }
    }

    /// A milestone for the end of the head of a reply that sets cookies.
    ///
    /// Requests that arrive before it, on any connection, were made without the cookies; the client's next request may
    /// come on another connection right after it.
    func cookiesSet(by plan: LaidOutReply, answering head: RequestHead, origin: Int) -> SendMilestone? {
        guard let fields = plan.traits.setCookies, let cookies = stage.cookies else { return nil }
        return SendMilestone(
            byteCount: fields.headEnd,
            approach: {
                let outcome = cookies.set(
                    fields.values, to: head, origin: origin, epoch: log.epoch, connection: log.connection,
                    since: wire.requestBeginning)
                guard let (notes, number) = outcome else { return {} }
                log.append(.cookiesSet(notes))
                noteWaitingRequests()
                return { cookies.noteDeparture(of: number, epoch: log.epoch) }
            })
    }

    /// Notes on each connection whether an unread request waits in the system, and on each port whether a connection
    /// does.
    ///
    /// Unread bytes count as content while content is missing.
    private func noteWaitingRequests() {
        let moment = MonotonicClock.nanoseconds
        wire.noteWaitingRequest(at: moment)
        guard let transport = stage.transport else { return }
        let loop = wire.loop
        for other in transport.connections(on: loop) where other !== wire.connection {
            let request = other.input.request
            guard !other.isTunnel, !request.hasUnreadContent, other.socket.hasUnreadBytes else { continue }
            other.input.arrival.didFindWaiting(
                isNext: request.head != nil, byteCount: other.socket.unreadByteBound, at: moment)
        }
        for listener in transport.listeners(on: loop) { listener.noteWaiting(at: moment) }
    }
}
