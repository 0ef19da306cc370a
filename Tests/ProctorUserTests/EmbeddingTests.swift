import Foundation
import ProctorDocument
import ProctorFixtures
import ProctorGrading
import ProctorHTTP
import ProctorJournal
import ProctorReference
import ProctorScenario
import ProctorServer
import Testing

/// The server and the reference client in a program of a user's.
struct EmbeddingTests {
    private static let fixtures = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("fixtures/plain").path

    @Test func `a run is asked, judged and stopped`() async throws {
        let loaded = ScenarioLoader.load(paths: [Self.fixtures])
        #expect(loaded.isClean, "\(loaded.diagnostics.map(\.description))")
        var configuration = ServerConfiguration()
        configuration.limits.idleDuration = .seconds(5)
        let server = try await Server.start(Catalogue(loaded.scenarios), configuration: configuration)
        let scenario = try #require(server.catalogue.scenarios.first { $0.id.hasSuffix("get") })
        let run = try await server.run(scenario.id)
        let (content, response) = try await get("\(run.base)/hello")
        #expect(content == Array("hello\n".utf8) && response.status == 200)
        #expect(response.fields.first(named: "Content-Type")?.value.hasPrefix("text/plain") == true)

        var targets: [String] = []
        for entry in run.journal.snapshot().entries {
            guard case .requestHead(let head, let target) = entry.event else { continue }
            #expect(head.method == "GET" && head.fields.contains(named: "Host"))
            targets.append(String(decoding: target, as: UTF8.self))
        }
        #expect(targets == ["/hello"])
        let verdict = run.wireVerdict(of: try scenario.case(named: "get"))
        #expect(verdict.findings.filter { $0.weight == .failure }.map(\.sentence) == [])
        await run.stop()
        await server.stop()
    }

    private func get(_ address: String) async throws -> (content: [UInt8], response: LoadResponse) {
        var configuration = ReferenceConfiguration()
        configuration.requestTimeout = .seconds(10)
        let session = try ReferenceSession(configuration: configuration)
        defer { session.finishTasksAndInvalidate() }
        return try await session.data(for: ClientRequest(url: try ClientURL(address)))
    }

    @Test func `an address that is none is refused with its section`() throws {
        #expect {
            try ClientURL("http://a b/")
        } throws: { error in
            "\(error)".contains("RFC 3986")
        }
    }
}
