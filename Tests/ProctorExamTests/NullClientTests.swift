import ProctorExam
import ProctorGrading
import ProctorScenario
import ProctorServer
import ProctorTestSupport
import Testing

@testable import ProctorRules

/// Clients that read nothing of the replies: a case that they pass tests nothing.
@Suite(.serialized, .timeLimit(.minutes(20)))
struct NullClientTests {
    /// Requests, redirects and broken replies: one case of every third scenario, or every one where everything is asked.
    ///
    /// Cases of other families that ask only for what must not be sent, or for an empty content, a liar can pass.
    private static func patterns(_ scenarios: [Scenario]) -> [String] {
        let families = ["broken/", "fault/", "redirect/", "url/"]
        let cases = scenarios.filter { scenario in families.contains { scenario.id.hasPrefix($0) } }
            .flatMap { scenario in scenario.cases.map { (scenario.id, $0.name) } }
        return Extent.of(cases, stride: 3) { $0.0 }.map { "\($0)#\($1)" }
    }

    private func passes(of script: String) async throws -> (passed: [Case], report: ExamReport) {
        try await ExamBench.with { bench in
            let adapter = Adapter(
                command: ["/usr/bin/python3", "\(Checkout.path)/Tests/Clients/\(script)"],
                environment: ["PATH": "/usr/bin:/bin"])
            let examiner = Examiner(server: bench.server, adapter: adapter, platform: .neutral, ledger: nil)
            let selection = try CaseSelection(Self.patterns(bench.scenarios), among: bench.scenarios)
            let report = await ExamWalk(examiner, width: 4).run(selection)
            let ids = Set(report.verdicts.filter { $0.outcome == .pass }.map(\.id))
            let passed = selection.cases.filter { ids.contains(CaseID(scenario: $0.scenario.id, name: $0.item.name)) }
            return (passed.map(\.item), report)
        }
    }

    @Test func `a client that does nothing passes nothing`() async throws {
        let (passed, report) = try await passes(of: "null_nothing.py")
        #expect(passed.isEmpty, "\(passed.map(\.location))")
        #expect(report.isFailure)
    }

    @Test func `one that sends the first request passes what is about that request alone`() async throws {
        let (passed, report) = try await passes(of: "null_first_request.py")
        // Its requests are right, and that is all that can be said of them.
        #expect(report.verdicts.contains { $0.outcome == .partly })
        for item in passed where !item.isAboutRequestsAlone { Issue.record("\(item.location): \(item.subjectText)") }
        #expect(
            !report.verdicts.contains { if case .setupFailed = $0.outcome { true } else { false } }, "\(report.tally)")
    }

    @Test func `one that lies about the reply passes no more`() async throws {
        let (passed, _) = try await passes(of: "null_liar.py")
        let beyond = passed.filter { !$0.isAboutRequestsAlone }
        // Where the truth is "200, nothing came, no error", the reset of every connection tells the lie apart.
        #expect(beyond.isEmpty, "\(beyond.map(\.location))")
    }
}
