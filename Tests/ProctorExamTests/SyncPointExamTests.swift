import Foundation
import ProctorExam
import ProctorFixtures
import ProctorGrading
import ProctorJournal
import ProctorScenario
import ProctorServer
import ProctorTestSupport
import Testing

@testable import ProctorRules

/// Replies that wait for what an adapter writes while its client runs.
@Suite(.limit(minutes: 5))
struct SyncPointExamTests {
    private static func yaml(await point: String) -> String {
        """
        summary: The rest comes when the beginning was seen
        exchanges:
          - request: GET /a
            reply: { status: 200, body: hello, effects: [ { at: body 2, do: { await: \(point) } } ] }
        cases:
          get: { client: { url: /a }, wire: request(GET /a), facts: { status: 200, body: hello } }
        """
    }

    /// Sits the case of the scenario above, and tells how the sync point was passed.
    private func sit(await point: String, adapter: [String]) async throws -> (Sitting, JournalEvent.SyncPassing?) {
        let (scenario, diagnostics) = ScenarioLoader.parse(
            Array(Self.yaml(await: point).utf8), id: "sync/one", file: "sync/one.yaml")
        let sound = try #require(scenario, "\(diagnostics)")
        let server = try await Server.start(Catalogue([sound]))
        // The PATH by which python3 was found: with another one, it would load the modules of the first python3 in that.
        let environment = ["PATH": ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"]
        let examiner = Examiner(
            server: server, adapter: Adapter(command: adapter, environment: environment), platform: .neutral)
        let sitting = await examiner.sit(sound.cases[0], of: sound)
        await server.stop(grace: .zero)
        let passings = (sitting.evidence.journal ?? []).compactMap { entry -> JournalEvent.SyncPassing? in
            if case .syncPassed(_, let how) = entry.event { how } else { nil }
        }
        #expect(passings.count <= 1)
        return (sitting, passings.first)
    }

    @Test func `URLSession in a process of its own is waited for, and its report read while it runs`() async throws {
        for point in ["response, within: 60s", "data, task: 0, within: 60s"] {
            let (sitting, passing) = try await sit(await: point, adapter: [BuiltProduct.urlSessionClient])
            #expect(passing == .reached, "\(sitting.timeline)")
            #expect(sitting.evidence.ending == .finished)
            #expect(!sitting.verdict.notJudged.contains { $0.contains("await") })
        }
    }
}
