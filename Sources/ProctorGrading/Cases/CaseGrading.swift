import ProctorEvents
import ProctorProgram
import ProctorRules
import ProctorScenario

/// One case as one client took it, with everything that is looked at more than once.
struct CaseGrading {
    let item: Case
    let evidence: CaseEvidence
    let platform: Platform
    let context: TemplateContext?
    /// nil: nothing is known of the wire.
    let record: WireRecord?
    let trace: MergedTrace
    let report: TraceReport
    /// What became of each task; questions as far as the client says what it answered.
    let tasks: [LoadState]
    /// Whether the trace says what was answered, or would.
    let tellsAnswers: Bool
    /// What stopped the client before its end; nil when it came to its end, and what is missing is missing.
    let stop: Stop?
    /// What the client never tells, as its ledger, its platform or its family says, and has not told here either.
    let never: [Ledger.NeverEvent]
    /// What the client has.
    let abilities: ClientAbilities
    /// What the client says of its steps in the end.
    private(set) var results: ClientRecord

    init(
        _ item: Case, _ evidence: CaseEvidence, platform: Platform, context: TemplateContext?, ledger: Ledger? = nil
    ) {
        self.item = item
        self.evidence = evidence
        self.platform = platform
        self.context = context
        let record = evidence.journal.map { WireRecord($0) }
        self.record = record
        trace = MergedTrace(
            evidence.events, record: record, programs: item.client, isOfProtocol: evidence.isOfProtocol,
            assignsChallenges: !item.namesSessionChallenges)
        abilities = ClientAbilities(
            declared: evidence.declaredAbilities, reportsCallbacks: evidence.reportsLoads, lacks: platform.lacks)
        let untold =
            (ledger?.never ?? []) + Ledger.NeverEvent.ofPlatform(platform, item)
            + (evidence.isOfProtocol ? Ledger.NeverEvent.ofProtocols(item) : [])
        never = untold.filter { never in
            !evidence.events.contains { $0.isCallback && never.covers($0.symbol) }
        }
        tellsAnswers =
            LoadState.tellsAnswers(trace.events) || evidence.reportedLanes?.contains(.harness) ?? false
        tasks = LoadState.tasks(of: trace.events, tellsAnswers: tellsAnswers, isOfProtocol: trace.isOfProtocol)
        stop = Self.stop(item, evidence, tasks: tasks, platform: platform)
        // What a trace says of its families, here of all its tasks, outweighs what the case asks for.
        var checker = TraceChecker(
            platform: platform, family: trace.isOfProtocol ? .urlProtocol : item.client.first?.task.family,
            reportsAnswers: evidence.reportedLanes?.contains(.harness) ?? false)
        if evidence.isPartial { checker.expectGaps() }
        for entry in trace.items where entry.hasTask && evidence.reportsLoads { checker.observe(entry.event) }
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

    /// What can stop a client before its end.
    enum Stop: Equatable {
        case crash
        case hang
    }

    private static func stop(
        _ item: Case, _ evidence: CaseEvidence, tasks: [LoadState], platform: Platform
    ) -> Stop? {
        switch evidence.ending {
        case .crashed: return .crash
        case .hung: return tasks.contains { waitsOnPurpose($0, item) } ? nil : .hang
        case .finished, .exited:
            let isCut = !unfinished(tasks, item, evidence: evidence, platform: platform).isEmpty
            return isCut || evidence.events.contains(where: \.isGivenUp) ? .hang : nil
        case .couldNotStart: return nil
        }
    }

    /// Whether a lane ends where it does because the client was stopped, or waits as its program wants it to.
    func isCut(_ lane: LaneID) -> Bool {
        stop != nil || tasks.contains { LaneID(.task, $0.number) == lane && Self.waitsOnPurpose($0, item) }
    }

    /// Whether a task waits for an answer that its program never gives.
    func waits(_ task: LoadState) -> Bool { Self.waitsOnPurpose(task, item) }

    /// Tasks that were begun and whose end is owed and missing.
    var unfinishedTasks: [LoadState] { Self.unfinished(tasks, item, evidence: evidence, platform: platform) }

    private static func unfinished(
        _ tasks: [LoadState], _ item: Case, evidence: CaseEvidence, platform: Platform
    ) -> [LoadState] {
        tasks.filter { task in
            !evidence.isPartial && evidence.reports(task.family == .sessionHandler ? .handler : .task)
                && task.owesItsEnd(on: platform)
                && !waitsOnPurpose(task, item)
        }
    }

    /// Why the client did not even try, as it says itself.
    var unimplementedReason: String? {
        guard let event = trace.events.first(where: { $0.name == .unimplemented }) else { return nil }
        return EventText.printable(event.argument ?? "it does not say what")
    }

    // MARK: Places in the trace

    /// `event 3 of 7, +12.345 ms`.
    func place(_ event: TraceEvent) -> String {
        "event \(event.sequence) of \(trace.events.last?.sequence ?? 0)\(trace.clock.offset(event.time))"
    }

    /// The family of a task, as the trace says, or else the program.
    func family(ofStep step: Int) -> CallbackFamily {
        trace.isOfProtocol
            ? .urlProtocol
            : tasks.first { $0.number == step }?.family
                ?? (item.client.indices.contains(step) ? item.client[step].task.family : .sessionData)
    }
}

extension TraceEvent {
    /// Whether an adapter says in it that its client did not end in time, so that it stopped waiting.
    var isGivenUp: Bool { name == .result && facts.text(.domain) == "adapter" }
}

extension RuleNumber {
    /// About how the test's own code answers questions, and not about the client.
    static let answers = RuleNumber(53)
}

extension ClientProgram {
    /// Whether it leaves a question without an answer and without a cancel.
    var isSilent: Bool {
        onResponse == .never || onBodyStream == .never || onChallenge.contains(.never)
            || onRedirect.contains { if case .never = $0 { true } else { false } }
    }

    /// Whether it answers a question and answers it again.
    var answersTwice: Bool {
        onRedirect.contains { if case .twice = $0 { true } else { false } }
            || onChallenge.contains { if case .twice = $0 { true } else { false } }
    }
}
