internal import ProctorBase
internal import ProctorEvents
internal import ProctorHTTP
internal import ProctorJournal
internal import ProctorScenario

/// One isolated life of a scenario: its turns and its journal, wherever it is served.
///
/// A run has a stage of its own; in the standing mount each scenario has one for good. Safe from any thread: requests
/// that come in parallel take their turns one after the other.
final class Stage: Sendable {
    let compiled: CompiledScenario
    let journal: Journal
    let addresses: StageAddresses
    /// The run that it is, where that has no ports of its own; nil for all others.
    let run: String?
    /// Standing mounts start over when their replies are used up, so that the second curl behaves like the first.
    let startsOver: Bool
    /// What the client has reported, and which replies wait for it.
    let reports = ClientReports()
    /// Where replies without slices of their own are cut, follows from this seed; nil: they are not.
    let reslice: UInt64?
    /// Nil: it answers for ever.
    let bounds: RunBounds?
    let plans: PlanCache
    /// For each of the scenario's guards.
    let desks: [GuardDesk]
    /// Nil where no cookies are looked at.
    let cookies: ClientCookies?
    /// Nil where no origin has a name and none is a proxy.
    let router: HostRouter?
    /// Reports that were written into the journal since it was emptied.
    private let journaledReportCount = Locked(0)
    private let progress: Locked<StageProgress>

    init(
        compiled: CompiledScenario, addresses: StageAddresses, router: HostRouter? = nil, journal: Journal,
        startsOver: Bool,
        run: String? = nil, reslice: UInt64? = nil, bounds: RunBounds? = nil
    ) {
        self.run = run
        self.bounds = bounds
        self.router = router
        self.compiled = compiled
        self.addresses = addresses
        self.journal = journal
        self.startsOver = startsOver
        self.reslice = reslice
        plans = PlanCache(slotCount: compiled.planSlotCount)
        desks = compiled.guards.map { GuardDesk($0, startsOver: startsOver) }
        cookies = ClientCookies(compiled, addresses, startsOver: startsOver)
        progress = Locked(StageProgress(compiled))
    }

    var scenario: Scenario { compiled.scenario }

    /// The number of a connection that this stage sees for the first time; nil: it belongs to no origin.
    func admitConnection(origin: Int?) -> ConnectionNumbers {
        progress.withLock { progress in
            defer {
                progress.connectionCount += 1
                if let origin { progress.connectionCountOfOrigin[origin] += 1 }
            }
            return ConnectionNumbers(
                epoch: progress.epoch, inStage: progress.connectionCount,
                inOrigin: origin.map { progress.connectionCountOfOrigin[$0] } ?? 0)
        }
    }

    struct ConnectionNumbers {
        let epoch: Int
        let inStage: Int
        let inOrigin: Int
    }

    /// Changes with every ``reset()``; numbers of an earlier one are void.
    var epoch: Int { progress.withLock { $0.epoch } }

    /// The number of a request on a connection that was admitted in `epoch`.
    func admitRequest(epoch: Int) -> Int {
        progress.withLock { progress in
            guard epoch == progress.epoch else { return 0 }
            defer { progress.requestCount += 1 }
            return progress.requestCount
        }
    }

    /// Takes the turn that answers the request, or tells what was nearest.
    func choose(_ request: RequestView, origin: Int, on memory: ConnectionMemory?) -> Choice {
        compiled.prepare(request, origin: origin)
        let asked = Asked(request: request, origin: origin, memory: memory)
        let found = progress.withLock { choose(asked, admitted: [], in: &$0) }
        return choice(found, for: asked)
    }

    /// Numbers a request and takes its turn in one step; for requests that need not be read further before.
    func admitAndChoose(
        _ request: RequestView, origin: Int, epoch: Int, on memory: ConnectionMemory?
    ) -> (number: Int, choice: Choice) {
        compiled.prepare(request, origin: origin)
        let asked = Asked(request: request, origin: origin, memory: memory)
        let (number, found) = progress.withLock { progress in
            var number = 0
            if epoch == progress.epoch {
                number = progress.requestCount
                progress.requestCount += 1
            }
            return (number, choose(asked, admitted: [], in: &progress))
        }
        return (number, choice(found, for: asked))
    }

    /// A request, the origin that it is for, and what is kept of its connection.
    private struct Asked {
        let request: RequestView
        let origin: Int
        let memory: ConnectionMemory?
    }

    private enum Found {
        /// The client has sent more requests than a run answers; whether it is the first beyond the bound.
        case tooMany(isFirst: Bool)
        case one(StageProgress.Found)
        /// With the state of that moment, so that the nearest exchange is found without the lock.
        case none(StageProgress)
    }

    private func choose(_ asked: Asked, admitted: [Int], in progress: inout StageProgress) -> Found {
        if let bounds, progress.requestCount > bounds.requestCount {
            return .tooMany(isFirst: progress.reachedBounds.insert(.requests).inserted)
        }
        let turns = asked.memory?.turns
        if let found = progress.choose(
            asked.request, origin: asked.origin, on: turns, admitted: admitted, in: compiled, wraps: startsOver)
        {
            return .one(found)
        }
        if startsOver {
            // Only for a request that then has an answer: a wrong one must not disturb a sequence.
            var fresh = progress
            if fresh.restart(),
                let found = fresh.choose(
                    asked.request, origin: asked.origin, on: turns, admitted: admitted, in: compiled, wraps: true)
            {
                if case .exchange = found { progress = fresh }
                return .one(found)
            }
        }
        return .none(progress)
    }

