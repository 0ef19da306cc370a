internal import ProctorBase
internal import ProctorGrading
internal import ProctorScenario
import ProctorServer

/// An exam whose cases are set by tests, and the results so far; safe from any thread.
final class ServedExam: Sendable {
    /// The body of the call that began it.
    let body: [UInt8]
    let terms: ExamTerms
    let cases: [(scenario: Scenario, item: Case)]
    private let positions: [String: Int]
    private let state: Locked<State>

    private struct State {
        var ledger: LedgerText
        var records: [CaseID: CaseRecord] = [:]
        var controls = KnownControls()
        var held: [HeldSitting] = []
    }

    init(_ terms: ExamTerms, _ selection: CaseSelection, body: [UInt8]) {
        (self.body, self.terms) = (body, terms)
        cases = selection.cases
        let names = selection.cases.map { "\($0.scenario.id)#\($0.item.name)" }
        positions = Dictionary(zip(names, names.indices)) { first, _ in first }
        let ledger = LedgerText(terms.ledger, client: terms.client, version: terms.version)
        state = Locked(State(ledger: ledger))
    }

    /// The case of that name, `family/scenario#case`; nil where the exam has none.
    func entry(named name: String) -> (scenario: Scenario, item: Case)? { positions[name].map { cases[$0] } }

    func record(_ graded: GradedTrace, of item: Case, in scenario: Scenario) {
        var record = CaseRecord(graded.verdict, of: item, in: scenario, evidence: graded.evidence)
        record.client = terms.client
        if !graded.verdict.outcome.isFailure { record.timeline = [] }
        state.withLock { state in
            state.ledger.record(graded.verdict)
            state.records[graded.verdict.id] = record
        }
    }

    /// What is known of a control; nothing is asked of one that the client's terms rule out.
    ///
    /// A control that `library` lacks shows nothing.
    func reason(_ control: ExamControl, in library: (String) -> Scenario?) -> String?? {
        if let known = state.withLock({ $0.controls[control] }) { return known }
        guard let scenario = control.scenario(in: library), let item = scenario.cases.first else { return .some(nil) }
        guard let refusal = terms.refusal(of: item, in: scenario) else { return nil }
        return .some(control.reason(refusal.outcome))
    }

    /// Notes the outcome of a sitting of a control, and tells whether it is to be asked again.
    func record(_ outcome: CaseVerdict.Outcome, of control: ExamControl) -> Bool {
        state.withLock { $0.controls.record(outcome, of: control) }
    }

    /// Keeps a sitting until its controls were asked; of more than the limit the oldest is forgotten.
    func addHeld(_ sitting: HeldSitting) {
        state.withLock { state in
            state.held.append(sitting)
            if state.held.count > Self.heldLimit { state.held.removeFirst() }
        }
    }

    /// The sitting that is held for this run, which is held no longer; nil: none is.
    func removeHeld(_ run: String) -> HeldSitting? {
        state.withLock { state in
            state.held.firstIndex { $0.run.id == run }.map { state.held.remove(at: $0) }
        }
    }

    private static let heldLimit = 256

    /// The ledger with what came of this exam.
    var ledger: String { state.withLock { $0.ledger.text } }

    /// The records so far, in the order of the cases.
    var records: [CaseRecord] {
        let records = state.withLock { $0.records }
        return cases.compactMap { records[CaseID(scenario: $0.scenario.id, name: $0.item.name)] }
    }

    var header: ExamHeader {
        var header = ExamHeader(client: terms.client, platform: "neutral", proctor: "")
        header.clientVersion = terms.version
        header.caseCount = cases.count
        header.protocolName = terms.wantedProtocol == .http11 ? nil : terms.wantedProtocol.rawValue
        return header
    }
}

/// A sitting that was judged, and whose pass rests on controls that were not asked yet.
struct HeldSitting: Sendable {
    let run: Run
    let item: Case
    let task: GradingTask
    let graded: GradedTrace
    let controls: [ExamControl]
}

/// The exams of a server, by name; beyond the limit the oldest is forgotten.
struct ServedExams {
    private var exams: [(name: String, exam: ServedExam)] = []

    static let limit = 64

    subscript(name: String) -> ServedExam? { exams.first { $0.name == name }?.exam }

    mutating func replace(_ name: String, by exam: ServedExam) {
        exams.removeAll { $0.name == name }
        exams.append((name, exam))
        if exams.count > Self.limit { exams.removeFirst() }
    }
}
