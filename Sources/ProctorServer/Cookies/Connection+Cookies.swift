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

    /// Journals what becomes of the cookies of a reply that begins now; gives whom to tell when its head is out.
    ///
    /// Before its first byte, for the next request may come by another connection as soon as the head is there. What has
    /// come before that, here or on another connection, was sent without knowing of it.
    func setCookies(
        of plan: ReplyPlan, to head: RequestHead, _ stage: Stage, origin: Int, _ log: RequestLog
    ) -> Player.Milestone? {
        guard let fields = plan.setCookies, let desk = stage.cookies else { return nil }
        guard
            let (notes, number) = desk.set(
                fields.values, to: head, origin: origin, epoch: log.epoch, connection: log.connection,
                since: requestBeginning)
        else { return nil }
        log.append(.cookiesSet(notes))
        return Player.Milestone(
            byteCount: fields.headEnd, approach: { self.noteWaitingRequests(desk) },
            pass: { desk.noteDeparture(of: number, epoch: log.epoch) })
    }

    /// Notes of each connection whether a request stands unread with the system.
    private func noteWaitingRequests(_ desk: CookieDesk) {
        let moment = MonotonicClock.nanoseconds
        if !socket.isQuiet { arrival.didFindWaiting(isNext: true, at: moment) }
        for other in desk.connections(on: socket.loop) where other !== self {
            guard other.request.head == nil, other.tunnel == nil, !other.socket.isQuiet else { continue }
            other.arrival.didFindWaiting(isNext: false, at: moment)
        }
    }

    /// When the current request began; the first one behind a CONNECT not later than that.
    private var requestBeginning: UInt64 {
        let own = arrival.began(at: MonotonicClock.nanoseconds)
        guard arrival.isFirst, let carrier else { return own }
        return min(own, carrier.requestBeginning)
    }
}
