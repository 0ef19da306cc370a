import Foundation
import ProctorClientTesting
import ProctorRecorder
import ProctorTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// Written by Scripts/cookbook.py from Docs/cookbook/bodies.md.

@Test func `a body that stops is an error`() async throws {
    try await withScenario("body-stops") { exam in
        exam.session().dataTask(with: exam.url("/report")).resume()
    }
}

@Test func `chunks without an end are an error`() async throws {
    try await withScenario("chunked-cut") { exam in
        exam.session().dataTask(with: exam.url("/list")).resume()
    }
}

@Test func `a wrong checksum is an error`() async throws {
    try await withScenario("gzip-checksum") { exam in
        exam.session().dataTask(with: exam.url("/data")).resume()
    }
}

@Test(.failsOnLinux("URLSession there takes what came for all"))
func `gzip that ends too early is an error`() async throws {
    try await withScenario("gzip-cut") { exam in
        exam.session().dataTask(with: exam.url("/data")).resume()
    }
}

@Test func `a page of the gateway is no JSON`() async throws {
    try await withScenario("html-for-json") { exam in
        let client = Client(exam)
        var (reply, body) = try await client.load(exam.url("/items"))
        if reply.statusCode != 200 || reply.mimeType != "application/json" {
            (reply, body) = try await client.load(exam.url("/items"))
        }
        #expect(try JSONDecoder().decode([Int].self, from: Data(body.utf8)) == [1, 2])
    }
}

@Test func `characters that come in pieces are put together`() async throws {
    try await withScenario("utf8-split") { exam in
        let body = try await Client(exam).load(exam.url("/text")).body
        #expect(body == "Grüße aus Köln")
    }
}
