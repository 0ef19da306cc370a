internal import ProctorBase
internal import ProctorDocument
internal import ProctorEvents
internal import ProctorFixtures
internal import ProctorGrading
internal import ProctorJournal
internal import ProctorLoop
import ProctorNotation
internal import ProctorReplies
internal import ProctorRules
package import ProctorScenario
internal import ProctorServing

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
        run.judging.changeSetup { $0.ledger = ledger }
        return .object { $0.member("ledger", ledger.client) }
    }

    func putPlatform(_ request: ControlRequest) async throws(ControlError) -> BuiltInReply {
        let run = try find(request)
        let platform = try await read(request, by: Platform.parse) { mistakes in
            ControlError(400, "broken-platform", message: mistakes)
        }
        run.judging.changeSetup { $0.platform = platform }
        return .object { $0.member("platform", platform.name) }
    }

    private func read<Model: Sendable>(
        _ request: ControlRequest,
        by parse: @escaping @Sendable (_ bytes: [UInt8], _ file: String) -> (Model?, [Diagnostic]),
        failure: @escaping @Sendable (_ mistakes: String) -> ControlError
    ) async throws(ControlError) -> Model {
        let body = request.body
        return try await WorkThreads.reading.attempt(within: .ofInput) { _ throws(ControlError) in
            let (model, diagnostics) = parse(body, "body")
            if let model, diagnostics.isEmpty { return model }
            throw failure(diagnostics.map(\.description).joined(separator: "\n"))
        }
    }

    /// Judges the trace in the body by a case and the run's present journal; ``WorkTurns`` bounds the concurrent
    /// calls.
    func grade(_ request: ControlRequest) async throws(ControlError) -> BuiltInReply {
        let run = try find(request)
        let item = try gradedItem(of: run, request)
        let wantsReport = try request.switch("report")
        let task = try await task(request.body, of: run, by: item, request)
        let judged = try await judge(request.body.count, for: request) { [verdicts = numbers.verdicts] budget in
            let graded = try task.judge(within: budget)
            verdicts.count(graded.verdict.outcome.word)
            return (answer: graded.json(report: wantsReport, within: budget), shown: graded.shown)
        }
        run.judging.addTrace(judged.shown)
        return .json(judged.answer)
    }

    /// The case by which a client is judged: the one that is named, the only one, or what holds for every client.
    package func gradedItem(of run: Run, _ request: ControlRequest) throws(ControlError) -> Case {
        let hasNone = run.scenario.cases.isEmpty && request.query["case"] == nil
        return hasNone ? Case.ofAnyRequests(in: run.scenario) : try item(of: run, request)
    }

    /// What is to be judged, after the wait for the ends of connections that the call may want.
    package func task(
        _ trace: [UInt8], of run: Run, by item: Case, _ request: ControlRequest
    ) async throws(ControlError) -> GradingTask {
        let hung = request.query["hung"] == nil ? nil : try request.number("hung", in: Self.hungRange)
        let settle = try request.number("settle", in: Self.settleRange)
        if settle > 0 {
            await run.journal.waitForConnectionEnds(
                on: request.loop, within: .milliseconds(settle), whileStays: request.peer)
        }
        let setup = run.judging.setup
        return GradingTask(
            body: trace, journal: run.journal.snapshot(),
            grader: CaseGrader(
                item.asked(inRunOf: run.wantedProtocol), scenario: run.scenario.id, context: run.context,
                platform: setup.platform, ledger: setup.ledger),
            ending: hung.map { .hung(afterMilliseconds: $0, lastErrorLine: nil) } ?? .finished,
            scenario: run.scenario)
    }
}
