import Foundation
import ProctorExam
import ProctorGrading
import ProctorScenario
import ProctorServer
import ProctorTestSupport
import Testing

/// Four clients before the families of cookies and URLs; what comes of it stands in `Docs/url-cookie-clients.md`.
@Suite(.timeLimit(.minutes(20)))
struct SurveyTests {
    private static let isRecording = ProcessInfo.processInfo.environment["PROCTOR_RECORD"] == "url-cookie-clients"

    @Test(.enabled(if: !SurveyTests.isRecording), arguments: SurveyClient.allCases)
    func `a client does what the page says`(client: SurveyClient) async throws {
        #if !os(Linux)
            if client == .urlSession { try Test.cancel("the page tells of URLSession on Linux") }
        #endif
        guard let version = try await client.version() else {
            try Test.cancel("no \(client.rawValue); Scripts/install-packages.sh test installs it")
        }
        let page = SurveyPage()
        let isWhole = ProcessInfo.processInfo.environment["PROCTOR_SURVEY"] == "whole"
        let differences = try await SurveyWalk.differences(of: client, from: page, isWhole: isWhole)
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
        let text = try String(contentsOfFile: SurveyPage.path, encoding: .utf8)
        // All that can be told from its rows and the fixtures: counts, cells, order.
        #expect(text == page.text(scenarios), "record the page again")
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
            page = page.with(try await SurveyWalk.steadyRows(of: client, asked: asked), of: client, asked, scenarios)
        }
        let text = page.text(scenarios)
        try Data(text.utf8).write(to: URL(fileURLWithPath: SurveyPage.path), options: .atomic)
    }
}