    private func choice(_ found: Found, for asked: Asked) -> Choice {
        let progress: StageProgress
        switch found {
        case .one(.exchange(let index, let turn)): return chosen(index, turn: turn, for: asked)
        case .one(.guarded(let index)): return judge(asked, at: index)
        case .tooMany(let isFirst): return tooManyRequests(isFirst: isFirst)
        case .none(let seen): progress = seen
        }
        if handsOn(asked) { return .handedOn(from: asked.origin) }
        return .missed(miss(asked, at: progress))
    }

    /// Has guards judge the request until all of an exchange admit it or one refuses.
    ///
    /// Another request may take the last turn meanwhile, so that another exchange with other guards comes next.
    private func judge(_ asked: Asked, at first: Int) -> Choice {
        let guarding = Guarding()
        var index = first
        while true {
            for number in compiled.exchanges[index].exchange.guards where !guarding.admitted.contains(number) {
                if let refusal = guarding.ask(desks[number], asked.request, asked.memory?.messages) {
                    return tooManyRefusals(by: number, guarding) ?? .refused(index, by: refusal, guarding: guarding)
                }
            }
            let found: Found = progress.withLock { progress in
                if let turn = progress.take(index, on: asked.memory?.turns, in: compiled, wraps: startsOver) {
                    return .one(.exchange(index, turn: turn))
                }
                return choose(asked, admitted: guarding.admitted, in: &progress)
            }
            switch found {
            case .one(.exchange(let index, let turn)):
                let choice = chosen(index, turn: turn, guarding: guarding, for: asked)
                if case .handedOn = choice { return choice }
                guarding.checkInfos(of: compiled.exchanges[index].exchange.replies[turn])
                return choice
            case .one(.guarded(let other)): index = other
            case .tooMany(let isFirst): return tooManyRequests(isFirst: isFirst)
            case .none(let seen):
                if handsOn(asked) { return .handedOn(guarding: guarding, from: asked.origin) }
                return .missed(miss(asked, at: seen), guarding: guarding)
            }
        }
    }

    private func chosen(_ index: Int, turn: Int, guarding: Guarding? = nil, for asked: Asked) -> Choice {
        guard case .forward? = compiled.exchanges[index].exchange.replies[turn].message else {
            return .exchange(index, turn: turn, guarding: guarding)
        }
        return .handedOn(TakenTurn(exchange: index, turn: turn), guarding: guarding, from: asked.origin)
    }

    /// Whether a request that no exchange answers is a proxy's to hand on.
    private func handsOn(_ asked: Asked) -> Bool {
        guard let router, router.isProxy(asked.origin) else { return false }
        return asked.request.head.form == .absolute || asked.request.head.form == .authority
    }

    /// What was nearest to a request that no exchange of the origin answers.
    func miss(_ request: RequestView, origin: Int) -> Miss {
        miss(Asked(request: request, origin: origin, memory: nil), at: progress.withLock { $0 })
    }

    private func miss(_ asked: Asked, at progress: StageProgress) -> Miss {
        let nearest = NearestExchange(request: asked.request, origin: asked.origin)
        return nearest.miss(
            in: compiled, isUsedUp: { progress.isUsedUp($0, in: compiled) },
            next: scenario.sequence == .strict ? progress.next : nil)
    }

    /// True once for each bound.
    func noteBound(_ bound: StageProgress.Bound) -> Bool {
        progress.withLock { $0.reachedBounds.insert(bound).inserted }
    }

    enum Choice {
        /// Exchange and reply, both 0-based; nil where no guard was asked.
        case exchange(Int, turn: Int, guarding: Guarding? = nil)
        /// A guard of the exchange speaks in its place.
        case refused(Int, by: Refusal, guarding: Guarding)
        /// With the guards of an exchange that another request used up meanwhile.
        case missed(Miss, guarding: Guarding? = nil)
        /// A proxy hands the request on; the turn that says so, where one does, and what its guards said.
        case handedOn(TakenTurn? = nil, guarding: Guarding? = nil, from: Int)
        /// The client is beyond a bound of the run, which the journal is told once.
        case ended(ReachedBound? = nil, guarding: Guarding? = nil, status: Int)

        /// What the guards that were asked have said; nil where none was.
        var guarding: Guarding? {
            switch self {
            case .exchange(_, _, let guarding), .missed(_, let guarding), .handedOn(_, let guarding, _),
                .ended(_, let guarding, _):
                guarding
            case .refused(_, _, let guarding): guarding
            }
        }
    }

    struct TakenTurn {
        let exchange: Int
        let turn: Int
    }

    /// The client says that something came: written down for the judge, and what waits for it goes on.
    ///
    /// A count of 0 says no more than that the client reports.
    func noteReached(_ event: EventName, task: Int, count: Int = 1) {
        guard count > 0 else {
            reports.expectsReports = true
            return
        }
        let epoch = epoch
        for _ in 0..<takeReports(count) {
            journal.append(epoch: epoch, connection: nil, .clientReached(event: event.rawValue, task: task))
        }
        reports.note(event.rawValue, task: task, count: count, epoch: epoch)
    }

    /// Reports that are written down; those of a long body would push everything else out of the journal.
    static let journaledReportLimit = 1_000

    private func takeReports(_ count: Int) -> Int {
        journaledReportCount.withLock { total in
            let taken = min(count, max(0, Self.journaledReportLimit - total))
            total += taken
            return taken
        }
    }

    /// Back to the start: turns, numbers and journal; a connection that lives on is a new one then.
    func reset() {
        progress.withLock { progress in
            // Under the lock, so that no number of one epoch gets into the journal of another.
            progress = StageProgress(compiled, epoch: journal.removeAll())
            journaledReportCount.withLock { $0 = 0 }
            reports.reset(epoch: progress.epoch)
            for desk in desks { desk.reset() }
            cookies?.reset(epoch: progress.epoch)
        }
    }
}
