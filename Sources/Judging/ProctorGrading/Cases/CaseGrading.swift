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
    /// The record of the wire; nil when there is no journal.
    let record: WireRecord?
    let trace: MergedTrace
    let index: EventIndex
    let report: TraceReport
    let course: ClientCourse
    /// Whether the client reports the answers of its delegate.
    let tellsAnswers: Bool
    let hasAnswers: Bool
    /// Events that the client never reports, by its ledger, its platform or its family, and that do not occur in this
    /// trace.
    let never: [Ledger.NeverEvent]
    let abilities: ClientAbilities
    private(set) var results: ClientRecord

    init(
        _ item: Case, _ evidence: CaseEvidence, _ record: WireRecord?, platform: Platform, context: TemplateContext?,
        ledger: Ledger? = nil, within budget: WorkBudget
    ) throws(SpentBudget) {
        (self.item, self.budget, self.evidence, self.platform) = (item, budget, evidence, platform)
        (self.context, self.record) = (context, record)
        trace = MergedTrace(
            evidence.events, record: record, programs: item.client, isOfProtocol: evidence.isOfProtocol,
            assignsChallenges: !item.namesSessionChallenges, budget: budget)
        index = try EventIndex(trace.events, within: budget)
        abilities = ClientAbilities(
            declared: evidence.declaredAbilities, reportsCallbacks: evidence.reportsLoads,
            reportedFacts: evidence.reportedFacts, lacks: platform.lacks)
        let untold =
            (ledger?.never ?? []) + Ledger.NeverEvent.ofPlatform(platform, item)
            + (evidence.isOfProtocol ? Ledger.NeverEvent.ofProtocols(item) : [])
        never = untold.filter { never in !evidence.events.contains { $0.isCallback && never.covers($0.symbol) } }
        hasAnswers = LoadState.tellsAnswers(trace.events)
        tellsAnswers = hasAnswers || evidence.reportedLanes?.contains(.harness) ?? false
        let tasks = LoadState.tasks(of: trace.events, tellsAnswers: tellsAnswers, isOfProtocol: trace.isOfProtocol)
        course = ClientCourse(item, evidence, tasks: tasks, platform: platform)
        // The family in the trace is used before the family that the case asks for.
        var checker = TraceChecker(
            platform: platform, family: trace.isOfProtocol ? .urlProtocol : item.client.first?.task.family,
            reportsAnswers: evidence.reportedLanes?.contains(.harness) ?? false)
        if evidence.isPartial { checker.expectGaps() }
        for entry in trace.items where entry.hasTask && evidence.reportsLoads {
            try budget.spend()
            checker.observe(entry.event)
        }
        let ending: TraceEnding =
            switch course.stop {
            case .hang: .hung
            case .crash: .cut
            case nil: .finished
            }
        let ofTrace = checker.finish(ending)
        report = ofTrace.adding(Self.handshakeHits(trace, record, tasks: tasks, item: item, platform: platform))
        results = ClientRecord(trace.events, reportedFacts: evidence.reportedFacts)
        results.tellsTasks = evidence.reportedLanes?.contains(.task) ?? false
        results.untold = untoldFacts()
        results.spending = evidence.spending
    }

    var stop: Ledger.Deviation.Stop? { course.stop }

    /// Whether the program of a step leaves a question without an answer, or answers twice (R53).
    func breaksAnswers(step: Int) -> Bool {
        if item.breaks.contains(.answers) { return true }
        guard item.client.indices.contains(step) else { return false }
        let program = item.client[step]
        return program.isSilent || program.answersTwice
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

    /// `data   [event 3 of 7, +12.345 ms]   n=5`; the note follows the place.
    func placed(_ event: TraceEvent, note: String = "") -> String {
        "\(EventText.symbol(event))   [\(place(event))]\(note)\(EventText.facts(of: event))"
    }

    /// The family of a task, from the trace or else from the program.
    func family(ofStep step: Int) -> CallbackFamily {
        trace.isOfProtocol
            ? .urlProtocol
            : course.task(ofStep: step)?.family
                ?? (item.client.indices.contains(step) ? item.client[step].task.family : .sessionData)
    }
}

extension RuleNumber {
    /// R53, which is about the test's own answers and not about the client.
    static let answers = RuleNumber(53)
}

extension ClientProgram {
    var answersTwice: Bool {
        onRedirect.contains { if case .twice = $0 { true } else { false } }
            || onChallenge.contains { if case .twice = $0 { true } else { false } }
    }
}
