import ProctorAssignments
import ProctorEvents
import ProctorFixtures
import ProctorJournal
import ProctorProgram
import ProctorRecorder
import ProctorReferenceAdapter
import ProctorRules
import ProctorScenario
import ProctorServer
import ProctorTestSupport
import Testing

/// A server of this process with one scenario, where clients of the old shapes load.
enum LegacyServer {
    /// `body` gets the address of the run's first origin.
    static func serve<Result>(_ yaml: String, _ body: (_ base: String) async throws -> Result) async throws -> Result {
        try await serve(yaml, run: { try await body($0.base) })
    }

    private static func serve<Result>(_ yaml: String, run body: (Run) async throws -> Result) async throws -> Result {
        let text = "summary: for clients of the old shapes\n" + yaml
        let (scenario, diagnostics) = ScenarioLoader.parse(
            Array(text.utf8), id: "test/legacy", file: "test/legacy.yaml", folder: nil)
        let found = try #require(scenario, "\(diagnostics)")
        let server = try await Server.start(Catalogue([found]))
        do {
            let result = try await body(try await server.run(found.id))
            await server.stop(grace: .zero)
            return result
        } catch {
            await server.stop(grace: .zero)
            throw error
        }
    }

    /// Has the steps done that `steps` makes of the address, as an adapter would.
    static func trace(
        as shape: ReferenceShape, _ yaml: String, steps: (_ base: String) -> [Assignment.Step]
    ) async throws -> LegacyTrace {
        try await serve(
            yaml,
            run: { run in
                var assignment = Assignment(
                    scenario: "test/legacy", caseName: "test", base: run.base, deadline: 120_000,
                    steps: steps(run.base))
                assignment.session.requestTimeout = Patience.seconds * 1000
                return await trace(of: assignment, as: shape)
            })
    }

    /// One step, for `/a`.
    static func trace(
        as shape: ReferenceShape, _ yaml: String, path: String = "/a",
        _ change: (inout Assignment.Step) -> Void = { _ in }
    ) async throws -> LegacyTrace {
        try await trace(as: shape, yaml) { base in
            var step = Assignment.Step(url: base + path)
            if shape != .connection { step.task = .download }
            change(&step)
            return [step]
        }
    }

    static func trace(of assignment: Assignment, as shape: ReferenceShape) async -> LegacyTrace {
        let runner = ReferenceRunner(assignment, as: shape, recordingTo: TraceRecorder())
        let ending = await runner.run()
        return LegacyTrace(events: runner.recorder.events, header: runner.header, ending: ending)
    }
}

struct LegacyTrace: Sendable {
    let events: [TraceEvent]
    let header: TraceHeader
    let ending: AssignmentRunner.Ending

    /// The callbacks of a step, where runs of equal ones count once.
    func calls(of step: Int = 0) -> String {
        var symbols: [String] = []
        for event in events where event.lane == .task && event.task == step && event.phase == .enter {
            let symbol = "\(event.symbol)"
            if symbols.last != symbol { symbols.append(symbol) }
        }
        return symbols.joined(separator: " ")
    }

    var calls: String { calls() }

    var result: EventFacts? { result(of: 0) }

    func result(of step: Int) -> EventFacts? { events.first { $0.name == .result && $0.task == step }?.facts }

    func first(_ name: EventName) -> TraceEvent? { events.first { $0.name == name && $0.phase == .enter } }

    func all(_ name: EventName) -> [TraceEvent] { events.filter { $0.name == name && $0.phase == .enter } }

    /// No rule may be broken, on a platform that promises silence after a cancel, and each event belongs to its family.
    func expectNoHit(sourceLocation: SourceLocation = #_sourceLocation) {
        var platform = Platform.neutral
        platform.legacyCancel = .silent
        var checker = TraceChecker(platform: platform)
        checker.expect(header)
        for event in events { checker.observe(event) }
        let report = checker.finish()
        for hit in report.hits { Issue.record("\(hit) in \(calls)", sourceLocation: sourceLocation) }
        for refusal in report.grammars {
            Issue.record("\(refusal.family): \(refusal.diagnosis) in \(calls)", sourceLocation: sourceLocation)
        }
        #expect(ending == .finished, "\(events.last.map { "\($0)" } ?? "nothing")", sourceLocation: sourceLocation)
    }
}

enum LegacyScenes {
    static let page = """
        exchanges:
          - request: GET /a
            reply: { status: 200, headers: { Content-Type: text/plain }, body: "hello" }
        """

    static let redirect = """
        exchanges:
          - request: GET /a
            reply: { status: 302, headers: { Location: /b }, body: "moved" }
          - request: GET /b
            reply: { status: 200, body: "hello" }
          - request: GET /c
            reply: { status: 200, body: "changed" }
        """

    /// Breaks off after ten of twenty bytes; what comes then follows.
    static func broken(_ fields: String, rest: String) -> String {
        """
        exchanges:
          - request: { method: GET, path: /a, headers: { Range: "bytes=10-" } }
            reply: \(rest)
          - request: GET /a
            reply:
              status: 200
              headers: { Content-Length: "20"\(fields.isEmpty ? "" : ", " + fields) }
              body: "0123456789"
              effects: [{ at: end, do: close }]
        """
    }

    static let rest = """
        { status: 206, headers: { Content-Range: "bytes 10-19/20", ETag: '"v1"' }, body: "abcdefghij" }
        """
}
