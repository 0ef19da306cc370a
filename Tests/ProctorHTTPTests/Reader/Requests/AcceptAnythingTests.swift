import ProctorBase
import ProctorHTTP
import Testing

/// Heads that RFC 9112 has refused, and that a reader still reads when it accepts anything.
struct AcceptAnythingTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let request: String
        /// What is noted, in order of offset.
        let kinds: [String]
        var method = "GET"
        var target = "/a"
        var fields: [String] = ["Host"]
        var framing = BodyFraming.none
        var keepsConnection = true
        var version = "HTTP/1.1"
        var testDescription: String { "\(kinds): \(request.debugDescription.prefix(60))" }
    }

    static let rows: [Row] = [
        Row(request: "GET /a HTTP/1.1\r\n\r\n", kinds: ["missing-host"], fields: []),
        Row(
            request: "GET /a HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", kinds: ["duplicate-host"],
            fields: ["Host", "Host"]),
        Row(request: "GET /a HTTP/1.1\r\nHost: a b\r\n\r\n", kinds: ["bad-host"]),
        Row(request: "GET /a b HTTP/1.1\r\nHost: a\r\n\r\n", kinds: ["space-in-target"], target: "/a b"),
        Row(request: "GET /a\u{1}b HTTP/1.1\r\nHost: a\r\n\r\n", kinds: ["control-in-target"], target: "/a\u{1}b"),
        Row(request: "GET a HTTP/1.1\r\nHost: a\r\n\r\n", kinds: ["bad-target"], target: "a"),
        Row(
            request: "GET http:///a HTTP/1.1\r\nHost: a\r\n\r\n",
            kinds: ["empty-host-in-target", "host-differs-from-target"], target: "http:///a"),
        Row(
            request: "CONNECT a HTTP/1.1\r\nHost: a\r\n\r\n", kinds: ["bad-connect-target"], method: "CONNECT",
            target: "a"),
        Row(request: "G(T /a HTTP/1.1\r\nHost: a\r\n\r\n", kinds: ["bad-method"], method: "G(T"),
        Row(request: "{x} /a HTTP/1.1\r\nHost: a\r\n\r\n", kinds: ["bad-method"], method: "{x}"),
        Row(
            request: "GET /a\r\nHost: a\r\n\r\n", kinds: ["missing-version"], keepsConnection: false,
            version: "HTTP/1.0"),
        Row(request: "GET /a HTP/1.1\r\nHost: a\r\n\r\n", kinds: ["bad-version"]),
        Row(request: "GET /a HTTP/2.0\r\nHost: a\r\n\r\n", kinds: ["unsupported-version"], version: "HTTP/2.0"),
        Row(
            request: "GET /a HTTP/1.1\r\nHost: a\r\nno colon\r\nB: c\r\n\r\n", kinds: ["missing-colon"],
            fields: ["Host", "B"]),
        Row(
            request: "GET /a HTTP/1.1\r\nHost: a\r\n: x\r\nB: c\r\n\r\n", kinds: ["empty-field-name"],
            fields: ["Host", "B"]),
        Row(
            request: "GET /a HTTP/1.1\r\nHost: a\r\nA : x\r\n\r\n", kinds: ["space-before-colon"],
            fields: ["Host", "A"]),
        Row(
            request: "GET /a HTTP/1.1\r\nHost: a\r\nA\u{1}B: x\r\n\r\n", kinds: ["bad-field-name"],
            fields: ["Host", "A\u{1}B"]),
        Row(
            request: "GET /a HTTP/1.1\r\nHost: a\r\nA: \0x\0\r\n\r\n", kinds: ["nul-in-field-value"],
            fields: ["Host", "A"]),
        Row(request: "GET /a HTTP/1.1\r\nHost: a\r\nA: x\ry\r\n\r\n", kinds: ["bare-cr"], fields: ["Host", "A"]),
        Row(
            request: "PUT /a HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n", kinds: ["bad-content-length"],
            method: "PUT", fields: ["Host", "Content-Length"], keepsConnection: false),
        Row(
            request: "PUT /a HTTP/1.1\r\nHost: a\r\nContent-Length: 1, 2\r\n\r\n", kinds: ["differing-content-lengths"],
            method: "PUT", fields: ["Host", "Content-Length"], keepsConnection: false),
        Row(
            request: "PUT /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: br, chunked\r\n\r\n",
            kinds: ["unsupported-transfer-coding"], method: "PUT", fields: ["Host", "Transfer-Encoding"],
            framing: .chunked),
        Row(
            request: "PUT /a HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked, br\r\n\r\n",
            kinds: ["chunked-not-final", "unsupported-transfer-coding"], method: "PUT",
            fields: ["Host", "Transfer-Encoding"], keepsConnection: false),
        Row(
            request: "PUT /a HTTP/1.0\r\nTransfer-Encoding: chunked\r\nConnection: keep-alive\r\n\r\n",
            kinds: ["transfer-encoding-in-http-1.0"], method: "PUT", fields: ["Transfer-Encoding", "Connection"],
            framing: .chunked, keepsConnection: false, version: "HTTP/1.0"),
    ]

    @Test(arguments: rows)
    func `what still has a reading is read, and each departure noted`(_ row: Row) throws {
        let whole = try #require(Self.head(of: Array(row.request.utf8), step: .max))
        #expect(whole.method == row.method)
        #expect(String(decoding: whole.target, as: UTF8.self) == row.target)
        #expect(whole.fields.map { String(decoding: $0.name, as: UTF8.self) } == row.fields)
        #expect(whole.framing == row.framing)
        #expect(whole.keepsConnection == row.keepsConnection)
        #expect("\(whole.version)" == row.version)
        #expect(whole.violations.map(\.kind.rawValue) == row.kinds)
        #expect(whole.violations.contains(where: { $0.isReadOver }))
        #expect(!whole.violations.contains(where: { $0.isFatal }))
        #expect(whole.bytes == Array(row.request.utf8))
        #expect(Self.head(of: Array(row.request.utf8), step: 1) == whole)
        // By itself a reader refuses it, for the same reason.
        guard case .failure(let violation) = Self.strict(row.request) else {
            Issue.record("it is read by everybody")
            return
        }
        #expect(violation.isFatal && row.kinds.contains(violation.kind.rawValue))
    }

    @Test(arguments: [
        "GET\r\n\r\n", "GET HTTP/1.1\r\nHost: a\r\n\r\n", " \r\n\r\n", "\u{16}\u{3}\u{1}",
        "\u{1}GET / HTTP/1.1\r\n\r\n",
        "PRI * HTTP/2.0\r\n\r\n", "GET /\(String(repeating: "a", count: 9_000)) HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nA: \(String(repeating: "a", count: 40_000))\r\n\r\n", "\r\rGET / HTTP/1.1\r\n\r\n",
    ])
    func `what has no method, no target, another protocol or too many bytes is refused all the same`(request: String) {
        for step in [1, Int.max] {
            var reader = RequestReader(acceptsAnything: true)
            #expect(Self.events(of: Array(request.utf8), &reader, step: step).contains { $0.isRefusal })
        }
    }

    @Test func `a well-formed head is read as without the option`() throws {
        for request in [
            "GET / HTTP/1.1\r\nHost: a\r\n\r\n", "GET /?q#f HTTP/1.1\r\nHost: a\r\nA:b\r\n c\r\n\r\n",
            "OPTIONS * HTTP/1.1\nHost: a\n\n",
            "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 3\r\n\r\nabc",
        ] {
            var strict = RequestReader()
            var other = RequestReader(acceptsAnything: true)
            let bytes = Array(request.utf8)
            #expect(Self.events(of: bytes, &strict, step: .max) == Self.events(of: bytes, &other, step: .max))
        }
    }

    @Test func `bytes of every kind within a head trap nothing`() {
        let head = Array("GET /a HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: x\r\n\r\n".utf8)
        for index in head.indices {
            for byte in stride(from: UInt8(0), through: 0xFF, by: 5) {
                var bytes = head
                bytes[index] = byte
                var reader = RequestReader(acceptsAnything: true)
                let events = Self.events(of: bytes, &reader, step: .max)
                if case .head(let head)? = events.first(where: { if case .head = $0 { true } else { false } }) {
                    #expect(!head.targetRange.isEmpty && !head.methodRange.isEmpty)
                    _ = (head.path, head.query)
                }
            }
        }
    }

    private static func head(of bytes: [UInt8], step: Int) -> RequestHead? {
        var reader = RequestReader(acceptsAnything: true)
        for case .head(let head) in events(of: bytes, &reader, step: step) { return head }
        return nil
    }

    private static func strict(_ request: String) -> Result<RequestHead, Violation> {
        Result { () throws(Violation) in try RequestHead(parsing: Array(request.utf8)) }
    }

    private static func events(of bytes: [UInt8], _ reader: inout RequestReader, step: Int) -> [RequestEvent] {
        var events: [RequestEvent] = []
        var start = 0
        while start < bytes.count {
            let piece = Array(bytes[start..<start + min(step, bytes.count - start)])
            var offset = 0
            while let event = reader.next(piece.span, at: &offset) { events.append(event) }
            start += piece.count
        }
        return events
    }
}

extension RequestEvent {
    fileprivate var isRefusal: Bool {
        if case .refused = self { true } else { false }
    }
}
