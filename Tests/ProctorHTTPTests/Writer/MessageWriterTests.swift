import ProctorBase
import ProctorHTTP
import Testing

struct ReplyWriterTests {
    private func written(_ write: (inout [UInt8]) -> Void) -> String {
        var buffer = bytes("<")
        write(&buffer)
        return text(buffer.dropFirst())
    }

    @Test func `a status line has exactly the given parts`() {
        #expect(
            written { ReplyWriter.statusLine(status: 200, reason: bytes("OK"), into: &$0) } == "HTTP/1.1 200 OK\r\n")
        #expect(
            written { ReplyWriter.statusLine(version: .http10, status: 404, reason: [], into: &$0) }
                == "HTTP/1.0 404 \r\n")
        #expect(
            written { ReplyWriter.statusLine(version: bytes("ICY"), status: 7, reason: bytes("a\u{00}"), into: &$0) }
                == "ICY 7 a\u{00}\r\n")
    }

    @Test(arguments: [
        (0, "0"), (7, "7"), (10, "10"), (999, "999"), (-12, "-12"), (Int.max, "9223372036854775807"),
        (Int.min, "-9223372036854775808"),
    ])
    func `decimals are written whole`(_ number: Int, _ expected: String) {
        #expect(written { ReplyWriter.decimal(number, into: &$0) } == expected)
    }

    @Test func `field lines are not mended`() {
        #expect(written { ReplyWriter.fieldLine(name: bytes("A"), value: bytes("b"), into: &$0) } == "A: b\r\n")
        #expect(written { ReplyWriter.fieldLine(name: bytes("a "), value: bytes("b\n"), into: &$0) } == "a : b\n\r\n")
        #expect(written { ReplyWriter.fieldLine(name: [], value: [], into: &$0) } == ": \r\n")
    }

    @Test func `chunks written are chunks read`() {
        var stream = bytes("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n")
        let pieces = [5, 16, 255, 4096].map { [UInt8](repeating: UInt8(ascii: "x"), count: $0) }
        for piece in pieces {
            ReplyWriter.chunkHead(byteCount: piece.count, extensions: bytes(";n=\(piece.count)"), into: &stream)
            stream += piece
            ReplyWriter.chunkEnd(into: &stream)
        }
        ReplyWriter.chunkHead(byteCount: 0, into: &stream)
        ReplyWriter.fieldLine(name: bytes("Sum"), value: bytes("1"), into: &stream)
        ReplyWriter.lineEnd(into: &stream)

        var reader = RequestReader()
        var offset = 0
        var sizes: [Int] = []
        var hasTrailers = false
        var isComplete = false
        while let event = reader.next(stream.span, at: &offset) {
            switch event {
            case .chunk(let byteCount, _): sizes.append(byteCount)
            case .trailers(let fields): hasTrailers = fields.contains(named: "sum")
            case .end: isComplete = true
            case .violation(let violation), .refused(let violation): Issue.record(violation)
            case .head, .content: break
            }
        }
        #expect(sizes == [5, 16, 255, 4096, 0])
        #expect(hasTrailers && isComplete)
    }
}

struct RequestWriterTests {
    @Test func `a request line has exactly the given parts`() {
        var buffer: [UInt8] = []
        RequestWriter.requestLine(method: "GET".utf8, target: "/a?b".utf8, into: &buffer)
        #expect(text(buffer) == "GET /a?b HTTP/1.1\r\n")
        buffer = []
        RequestWriter.requestLine(method: "pAtCh".utf8, target: "*".utf8, version: .http10, into: &buffer)
        #expect(text(buffer) == "pAtCh * HTTP/1.0\r\n")
    }

    @Test func `a request written is a request read`() throws {
        let fields = [
            HTTPField("Host", "example.com"), HTTPField(name: "X-Raw", bytes: [0x5A, 0x6F, 0xEB]),
            HTTPField("x-empty", ""), HTTPField("Transfer-Encoding", "chunked"),
        ]
        var stream: [UInt8] = []
        RequestWriter.requestLine(method: "POST".utf8, target: "/form".utf8, into: &stream)
        RequestWriter.fieldLines(fields, into: &stream)
        RequestWriter.lineEnd(into: &stream)
        RequestWriter.chunkHead(byteCount: 3, into: &stream)
        stream += bytes("a=1")
        RequestWriter.chunkEnd(into: &stream)
        RequestWriter.chunkHead(byteCount: 0, into: &stream)
        RequestWriter.lineEnd(into: &stream)

        var reader = RequestReader()
        var offset = 0
        var content: [UInt8] = []
        var isComplete = false
        while let event = reader.next(stream.span, at: &offset) {
            switch event {
            case .head(let head):
                #expect(String(head.method) == "POST")
                #expect([HTTPField](head.fields) == fields)
                #expect(head.violations.isEmpty)
            case .content(let range): content += stream[range]
            case .end: isComplete = true
            case .violation(let violation), .refused(let violation): Issue.record(violation)
            case .chunk, .trailers: break
            }
        }
        #expect(content == bytes("a=1"))
        #expect(isComplete)
    }
}

struct StatusPhraseTests {
    @Test func `the registry has 61 statuses in use`() {
        #expect((0...999).filter { StatusPhrase.registered($0) != nil }.count == 61)
    }

    @Test(arguments: Violation.Kind.allCases)
    func `every status that refuses a request has a phrase`(_ kind: Violation.Kind) {
        #expect(StatusPhrase.registered(Violation(kind, at: 0).status) != nil)
    }
}
