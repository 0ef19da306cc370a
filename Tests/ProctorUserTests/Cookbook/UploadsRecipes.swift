import Foundation
import ProctorClientTesting
import ProctorRecorder
import ProctorTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// Written by Scripts/cookbook.py from Docs/cookbook/uploads.md.

private struct Order: Encodable {
    var name = "lamp"
    var count = 2
    var at = Date().timeIntervalSince1970
}

@Test func `the order is posted as JSON`() async throws {
    try await withScenario("post-json") { exam in
        let order = String(decoding: try JSONEncoder().encode(Order()), as: UTF8.self)
        let (reply, _) = try await Client(exam).load(
            exam.url("/orders"), method: "POST", fields: ["Content-Type": "application/json"], body: order)
        #expect(reply.statusCode == 201)
    }
}

@Test func `the form is encoded`() async throws {
    try await withScenario("post-form") { exam in
        let unreserved = CharacterSet.alphanumerics.union(CharacterSet(charactersIn: "-._~"))
        let value = try #require("1 + 1 = 2 & ü".addingPercentEncoding(withAllowedCharacters: unreserved))
        let (_, body) = try await Client(exam).load(
            exam.url("/search"), method: "POST", fields: ["Content-Type": "application/x-www-form-urlencoded"],
            body: "q=\(value)")
        #expect(body == "found")
    }
}

@Test func `a note and a photo are sent`() async throws {
    try await withScenario("multipart") { exam in
        var request = URLRequest(url: exam.url("/photos"))
        request.httpMethod = "POST"
        request.setValue("multipart/form-data; boundary=limit", forHTTPHeaderField: "Content-Type")
        var body = Data("--limit\r\nContent-Disposition: form-data; name=\"note\"\r\n\r\nat the sea\r\n".utf8)
        body += Data("--limit\r\nContent-Disposition: form-data; name=\"photo\"; filename=\"sea.png\"\r\n".utf8)
        body += Data("Content-Type: image/png\r\n\r\n".utf8) + [0x89, 0x50, 0x4E, 0x47]
        body += Data("\r\n--limit--\r\n".utf8)
        request.httpBody = body
        let (reply, _) = try await Client(exam).load(request)
        #expect(reply.statusCode == 201)
    }
}

@Test func `the body of a refused upload is not sent`() async throws {
    try await withScenario("expect-refused") { exam in
        let film = String(repeating: "x", count: 100_000)
        let (reply, _) = try await Client(exam).load(
            exam.url("/film"), method: "PUT", fields: ["Expect": "100-continue"], body: film)
        #expect(reply.statusCode == 413)
    }
}

@Test func `an upload has its length`() async throws {
    try await withScenario("upload-length") { exam in
        let (reply, _) = try await Client(exam).load(exam.url("/file"), method: "PUT", body: "bytes")
        #expect(reply.statusCode == 201)
    }
}
