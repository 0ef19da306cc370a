package import ProctorBase
package import ProctorEvents
internal import ProctorHTTP
package import ProctorJournal
package import ProctorScenario
internal import Synchronization

/// One isolated life of a scenario: its turns and its journal.
///
/// Safe from any thread. A run has a stage of its own; below the shared port each scenario has one. Parallel requests
/// take their turns one after the other.
package final class Stage: Sendable {
    package let compiled: CompiledScenario
    package let journal: Journal
    package let addresses: StageAddresses
    /// The id of the run on the shared port; nil for a stage with its own ports.
    package let run: String?
    /// Whether turns repeat after the last one, so that a second curl gets the same replies.
    package let startsOver: Bool
    package let reports = ClientReports()
    /// What goes on behind replies.
    package let tasks = StageTasks()
    package let seed: RunSeed
    package let clock: RunClock
    /// How replies without slices of their own are cut; nil: they are not.
    package let recutting: Recutting?
    /// Nil: without bounds.
    package let bounds: RunBounds?
    /// What origins without `protocols` of their own speak.
    package let wantedProtocol: RunProtocol
    let plans: PlanCache
    /// Nil where the scenario has no script.
    package let scripts: (any RunScripts)?
    package let guards: [StageGuard]
    /// Nil where cookies are not judged.
    package let cookies: ClientCookies?
    /// Nil where no origin has a name and none is a proxy.
    package let router: HostRouter?
    /// Reports in the journal since its last reset.
    private let journaledReportCount = Locked(0)
    /// What others keep for it.
    private let companions: [any StageCompanion]
    package let progress: Locked<StageProgress>
    /// What all runs of the scenario have used; nil: nobody asks.
    private let uses: ScenarioUses?
    /// The epoch of `progress`; read for each request, so without the lock.
    private let presentEpoch = Atomic(0)

    package init(
        compiled: CompiledScenario, addresses: StageAddresses, router: HostRouter? = nil, journal: Journal,
        startsOver: Bool, seed: RunSeed = .chosen(), run: String? = nil, recutting: Recutting? = nil,
        bounds: RunBounds? = nil, wantedProtocol: RunProtocol = .http11, uses: ExchangeUses? = nil,
        companions: [any StageCompanion] = []
    ) {
        self.companions = companions
        self.uses = uses?.uses(of: compiled.scenario)
        (self.run, self.wantedProtocol, self.bounds, self.router) = (run, wantedProtocol, bounds, router)
        (self.compiled, self.addresses, self.journal, self.startsOver) = (compiled, addresses, journal, startsOver)
        self.seed = seed
        let clock = RunClock(compiled.scenario.clock)
        (self.clock, self.recutting) = (clock, recutting)
        scripts = compiled.hasScripts ? Self.scriptSlot.part?(compiled.scenario) : nil
        guards = compiled.guards.map { StageGuard($0, clock, startsOver: startsOver) }
        cookies = ClientCookies(compiled, addresses, clock, startsOver: startsOver)
        // Replies are cut otherwise, or without a look at their cookies, in a run of its own kind.
        let isUsual = recutting == nil && (cookies != nil || !compiled.watchesCookies)
        plans = PlanCache(isUsual ? compiled.constantReplies : ConstantReplies(slotCount: compiled.planSlotCount))
        progress = Locked(StageProgress(compiled, seed: seed, uses: self.uses))
        noteBeginning()
    }

    /// The first entries of a journal, where the seed or the clock matters; sets the clock.
    private func noteBeginning(epoch: Int = 0) {
        if compiled.takesRandom { journal.append(epoch: epoch, connection: nil, .runBegun(seed: seed.value)) }
        if let note = clock.startOver() { journal.append(epoch: epoch, connection: nil, .clockMoved(note)) }
    }

    /// Makes all changes of a call in one step; the journal says what came of them.
    package func moveClock(_ changes: [ClockChange]) {
        // Under the lock, so that the journal has the changes in their order.
        progress.withLock { progress in
            journal.append(epoch: progress.epoch, connection: nil, .clockMoved(clock.apply(changes, by: .call)))
        }
    }

    /// Lent, since a copy of a scenario takes some thousand instructions.
    package var scenario: Scenario { _read { yield compiled.scenario } }

    /// What was given at the start of that type; nil where there is none.
    package func companion<Companion: StageCompanion>(_: Companion.Type) -> Companion? {
        for case let companion as Companion in companions { return companion }
        return nil
    }

    /// Whether an origin may speak HTTP/3 in this run.
    package var speaksHTTP3: Bool { wantedProtocol == .h3 || compiled.speaksHTTP3 }

    /// What an origin speaks in this run, in order of preference; never empty.
    package func protocols(ofOrigin index: Int) -> [ApplicationProtocol] {
        scenario.origins[index].protocols(inRunOf: wantedProtocol)
    }

    /// Numbers a new connection; `origin` is nil for a connection that belongs to no single origin.
    package func admitConnection(origin: Int?) -> ConnectionNumbers {
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

    package struct ConnectionNumbers {
        package let epoch: Int
        package let inStage: Int
        package let inOrigin: Int
    }

    /// Changes with every ``reset()``; numbers of an earlier epoch are void.
    package var epoch: Int { presentEpoch.load(ordering: .acquiring) }

    /// Numbers a request on a connection that was admitted in `epoch`.
    package func admitRequest(epoch: Int) -> Int {
        progress.withLock { $0.admitRequest(epoch: epoch) }
    }

    /// Takes the turn that answers the request, or finds the nearest exchange.
    ///
    /// `connection` and `number` are those of the request in the journal. Without a number the request gets the next one
    /// of `epoch` in the same step.
    package func choose(
        _ request: RequestView, origin: Int, on memory: ConnectionMemory?, connection: Int = 0, epoch: Int = 0,
        numbering number: inout Int?
    ) -> Choice {
        compiled.prepare(request, origin: origin)
        var turn: StateTurn?
        let outcome = progress.withLock { progress in
            let given = number ?? progress.admitRequest(epoch: epoch)
            number = given
            turn = stateTurn(of: request, connection: connection, number: given)
            return chooseAmong(for: request, origin: origin, on: memory, turn, admitted: [], in: &progress)
        }
        // Without a copy of the request, which most need nowhere else.
        if case .one(.exchange(let index, let turn, let state)) = outcome, !forwards(index, turn: turn) {
            return .exchange(index, turn: turn, answers: nil, state: state)
        }
        return choice(outcome, for: Arrival(request: request, origin: origin, memory: memory, stateTurn: turn))
    }

    private func stateTurn(of request: RequestView, connection: Int, number: Int) -> StateTurn? {
        guard compiled.turnsUseState else { return nil }
        let numbers = RequestNumbers(seed: seed, clock: clock, connection: connection, request: number)
        return StateTurn(stage: self, request: request, numbers: numbers)
    }

    fileprivate struct Arrival {
        let request: RequestView
        let origin: Int
        let memory: ConnectionMemory?
        /// Nil where the scenario has no state.
        var stateTurn: StateTurn?
    }

    private enum Outcome {
        /// The client has sent more requests than the bound; whether this is the first beyond it.
        case tooMany(isFirst: Bool)
        case one(StageProgress.Choice)
        /// With the state of that moment, so that the nearest exchange is found without the lock.
        indirect case none(StageProgress)
    }

    private func chooseAmong(
        for request: RequestView, origin: Int, on memory: ConnectionMemory?, _ stateTurn: StateTurn?, admitted: [Int],
        in progress: inout StageProgress
    ) -> Outcome {
        if let bounds, progress.requestCount > bounds.requestCount {
            return .tooMany(isFirst: progress.reachedBounds.insert(.requests).inserted)
        }
        func find(in progress: inout StageProgress) -> StageProgress.Choice? {
            progress.choose(
                request, origin: origin, on: memory, admitted: admitted, in: compiled, stateTurn, wraps: startsOver)
        }
        if let choice = find(in: &progress) { return .one(choice) }
        if startsOver {
            // Changed only for a request with an answer: a wrong request must not disturb a sequence.
            var fresh = progress
            if fresh.restart(compiled), let choice = find(in: &fresh) {
                if case .exchange = choice { progress = fresh }
                return .one(choice)
            }
        }
        return .none(progress)
    }

    private func choice(_ outcome: Outcome, for arrival: Arrival) -> Choice {
        switch outcome {
        case .one(.exchange(let index, let turn, let state)): chosen(index, turn: turn, state: state, for: arrival)
        case .one(.guarded(let index)): judge(arrival, at: index)
        case .one(.undecided(let index, let spent)): .missed(undecidedMiss(at: index, spent))
        case .tooMany(let isFirst): tooManyRequests(isFirst: isFirst)
        case .none(let progress): unanswered(arrival, at: progress)
        }
    }

    /// The result for a request that no exchange answers; a proxy forwards it.
    private func unanswered(_ arrival: Arrival, answers: GuardAnswers? = nil, at progress: StageProgress) -> Choice {
        if let router, router.isProxy(arrival.origin), [.absolute, .authority].contains(arrival.request.head.form) {
            return .handedOn(answers: answers, from: arrival.origin)
        }
        if arrival.request.comparison != nil {
            return .unanswered(Unanswered(arrival, progress, self), answers: answers)
        }
        return .missed(miss(arrival, at: progress), answers: answers)
    }

    /// Lets guards judge the request until all of an exchange admit it or one refuses.
    ///
    /// Another request may take the last turn meanwhile, so that another exchange with other guards follows.
    private func judge(_ arrival: Arrival, at first: Int) -> Choice {
        let answers = GuardAnswers()
        var index = first
        while true {
            for number in compiled.exchanges[index].exchange.guards where !answers.admitted.contains(number) {
                if let refusal = answers.ask(guards[number], arrival.request, on: arrival.memory) {
                    // A refused request has asked for the exchange.
                    uses?.record(index)
                    return tooManyRefusals(by: number, answers) ?? .refused(index, by: refusal, answers: answers)
                }
            }
            let outcome: Outcome = progress.withLock { progress in
                if let choice = progress.useTurn(
                    index, on: arrival.memory, in: compiled, arrival.stateTurn, wraps: startsOver)
                {
                    return .one(choice)
                }
                return chooseAmong(
                    for: arrival.request, origin: arrival.origin, on: arrival.memory, arrival.stateTurn,
                    admitted: answers.admitted, in: &progress)
            }
            switch outcome {
            case .one(.exchange(let index, let turn, let state)):
                let choice = chosen(index, turn: turn, answers: answers, state: state, for: arrival)
                if case .handedOn = choice { return choice }
                answers.checkInfos(of: compiled.exchanges[index].exchange.replies[turn])
                return choice
            case .one(.guarded(let other)): index = other
            case .one(.undecided(let index, let spent)):
                return .missed(undecidedMiss(at: index, spent), answers: answers)
            case .tooMany(let isFirst): return tooManyRequests(isFirst: isFirst)
            case .none(let progress): return unanswered(arrival, answers: answers, at: progress)
            }
        }
    }

    private func forwards(_ index: Int, turn: Int) -> Bool {
        compiled.replies[compiled.firstReplyNumber[index] + turn].forwards
    }

    private func chosen(
        _ index: Int, turn: Int, answers: GuardAnswers? = nil, state: TakenState?, for arrival: Arrival
    ) -> Choice {
        guard forwards(index, turn: turn) else {
            return .exchange(index, turn: turn, answers: answers, state: state)
        }
        return .handedOn(TakenTurn(exchange: index, turn: turn), answers: answers, from: arrival.origin)
    }

    /// A request that no exchange answers now, at an origin to which it was led.
    package func unanswered(_ request: RequestView, origin: Int) -> Unanswered {
        Unanswered(Arrival(request: request, origin: origin, memory: nil), progress.withLock { $0 }, self)
    }

    private func undecidedMiss(at index: Int, _ spent: SpentBudget) -> Miss {
        Miss(nearestExchange: index, differences: [spent.sentenceOfMiss])
    }

    /// A request without an answer, whose nearest exchange is not found yet, since that may take long.
    package struct Unanswered {
        private let arrival: Arrival
        private let progress: StageProgress
        private let stage: Stage

        fileprivate init(_ arrival: Arrival, _ progress: StageProgress, _ stage: Stage) {
            (self.arrival, self.progress, self.stage) = (arrival, progress, stage)
        }

        package var request: RequestView { arrival.request }

        /// Any thread, one at a time.
        package func miss() -> Miss { stage.miss(arrival, at: progress) }
    }

    private func miss(_ arrival: Arrival, at progress: StageProgress) -> Miss {
        let nearest = NearestExchange(request: arrival.request, origin: arrival.origin)
        return nearest.miss(
            in: compiled, isUsedUp: { progress.isUsedUp($0, in: compiled) },
            next: compiled.isStrict ? progress.next : nil,
            ofState: { exchange in
                guard exchange.asksState, let state = progress.state else { return [] }
                let stateTurn = arrival.stateTurn ?? stateTurn(of: arrival.request, connection: 0, number: 0)
                return stateTurn?.differences(exchange, in: state) ?? []
            })
    }

    /// True only once for each bound.
    func noteBound(_ bound: StageProgress.Bound) -> Bool {
        progress.withLock { $0.reachedBounds.insert(bound).inserted }
    }

    package enum Choice {
        /// Exchange and reply, both from 0; `answers` is nil where no guard was asked, `state` where there is none.
        case exchange(Int, turn: Int, answers: GuardAnswers? = nil, state: TakenState? = nil)
        indirect case refused(Int, by: Refusal, answers: GuardAnswers)
        /// With the guards of an exchange that another request used up meanwhile.
        indirect case missed(Miss, answers: GuardAnswers? = nil)
        /// A miss whose nearest exchange is to be found, with the guards of an exchange that was used up meanwhile.
        indirect case unanswered(Unanswered, answers: GuardAnswers? = nil)
        /// A proxy forwards the request; with the turn for that, if any, and its guards' answers.
        case handedOn(TakenTurn? = nil, answers: GuardAnswers? = nil, from: Int)
        /// The client is beyond a bound of the run, which is noted once.
        case ended(ReachedBound? = nil, answers: GuardAnswers? = nil, status: Int)

        /// Nil where no guard was asked.
        package var answers: GuardAnswers? {
            switch self {
            case .exchange(_, _, let answers, _), .missed(_, let answers), .unanswered(_, let answers),
                .handedOn(_, let answers, _), .ended(_, let answers, _):
                answers
            case .refused(_, _, let answers): answers
            }
        }
    }

    package struct TakenTurn {
        package let exchange: Int
        package let turn: Int
    }

    /// Notes an event that the client reports, and wakes the replies that wait for it; a count of 0 only says that the
    /// client reports.
    package func noteReached(_ event: EventName, task: Int, count: Int = 1) {
        guard count > 0 else {
            reports.expectsReports = true
            return
        }
        let epoch = epoch
        let journaledCount = journaledReportCount.withLock { total in
            let taken = min(count, max(0, Self.journaledReportLimit - total))
            total += taken
            return taken
        }
        for _ in 0..<journaledCount {
            journal.append(epoch: epoch, connection: nil, .clientReached(event: event.rawValue, task: task))
        }
        reports.record(event.rawValue, task: task, count: count, epoch: epoch)
    }

    /// The most reports in the journal; those of a long body would displace all other entries.
    static let journaledReportLimit = 1_000

    /// Resets turns, numbers and journal; a connection that stays open is numbered anew.
    package func reset() {
        progress.withLock { progress in
            // Under the lock, so that no number of one epoch is in the journal of another.
            progress = StageProgress(compiled, seed: seed, uses: uses, epoch: journal.removeAll())
            presentEpoch.store(progress.epoch, ordering: .releasing)
            noteBeginning(epoch: progress.epoch)
            journaledReportCount.withLock { $0 = 0 }
            reports.reset(epoch: progress.epoch)
            for stageGuard in guards { stageGuard.reset() }
            cookies?.reset(epoch: progress.epoch)
            tasks.cancelAll()
            scripts?.reset()
            for companion in companions { companion.reset() }
        }
    }
}
