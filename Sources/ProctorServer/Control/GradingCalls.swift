internal import ProctorBase
internal import ProctorDocument
internal import ProctorEvents
internal import ProctorGrading
internal import ProctorJournal
internal import ProctorLoop
import ProctorNotation
internal import ProctorRules
internal import ProctorScenario

/// With what a run is graded beside its case; the calls `ledger` and `platform` set it.
struct GradingSetup: Sendable {
    var ledger: Ledger?
    var platform = Platform.neutral
}

// Calls about traces that are judged.
extension ControlAPI {
    /// Milliseconds that a call may wait for the ends of the client's connections.
    private static let settleRange = 0...5_000
    private static let hungRange = 0...86_400_000

    func putLedger(_ request: ControlRequest) async throws(ControlError) -> BuiltInReply {
        let run = try find(request)
        let ledger = try await read(request, by: Ledger.parse) { mistakes in
            ControlError(400, "broken-ledger", message: mistakes)
        }
        run.stage.grading.withLock { $0.ledger = ledger }
        return .object { $0.member("ledger", ledger.client) }
    }

    func putPlatform(_ request: ControlRequest) async throws(ControlError) -> BuiltInReply {
        let run = try find(request)
        let platform = try await read(request, by: Platform.parse) { mistakes in
            ControlError(400, "broken-platform", message: mistakes)
        }
        run.stage.grading.withLock { $0.platform = platform }
        return .object { $0.member("platform", platform.name) }
    }

    private func read<Model: Sendable>(
        _ request: ControlRequest,
        by parse: @escaping @Sendable (_ bytes: [UInt8], _ file: String) -> (Model?, [Diagnostic]),
        failure: @escaping @Sendable (_ mistakes: String) -> ControlError
    ) async throws(ControlError) -> Model {
        let body = request.body
        return try await WorkThreads.reading.attempt { () throws(ControlError) in
            let (model, diagnostics) = parse(body, "body")
            if let model, diagnostics.isEmpty { return model }
            throw failure(diagnostics.map(\.description).joined(separator: "\n"))
        }
    }

    /// Judges the trace in the body by a case and the run's present journal; ``GradingTurns`` bounds the concurrent
    /// calls.
    func grade(_ request: ControlRequest) async throws(ControlError) -> BuiltInReply {
        let run = try find(request)
        let hasNoCase = run.scenario.cases.isEmpty && request.query["case"] == nil
        let item = hasNoCase ? Case.ofAnyRequests(in: run.scenario) : try item(of: run, request)
        let hung = request.query["hung"] == nil ? nil : try request.number("hung", in: Self.hungRange)
        let settle = try request.number("settle", in: Self.settleRange)
        let wantsReport = try request.switch("report")
        if settle > 0 { await run.journal.waitForConnectionEnds(on: request.loop, within: .milliseconds(settle)) }
        let setup = run.stage.grading.withLock { $0 }
        let task = GradingTask(
            body: request.body, journal: run.journal.snapshot(),
            grader: CaseGrader(
                item.asked(inRunOf: run.wantedProtocol), scenario: run.scenario.id, context: run.context,
                platform: setup.platform, ledger: setup.ledger),
            ending: hung.map { .hung(afterMilliseconds: $0, lastErrorLine: nil) } ?? .finished,
            wantsReport: wantsReport,
            scenario: run.scenario)
        let judged = try await judge(request.body.count, for: request) { try task.judge(within: $0) }
        run.stage.gradedTraces.withLock { $0.add(judged.told) }
        return .json(judged.answer)
    }
}

/// A trace to judge.
private struct GradingTask: Sendable {
    let body: [UInt8]
    let journal: Journal.Snapshot
    let grader: CaseGrader
    let ending: ClientEnding
    let wantsReport: Bool
    let scenario: Scenario

    /// The answer of the call, and what those who watch the run are told.
    func judge(within budget: WorkBudget) throws -> (answer: [UInt8], told: [UInt8]) {
        var collector = TraceCollector(file: "body")
        try collector.read(body.span, within: budget)
        let trace = try collector.finish()
        guard trace.header != nil || !trace.events.isEmpty else {
            let hint = trace.misspelling.map { "; line \($0.line): did '\($0.word)' mean '\($0.nearest)'?" }
            throw TraceReadingError(
                location: SourceLocation(file: "body", line: 1, column: 1),
                sentence: "there is no event in it: send JSON lines or a log that names delegate methods, as they are "
                    + "(curl: --data-binary @FILE)" + (hint ?? ""))
        }
        let evidence = CaseEvidence(
            trace, journal: journal.entries, droppedCount: journal.droppedCount, ending: ending)
        let verdict = grader.grade(evidence, within: budget).naming(
            UnaskedExchanges(of: scenario, in: journal.entries),
            elsewhere: scenario.cases.isEmpty ? .failure : .observation)
        // Nobody reads the answer of cancelled work.
        if budget.spent == .cancelled { throw SpentBudget.cancelled }
        let answer = verdict.json(
            text: verdict.text(
                around: Timeline(evidence, verdict: verdict, within: budget), notation: false),
            report: wantsReport ? VerdictReport(verdict, evidence) : nil)
        return (answer, Self.told(trace, verdict))
    }

    /// The callbacks of a trace and the verdict about them; only times of the journal's clock can be placed in it.
    private static func told(_ trace: Trace, _ verdict: CaseVerdict) -> [UInt8] {
        let callbacks = trace.events.filter { $0.phase == .enter }
        var json = JSONText()
        json.open("{")
        json.member("clock", trace.header?.isMonotonic == false ? "other" : "monotonic")
        let rest = callbacks.count - GradedTraces.eventLimit
        if rest > 0 { json.member("more", rest) }
        json.objects("events", of: callbacks.prefix(GradedTraces.eventLimit)) { json, event in
            json.member("n", event.sequence)
            switch event.time {
            case .monotonic(let nanoseconds)?: json.member("ns", nanoseconds)
            case .elsewhere(let milliseconds)?: json.member("ms", milliseconds)
            case nil: break
            }
            json.member("lane", event.laneID.description)
            json.member("text", PrintableText.of(event.symbol.description, limit: 200))
            json.member("words", PrintableText.of(NotationSymbol(event.symbol).words, limit: 200))
            json.texts("details", EventText.allFacts(of: event))
        }
        json.key("verdict")
        // Its line end ends no event of a stream.
        json.value(complete: Array(verdict.json.dropLast()))
        json.close("}")
        return json.bytes
    }
}
