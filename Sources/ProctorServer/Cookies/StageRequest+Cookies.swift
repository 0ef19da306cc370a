internal import ProctorBase
internal import ProctorHTTP
internal import ProctorJournal
internal import ProctorLoop

extension StageRequest {
    /// What the journal says of the request's cookies; nil where there is nothing to say, or it was said before.
    ///
    /// A request that is handed on is judged once.
    func cookiesJudged(of head: RequestHead, origin: Int) -> JournalEvent? {
        guard let cookies = stage.cookies, !connection.input.request.isJudgedByCookies else { return nil }
        connection.input.request.isJudgedByCookies = true
        connection.input.arrival.begin(at: MonotonicClock.nanoseconds)
        let verdict = cookies.judge(head, origin: origin, epoch: log.epoch, since: connection.requestBeginning)
        return verdict.map { .cookiesJudged($0) }
    }

    /// Has the player say when the head of a reply that sets cookies is about to be whole, and when it is out.
    ///
    /// Before that moment the client can't read the head, and right behind it the client's next request may come by another
    /// connection. A request that has come before, here or on another connection, was sent without knowing of the cookies.
    func cookiesSet(by plan: ReplyPlan, answering head: RequestHead, origin: Int) -> Player.Milestone? {
        guard let fields = plan.setCookies, let cookies = stage.cookies else { return nil }
        return Player.Milestone(
            byteCount: fields.headEnd,
            approach: {
                let outcome = cookies.set(
                    fields.values, to: head, origin: origin, epoch: log.epoch, connection: log.connection,
                    since: connection.requestBeginning)
                guard let (notes, number) = outcome else { return {} }
                log.append(.cookiesSet(notes))
                noteWaitingRequests(cookies)
                return { cookies.noteDeparture(of: number, epoch: log.epoch) }
            })
    }

    /// Notes of each connection whether a request stands unread with the system, and of each port whether a connection does.
    ///
    /// What is unread while content is missing is taken for content.
    private func noteWaitingRequests(_ cookies: ClientCookies) {
        let moment = MonotonicClock.nanoseconds
        let input = connection.input
        if !input.request.hasUnreadContent, !connection.socket.isQuiet {
            input.arrival.didFindWaiting(isNext: true, at: moment)
        }
        let loop = connection.socket.loop
        for other in cookies.connections(on: loop) where other !== connection {
            let request = other.input.request
            guard !other.isTunnel, !request.hasUnreadContent, other.socket.hasUnreadBytes else { continue }
            other.input.arrival.didFindWaiting(isNext: request.head != nil, at: moment)
        }
        for listener in cookies.listeners(on: loop) { listener.noteWaiting(at: moment) }
    }
}
