import Foundation
import ProctorRecorder
import ProctorTestSupport
import ProctorTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Errors for unknown scenarios and cases, and for sessions without reports.
struct ExamChoiceTests {
    private static let page = """
        summary: A page
        exchanges: [ { request: GET /page, reply: { status: 200, body: hello } } ]
        cases:
          get: { client: { url: /page }, wire: request(GET /page), task: response(200) data+ complete(ok) }
        """

    @Test func `a wrong id is told with names like it and the folders that were looked in`() async throws {
        let folder = try TestFolder(["a/page.yaml": Self.page, "b/page.yaml": Self.page, "b/other.yaml": Self.page])
        let failure = await thrown { try await withScenario("a/paeg", fixtures: [folder.path]) { _ in } }
        #expect(failure.contains("there is no scenario 'a/paeg'; did you mean 'a/page'? (looked in \(folder.path)"))
        let several = await thrown { try await withScenario("page", fixtures: [folder.path]) { _ in } }
        #expect(several.contains("did you mean 'a/page', 'b/page'?"), "\(several)")
        let own = await thrown { try await withScenario("plain/gett") { _ in } }
        #expect(own.contains("'plain/get'") && own.contains("/fixtures;"), "\(own)")
    }

    @Test func `a pack of one scenario is chosen by its name, and one of several is told`() async throws {
        try await withScenario("llm") { exam in
            let recorder = exam.recorder()
            let session = recorder.session()
            var request = URLRequest(url: exam.url("/v1/chat/completions"))
            request.httpMethod = "POST"
            request.httpBody = Data(#"{"model":"echo","messages":[{"role":"user","content":"Hello there"}]}"#.utf8)
            let (data, _) = try await recorder.data(for: request, in: session)
            #expect(String(decoding: data, as: UTF8.self).contains(#""content":"Hello there""#))
            recorder.invalidate(session)
        }
        let several = await thrown { try await withScenario("httpbin") { _ in } }
        #expect(several.contains("'httpbin' is a pack of") && several.contains("httpbin/"), "\(several)")
    }

    @Test func `files that no test requests are not read, and a mistake in a requested file is reported`() async throws
    {
        let folder = try TestFolder(["a/page.yaml": Self.page, "a/broken.yaml": "summary: ["])
        try await withScenario("a/page", fixtures: [folder.path]) { exam in
            exam.session().dataTask(with: exam.url("/page")).resume()
        }
        let failure = await thrown { try await withScenario("a/broken", fixtures: [folder.path]) { _ in } }
        #expect(failure.contains("\(folder.path)/a/broken.yaml:1:"), "\(failure)")
    }

    @Test func `a session whose callbacks can't be seen is told, with what to call instead`() async throws {
        let folder = try TestFolder(["a/page.yaml": Self.page])
        let awaited = await thrown {
            try await withScenario("a/page", fixtures: [folder.path]) { exam in
                _ = try await exam.session().data(for: URLRequest(url: exam.url("/page")))
            }
        }
        #expect(awaited.contains("1 request came, and no session of the exam told what became of them."), "\(awaited)")
        #expect(awaited.contains("recorder.data(for: request, in: session) instead of session.data(for: request)"))
        let shared = await thrown {
            try await withScenario("a/page", fixtures: [folder.path]) { exam in
                _ = try await URLSession(configuration: .ephemeral).data(for: URLRequest(url: exam.url("/page")))
            }
        }
        #expect(shared.contains("no session reports to the exam: make the session with exam.session("), "\(shared)")
        let seen = await thrown {
            try await withScenario("a/page", fixtures: [folder.path]) { exam in
                exam.session().dataTask(with: exam.url("/other")).resume()
            }
        }
        #expect(seen.contains("fail: a/page#get") && !seen.contains("reports to the exam"), "\(seen)")
        #expect(!seen.contains("instead of session.data"))
    }
}
