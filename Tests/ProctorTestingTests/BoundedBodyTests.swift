import Foundation
import ProctorRecorder
import ProctorTestSupport
import ProctorTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// `within:` bounds the body, whatever it waits for.
@Suite(.limit(minutes: 5))
struct BoundedBodyTests {
    enum Waiting: String, CaseIterable, Sendable {
        case recorded, unrecorded, ownSession, nothingOfOurs
    }

    @Test(arguments: Waiting.allCases)
    func `a body that would wait for a minute is a hang after its bound`(_ waiting: Waiting) async throws {
        let folder = try TestFolder([
            "odd/stall.yaml": """
            summary: The reply never comes
            exchanges:
              - request: GET /page
                reply: { status: 200, effects: [ { at: head, do: stall } ] }
            cases: { get: { client: { url: /page }, wire: request(GET /page), facts: { status: 200 } } }
            """
        ])
        let failure = await thrown {
            try await withScenario("odd/stall", within: .seconds(2), fixtures: [folder.path]) { exam in
                // URLSession's own patience ends long after the test.
                let request = URLRequest(url: exam.url("/page"), timeoutInterval: 3_600)
                switch waiting {
                case .recorded:
                    let recorder = exam.recorder()
                    _ = try await recorder.data(for: request, in: recorder.session())
                case .unrecorded: _ = try await exam.session().data(for: request)
                case .ownSession: _ = try await URLSession(configuration: .ephemeral).data(for: request)
                case .nothingOfOurs: try await Task.sleep(for: .seconds(600))
                }
            }
        }
        #expect(failure.contains("the body had not ended after 2000 ms (within:), so it was cancelled"), "\(failure)")
    }

    @Test func `the verdict of a body that was cut is a hang, and its own error is no part of the trace`() async throws
    {
        let folder = try TestFolder([
            "odd/stall.yaml": """
            summary: The rest never comes
            exchanges:
              - request: GET /page
                reply: { status: 200, body: hello, effects: [ { at: body 2, do: stall } ] }
            cases:
              get: { client: { url: /page }, wire: request(GET /page), task: response(200) data+ complete(ok) }
            """
        ])
        // A body that does not throw has the verdict thrown.
        let failure = await thrown {
            try await withScenario("odd/stall", within: .seconds(2), fixtures: [folder.path]) { exam in
                exam.session().dataTask(with: exam.url("/page")).resume()
                try? await Task.sleep(for: .seconds(600))
            }
        }
        #expect(failure.contains("hang: odd/stall#get"), "\(failure)")
        #expect(failure.contains("GET /page HTTP/1.1") && !failure.contains("cancelled"), "\(failure)")
    }

    @Test func `a result comes back, and what stands around the body can be changed in it`() async throws {
        var count = 0
        let result = try await withScenario("plain/get") { exam in
            count += 1
            exam.session().dataTask(with: exam.url("/hello")).resume()
            return NotSendable(text: exam.base)
        }
        #expect(result.text.hasPrefix("http://") && count == 1)
    }

    @MainActor @Test func `a body runs on the actor of its caller`() async throws {
        try await withScenario("plain/get") { exam in
            MainActor.assertIsolated()
            exam.session().dataTask(with: exam.url("/hello")).resume()
        }
    }

    @Test func `a test that is cancelled cancels the body and wants no verdict`() async throws {
        let task = Task.detached {
            try await withScenario("plain/get") { _ in try await Task.sleep(for: .seconds(600)) }
        }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
    }
}

private final class NotSendable {
    let text: String

    init(text: String) { self.text = text }
}

/// What an exam outside of a test throws, as text; empty where it throws nothing.
func thrown(_ exam: @escaping @Sendable () async throws -> Void) async -> String {
    await Task.detached {
        do {
            try await exam()
            return ""
        } catch {
            return "\(error)"
        }
    }.value
}
