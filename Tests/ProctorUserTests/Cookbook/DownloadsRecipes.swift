import Foundation
import ProctorClientTesting
import ProctorRecorder
import ProctorTesting
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

// Written by Scripts/cookbook.py from Docs/cookbook/downloads.md.

@Test func `a download is resumed`() async throws {
    try await withScenario("resume") { exam in
        let client = Client(exam)
        await #expect(throws: URLError.self) { try await client.load(exam.url("/file")) }
        // Your client has kept the four bytes that came, and the ETag.
        let (reply, rest) = try await client.load(
            exam.url("/file"), fields: ["Range": "bytes=4-", "If-Range": "\"v1\""])
        #expect(reply.statusCode == 206 && "0123" + rest == "0123456789")
    }
}

@Test func `a whole file replaces what was there`() async throws {
    try await withScenario("range-ignored") { exam in
        let kept = "0123"
        let (reply, body) = try await Client(exam).load(exam.url("/file"), fields: ["Range": "bytes=\(kept.count)-"])
        #expect((reply.statusCode == 206 ? kept : "") + body == "0123456789")
    }
}

@Test func `a new file is taken whole`() async throws {
    try await withScenario("file-changed") { exam in
        let (reply, body) = try await Client(exam).load(
            exam.url("/file"), fields: ["Range": "bytes=4-", "If-Range": "\"v1\""])
        #expect(reply.statusCode == 200 && body == "abcdefghij")
    }
}

/// Counts pieces as they come, and keeps none.
private final class PieceCounter: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private let lock = NSLock()
    private var sizes: [Int] = []

    var largest: Int { lock.withLock { sizes.max() ?? 0 } }
    var total: Int { lock.withLock { sizes.reduce(0, +) } }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        lock.withLock { sizes.append(data.count) }
    }
}

@Test func `a large file needs little memory`() async throws {
    try await withScenario("large-file") { exam in
        let counter = PieceCounter()
        exam.session(delegate: counter).dataTask(with: exam.url("/film")).resume()
        await exam.finished()
        #expect(counter.total == 20_000_000 && counter.largest < 5_000_000)
    }
}
