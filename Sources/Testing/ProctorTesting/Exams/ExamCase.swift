internal import ProctorBase
internal import ProctorEvents
internal import ProctorGrading
public import ProctorHarness
internal import ProctorJournal
internal import ProctorProgram
internal import ProctorScenario
internal import ProctorServer
public import Testing

/// One case of a ``ClientExam``, an argument of a test.
///
/// A new failure is an issue with its first sentence, the timeline and a line that runs the case again; a case that the
/// client can't be set is cancelled with the reason.
public struct ExamCase: Sendable, CustomTestStringConvertible {
    let scenario: Scenario
    let item: Case
    let sitter: ExamSitter

    /// The name of the case: `redirect/302-get-stays-get#follow`.
    public var testDescription: String { "\(scenario.id)#\(item.name)" }

    /// Has the client make the loads of the case, one after the other; what it throws is its error.
    ///
    /// A client that takes longer than the case permits is cancelled, and the verdict is a hang.
    public func sit(
        sourceLocation: Testing.SourceLocation = #_sourceLocation,
        _ client: @escaping @Sendable (ExamLoad) async throws -> ExamResult
    ) async throws {
        let reason = Locked<String?>(nil)
        try await perform(at: sourceLocation) { exam in
            let cannot = try await exam.makeLoads(client)
            reason.withLock { $0 = cannot?.reason }
        }
        if let reason = reason.withLock({ $0 }) { try skip("the client can't be told so: \(reason)", sourceLocation) }
    }

    /// Does the same with a client that calls back, once, from any thread.
    public func sit(
        sourceLocation: Testing.SourceLocation = #_sourceLocation,
        callingBack client:
            @escaping @Sendable (ExamLoad, @escaping @Sendable (Result<ExamResult, any Error>) -> Void) -> Void
    ) async throws {
        try await sit(sourceLocation: sourceLocation) { load in
            try await withCheckedThrowingContinuation { continuation in
                client(load) { continuation.resume(with: $0) }
            }
        }
    }

    /// Judges a client whose callbacks are recorded by sessions and recorders of the exam; the ability
    /// `callbacks` says that it has them.
    ///
    /// ``ProctorHarness/Exam/performProgram()`` has URLSession do what the case asks.
    public func record(
        sourceLocation: Testing.SourceLocation = #_sourceLocation, _ body: (Exam) async throws -> Void
    ) async throws {
        try await perform(at: sourceLocation, body)
    }

    private func perform(at place: Testing.SourceLocation, _ body: (Exam) async throws -> Void) async throws {
        if let refusal = sitter.terms.refusal(of: item, in: scenario) { return try skip(refusal.reason, place) }
        var local = try await run(of: scenario, item)
        let name = (Test.current?.name ?? "").prefix { $0 != "(" }
        local.again = "PROCTOR_CASE='\(testDescription)' swift test --filter '\(name)'"
        let exam = try await exam(local)
        if sitter.ledgerPath == nil {
            try await exam.run(at: place, isolation: #isolation, body)
        } else {
            await withKnownIssue("written to the ledger", isIntermittent: true, sourceLocation: place) {
                try await exam.run(at: place, isolation: #isolation, body)
            }
        }
        if let held = local.held.withLock({ $0 }) {
            for control in held.controls { try await ask(control, at: place, body) }
            if let unjudged = held.unjudged(sitter) { try report(unjudged, at: place) }
        }
        if let reason = local.skipped.withLock({ $0 }) { try skip("not judged: \(reason)", place) }
    }

    /// A must of which nothing could be judged fails, and everything else is skipped.
    private func report(_ unjudged: (reason: String, isFailure: Bool), at place: Testing.SourceLocation) throws {
        let text = "not judged: \(unjudged.reason)"
        guard unjudged.isFailure else { return try skip(text, place) }
        guard Test.current != nil else { throw ExamFailure(text) }
        Issue.record(Comment(rawValue: text), sourceLocation: place)
    }

    /// Sets a control until what it shows is known.
    private func ask(
        _ control: ExamControl, at place: Testing.SourceLocation, _ body: (Exam) async throws -> Void
    ) async throws {
        guard let scenario = control.scenario(in: sitter.library), let item = scenario.cases.first else { return }
        for _ in 0..<KnownControls.attempts where sitter.reason(control) == nil {
            var local = try await run(of: scenario, item)
            local.control = control
            try await exam(local).run(at: place, isolation: #isolation, body)
        }
    }

    private func run(of scenario: Scenario, _ item: Case) async throws -> LocalRun {
        let run = try await SharedServer.started().run(scenario, bounds: RunBounds())
        var local = LocalRun(
            scenario: scenario, item: item, run: run, platform: sitter.platform, ledger: sitter.terms.ledger?.ledger)
        local.sitter = sitter
        return local
    }

    private func exam(_ local: LocalRun) async throws -> Exam {
        let deadline = await CaseTimes.deadline(
            try local.run.assignment(for: local.item).deadline,
            of: CaseID(scenario: local.scenario.id, name: local.item.name), knownIn: local.ledger)
        return Exam(local, patience: .milliseconds(deadline))
    }

    private func skip(_ reason: String, _ place: Testing.SourceLocation) throws {
        guard Test.current != nil else { return }
        #if compiler(>=6.3)
            try Test.cancel(Comment(rawValue: reason), sourceLocation: place)
        #endif
    }
}
