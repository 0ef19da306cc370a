public import ProctorEvents

/// Checks a trace by all universal rules and the grammars of its families, event by event.
///
/// Memory does not grow with the trace: of ended loads only the last ``mostEndedLoads`` are remembered, and of open
/// ones ``mostOpenLoads`` are judged. One thread at a time may use it.
public struct TraceChecker: ~Copyable {
    /// The platform whose constants and switches apply.
    public let platform: Platform
    /// The family of lanes whose events do not state it.
    public let defaultFamily: CallbackFamily?
    private var loads: LoadTable
    private var plans: FamilyPlans
    private var hits: HitList
    private var seesAnswers: Bool
    private var openSessionQuestions = 0
    private var monitors: TraceMonitors
    private var eventCount = 0
    private var loadCount = 0
    private var forgotten: [Lane: ForgottenLanes] = [:]
    private var invalidationCount = 0
    private var bound: TraceBound?
    private var grammars: [GrammarRefusal] = []
    private var grammarCount = 0
    private var unanswered = UnansweredQuestions()
    private var evidence = SeenEvidence()

    /// The number of ended loads that are remembered, so that every rule still sees a further event of them.
    package static let mostEndedLoads = 256
    /// The number of loads that may be open at once; further ones are not judged.
    package static let mostOpenLoads = 16_384
    static let mostRefusals = 1_000
    static let mostInvalidations = 1_000

    /// `family` is for lanes whose events do not state it; `reportsAnswers` means that the client reports its answers.
    ///
    /// Without `reportsAnswers`, questions are judged from the first answer on.
    public init(platform: Platform = .neutral, family: CallbackFamily? = nil, reportsAnswers: Bool = false) {
        self.init(
            platform: platform, family: family, reportsAnswers: reportsAnswers, mostEnded: Self.mostEndedLoads,
            mostOpen: Self.mostOpenLoads)
    }

    init(platform: Platform, family: CallbackFamily?, reportsAnswers: Bool = false, mostEnded: Int, mostOpen: Int) {
        self.platform = platform
        defaultFamily = family
        seesAnswers = reportsAnswers
        loads = LoadTable(mostEnded: mostEnded, mostOpen: mostOpen)
        plans = FamilyPlans(platform: platform)
        monitors = TraceMonitors()
        hits = HitList(platform: platform)
    }

    /// Takes over what the header declares: a client with a lane `harness` reports every answer there.
    public mutating func expect(_ header: TraceHeader) {
        if header.lanes.contains(.harness) { seesAnswers = true }
    }

    /// Treats the trace as one that may leave out events of any lane, as logs do; call it before the first event.
    ///
    /// Then a missing event breaks nothing, and a wrong order still does. Only answers to challenges are checked, once
    /// there is one.
    package mutating func expectGaps() {
        plans.isPartial = true
        hits.isPartial = true
    }

    /// Takes the next event of the trace, of any lane.
    public mutating func observe(_ event: TraceEvent) {
        eventCount += 1
        if plans.isPartial { evidence.record(event) }
        if event.lane == .harness {
            observeHarness(event)
        } else if let lane = Self.loadLane(of: event), let slot = slot(of: lane, for: event) {
            monitors.observe(event, family: event.family ?? loads[slot]?.family ?? defaultFamily, into: &hits)
            deliver(event, to: slot)
        } else {
            if event.lane == .session { observeSession(event) }
            monitors.observe(event, family: event.family ?? defaultFamily, into: &hits)
        }
    }

    /// Ends the trace and reports what is still missing.
    ///
    /// The `ending` decides what counts as missing.
    public mutating func finish(_ ending: TraceEnding = .finished) -> TraceReport {
        monitors.observeTraceEnd(ending, into: &hits)
        var lanes: [LaneSummary] = []
        for slot in loads.inOrder {
            if finishLoad(slot, ending), let load = loads[slot] { lanes.append(LaneSummary(load)) }
            loads[slot]?.recycle()
            // What an end brings to each of many loads is not held for all of them.
            loads.forget(slot)
        }
        let report = TraceReport(
            eventCount: eventCount, hits: hits.hits, hitCount: hits.count, grammars: grammars,
            grammarCount: grammarCount, lanes: lanes,
            forgottenLoadCount: forgotten.values.reduce(0) { $0 + $1.count },
            notJudged: (seesAnswers ? [] : unanswered.sentences) + (plans.isPartial ? evidence.sentences : []),
            bound: bound)
        return report.withoutConsequences
    }

