import Foundation
import ProctorExam
import ProctorFixtures
import ProctorRules
import ProctorScenario
import ProctorServer
import ProctorTestSupport
import Testing

@testable import ProctorGrading

/// Four clients at the families of cookies and URLs; `Docs/results/cookies-and-urls.tsv` has the results.
@Suite(.wide, .limit(minutes: 20))
struct SurveyTests {
    private static let isRecording = ProcessInfo.processInfo.environment["PROCTOR_RECORD"] == "url-cookie-clients"

    @Test(.enabled(if: !SurveyTests.isRecording), arguments: SurveyClient.allCases)
    func `a client does what the page says`(client: SurveyClient) async throws {
        #if !os(Linux)
            if client == .urlSession { try Test.cancel("the page tells of URLSession on Linux") }
        #endif
        guard let version = try await client.version() else {
            try Test.cancel("no \(client.rawValue); Scripts/install-packages.sh test-all installs it")
        }
        let page = SurveyPage()
        let differences = try await SurveyWalk.differences(of: client, from: page, isWhole: Extent.isWhole)
        guard !differences.isEmpty else { return }
        let isTheOne = version == client.writtenFor || version.hasPrefix(client.writtenFor + ".")
        let note =
            isTheOne
            ? "the page says otherwise; if the client is right to, or the fixture is new, record the page again"
            : "the page is written for \(client.rawValue) \(client.writtenFor), this is \(version)"
        Issue.record(
            "\(note)\n\(differences.joined(separator: "\n"))", severity: isTheOne ? .error : .warning)
    }

    @Test(.enabled(if: !SurveyTests.isRecording)) func `the page has every scenario, and nothing else`() throws {
        let scenarios = try SurveyWalk.scenarios()
        #expect(scenarios.count >= 150)
        let page = SurveyPage()
        let ids = Set(scenarios.flatMap { scenario in scenario.cases.map { "\(scenario.id)#\($0.name)" } })
        for (client, rows) in page.rows {
            for row in rows { #expect(ids.contains(row.id), "\(client.rawValue): \(row.id) is no case") }
            #expect(Set(rows.map(\.id)).count == rows.count, "\(client.rawValue): a case stands twice")
        }
        // All that can be told from its rows and the fixtures: counts and order.
        #expect(try String(contentsOfFile: SurveyPage.path, encoding: .utf8) == page.text, "record the page again")
        let counted = try String(contentsOfFile: SurveyPage.countsPath, encoding: .utf8)
        #expect(counted == page.page(counted, scenarios), "record the page again")
    }

    /// With `PROCTOR_SURVEY=url/nul,url/idn` what is told of those scenarios alone, so that a new fixture takes a minute.
    @Test(.enabled(if: SurveyTests.isRecording)) func `the page is written anew`() async throws {
        let wanted = ProcessInfo.processInfo.environment["PROCTOR_SURVEY"]?.split(separator: ",").map(String.init)
        let scenarios = try SurveyWalk.scenarios()
        let asked = scenarios.map(\.id).filter { wanted?.contains($0) ?? true }
        if let wanted { #expect(asked.count == wanted.count, "not all of \(wanted) are scenarios of these families") }
        var page = SurveyPage()
        for client in SurveyClient.allCases {
            try #require(try await client.version() != nil, "no \(client.rawValue)")
            page = page.with(
                try await SurveyWalk.steadyRows(of: client, asked: asked), of: client, asked: asked, among: scenarios)
        }
        try Data(page.text.utf8).write(to: URL(fileURLWithPath: SurveyPage.path), options: .atomic)
        let counted = try String(contentsOfFile: SurveyPage.countsPath, encoding: .utf8)
        let recounted = try #require(page.page(counted, scenarios))
        try Data(recounted.utf8).write(to: URL(fileURLWithPath: SurveyPage.countsPath), options: .atomic)
    }
}

/// Walks of a client through the surveyed families.
enum SurveyWalk {
    /// How often a case is asked again, alone, before it counts as otherwise; the other tests keep the machine busy.
    private static let retries = 2
    /// Walks that are compared before the page is written: URLSession on Linux sends its cookies in an order of chance.
    private static func recordings(of client: SurveyClient) -> Int { client == .urlSession ? 10 : 3 }

    /// Those with cases, in the order of the library.
    static func scenarios() throws -> [Scenario] {
        let loaded = ExamBench.library
        try #require(loaded.isClean, "\(loaded.diagnostics)")
        return surveyed(loaded.scenarios)
    }

    private static func surveyed(_ scenarios: [Scenario]) -> [Scenario] {
        scenarios.filter { scenario in
            !scenario.cases.isEmpty && SurveyPage.families.contains { scenario.id.hasPrefix($0) }
        }
    }

    /// A sentence for each case that is not as the page says; where not all are asked, one of every eighteenth scenario, of
    /// others by each client.
    static func differences(
        of client: SurveyClient, from page: SurveyPage, isWhole: Bool
    ) async throws -> [String] {
        try await ExamBench.with { bench in
            let examiner = try examiner(client, bench)
            var differences: [String] = []
            let offset = SurveyClient.allCases.firstIndex(of: client) ?? 0
            let ids = Extent.of(surveyed(bench.scenarios), stride: 18, offset: offset).map {
                isWhole ? $0.id : page.sample(of: $0, client)
            }
            for verdict in try await walk(ids, bench, by: examiner) {
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
                walks.append(try await walk(ids, bench, by: examiner).map { SurveyRow($0) })
            }
            return walks[0].indices.compactMap { index in SurveyRow.common(to: walks.map { $0[index] }) }
        }
    }

    private static func walk(
        _ patterns: [String], _ bench: ExamBench, by examiner: Examiner
    ) async throws -> [CaseVerdict] {
        let selection = try CaseSelection(patterns, among: bench.scenarios)
        return await ExamWalk(examiner, width: 4).run(selection).verdicts
    }

    /// No deviation is known of any client, but what URLSession on Linux never tells and breaks everywhere.
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
