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

/// Repetitions with other slices; the clients are shell scripts, whose times are none of the server's clock.
@Suite(.limit(minutes: 5))
struct ResliceExamTests {
    private static let header =
        #"{"trace":"proctor","version":1,"client":"script","clientVersion":"1","clock":"other","unit":"ns","#
        + #""lanes":["task","harness"]}"#

    private func yaml(_ item: String) -> String {
        """
        summary: Nothing is asked of the wire
        exchanges: [ { request: GET /, reply: { status: 200, body: hello } } ]
        cases: { \(item) }
        """
    }

    /// A client that counts its sittings in a folder; `later` is what it does in the third and after it.
    private func sit(_ item: String, later: [String], reslices: Int) async throws -> (Sitting, sittings: Int) {
        let folder = try TestFolder()
        defer { folder.remove() }
        let usual = [
            #""lane":"harness","ev":"resume""#, #""lane":"task","family":"US","ev":"response","arg":"200""#,
            #""lane":"harness","ev":"answer","arg":"allow","facts":{"to":"response"}"#,
            #""lane":"task","ev":"data""#, #""lane":"task","ev":"complete","arg":"ok""#,
        ]
        func lines(_ events: [String]) -> String {
            ([Self.header] + events.enumerated().map { "{\"seq\":\($0 + 1),\"ns\":\(($0 + 1) * 1_000),\($1)}" })
                .map { "echo '\($0)'\n" }.joined()
        }
        let script = """
            touch '\(folder.path)/'$$
            if [ $(ls '\(folder.path)' | wc -l) -lt 3 ]; then
            \(lines(usual))else
            \(lines(usual.dropLast(2) + later))fi
            """
        let (scenario, diagnostics) = ScenarioLoader.parse(Array(yaml(item).utf8), id: "a/b", file: "b.yaml")
        let sound = try #require(scenario, "\(diagnostics)")
        let server = try await Server.start(Catalogue([sound]))
        let examiner = Examiner(
            server: server, adapter: Adapter(command: ["sh", "-c", script], environment: ["PATH": "/usr/bin:/bin"]),
            platform: .neutral, reslices: reslices)
        let sitting = await examiner.sit(sound.cases[0], of: sound)
        await server.stop(grace: .zero)
        return (sitting, try FileManager.default.contentsOfDirectory(atPath: folder.path).count)
    }

    private static let data = #""lane":"task","ev":"data""#
    private static let ok = #""lane":"task","ev":"complete","arg":"ok""#
    private static let lost = #""lane":"task","ev":"complete","arg":"connectionLost""#

    @Test func `more chunks are no difference, and it is asked as often as was said`() async throws {
        let (sitting, count) = try await sit(
            "get: { client: { url: / } }", later: [Self.data, Self.data, Self.data, Self.ok], reslices: 4)
        #expect(sitting.verdict.outcome == .pass, "\(sitting.verdict)")
        #expect(count == 5)
    }

    @Test func `a difference fails the case with both sides, and ends the sittings`() async throws {
        let (sitting, count) = try await sit(
            "get: { client: { url: / } }", later: [Self.data, Self.lost], reslices: 9)
        #expect(sitting.verdict.outcome == .fail)
        #expect(count == 3)
        let finding = try #require(sitting.verdict.failures.first)
        #expect(finding.subject == .slices(seed: 2_000))
        #expect(
            finding.description == """
                with other slices (seed 2000) the callbacks of task were 'response(200) data+ complete(connectionLost)' \
                and not 'response(200) data+ complete(ok)'
                  before  : response(200) data+ complete(ok)
                  sliced  : response(200) data+ complete(connectionLost)
                """)
        #expect(String(decoding: sitting.verdict.json, as: UTF8.self).contains(#""about":"slices""#))
    }

    @Test func `what only observes is compared, and no failure`() async throws {
        let (sitting, _) = try await sit(
            "get: { kind: observes, client: { url: / } }", later: [Self.lost], reslices: 2)
        #expect(sitting.verdict.outcome == .observed)
        #expect(sitting.verdict.findings.count == 1 && sitting.verdict.failures.isEmpty)
    }

    @Test func `a case that fails anyhow, or counts chunks on purpose, is asked once`() async throws {
        let (failing, once) = try await sit(
            "get: { client: { url: / }, wire: request(GET /) }", later: [], reslices: 3)
        #expect(failing.verdict.outcome == .fail && once == 1)
        let (counting, only) = try await sit(
            "get: { client: { url: /, cancelAt: { event: data, count: 2 } } }", later: [], reslices: 3)
        #expect(counting.verdict.outcome == .pass && only == 1, "\(counting.verdict)")
        #expect(
            counting.verdict.notJudged.contains(
                "other slices: step 0 acts at a certain number of 'data', which is how bytes were cut"))
    }
}
