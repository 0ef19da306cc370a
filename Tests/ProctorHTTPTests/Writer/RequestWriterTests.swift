import ProctorHTTP
import Testing

struct RequestWriterTests {
    @Test func `a request line is what it is told to be`() {
        var buffer: [UInt8] = []
        RequestWriter.requestLine(method: "GET".utf8, target: "/a?b".utf8, into: &buffer)
        #expect(text(buffer) == "GET /a?b HTTP/1.1\r\n")
        buffer = []
        RequestWriter.requestLine(method: "pAtCh".utf8, target: "*".utf8, version: .http10, into: &buffer)
        #expect(text(buffer) == "pAtCh * HTTP/1.0\r\n")
    }

    @Test(arguments: [
        ("GET", true), ("pAtCh", true), ("M-SEARCH", true), ("", false), ("GET ", false), ("GE\rT", false),
        ("G\u{E9}T", false), ("a:b", false),
    ])
    func `a method is a token`(_ method: String, _ isMethod: Bool) {
        #expect(RequestWriter.isMethod(method.utf8) == isMethod)
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
        RequestWriter.lastChunk(into: &stream)
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
