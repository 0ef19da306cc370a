import ProctorExam
import ProctorGrading
import ProctorScenario
import ProctorTestSupport
import ProctorTrace
import Testing

/// Walks of a client through the surveyed families.
enum SurveyWalk {
    /// How often a case is asked again, alone, before it counts as otherwise; the other tests keep the machine busy.
    private static let retries = 2
    /// Walks that are compared before the page is written: URLSession on Linux sends its cookies in an order of chance.
    private static func recordings(of client: SurveyClient) -> Int { client == .urlSession ? 10 : 3 }

    /// Those with cases, in the order of the library.
    static func scenarios() throws -> [Scenario] {
        let loaded = ScenarioLoader.load(paths: ["\(Checkout.path)/fixtures"])
        try #require(loaded.isClean, "\(loaded.diagnostics)")
        return surveyed(loaded.scenarios)
    }

    private static func surveyed(_ scenarios: [Scenario]) -> [Scenario] {
        scenarios.filter { scenario in
            !scenario.cases.isEmpty && SurveyPage.families.contains { scenario.id.hasPrefix($0) }
        }
    }

    /// A sentence for each case that is not as the page says; of each scenario one is asked, where not all are.
    static func differences(
        of client: SurveyClient, from page: SurveyPage, isWhole: Bool
    ) async throws -> [String] {
        try await ExamBench.with { bench in
            let examiner = try examiner(client, bench)
            var differences: [String] = []
            let ids = surveyed(bench.scenarios).flatMap { isWhole ? [$0.id] : [page.sample(of: $0, client)] }
            for verdict in try await walk(ids, bench, examiner) {
                let told = page.row(verdict.id.description, client)
                var seen = verdict
                for _ in 0..<retries where !agree(told, seen) {
                    seen = try await bench.sit(verdict.id.scenario, verdict.id.name, with: examiner).verdict
                }
                guard !agree(told, seen) else { continue }
                let row = SurveyRow(seen)
                differences.append(
                    "\(verdict.id)\n  page: \(told.map { "\($0.word) \($0.finding)" } ?? "passes")\n"
                        + "  seen: \(row.map { "\($0.word) \($0.finding)" } ?? "passes")")
            }
            return differences
        }
    }

    private static func agree(_ told: SurveyRow?, _ verdict: CaseVerdict) -> Bool {
        // Of what the system lacks nothing can be said.
        if case .skipped = verdict.outcome { return true }
        let seen = SurveyRow(verdict)
        return told.map { $0.agrees(with: seen) } ?? (seen == nil)
    }

    /// The rows of several walks through those scenarios, those that differ marked as such.
    static func steadyRows(of client: SurveyClient, asked ids: [String]) async throws -> [SurveyRow] {
        try await ExamBench.with { bench in
            let examiner = try examiner(client, bench)
            var walks: [[SurveyRow?]] = []
            for _ in 0..<recordings(of: client) {
                walks.append(try await walk(ids, bench, examiner).map { SurveyRow($0) })
            }
            return walks[0].indices.compactMap { index in SurveyRow.common(to: walks.map { $0[index] }) }
        }
    }

    private static func walk(
        _ patterns: [String], _ bench: ExamBench, _ examiner: Examiner
    ) async throws -> [CaseVerdict] {
        let selection = try CaseSelection(patterns, among: bench.scenarios)
        return await ExamWalk(examiner, width: 4).run(selection).verdicts
    }

    /// Nothing is known of anybody, but what URLSession on Linux never tells and breaks everywhere.
    private static func examiner(_ client: SurveyClient, _ bench: ExamBench) throws -> Examiner {
        guard client == .urlSession else {
            return Examiner(server: bench.server, adapter: client.adapter, platform: .neutral)
        }
        let shipped = try Ledger.of(
            String(decoding: try Checkout.bytes("clients/urlsession-corelibs.yaml"), as: UTF8.self))
        let (platform, diagnostics) = Platform.parse(
            try Checkout.bytes("clients/platforms/corelibs-6.3.yaml"), file: "corelibs-6.3.yaml")
        let ledger = Ledger(
            client: shipped.client, version: shipped.version, platform: shipped.platform, rules: shipped.rules,
            never: shipped.never, deviations: [])
        return Examiner(
            server: bench.server, adapter: client.adapter, platform: try #require(platform, "\(diagnostics)"),
            ledger: ledger)
    }
}
