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

    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        var method = "GET"
        var status = 200
        let fields: [String]
        var steps: [CodingStep] = []
        var isChunked = false
        /// nil: the content is undone.
        var arrives: [UInt8]?
        /// Before chunks and length.
        var sends: [UInt8]?
        var testDescription: String { name }

        func content() throws -> [UInt8] { try sends ?? steps.reduce(text) { try Coded.bytes($0, $1) } }
    }

    static let rows = [
        Row(name: "gzip", fields: ["Content-Encoding: gzip"], steps: [CodingStep(.gzip)]),
        Row(name: "in any case", fields: ["content-encoding: GZip"], steps: [CodingStep(.gzip)]),
        Row(name: "x-gzip", fields: ["Content-Encoding: x-gzip"], steps: [CodingStep(.gzip)]),
        Row(
            name: "two members", fields: ["Content-Encoding: gzip"],
            steps: [
                CodingStep(.gzip, gzip: GzipShape(memberSizes: [5]))
            ]),
        Row(name: "raw deflate", fields: ["Content-Encoding: deflate"], steps: [CodingStep(.deflate, isRaw: true)]),
        Row(name: "zstd, chunked", fields: ["Content-Encoding: zstd"], steps: [CodingStep(.zstd)], isChunked: true),
        Row(
            name: "one upon another", fields: ["Content-Encoding: gzip, identity", "Content-Encoding: br"],
            steps: [CodingStep(.gzip), CodingStep(.brotli)]),
        Row(name: "identity", fields: ["Content-Encoding: identity"]),
        Row(name: "unknown", fields: ["Content-Encoding: rot13"]),
        Row(
            name: "one of two unknown", fields: ["Content-Encoding: rot13, gzip"], steps: [CodingStep(.gzip)],
            arrives: try? Coded.bytes(text, CodingStep(.gzip))),
        Row(name: "empty", fields: ["Content-Encoding: gzip"], arrives: [], sends: []),
        Row(
            name: "a part", status: 206, fields: ["Content-Encoding: gzip", "Content-Range: bytes 0-9/40"],
            arrives: Array(text[..<10]), sends: Array(text[..<10])),
        Row(
            name: "transfer coding", fields: ["Transfer-Encoding: gzip, chunked"], steps: [CodingStep(.gzip)],
            isChunked: true),
        Row(
            name: "both", fields: ["Content-Encoding: br", "Transfer-Encoding: gzip, chunked"],
            steps: [CodingStep(.brotli), CodingStep(.gzip)], isChunked: true),
        Row(name: "not found", status: 404, fields: ["Content-Encoding: gzip"], steps: [CodingStep(.gzip)]),
    ]

    @Test(arguments: rows) func `content arrives as it was before it was coded`(row: Row) async throws {
        let content = try row.content()
        try await TransportBench.run { peer in
            while try await peer.headOrEnd() != nil {
                var head = ["HTTP/1.1 \(row.status) X"] + row.fields
                if !row.isChunked {
                    head.append("Content-Length: \(content.count)")
                } else if !row.fields.contains(where: { $0.contains("chunked") }) {
                    head.append("Transfer-Encoding: chunked")
                }
                try await peer.send(head.joined(separator: "\r\n") + "\r\n\r\n")
                for byte in content {
                    try await peer.send(row.isChunked ? Array("1\r\n".utf8) + [byte] + [13, 10] : [byte])
                }
                if row.isChunked { try await peer.send("0\r\n\r\n") }
            }
        } _: { bench in
            for _ in 0..<2 {
                let host = await bench.load(ClientRequest(method: row.method, url: try bench.url()))
                #expect(host.content == (row.arrives ?? Self.text))
                #expect(host.summary.last == "ended", "\(host.failure?.sentence ?? "")")
            }
            // What is undone leaves the connection in order.
            #expect(bench.server.connectionCount == 1)
        }
    }

    @Test func `a transfer coding without chunked ends with the connection`() async throws {
        let content = try Coded.bytes(Self.text, CodingStep(.gzip))
        try await TransportBench.run { peer in
            _ = try await peer.head()
            try await peer.send("HTTP/1.1 200 X\r\nTransfer-Encoding: gzip\r\n\r\n")
            try await peer.send(content)
        } _: { bench in
            let host = await bench.load(try bench.get())
            #expect(host.content == Self.text)
            #expect(host.summary.last == "ended")
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

    @Test(arguments: [
        (CodingStep(.gzip, hasWrongChecksum: true), "gzip"),
        (CodingStep(.gzip, gzip: GzipShape(hasWrongLength: true)), "gzip"),
        (CodingStep(.gzip, missingByteCount: 3), "gzip"),
        (CodingStep(.brotli, missingByteCount: 1), "br"), (CodingStep(.zstd, hasWrongChecksum: true), "zstd"),
        (CodingStep(.identity), "gzip"),
    ])
    func `content that is not what its coding says fails the load`(step: CodingStep, name: String) async throws {
        let content = try Coded.bytes(Self.text, step)
        try await TransportBench.run { peer in
            _ = try await peer.head()
            try await peer.send(
                "HTTP/1.1 200 X\r\nContent-Encoding: \(name)\r\nContent-Length: \(content.count)\r\n\r\n")
            try await peer.send(content)
        } _: { bench in
            let host = await bench.load(try bench.get())
            #expect(host.failure?.kind == .cannotDecodeRawData)
            #expect(host.failure?.sentence.contains("can't be decoded: ") == true)
            #expect(Self.text.starts(with: host.content))
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
