internal import ProctorBase
internal import ProctorEvents
internal import ProctorExam
internal import ProctorGrading
internal import ProctorScenario

/// The records and the report files of an exam; safe from any thread.
///
/// The file of records gets a line when a sitting ends; at the end it has each case once, in the order of the fixtures.
/// The reports that modules make are written at the end, and live ones again at most once a second.
final class ExamFiles: Sendable {
    private let forms: [(form: ExamForm, file: ReportFile)]
    private let json: RecordFile?
    private let gate: ExamGate
    private let state = Locked(State())

    private struct State {
        /// The exams in the order in which clients are run; their cases are without timelines.
        var exams: [Kept] = []
        var faults: [ExamFault] = []
        /// The time of the last live text, in MonotonicClock nanoseconds.
        var lastText: UInt64 = 0
    }

    /// One client's results.
    private struct Kept {
        var header: ExamHeader
        var order: [CaseID]
        var cases: [CaseID: CaseRecord] = [:]
        /// The header of an earlier part of the exam, when the exam is resumed.
        var former: ExamHeader?
        var hasTrace = false

        var record: ExamRecord { ExamRecord(header: header, cases: order.compactMap { cases[$0] }) }
    }

    private static let pause: UInt64 = 1_000_000_000

    init(_ arguments: ParsedArguments, _ options: ExamOptions, output: Output) throws {
        gate = options.gate
        forms = try Modules.present.flatMap(\.examForms).compactMap { form in
            try arguments[form.flag].map { (form, try ReportFile($0, flag: form.flag, output)) }
        }
        json = try arguments["--json"].map {
            try RecordFile(path: $0, flag: "--json", resumes: options.isResumed, output)
        }
    }

    /// The header of an earlier part of a client's exam, when it is resumed.
    func header(of client: String) -> ExamHeader? { json?.former(client)?.header }

    /// Begins the exam of a client, and returns the cases that were run in an earlier part.
    @discardableResult
    func startExam(_ header: ExamHeader, order: [CaseID]) -> Set<CaseID> {
        var kept = Kept(header: header, order: order)
        if let former = json?.former(header.client) {
            kept.former = former.header
            let wanted = Set(order)
            for record in former.cases where wanted.contains(record.id) && !record.isSetUpFault {
                kept.cases[record.id] = record
            }
        }
        json?.add(header)
        let done = Set(kept.cases.keys)
        state.withLock { $0.exams.append(kept) }
        return done
    }

    func record(_ sitting: Sitting, of header: ExamHeader) {
        var record = sitting.record
        record.client = header.client
        let changed = state.withLock { state -> ExamHeader? in
            guard let place = state.exams.firstIndex(where: { $0.header.client == header.client }) else { return nil }
            var light = record
            light.timeline = []
            state.exams[place].cases[record.id] = light
            guard let trace = sitting.header, !state.exams[place].hasTrace else { return nil }
            state.exams[place].hasTrace = true
            state.exams[place].header.adopt(trace)
            return state.exams[place].header
        }
        if let changed { json?.add(changed) }
        json?.add(record)
        updateLiveForms()
    }

    private func updateLiveForms() {
        let live = forms.filter(\.form.isLive)
        guard !live.isEmpty else { return }
        let now = MonotonicClock.nanoseconds
        let exams = state.withLock { state -> [ExamRecord]? in
            guard now &- state.lastText >= Self.pause else { return nil }
            state.lastText = now
            return state.exams.map(\.record)
        }
        guard let exams else { return }
        for (form, file) in live { file.update(with: form.text(ExamResults(exams, gate: gate))) }
    }

    func recordFaults(_ faults: [ExamFault]) { state.withLock { $0.faults += faults } }

    /// The results so far, without timelines.
    var exams: [ExamRecord] { state.withLock { $0.exams.map(\.record) } }

    func exam(of client: String) -> ExamRecord? { exams.first { $0.header.client == client } }

    /// The client's name in its trace; nil when no trace has one.
    func clientName(of client: String) -> String? {
        exams.first { $0.header.client == client }?.header.clientName
    }

    /// A sentence when a resumed exam was continued with another client or adapter; nil when it was not.
    func changedVersion(of client: String) -> String? {
        let kept = state.withLock { state in state.exams.first { $0.header.client == client } }
        guard let kept, kept.hasTrace, let former = kept.former, former.clientVersion != nil || former.adapter != nil,
            former.title != kept.header.title
        else { return nil }
        return
            "the records of \(client) are of two versions, \(former.title) and \(kept.header.title): leave --resume out"
    }

    /// All records with their timelines, after the reports are written; empty when they were written to a pipe.
    func written() throws -> [ExamRecord] { try json?.written() ?? [] }

    /// The exams of all clients so far, and what of them fails.
    var results: ExamResults {
        state.withLock { ExamResults($0.exams.map(\.record), faults: $0.faults, gate: gate) }
    }

    /// Writes the final reports; false when one can't be written, and the error was printed.
    func finish() -> Bool {
        let results = results
        let exams = results.exams
        var isWritten = true
        for (form, file) in forms { isWritten = file.replace(with: form.text(results)) && isWritten }
        if let json {
            let order = exams.map { exam in (exam.header, exam.cases.map(\.id)) }
            isWritten = json.finish(order) && isWritten
        }
        return isWritten
    }
}

extension CaseRecord {
    /// Whether the client was not judged at all, so that a resumed exam runs the case again.
    fileprivate var isSetUpFault: Bool { outcome == "setup-failed" || outcome == "adapter-error" }
}

extension ExamHeader {
    /// Takes over the names and versions of client and adapter from a trace's header.
    fileprivate mutating func adopt(_ trace: TraceHeader) {
        clientName = trace.client
        clientVersion = trace.clientVersion ?? clientVersion
        adapter = trace.adapter
        adapterVersion = trace.adapterVersion
    }
}
