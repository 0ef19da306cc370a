import Foundation
import ProctorRecorder
import ProctorTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension Exam {
    /// The replies to requests, by one session.
    fileprivate func load(_ requests: [URLRequest]) async throws -> [(Data, HTTPURLResponse)] {
        let recorder = recorder()
        let session = recorder.session()
        defer { recorder.invalidate(session) }
        var replies: [(Data, HTTPURLResponse)] = []
        for request in requests {
            let (data, response) = try await recorder.data(for: request, in: session)
            replies.append((data, try #require(response as? HTTPURLResponse)))
        }
        return replies
    }

    fileprivate func load(_ request: URLRequest) async throws -> (Data, HTTPURLResponse) {
        try #require(try await load([request]).first)
    }

    fileprivate func post(_ path: String, _ text: String) -> URLRequest {
        var request = URLRequest(url: url(path))
        request.httpMethod = "POST"
        request.httpBody = Data(text.utf8)
        return request
    }

    fileprivate func load(_ path: String) async throws -> (Data, HTTPURLResponse) {
        try await load(URLRequest(url: url(path)))
    }
}

/// The five tests that most suites begin with, as Docs/use/languages.md shows them.
struct FiveTests {
    private typealias Reply = ProctorTesting.Reply

    @Test func `waits as long as a 429 asks for`() async throws {
        let proctor = Stubs()
        let items = proctor.on("GET /items").reply(429, headers: ["Retry-After": 1]).reply(200, "ok").times(2)
        try await proctor.serve { exam in
            while try await exam.load("/items").1.statusCode == 429 { try await Task.sleep(for: .seconds(1)) }
            let (first, second) = (try #require(items.requests.first), try #require(items.requests.last))
            #expect(second.time - first.time >= .seconds(1) && first.end == .read)
        }
    }

    @Test func `asks again after a 503`() async throws {
        let proctor = Stubs()
        proctor.on("GET /job").reply(503).reply(200, "done").times(2)
        try await proctor.serve { exam in
            while try await exam.load("/job").1.statusCode == 503 {}
        }
    }

    @Test func `a slow body ends in a timeout`() async throws {
        let proctor = Stubs()
        proctor.on("GET /slow").reply(Reply(.ok).setting("body", ["a", ["do": "wait 10s"], "b"]))
        try await proctor.serve { exam in
            var request = URLRequest(url: exam.url("/slow"))
            request.timeoutInterval = 1
            await #expect(throws: URLError.self) { _ = try await exam.load(request) }
        }
    }

    @Test func `posts JSON`() async throws {
        let proctor = Stubs()
        proctor.on("POST /items").having("json", ["name": "a"]).reply(201)
        try await proctor.serve { exam in
            let (_, response) = try await exam.load(exam.post("/items", #"{"name":"a"}"#))
            #expect(response.statusCode == 201)
        }
    }

    @Test func `sends the cookie of the login`() async throws {
        let proctor = Stubs()
        proctor.on("POST /login").reply(200, headers: ["Set-Cookie": "session=1"])
        proctor.on("GET /account").having("cookies", ["session": "1"]).reply(200, "Ann")
        try await proctor.serve { exam in
            let replies = try await exam.load([exam.post("/login", ""), URLRequest(url: exam.url("/account"))])
            #expect(replies.last?.0 == Data("Ann".utf8))
        }
    }
}
