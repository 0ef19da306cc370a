import Foundation
import ProctorEvents
import ProctorExam
import ProctorGrading
import ProctorScenario
import ProctorServer
import ProctorTestSupport
import Testing

@testable import ProctorRules

/// Clients that look at nothing, or at little: a must that they pass tests nothing.
@Suite(.wide, .serialized, .limit(minutes: 20))
struct NullClientTests {
    /// One case of every eighteenth scenario; every case of all families where everything is asked.
    ///
    /// The server of a test speaks no HTTP/3.
    private static func patterns(_ scenarios: [Scenario]) -> [String] {
        let served = scenarios.filter { !$0.origins.contains(where: \.speaksHTTP3) }
        let cases = served.flatMap { scenario in scenario.cases.map { (scenario.id, $0.name) } }
        return Extent.of(cases, stride: 36) { $0.0 }.map { "\($0)#\($1)" }
    }

    /// The musts that the client of a script passes.
    private func passes(of script: String, _ patterns: ([Scenario]) -> [String] = Self.patterns) async throws -> (
        passed: [(id: CaseID, item: Case)], report: ExamReport
    ) {
        try await ExamBench.with { bench in
            var adapter = Adapter(
                command: ["/usr/bin/python3", "\(Checkout.path)/Tests/Clients/\(script)"],
                environment: ["PATH": "/usr/bin:/bin"])
            adapter.takesManyAssignments = true
            let examiner = Examiner(server: bench.server, adapter: adapter, platform: .neutral, ledger: nil)
            let selection = try CaseSelection(patterns(bench.scenarios), among: bench.scenarios)
            let report = await ExamWalk(examiner, width: 4).run(selection)
            let ids = Set(report.verdicts.filter { $0.outcome == .pass && $0.kind == .must }.map(\.id))
            let passed = selection.cases.map {
                (id: CaseID(scenario: $0.scenario.id, name: $0.item.name), item: $0.item)
            }
            return (passed.filter { ids.contains($0.id) }, report)
        }
    }

    /// The musts that Scripts/marks.tsv lists for a client, with `*` for every client.
    private static func excused(_ client: String) throws -> Set<String> {
        let list = try String(contentsOf: URL(fileURLWithPath: "\(Checkout.path)/Scripts/marks.tsv"), encoding: .utf8)
        let rows = list.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { $0.split(separator: "\t") }
        return Set(rows.filter { $0[0] == "*" || $0[0] == client }.map { String($0[1]) })
    }

    @Test(arguments: ["nothing", "closes", "waits", "error", "empty", "zeros"])
    func `a client that looks at nothing passes no must but those that are listed`(name: String) async throws {
        let (passed, report) = try await passes(of: "null_\(name).py")
        let excused = try Self.excused(name)
        let beyond = passed.map(\.id.description).filter { !excused.contains($0) }
        #expect(beyond.isEmpty, "\(beyond)")
        #expect(report.isFailure)
        let setupFailed = report.verdicts.count { if case .setupFailed = $0.outcome { true } else { false } }
        // A client that never begins is no client.
        #expect(setupFailed == (name == "nothing" ? report.verdicts.count : 0), "\(report.tally)")
    }

    @Test func `one that believes everything passes no must that needs a jar or a cache`() async throws {
        let (passed, report) = try await passes(of: "null_believer.py") { scenarios in
            let families = ["cache/", "cookie/"]
            return Self.patterns(scenarios.filter { scenario in families.contains { scenario.id.hasPrefix($0) } })
                + ["plain/404"]
        }
        let beyond = passed.filter { !$0.item.needs.isDisjoint(with: [.cookieJar, .cache]) }
        #expect(beyond.isEmpty, "\(beyond.map(\.id))")
        // What a client without them does rightly, it passes.
        #expect(report.verdicts.contains { $0.id.scenario.hasPrefix("plain/") && $0.outcome == .pass })
    }

    @Test func `one whose jar breaks at an odd cookie passes no must about one`() async throws {
        let odd = ["dates-of-http", "deleted", "domain-of-others", "max-age", "two-digit-years"].map { "cookie/\($0)" }
        let (passed, report) = try await passes(of: "brittle_jar.py") { _ in odd + ["cookie/path#in-a-query"] }
        // A path that does not match is nothing odd.
        #expect(passed.map(\.id.description) == ["cookie/path#in-a-query"])
        #expect(report.verdicts.contains { $0.outcome == .partly })
    }
}
