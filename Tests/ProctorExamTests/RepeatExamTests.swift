import Foundation
import ProctorExam
import ProctorFixtures
import ProctorGrading
import ProctorReport
import ProctorScenario
import ProctorServer
import ProctorTestSupport
import Testing

@testable import ProctorRules

/// Cases that are asked several times; the client is a shell script that does otherwise the second time.
@Suite(.limit(minutes: 5))
struct RepeatExamTests {
    private static let header =
        #"{"trace":"proctor","version":1,"client":"script","clientVersion":"1","clock":"other","unit":"ns","#
        + #""lanes":["task","harness"],"facts":["status","error"]}"#

    private static let yaml = """
        summary: Nothing is asked of the wire
        exchanges: [ { request: GET /, reply: { status: 200, body: hello } } ]
        cases: { get: { client: { url: / }, task: response(200) data+ complete(ok) } }
        """

    /// The report of two sittings with their events.
    private func sit(_ events: [[String]], ledger: String? = nil) async throws -> ExamReport {
        let folder = try TestFolder()
        defer { folder.remove() }
        func lines(_ events: [String]) -> String {
            let numbered = events.enumerated().map { "{\"seq\":\($0 + 1),\"ns\":\(($0 + 1) * 1_000),\($1)}" }
            return ([Self.header] + numbered).map { "echo '\($0)'\n" }.joined()
        }
        let script = "if mkdir '\(folder.path)/asked'; then\n\(lines(events[0]))else\n\(lines(events[1]))fi 2>/dev/null"
        let (parsed, problems) = ScenarioLoader.parse(Array(Self.yaml.utf8), id: "a/b", file: "b.yaml")
        let scenario = try #require(parsed, "\(problems)")
        let read = ledger.map { Ledger.parse(Array($0.utf8), file: "script.yaml") }
        if ledger != nil { try #require(read?.ledger != nil, "\(read?.diagnostics ?? [])") }
        let server = try await Server.start(Catalogue([scenario]))
        let examiner = Examiner(
            server: server, adapter: Adapter(command: ["sh", "-c", script], environment: ["PATH": "/usr/bin:/bin"]),
            platform: .neutral, ledger: read?.ledger)
        let report = await ExamWalk(examiner, width: 1, repeats: 2).run(try CaseSelection([], among: [scenario]))
        await server.stop(grace: .zero)
        return report
    }

    private static let resume = #""lane":"harness","ev":"resume""#
    private static let response = #""lane":"task","family":"US","ev":"response","arg":"200""#
    private static let answered = [
        resume, response, #""lane":"harness","ev":"answer","arg":"allow","facts":{"to":"response"}"#,
        #""lane":"task","ev":"data""#, #""lane":"task","ev":"complete","arg":"ok""#,
    ]
    private static let failed = [resume, #""lane":"task","family":"US","ev":"complete","arg":"unknown""#]
    private static let unimplemented = #""lane":"harness","ev":"unimplemented","arg":"no such call""#

    @Test func `a case that is not the same twice is told, and fails the exam`() async throws {
        let report = try await sit([Self.answered, Self.failed])
        #expect(report.unsteady.map(\.id.description) == ["a/b#get"] && report.differs && report.isFailure)
        let same = try await sit([Self.answered, Self.answered])
        #expect(same.unsteady.isEmpty && !same.differs)
    }

    @Test func `what the ledger says is so sometimes fails nothing`() async throws {
        let ledger = """
            client: script
            version: "1"
            deviations:
              a/b#get: { rule: RFC 9110 §9, because: it is a script, sometimes: true }
            """
        let report = try await sit([Self.answered, Self.failed], ledger: ledger)
        #expect(report.unsteady.map(\.isKnown) == [true] && !report.differs)
        #expect(report.summary().contains("  differs a/b#get, asked 2 times, as its ledger says"))
    }

    @Test func `of a case that the client can't be asked, what came before its adapter gave up does not count`()
        async throws
    {
        let report = try await sit([[Self.resume, Self.response, Self.unimplemented], [Self.unimplemented]])
        #expect(report.counts == ["not-in-this-adapter": 1] && report.unsteady.isEmpty, "\(report.summary())")
    }
}
