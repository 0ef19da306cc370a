import ProctorBase
import ProctorCoding
import ProctorHTTP
import ProctorTestSupport
import Testing

@testable import ProctorReference

/// Coded content over a connection: what of it is undone, what not, and what is wrong with it.
@Suite(.limit(minutes: 5))
struct DecodedReplyTests {
    private static let text = Array("the same again, the same again, the same again".utf8)

    /// Status, Content-Encoding, and what is undone of it.
    @Test(
        arguments: [
            (200, "GZip", [.gzip]), (200, "x-gzip", [.xGzip]), (206, "gzip", []),
            (200, "gzip, identity, br", [.gzip, .brotli]), (200, "rot13, gzip", []), (404, "deflate", [.deflate]),
        ] as [(Int, String, [ContentCoding])])
    func `what is undone of a reply`(_ status: Int, _ content: String, _ undone: [ContentCoding]) throws {
        let head = try #require(
            LoaderScript.head("HTTP/1.1 \(status) X\r\nContent-Encoding: \(content)\r\nContent-Length: 1\r\n\r\n"))
        let codings = ReplyCodings(of: head)
        #expect(codings.content == undone && codings.transfer.isEmpty)
    }

    @Test func `codings of the transfer are undone behind those of the content`() async throws {
        let coded = try Coded.bytes(Coded.bytes(Self.text, CodingStep(.brotli)), CodingStep(.gzip))
        try await TransportBench.run { peer in
            _ = try await peer.head()
            try await peer.send(
                "HTTP/1.1 200 X\r\nContent-Encoding: br\r\nTransfer-Encoding: gzip, chunked\r\n\r\n"
                    + String(coded.count, radix: 16) + "\r\n")
            try await peer.send(coded + Array("\r\n0\r\n\r\n".utf8))
        } _: { bench in
            let host = await bench.load(try bench.get())
            #expect(host.content == Self.text)
        }
    }

    @Test(arguments: ["compress, chunked", "br, chunked", "rot13"])
    func `an unknown transfer coding fails the transfer`(codings: String) async throws {
        try await TransportBench.run { peer in
            _ = try await peer.head()
            try await peer.send("HTTP/1.1 200 X\r\nTransfer-Encoding: \(codings)\r\n\r\n0\r\n\r\n")
        } _: { bench in
            let host = await bench.load(try bench.get())
            #expect(host.failure?.kind == .cannotParseResponse)
        }
    }

    @Test func `a bomb is undone as fast as the host takes it`() async throws {
        let byteCount = 32 << 20
        let bomb = try Coded.zeros(byteCount, CodingStep(.gzip))
        let mayGoOn = Moment()
        let most = Counter()
        try await TransportBench.run { peer in
            _ = try await peer.head()
            try await peer.send("HTTP/1.1 200 X\r\nContent-Encoding: gzip\r\nContent-Length: \(bomb.count)\r\n\r\n")
            try await peer.send(bomb)
            mayGoOn.come()
            _ = try await peer.untilEnd()
        } _: { bench in
            let host = RecordingHost(watch: { event, _ in
                if case .content(let bytes) = event, bytes.count > 65_536 { _ = most.next() }
            }) { host in
                // The server has sent everything, and no more than one piece was undone for it.
                if host.questionCount == 2 {
                    await mayGoOn.wait()
                    #expect(host.content.count <= 65_536)
                }
                return .readOn
            }
            await bench.load(try bench.get(), for: host)
            #expect(host.content.count == byteCount)
            #expect(most.value == 0)
        }
    }
}

/// What becomes of lengths, progress and resume data where content is coded (R34, R36; RFC 9110 §14.1).
@Suite(.limit(minutes: 5))
struct CodedDownloadTests {
    private static let text = String(repeating: "again ", count: 200)

    @Test func `progress counts decoded bytes, and the expected count is unknown`() async throws {
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

enum Coded {
    static func bytes(_ content: [UInt8], _ steps: CodingStep...) throws -> [UInt8] {
        var bytes = content
        for step in steps {
            var encoder = try CodingEncoder(step)
            var coded: [UInt8] = []
            try encoder.encode(bytes.span, into: &coded)
            try encoder.finish(into: &coded)
            bytes = coded
        }
        return bytes
    }

    /// Many times the same: a little of what is coded stands for a lot.
    static func zeros(_ byteCount: Int, _ step: CodingStep) throws -> [UInt8] {
        var encoder = try CodingEncoder(step)
        var coded: [UInt8] = []
        let piece = [UInt8](repeating: 0, count: 1 << 20)
        for _ in 0..<byteCount >> 20 { try encoder.encode(piece.span, into: &coded) }
        try encoder.finish(into: &coded)
        return coded
    }
}
