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
