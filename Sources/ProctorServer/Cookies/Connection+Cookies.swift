internal import ProctorBase
internal import ProctorHTTP
internal import ProctorLoop
internal import ProctorTrace

extension Connection {
    /// Journals what the cookies of a request look like whose head is in the journal.
    ///
    /// A request that is handed on is judged once.
    func judgeCookies(of head: RequestHead, _ stage: Stage, origin: Int, _ log: RequestLog) {
        guard let verdict = verdict(on: head, stage, origin: origin, log) else { return }
        log.append(.cookiesJudged(verdict))
    }

    /// The same behind events of the same moment, which are taken along; nothing is done where there is nothing to say.
    func judgeCookies(
        of head: RequestHead, _ stage: Stage, origin: Int, behind event: inout JournalEvent?,
        _ route: inout JournalEvent?, _ log: RequestLog
    ) {
        guard let verdict = verdict(on: head, stage, origin: origin, log) else { return }
        log.append(event, route, nil, .cookiesJudged(verdict))
        (event, route) = (nil, nil)
    }

    private func verdict(
        on head: RequestHead, _ stage: Stage, origin: Int, _ log: RequestLog
    ) -> CookieVerdict? {
        guard let desk = stage.cookies, !request.isJudgedByCookies else { return nil }
        request.isJudgedByCookies = true
        arrival.begin(at: MonotonicClock.nanoseconds)
        return desk.judge(head, origin: origin, epoch: log.epoch, since: requestBeginning)
    }

    /// Has the player say when the head of a reply that sets cookies is about to be whole, and when it is out.
    ///
    /// Not before, for the client can't read it earlier; and not behind, for its next request may come by another connection
    /// as soon as the head is there. What has come before that, here or on another connection, was sent without knowing of it.
    func setCookies(
        of plan: ReplyPlan, to head: RequestHead, _ stage: Stage, origin: Int, _ log: RequestLog
    ) -> Player.Milestone? {
        guard let fields = plan.setCookies, let desk = stage.cookies else { return nil }
        return Player.Milestone(
            byteCount: fields.headEnd,
            approach: {
                let outcome = desk.set(
                    fields.values, to: head, origin: origin, epoch: log.epoch, connection: log.connection,
                    since: self.requestBeginning)
                guard let (notes, number) = outcome else { return {} }
                log.append(.cookiesSet(notes))
                self.noteWaitingRequests(desk)
                return { desk.noteDeparture(of: number, epoch: log.epoch) }
            })
    }

    /// Notes of each connection whether a request stands unread with the system, and of each port whether a connection does.
    ///
    /// What is unread while content is, is taken for content.
    private func noteWaitingRequests(_ desk: CookieDesk) {
        let moment = MonotonicClock.nanoseconds
        if !request.hasUnreadContent, !socket.isQuiet { arrival.didFindWaiting(isNext: true, at: moment) }
        for other in desk.connections(on: socket.loop) where other !== self {
            guard other.tunnel == nil, !other.request.hasUnreadContent, other.socket.hasUnreadBytes else { continue }
            other.arrival.didFindWaiting(isNext: other.request.head != nil, at: moment)
        }
        for listener in desk.listeners(on: socket.loop) { listener.noteWaiting(at: moment) }
    }

    /// When the current request began; the first one behind a CONNECT not later than that.
    private var requestBeginning: UInt64 {
        let own = arrival.began(at: MonotonicClock.nanoseconds)
        guard arrival.isFirst, let carrier else { return own }
        return min(own, carrier.requestBeginning)
    }
}
