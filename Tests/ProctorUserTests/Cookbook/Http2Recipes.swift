import Foundation
import ProctorClientTesting
import ProctorRecorder
import ProctorTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// Written by Scripts/cookbook.py from Docs/cookbook/http2.md.

@Test(.failsOnLinux("URLSession there trusts the system's authorities alone"))
func `a request that was not processed is sent again`() async throws {
    try await withScenario("goaway") { exam in
        let client = Client(exam, delegate: Trust(exam))
        let body = try await client.load(exam.url("/")).body
        #expect(body == "again")
    }
}

@Test(.failsOnLinux("URLSession there trusts the system's authorities alone"))
func `a refused stream is sent again`() async throws {
    try await withScenario("refused-stream") { exam in
        let client = Client(exam, delegate: Trust(exam))
        let (reply, _) = try await client.load(exam.url("/orders"), method: "POST", body: "lamp")
        #expect(reply.statusCode == 201)
    }
}

@Test(.failsOnLinux("URLSession there trusts the system's authorities alone"))
func `two requests share a connection`() async throws {
    try await withScenario("one-h2-connection") { exam in
        let client = Client(exam, delegate: Trust(exam))
        for page in 1...2 {
            let body = try await client.load(exam.url("/\(page)")).body
            #expect(body == "page \(page)")
        }
    }
}
