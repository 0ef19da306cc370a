import Foundation
import ProctorClientTesting
import ProctorRecorder
import ProctorTestSupport
import ProctorTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Replies that wait for callbacks of the same process.
@Suite(.limit(minutes: 5))
struct SyncPointTests {
    /// Calls `body` with a folder that holds the scenario `sync/page`, whose reply waits for `point` after two bytes.
    private func withFixture(
        await point: String, _ body: ([String]) async throws -> Void
    ) async throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let family = folder.url.appendingPathComponent("sync")
        try FileManager.default.createDirectory(at: family, withIntermediateDirectories: true)
        try Self.yaml(point).write(to: family.appendingPathComponent("page.yaml"), atomically: true, encoding: .utf8)
        try await body([folder.path])
    }

    private static func yaml(_ point: String) -> String {
        """
        summary: The rest comes when the beginning was seen
        exchanges:
          - request: GET /page
            reply: { status: 200, body: hello, effects: [ { at: body 2, do: { await: \(point) } } ] }
        cases:
          get: { client: { url: /page }, wire: request(GET /page), task: response(200) data+ complete(ok) }
          wire: { client: { url: /page }, wire: request(GET /page) }
        """
    }

    @Test(arguments: ["response, within: 250s", "data, task: 0, within: 250s"])
    func `a callback lets the reply go on`(point: String) async throws {
        try await withFixture(await: point) { fixtures in
            let start = ContinuousClock.now
            try await withScenario("sync/page", case: "get", fixtures: fixtures) { exam in
                exam.session().dataTask(with: exam.url("/page")).resume()
            }
            // The bound would be over only then.
            #expect(ContinuousClock.now - start < .seconds(240))
        }
    }

    @Test func `the case's own program reports too`() async throws {
        try await withFixture(await: "response, within: 250s") { fixtures in
            try await withScenario("sync/page", case: "get", fixtures: fixtures) { exam in
                let ending = try await exam.performProgram()
                #expect(ending == .finished)
            }
        }
    }

    @Test func `a session without a recorder is not waited for`() async throws {
        try await withFixture(await: "response, within: 250s") { fixtures in
            let start = ContinuousClock.now
            try await withScenario("sync/page", case: "wire", fixtures: fixtures) { exam in
                let session = URLSession(configuration: .ephemeral)
                defer { session.finishTasksAndInvalidate() }
                let text = await withCheckedContinuation { continuation in
                    session.dataTask(with: exam.url("/page")) { data, _, _ in
                        continuation.resume(returning: String(decoding: data ?? Data(), as: UTF8.self))
                    }.resume()
                }
                #expect(text == "hello")
            }
            #expect(ContinuousClock.now - start < .seconds(240))
        }
    }
}