    /// Loads in memory, ended ones included.
    var rememberedLoadCount: Int { loads.count }

    // MARK: Loads

    /// The lane of the event's load; nil for events of a session and for class calls of a URLProtocol.
    static func loadLane(of event: TraceEvent) -> LaneID? {
        switch event.lane {
        case .task, .handler, .wire: LaneID(.task, event.task)
        case .proto:
            event.name == .pCanInit || event.name == .pCanonical || event.name == .pCacheEquivalent
                ? nil : LaneID(.protocolClient, event.object ?? event.task)
        case .protocolClient: LaneID(.protocolClient, event.object ?? event.task)
        case .harness: event.object.map { LaneID(.protocolClient, $0) } ?? LaneID(.task, event.task)
        case .session: nil
        }
    }

    /// The slot of the load, which is added if necessary; nil for a load that is not watched, or no longer.
    private mutating func slot(of lane: LaneID, for event: TraceEvent) -> Int? {
        let former = loads.slot(of: lane)
        let isSuccessor = former.flatMap { loads[$0]?.isSucceeded(by: event) } ?? false
        if let former, !isSuccessor { return former }
        if forgotten[lane.lane]?.contains(lane.number) == true {
            reportLate(event, in: lane)
            return nil
        }
        let load = LoadCheck(
            lane: lane, serial: loadCount, family: LoadCheck.family(toldBy: event, defaultFamily), plans: &plans)
        guard let slot = loads.add(load) else {
            if bound == nil { bound = TraceBound(mostOpenLoads: loads.mostOpen, lane: lane, sequence: event.sequence) }
            return nil
        }
        loadCount += 1
        load.state.isResumed = isSuccessor
        if event.lane.isOfObject {
            // The table removes this connection by the same number.
            load.state.task = event.task
            loads.connect(lane, to: event.task)
        }
        return slot
    }

    private mutating func deliver(_ event: TraceEvent, to slot: Int) {
        guard let load = loads[slot] else { return }
        load.observe(event, seesAnswers: seesAnswers, fallback: defaultFamily, &plans, into: &hits)
        guard !load.isRetired, load.isOver else { return }
        load.isRetired = true
        if let leaving = loads.retire(slot) { forget(leaving) }
    }

    private mutating func forget(_ slot: Int) {
        guard let lane = loads[slot]?.state.lane else { return }
        _ = finishLoad(slot, .finished)
        if loads.slot(of: lane) == slot { forgotten[lane.lane, default: ForgottenLanes()].insert(lane.number) }
        loads[slot]?.recycle()
        loads.forget(slot)
    }

    /// False when there was no load to end.
    private mutating func finishLoad(_ slot: Int, _ ending: TraceEnding) -> Bool {
        if !seesAnswers, let state = loads[slot]?.state { unanswered.recordQuestions(of: state) }
        if plans.isPartial, let family = loads[slot]?.family { evidence.record(family) }
        guard
            loads[slot]?.finish(seesAnswers: seesAnswers, ending: ending, fallback: defaultFamily, &plans, into: &hits)
                == true
        else { return false }
        for refusal in loads[slot]?.refusals ?? [] {
            grammarCount += 1
            if grammars.count < Self.mostRefusals { grammars.append(refusal) }
        }
        return true
    }

    /// Reports an event of a forgotten load, which had ended; only its coming can be judged.
    private mutating func reportLate(_ event: TraceEvent, in lane: LaneID) {
        guard event.phase == .enter, event.lane == lane.lane, event.name != .metrics else { return }
        hits.report(
            RuleNumber(40),
            "\(event.symbol) came although the load had ended, more than \(loads.mostEnded) loads before",
            at: event, in: lane)
    }

