import Foundation
import ProctorBase
import ProctorHTTP
import ProctorServer
import ProctorServing
import ProctorTestSupport
import ProctorTestWire
import Testing

/// Requests without an end, or with very many parts.
@Suite(.serialized, .limit(minutes: 5))
struct EndlessTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let start: String
        /// Sent again and again.
        let unit: String
        let status: Int
        let kind: String
        /// What the refusal must name.
        let bound: Int
    }

    static let chunked = String.request("PUT /one/", "Transfer-Encoding: chunked")

    static let rows: [Row] = [
        Row(
            testDescription: "a request line", start: "GET /", unit: "a", status: 414, kind: "request-line-too-long",
            bound: 8_480),
        Row(
            testDescription: "a field value", start: "GET / HTTP/1.1\r\nHost: a\r\nA: ", unit: "a", status: 431,
            kind: "field-line-too-long", bound: 32_768),
        Row(
            testDescription: "a field name", start: "GET / HTTP/1.1\r\nHost: a\r\n", unit: "a", status: 431,
            kind: "field-line-too-long", bound: 32_768),
        Row(
            testDescription: "short field lines", start: "GET / HTTP/1.1\r\nHost: a\r\n", unit: "A: b\r\n", status: 431,
            kind: "too-many-fields", bound: 200),
        Row(
            testDescription: "long field lines", start: "GET / HTTP/1.1\r\nHost: a\r\n",
            unit: "A: \(String(repeating: "b", count: 1_000))\r\n", status: 431, kind: "head-too-large", bound: 65_536),
        Row(
            testDescription: "empty lines", start: "", unit: "\r\n", status: 400, kind: "too-many-empty-lines", bound: 8
        ),
        Row(
            testDescription: "a chunk extension", start: chunked + "1;a=", unit: "b", status: 400,
            kind: "chunk-line-too-long", bound: 4_096),
        Row(
            testDescription: "chunk extensions", start: chunked + "1", unit: ";a", status: 400,
            kind: "chunk-line-too-long", bound: 4_096),
        Row(
            testDescription: "trailers", start: chunked + "0\r\n",
            unit: "A: \(String(repeating: "b", count: 1_000))\r\n",
            status: 431, kind: "trailers-too-large", bound: 16_384),
    ]

    @Test func `what has no end is refused with the bound that it met`() async throws {
        let received = Locked<[String]>([])
        let aftermath = try await Aftermath.of(CrowdTests.smallAndLarge) { child in
            // Of the last attack alone: one that memory grew by is made again.
            let texts = try Self.rows.map { try Self.send($0, to: child.base) }
            received.withLock { $0 = texts }
        }
        aftermath.expectNothing()
        let texts = received.withLock { $0 }
        #expect(texts.count == Self.rows.count)
        for (row, text) in zip(Self.rows, texts) { Self.expectRefusal(of: row, in: text) }
    }

    @Test func `a body beyond the limit is refused with it`() async throws {
        let row = Row(
            testDescription: "a body", start: Self.chunked, unit: "400\r\n\(String(repeating: "b", count: 1_024))\r\n",
            status: 413, kind: "content-too-large", bound: 4 << 20)
        try await withRun(
            CrowdTests.smallAndLarge, configure: { $0.limits.request.bodyByteCount = 4 << 20 },
            { run in
                let base = run.base
                Self.expectRefusal(of: row, in: try await onThread { try Self.send(row, to: base) })
            })
    }

    /// Sixteen MiB of it, or what is taken; returns the reply.
    private static func send(_ row: Row, to base: String) throws -> String {
        let wire = try Wire(to: base)
        defer { wire.close() }
        try wire.send(row.start)
        let piece = Array(String(repeating: row.unit, count: max(1, 65_536 / row.unit.utf8.count)).utf8)
        for _ in 0..<256 where (try? wire.send(piece)) == nil { break }
        wire.finish()
        return try wire.readToEnd().text
    }

    private static func expectRefusal(of row: Row, in text: String) {
        #expect(text.hasPrefix("HTTP/1.1 \(row.status) "), "\(row.testDescription)")
        #expect(text.contains("\(row.kind) at byte "), "\(row.testDescription)")
        #expect(text.contains("\(row.bound) "), "\(row.testDescription)")
    }

    @Test func `a body of 256 MiB is read without being kept`() async throws {
        let facts = Locked((memory: 0, text: ""))
        let aftermath = try await Aftermath.of(CrowdTests.smallAndLarge) { child in
            let idle = child.anonymousByteCount
            let wire = try Wire(to: child.base)
            defer { wire.close() }
            try wire.send(.request("PUT /one/", "Content-Length: \(256 << 20)"))
            let piece = [UInt8](repeating: 0x61, count: 4 << 20)
            for _ in 0..<63 { try wire.send(piece) }
            let memory = child.anonymousByteCount - idle
            try wire.send(piece)
            wire.finish()
            let text = try wire.readToEnd().text
            facts.withLock { $0 = (memory, text) }
        }
        aftermath.expectNothing()
        #expect(facts.withLock { $0.text } == "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
        if !Sanitizer.isOn { #expect(facts.withLock { $0.memory } <= 8 << 20) }
    }

    @Test func `10,000 requests in a pipeline are answered in their order`() async throws {
        let yaml = """
            summary: tells the number that was asked for
            exchanges: [ { request: "GET /{n}", reply: { status: 200, body: "<{{path.n}}>" } } ]
            """
        let facts = Locked((isRight: false, memory: 0, ending: Wire.Ending.silent))
        let aftermath = try await Aftermath.of(yaml) { child in
            let idle = child.anonymousByteCount
            let wire = try Wire(to: child.base)
            // Sent on another thread: the server stops reading while its replies are not read.
            Thread.detachNewThread {
                try? wire.send((0..<10_000).map { .request("GET /one/\($0)") }.joined())
                wire.finish()
            }
            let received = try wire.readToEnd()
            let memory = child.anonymousByteCount - idle
            wire.close()
            let wanted = (0..<10_000).map { number in
                let body = "<\(number)>"
                return "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
            }
            facts.withLock { $0 = (received.text == wanted.joined(), memory, received.ending) }
        }
        aftermath.expectNothing()
        #expect(facts.withLock { $0.isRight })
        #expect(facts.withLock { $0.ending } == .closed)
        if !Sanitizer.isOn { #expect(facts.withLock { $0.memory } <= 16 << 20) }
    }
}
