import ProctorHTTP
import Testing

/// What a caller who undoes codings is handed (RFC 9112 §7.2).
struct UndoneCodingTests {
    @Test(arguments: [
        ("gzip, chunked", ReplyFraming.chunked), ("x-gzip, Deflate, chunked", .chunked), ("gzip", .untilClose),
        ("identity", .untilClose), ("identity, chunked", nil), ("identity, gzip", nil), ("br, chunked", nil),
    ])
    func `gzip and deflate may be undone, and identity stands alone`(codings: String, framing: ReplyFraming?) {
        var reader = ReplyReader(undoesCodings: true)
        reader.expectReply(to: Array("GET".utf8))
        let text = Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: \(codings)\r\n\r\n".utf8)
        var offset = 0
        var found: ReplyFraming?
        while let event = reader.next(text.span, at: &offset) {
            if case .head(let head) = event { found = head.framing }
        }
        #expect(found == framing)
    }
}
