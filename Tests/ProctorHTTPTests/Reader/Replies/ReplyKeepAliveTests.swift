import ProctorHTTP
import Testing

struct ReplyKeepAliveTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let version: String
        let fields: String
        let keeps: Bool

        init(_ version: String, _ fields: String, _ keeps: Bool) {
            self.version = version
            self.fields = fields
            self.keeps = keeps
        }

        var testDescription: String { "\(version) \(fields) → \(keeps ? "keeps" : "closes")" }
    }

    static let rows: [Row] = [
        Row("1.1", "Content-Length: 0\r\n", true),
        Row("1.1", "Content-Length: 0\r\nConnection: close\r\n", false),
        Row("1.1", "Content-Length: 0\r\nConnection: CLOSE\r\n", false),
        Row("1.1", "Content-Length: 0\r\nConnection: keep-alive\r\n", true),
        Row("1.1", "Content-Length: 0\r\nConnection: keep-alive, close\r\n", false),
        Row("1.1", "Content-Length: 0\r\nConnection: foo\r\nConnection: close\r\n", false),
        Row("1.1", "Content-Length: 0\r\nConnection: closed\r\n", true),
        Row("1.1", "Content-Length: 0\r\nProxy-Connection: close\r\n", true),
        Row("1.1", "Transfer-Encoding: chunked\r\n", true),
        Row("1.1", "Transfer-Encoding: chunked\r\nContent-Length: 1\r\n", false),
        Row("1.1", "", false),
        Row("1.1", "Connection: keep-alive\r\n", false),
        Row("1.0", "Content-Length: 0\r\n", false),
        Row("1.0", "Content-Length: 0\r\nConnection: Keep-Alive\r\n", true),
        Row("1.0", "Content-Length: 0\r\nConnection: keep-alive, close\r\n", false),
        Row("1.0", "Content-Length: 0\r\nKeep-Alive: timeout=5\r\n", false),
        Row("1.0", "Connection: keep-alive\r\n", false),
    ]

    @Test(arguments: rows)
    func `version, Connection and framing decide whether the connection is kept`(_ row: Row) throws {
        let head = try ReplyHead(parsing: bytes("HTTP/\(row.version) 200 OK\r\n\(row.fields)\r\n"))
        #expect(head.keepsConnection == row.keeps)
    }

    @Test(arguments: rows)
    func `a reply behind one that closes is none, and behind one that keeps it is read`(_ row: Row) throws {
        let isChunked = row.fields.contains("chunked")
        let first = "HTTP/\(row.version) 200 OK\r\n\(row.fields)\r\n" + (isChunked ? "0\r\n\r\n" : "")
        let isUntilClose = !row.fields.contains("Length") && !isChunked
        let events = Verifier<ReplyReader>.events(
            of: bytes(first + "HTTP/1.1 204 x\r\n\r\n"), to: ["GET", "GET"], thenEnds: isUntilClose)
        #expect(events.heads().map(\.status) == (row.keeps ? [200, 204] : [200]))
        let kinds = events.flatMap(\.violations).map(\.kind)
        #expect(kinds.contains(.bytesAfterReply) == (!row.keeps && !isUntilClose))
    }
}