    // MARK: Harness and session

    private mutating func observeHarness(_ event: TraceEvent) {
        // The app's call to its own handler answers no question of a load.
        if event.name == .answer, event.facts.text(.to) == EventName.backgroundEvents.rawValue {
            return monitors.observe(event, family: event.family, into: &hits)
        }
        if event.name == .answer { seesAnswers = true }
        if event.name == .invalidate { return invalidate(event) }
        // The rule wants the family of the event, which a session's delegate has not.
        if event.name == .launched { openSessionQuestions = 0 }
        if event.name == .delegateReleased || event.name == .launched {
            return monitors.observe(event, family: event.family, into: &hits)
        }
        guard let lane = Self.loadLane(of: event) else { return }
        if event.name == .answer, event.object == nil, answersSession(event, lane) {
            monitors.observe(event, family: event.family, into: &hits)
            return
        }
        let isAct = event.name == .resume || event.name == .suspend || event.name == .cancel || event.name == .answer
        // A load may be scheduled before it is resumed.
        let slot = isAct || event.name == .schedule ? slot(of: lane, for: event) : loads.slot(of: lane)
        let family = slot.flatMap { loads[$0]?.family }
        monitors.observe(event, family: event.family ?? family ?? defaultFamily, into: &hits)
        if let slot { deliver(event, to: slot) }
        guard isAct, event.object == nil else { return }
        for object in loads.objects(of: event.task) {
            guard let slot = loads.slot(of: object), let load = loads[slot], !load.isOver else { continue }
            if event.name == .answer, load.state.questionName(answeredBy: event) == nil { continue }
            deliver(event, to: slot)
        }
    }

    /// Tells every load that has not ended that its session was invalidated.
    private mutating func invalidate(_ event: TraceEvent) {
        monitors.observe(event, family: event.family, into: &hits)
        invalidationCount += 1
        guard invalidationCount <= Self.mostInvalidations else { return }
        for slot in loads.inOrder where loads[slot]?.isOver == false { deliver(event, to: slot) }
    }

    /// Whether an answer is for a challenge of lane `session`, which belongs to no load.
    private mutating func answersSession(_ event: TraceEvent, _ lane: LaneID) -> Bool {
        guard openSessionQuestions > 0 else { return false }
        let to = event.facts.text(.to)
        guard to == nil || to == EventName.challenge.rawValue else { return false }
        let isSaid = event.facts.text(.scope) == "session"
        if !isSaid, let slot = loads.slot(of: lane), loads[slot]?.state.questionName(answeredBy: event) != nil {
            return false
        }
        openSessionQuestions -= 1
        return true
    }

    private mutating func observeSession(_ event: TraceEvent) {
        guard event.phase == .enter else { return }
        if event.name == .challenge { openSessionQuestions += 1 }
        if event.name == .challengeCancelled { openSessionQuestions = max(0, openSessionQuestions - 1) }
    }
}

/// How a trace ended, which decides what counts as missing.
public enum TraceEnding: Sendable {
    /// The client ended by itself; missing events are missing.
    case finished
    /// A watchdog ended the client, because no more events came.
    case hung
    /// The client crashed: nothing counts as missing.
    case cut
}

/// Notes rules that could not be judged because the trace has questions and no answers.
struct UnansweredQuestions {
    /// The families that asked, by the kind of the question.
    private var asked: [EventName: Set<CallbackFamily>] = [:]

    /// Records the questions that are open when a load has ended or is forgotten.
    mutating func recordQuestions(of load: LoadState) {
        for question in load.openQuestions { asked[question.name, default: []].insert(load.family) }
    }

    var sentences: [String] {
        EventName.allCases.compactMap { kind in
            guard let families = asked[kind] else { return nil }
            let judging = Rules.all.filter { $0.judgesAnswersTo == kind && !families.isDisjoint(with: $0.families) }
            guard !judging.isEmpty else { return nil }
            return
                "\(judging.map(\.number.description).joined(separator: ", ")): the trace has no answers, and \(kind.rawValue) "
                + "asks for one"
        }
    }
}
