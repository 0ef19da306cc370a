import ProctorCoding
import ProctorHTTP
import Testing

@testable import ProctorReference

/// What becomes of lengths, progress and resume data where content is coded (R34, R36; RFC 9110 §14.1).
@Suite(.timeLimit(.minutes(5)))
struct CodedDownloadTests {
    private static let text = String(repeating: "again ", count: 200)

    @Test func `progress counts what is undone, of a whole that nobody knows`() async throws {
        let coded = try Coded.bytes(Array(Self.text.utf8), CodingStep(.gzip))
        try await SessionBench.run { _, peer in
            try await peer.send("HTTP/1.1 200 X\r\nContent-Encoding: gzip\r\nContent-Length: \(coded.count)\r\n\r\n")
            try await peer.send(coded)
            return ""
        } _: { bench in
            let delegate = LogDelegate()
            let session = try ReferenceSession(delegate: delegate)
            let task = session.downloadTask(with: try bench.request("/file"))
            task.resume()
            await delegate.log.wait(for: "complete")
            session.invalidateAndCancel()
            #expect(delegate.log.lines.last { $0.hasPrefix("progress") } == "progress 1200/-1")
            #expect(delegate.log.lines.contains("complete ok"))
            #expect(delegate.content == Self.text)
            #expect(task.response?.expectedByteCount == nil)
        }
    }

    @Test func `what was coded leaves nothing to go on with`() async throws {
        let coded = try Coded.bytes(pattern(400_000), CodingStep(.gzip))
        try await SessionBench.run { _, peer in
            try await peer.send(
                "HTTP/1.1 200 X\r\nContent-Encoding: gzip\r\nETag: \"v1\"\r\nContent-Length: \(coded.count)\r\n\r\n")
            try await peer.send(Array(coded[..<(coded.count - 1)]))
            return nil
        } _: { bench in
            let delegate = LogDelegate()
            let session = try ReferenceSession(delegate: delegate)
            let task = session.downloadTask(with: try bench.request("/file"))
            task.resume()
            await delegate.log.wait(for: "complete")
            session.invalidateAndCancel()
            #expect(delegate.log.lines.contains("complete connectionLost"))
            #expect(delegate.log.lines.contains { $0.hasPrefix("progress") })
            #expect(task.resumeData == nil)
        }
    }

    @Test(
        arguments: [
            ("HEAD", "Content-Encoding: gzip", nil), ("HEAD", "Content-Encoding: rot13", 40), ("HEAD", "X: y", 40),
        ] as [(String, String, Int?)])
    func `a length is told where it is that of what arrives`(
        method: String, field: String, expected: Int?
    ) async throws {
        try await SessionBench.run { _, _ in
            "HTTP/1.1 200 X\r\n\(field)\r\nContent-Length: 40\r\n\r\n"
        } _: { bench in
            let session = try ReferenceSession()
            let (_, response) = try await session.data(for: try bench.request("/file", method: method))
            session.invalidateAndCancel()
            #expect(response.expectedByteCount == expected)
        }
    }
}
