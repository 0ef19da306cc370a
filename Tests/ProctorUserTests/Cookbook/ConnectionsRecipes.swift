import Foundation
import ProctorClientTesting
import ProctorRecorder
import ProctorTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// Written by Scripts/cookbook.py from Docs/cookbook/connections.md.

@Test func `a GET is sent again after a reset`() async throws {
    try await withScenario("reset") { exam in
        let client = Client(exam)
        do {
            _ = try await client.load(exam.url("/"))
            Issue.record("the first load should fail")
        } catch is URLError {
            let body = try await client.load(exam.url("/")).body
            #expect(body == "ok")
        }
    }
}

@Test func `a kept connection that closes is replaced`() async throws {
    try await withScenario("keep-alive-race") { exam in
        let client = Client(exam)
        let body = try await client.load(exam.url("/1")).body
        #expect(body == "page 1")
        let second = try await client.load(exam.url("/2")).body
        #expect(second == "page 2")
    }
}

@Test func `the connection is used again`() async throws {
    try await withScenario("keep-alive") { exam in
        let client = Client(exam)
        for page in 1...3 {
            let body = try await client.load(exam.url("/\(page)")).body
            #expect(body == "page \(page)")
        }
    }
}

@Test func `a refused connection leads to the second server`() async throws {
    try await withScenario("refused") { exam in
        // Not recorded: a load that made no connection tells the verdict nothing.
        let first = URLSession(configuration: .ephemeral)
        await #expect(throws: URLError.self) { try await first.data(from: exam.url("/", origin: "first")) }
        let body = try await Client(exam).load(exam.url("/")).body
        #expect(body == "second")
    }
}

@Test(.failsOnLinux("URLSession there delivers the 103 as a response"))
func `early hints are not the reply`() async throws {
    try await withScenario("early-hints") { exam in
        exam.session().dataTask(with: exam.url("/")).resume()
    }
}

@Test func `the key is sent once`() async throws {
    try await withScenario("field-once") { exam in
        let body = try await Client(exam).load(exam.url("/"), fields: ["X-Api-Key": "K"]).body
        #expect(body == "ok")
    }
}
