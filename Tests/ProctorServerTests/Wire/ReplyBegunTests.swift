import Foundation
import ProctorHTTP
import ProctorJournal
import ProctorServer
import ProctorServing
import ProctorTestSupport
import ProctorTestWire
import Testing

/// What the journal says of a reply when its first byte goes out.
struct ReplyBegunTests {
    private static func journal(
        of yaml: String, _ requests: String..., until count: Int = 1
    ) async throws -> (got: [Wire.Received], replies: [SentReply], entries: [JournalEntry]) {
        try await withRun(yaml) { run in
            var got: [Wire.Received] = []
            for request in requests { got.append(try await exchange(request, with: run.base)) }
            _ = try await run.journal.lines(untilClosed: requests.count)
            return (got, run.journal.begunReplies, run.journal.snapshot().entries)
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let reply: String
        var request = String.request("GET /")
        let status: Int?
        var fields: [String]?
        let content: SentContent?
        var coded: SentContent?
        var testDescription: String { reply }
    }

    private static func text(_ text: String) -> SentContent {
        SentContent(byteCount: text.utf8.count, kept: Array(text.utf8))
    }

    static let rows: [Row] = [
        Row(
            reply: "{ status: 302, headers: { Location: /b }, body: ok }", status: 302,
            fields: ["Location: /b", "Content-Length: 2"], content: text("ok")),
        Row(reply: "{ status: 204 }", status: 204, fields: [], content: .empty),
        Row(
            reply: "{ status: 200, body: ok }", request: .request("HEAD /"), status: 200,
            fields: ["Content-Length: 2"], content: .empty),
        Row(
            reply: "{ status: 200, framing: chunked, body: [ab, cd] }", status: 200,
            fields: ["Transfer-Encoding: chunked"], content: text("abcd")),
        Row(
            reply: "{ status: 200, framing: close, body: [{ do: { send: x } }, abcd] }", status: 200, fields: [],
            content: nil),
        Row(
            reply: "{ status: 200, headers: { Content-Length: 3 }, body: abcd }", status: 200,
            fields: ["Content-Length: 3"], content: text("abc")),
        Row(
            reply: "{ status: 200, headers: { Content-Length: 9 }, body: abcd }", status: 200,
            fields: ["Content-Length: 9"], content: text("abcd")),
        Row(
            reply: "{ status: 200, headers: { Transfer-Encoding: chunked }, body: \"3\\r\\nabc\\r\\n0\\r\\n\\r\\n\" }",
            status: 200, fields: ["Transfer-Encoding: chunked"], content: text("abc")),
        Row(
            reply: "{ status: 200, headers: { Content-Encoding: gzip }, body: abcd }", status: 200,
            fields: ["Content-Encoding: gzip", "Content-Length: 4"], content: nil, coded: text("abcd")),
        Row(
            reply: "{ raw: \"HTTP/1.1 200 OK\\r\\nA: b\\r\\nContent-Length: 3\\r\\n\\r\\nabcdef\" }", status: 200,
            fields: ["A: b", "Content-Length: 3"], content: text("abc")),
        Row(
            reply: "{ raw: \"HTTP/1.1 200 OK\\r\\n\\r\\nabc\" }", status: 200, fields: [], content: text("abc")),
        Row(
            reply: "{ raw: \"HTTP/1.1 200 OK\\nContent-Length: 3\\n\\nabc\" }", status: 200,
            fields: ["Content-Length: 3"], content: nil),
        Row(reply: "{ raw: \"HTTP/1.1 200 OK\\r\\nA: b\" }", status: nil, content: nil),
        Row(reply: "{ raw: \"no head at all\" }", status: nil, content: nil),
    ]

    @Test(arguments: rows)
    func `a reply that begins says what the client is told`(_ row: Row) async throws {
        let yaml = always(row.reply).replacing("  reply:", with: "  reads: all\n    reply:")
        let (got, replies, entries) = try await Self.journal(of: yaml, row.request)
        #expect(replies.count == 1)
        let reply = try #require(replies.first)
        #expect(reply.status == row.status)
        let fields = reply.fields.map { $0.map { String(decoding: $0.raw, as: UTF8.self) } }
        #expect(fields == row.fields)
        #expect(reply.content == row.content)
        #expect(reply.codedContent == row.coded)
        if let count = reply.headByteCount {
            let head = got[0].bytes.prefix(count)
            #expect(head.suffix(2).allSatisfy { $0 == 0x0A || $0 == 0x0D } && !head.isEmpty)
            #expect(try ReplyHead(parsing: Array(got[0].bytes)).bytes.count == count)
        }
        let begun = try #require(entries.first { if case .replyBegun = $0.event { true } else { false } })
        let sent = try #require(entries.first { if case .replySent = $0.event { true } else { false } })
        #expect(begun.sequence < sent.sequence && begun.request == 0 && begun.connection == 0)
    }

    @Test func `interim replies are told one by one, each before the next, in as many writes as ever`() async throws {
        let yaml = always(
            "{ interim: [103, { status: 103, headers: { Link: \"</a>\" } }], status: 200, body: ok }")
        let (got, replies, _) = try await Self.journal(of: yaml, .request("GET /"))
        #expect(
            got[0].text == "HTTP/1.1 103 Early Hints\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"
                + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        #expect(replies.map(\.status) == [103, 103, 200])
        #expect(replies.map(\.isInterim) == [true, true, false])
        #expect(replies[1].fields?.map { String(decoding: $0.raw, as: UTF8.self) } == ["Link: </a>"])
    }

    @Test func `a reply that ends before its head has not begun`() async throws {
        let yaml = always("{ interim: [103, { do: close }], status: 200, body: ok }")
        let (_, replies, _) = try await Self.journal(of: yaml, .request("GET /"))
        #expect(replies.map(\.status) == [103])
    }

    @Test func `content that the server codes is told as it was and as it is sent`() async throws {
        let yaml = always("{ status: 200, coding: gzip, body: { pattern: offset, bytes: 100000 } }")
        let (got, replies, _) = try await Self.journal(of: yaml, .request("GET /"))
        let reply = try #require(replies.first)
        let content = try #require(reply.content)
        #expect(content.byteCount == 100_000 && content.kept.count == 65_536)
        let wanted = (0..<100_000).map { UInt8(truncatingIfNeeded: (UInt64($0) &* 0x9E37_79B9_7F4A_7C15) >> 56) }
        #expect(content.kept == Array(wanted.prefix(65_536)))
        #expect(content.sha256 == (try Self.sha256(wanted)))
        let body = got[0].bytes.dropFirst(try #require(reply.headByteCount))
        #expect(reply.codedContent?.byteCount == body.count)
        #expect(reply.codedContent?.kept == Array(body.prefix(65_536)))
    }

    /// Computed by the system's own tool.
    private static func sha256(_ bytes: [UInt8]) throws -> String {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        try Data(bytes).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["openssl", "dgst", "-sha256", "-r", file.path]
        let pipe = Pipe()
        process.standardOutput = pipe
        try process.run()
        let output = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return String(String(decoding: output, as: UTF8.self).prefix(64))
    }

    @Test func `content of many megabytes is known by its beginning and its length`() async throws {
        let yaml = always("{ status: 200, body: { pattern: offset, bytes: 20000000 } }")
        let content = try await withRun(yaml) { run in
            _ = try await exchange(.request("GET /"), with: run.base)
            return run.journal.begunReplies.first?.content
        }
        #expect(content?.byteCount == 20_000_000)
        #expect(content?.kept.count == 65_536)
        #expect(content?.sha256 == nil)
    }

    @Test func `requests with the same reply share one object, and a full journal counts it once`() async throws {
        let yaml = always("{ status: 200, body: { pattern: offset, bytes: 60000 } }")
        try await withRun(yaml) { run in
            let base = run.base
            // 60,000 bytes a request would be more than the journal's 16 MiB.
            try await onThread {
                let wire = try Wire(to: base)
                defer { wire.close() }
                for _ in 0..<400 {
                    try wire.send(.request("GET /"))
                    let head = try wire.readHead()
                    _ = try wire.read(60_000)
                    guard head.hasPrefix("HTTP/1.1 200") else { throw FixtureFailure(description: head) }
                }
            }
            _ = try await run.journal.lines(untilClosed: 1)
            let snapshot = run.journal.snapshot()
            #expect(snapshot.droppedCount == 0)
            let replies = run.journal.begunReplies
            #expect(replies.count == 400)
            #expect(replies.allSatisfy { $0 === replies[0] })
        }
    }
}
