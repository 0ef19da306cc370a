import ProctorEvents
import ProctorNotation
import ProctorProgram
import ProctorRules
import ProctorScenario

/// How far a client came: which events its loads can still report, and which are missing because the client was
/// stopped.
struct ClientCourse {
    private let item: Case
    private let evidence: CaseEvidence
    private let platform: Platform
    /// The state of each task after its last event; unanswered questions are known only when the client reports its
    /// answers.
    let tasks: [LoadState]
    private let tasksByNumber: [Int: LoadState]
    /// What stopped the client before its end; nil when the client reached its end, so that a missing event is a
    /// failure.
    private(set) var stop: Ledger.Deviation.Stop?

    init(_ item: Case, _ evidence: CaseEvidence, tasks: [LoadState], platform: Platform) {
        (self.item, self.evidence, self.platform, self.tasks) = (item, evidence, platform, tasks)
        tasksByNumber = Dictionary(tasks.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
        switch evidence.ending {
        case .crashed: stop = .crash
        case .hung: stop = tasks.contains(where: waits) ? nil : .hang
        case .finished, .exited:
            stop = unfinishedTasks.isEmpty && !evidence.events.contains(where: \.isGivenUp) ? nil : .hang
        case .couldNotStart, .outOfBounds: break
        }
    }

    /// The state of a step's task; nil when the task is not in the trace.
    func task(ofStep step: Int) -> LoadState? { tasksByNumber[step] }

    /// Whether a task waits for an answer that its program never gives.
    func waits(_ task: LoadState) -> Bool {
        guard !task.waitingQuestions.isEmpty else { return false }
        if item.breaks.contains(.answers) { return true }
        return item.client.indices.contains(task.number) && item.client[task.number].isSilent
    }

    /// Tasks that were started, must end and did not.
    var unfinishedTasks: [LoadState] {
        tasks.filter { task in
            !evidence.isPartial && evidence.reports(task.family.endsInHandler ? .handler : .task)
                && task.owesItsEnd(on: platform) && !waits(task)
        }
    }

    /// Whether a lane ends early because the client was stopped, or because its program never answers.
    func isCut(_ lane: LaneID) -> Bool {
        stop != nil || lane.lane == .task && task(ofStep: lane.number).map(waits) ?? false
    }

    /// Whether the diagnosis only reports missing events at the end, and the client was stopped before its end.
    func explains(_ diagnosis: NotationDiagnosis) -> Bool { stop != nil && diagnosis.endsTooEarly }
}

extension NotationDiagnosis {
    /// Whether every event was right, and a wanted one is missing at the end.
    var endsTooEarly: Bool { got == nil && overflow == nil }
}

extension TraceEvent {
    /// Whether the adapter reports that its client did not end in time.
    var isGivenUp: Bool { name == .result && facts.text(.domain) == "adapter" }
}

extension ClientProgram {
    /// Whether the program neither answers a question nor cancels.
    var isSilent: Bool {
        self.onResponse == .never || self.onBodyStream == .never || onChallenge.contains(.never)
            || onRedirect.contains { if case .never = $0 { true } else { false } }
    }
}
