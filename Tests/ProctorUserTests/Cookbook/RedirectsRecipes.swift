import Foundation
import ProctorClientTesting
import ProctorRecorder
import ProctorTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// Written by Scripts/cookbook.py from Docs/cookbook/redirects.md.

@Test func `a 303 turns POST into GET`() async throws {
    try await withScenario("post-becomes-get") { exam in
        let (_, body) = try await Client(exam).load(exam.url("/form"), method: "POST", body: "a=1")
        #expect(body == "thanks")
    }
}

@Test(.failsOnLinux("URLSession there sends no content the second time"))
func `a 307 has the POST sent again`() async throws {
    try await withScenario("post-stays-post") { exam in
        let (_, body) = try await Client(exam).load(exam.url("/old"), method: "POST", body: "a=1")
        #expect(body == "thanks")
    }
}

@Test func `a redirect loop ends`() async throws {
    try await withScenario("redirect-loop") { exam in
        await #expect(throws: URLError.self) { try await Client(exam).load(exam.url("/loop")) }
    }
}

@Test(.failsOnLinux("URLSession there sends the token"))
func `the token is not sent to another host`() async throws {
    try await withScenario("redirect-drops-token") { exam in
        let (_, body) = try await Client(exam).load(exam.url("/file"), fields: ["Authorization": "Bearer T"])
        #expect(body == "content")
    }
}

@Test(.failsOnLinux("URLSession there begins at the root"))
func `a relative Location is resolved`() async throws {
    try await withScenario("relative-location") { exam in
        let body = try await Client(exam).load(exam.url("/list/first")).body
        #expect(body == "two")
    }
}

private final class RedirectRefuser: NSObject, URLSessionTaskDelegate {
    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
    ) {
        completionHandler(nil)
    }
}

@Test func `the code is read from the Location`() async throws {
    try await withScenario("redirect-not-followed") { exam in
        let client = Client(exam, delegate: RedirectRefuser())
        let (reply, _) = try await client.load(exam.url("/authorize"))
        #expect(reply.value(forHTTPHeaderField: "Location")?.hasSuffix("?code=C") == true)
    }
}
