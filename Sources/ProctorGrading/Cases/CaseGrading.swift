import ProctorBase
import ProctorEvents
import ProctorProgram
import ProctorRules
import ProctorScenario

/// One case as one client ran it, with the values that several checks need.
struct CaseGrading {
    let item: Case
    let budget: WorkBudget
    let evidence: CaseEvidence
    let platform: Platform
    let context: TemplateContext?
    /// nil means that nothing is known of the wire.
    let record: WireRecord?
    let trace: MergedTrace
    let index: EventIndex
    let report: TraceReport
    /// The state of each task after its last event; open questions are known only where the client reports its
    /// answers.
    let tasks: [LoadState]
    private let tasksByNumber: [Int: LoadState]
    /// Whether the trace reports answers, or would report them.
    let tellsAnswers: Bool
    /// Whether the trace has any answer.
    let hasAnswers: Bool
    /// What stopped the client before its end; nil when it reached its end, so that what is missing is missing.
    let stop: Stop?
    /// Events that the client never reports, by its ledger, its platform or its family, and that this trace does not
    /// have.
    let never: [Ledger.NeverEvent]
    let abilities: ClientAbilities
    private(set) var results: ClientRecord

    init(
        _ item: Case, _ evidence: CaseEvidence, platform: Platform, context: TemplateContext?, ledger: Ledger? = nil,
        within budget: WorkBudget
    ) throws(SpentBudget) {
        self.item = item
        self.budget = budget
        self.evidence = evidence
        self.platform = platform
        self.context = context
        try budget.spend(evidence.events.count + (evidence.journal?.count ?? 0))
        let record = evidence.journal.map { WireRecord($0) }
        self.record = record
        trace = MergedTrace(
            evidence.events, record: record, programs: item.client, isOfProtocol: evidence.isOfProtocol,
            assignsChallenges: !item.namesSessionChallenges, budget: budget)
        index = try EventIndex(trace.events, within: budget)
        abilities = ClientAbilities(
            declared: evidence.declaredAbilities, reportsCallbacks: evidence.reportsLoads, lacks: platform.lacks)
        let untold =
            (ledger?.never ?? []) + Ledger.NeverEvent.ofPlatform(platform, item)
            + (evidence.isOfProtocol ? Ledger.NeverEvent.ofProtocols(item) : [])
        never = untold.filter { never in !evidence.events.contains { $0.isCallback && never.covers($0.symbol) } }
        hasAnswers = LoadState.tellsAnswers(trace.events)
        tellsAnswers = hasAnswers || evidence.reportedLanes?.contains(.harness) ?? false
        tasks = LoadState.tasks(of: trace.events, tellsAnswers: tellsAnswers, isOfProtocol: trace.isOfProtocol)
        tasksByNumber = Dictionary(tasks.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
        stop = Self.stop(item, evidence, tasks: tasks, platform: platform)
        // The families that the trace states take precedence over those that the case asks for.
        var checker = TraceChecker(
            platform: platform, family: trace.isOfProtocol ? .urlProtocol : item.client.first?.task.family,
            reportsAnswers: evidence.reportedLanes?.contains(.harness) ?? false)
        if evidence.isPartial { checker.expectGaps() }
        for entry in trace.items where entry.hasTask && evidence.reportsLoads {
            try budget.spend()
            checker.observe(entry.event)
        }
        let ending: TraceEnding =
            switch stop {
            case .hang: .hung
            case .crash: .cut
            case nil: .finished
            }
        let told = checker.finish(ending)
        report = told.adding(Self.handshakeHits(trace, record, tasks: tasks, item: item, platform: platform))
        results = ClientRecord(trace.events, reportedFacts: evidence.reportedFacts)
        results.untold = untoldFacts()
    }

    // MARK: What the program does on purpose

    /// Whether the program of a step leaves a question without an answer, or answers twice (R53).
    func breaksAnswers(step: Int) -> Bool {
        if item.breaks.contains(.answers) { return true }
        guard item.client.indices.contains(step) else { return false }
        let program = item.client[step]
        return program.isSilent || program.answersTwice
    }

    /// Whether a task waits for an answer that its program never gives.
    private static func waitsOnPurpose(_ task: LoadState, _ item: Case) -> Bool {
        guard !task.waitingQuestions.isEmpty else { return false }
        if item.breaks.contains(.answers) { return true }
        return item.client.indices.contains(task.number) && item.client[task.number].isSilent
    }

    // MARK: How far the client came

    enum Stop: Equatable {
        case crash
        case hang
    }

    private static func stop(_ item: Case, _ evidence: CaseEvidence, tasks: [LoadState], platform: Platform) -> Stop? {
        switch evidence.ending {
        case .crashed: return .crash
        case .hung: return tasks.contains { waitsOnPurpose($0, item) } ? nil : .hang
        case .finished, .exited:
            let isCut = !unfinished(tasks, item, evidence: evidence, platform: platform).isEmpty
            return isCut || evidence.events.contains(where: \.isGivenUp) ? .hang : nil
        case .couldNotStart, .outOfBounds: return nil
        }
    }

    /// Whether a lane ends early because the client was stopped, or because its program makes it wait.
    func isCut(_ lane: LaneID) -> Bool {
        stop != nil || lane.lane == .task && task(ofStep: lane.number).map { Self.waitsOnPurpose($0, item) } ?? false
    }

    /// Whether a task waits for an answer that its program never gives.
    func waits(_ task: LoadState) -> Bool { Self.waitsOnPurpose(task, item) }

    /// Tasks that were started, must end and did not.
    var unfinishedTasks: [LoadState] { Self.unfinished(tasks, item, evidence: evidence, platform: platform) }

    private static func unfinished(
        _ tasks: [LoadState], _ item: Case, evidence: CaseEvidence, platform: Platform
    ) -> [LoadState] {
        tasks.filter { task in
            !evidence.isPartial && evidence.reports(task.family.endsInHandler ? .handler : .task)
                && task.owesItsEnd(on: platform) && !waitsOnPurpose(task, item)
        }
    }

    /// The reason that the adapter gives for not running the program.
    var unimplementedReason: String? {
        guard let event = trace.events.first(where: { $0.name == .unimplemented }) else { return nil }
        return EventText.printable(event.argument ?? "it does not say what")
    }

    // MARK: Places in the trace

    /// `event 3 of 7, +12.345 ms`.
    func place(_ event: TraceEvent) -> String {
        "event \(event.sequence) of \(trace.events.last?.sequence ?? 0)\(trace.clock.offset(event.time))"
    }

    /// `data   [event 3 of 7, +12.345 ms]   n=5`; the note stands behind the place.
    func placed(_ event: TraceEvent, note: String = "") -> String {
        "\(EventText.of(event))   [\(place(event))]\(note)\(EventText.facts(of: event))"
    }

    /// The state of a step's task; nil where the trace has none.
    func task(ofStep step: Int) -> LoadState? { tasksByNumber[step] }

    /// The family of a task, from the trace or else from the program.
    func family(ofStep step: Int) -> CallbackFamily {
        trace.isOfProtocol
            ? .urlProtocol
            : task(ofStep: step)?.family
                ?? (item.client.indices.contains(step) ? item.client[step].task.family : .sessionData)
    }
}

extension TraceEvent {
    /// Whether the adapter reports that its client did not end in time.
    var isGivenUp: Bool { name == .result && facts.text(.domain) == "adapter" }
}

extension RuleNumber {
    /// R53, which is about the test's own answers and not about the client.
    static let answers = RuleNumber(53)
}

extension ClientProgram {
    /// Whether the program leaves a question without an answer and without a cancel.
    var isSilent: Bool {
        onResponse == .never || onBodyStream == .never || onChallenge.contains(.never)
            || onRedirect.contains { if case .never = $0 { true } else { false } }
    }

    var answersTwice: Bool {
        onRedirect.contains { if case .twice = $0 { true } else { false } }
            || onChallenge.contains { if case .twice = $0 { true } else { false } }
    }
}
