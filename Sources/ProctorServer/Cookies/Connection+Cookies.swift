internal import ProctorHTTP
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
        return desk.judge(head, origin: origin, epoch: log.epoch)
    }

    /// Journals what becomes of the cookies of a reply that begins now.
    ///
    /// Before its first byte, for the next request may come by another connection as soon as the head is there.
    func setCookies(of plan: ReplyPlan, to head: RequestHead, _ stage: Stage, origin: Int, _ log: RequestLog) {
        guard let desk = stage.cookies else { return }
        let notes = desk.set(plan.setCookies, to: head, origin: origin, epoch: log.epoch)
        if !notes.isEmpty { log.append(.cookiesSet(notes)) }
    }
}
