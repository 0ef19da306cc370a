import ProctorHTTP
import Testing

struct KeepAliveTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let version: String
        let fields: String
        let keepsAlive: Bool

        init(_ version: String, _ fields: String, _ keepsAlive: Bool) {
            self.version = version
            self.fields = fields
            self.keepsAlive = keepsAlive
        }

        var testDescription: String { "\(version) \(fields) → \(keepsAlive ? "keeps" : "closes")" }
    }

    static let rows: [Row] = [
        Row("1.1", "", true),
        Row("1.1", "Connection: close\r\n", false),
        Row("1.1", "Connection: CLOSE\r\n", false),
        Row("1.1", "Connection: keep-alive\r\n", true),
        Row("1.1", "Connection: keep-alive, close\r\n", false),
        Row("1.1", "Connection: keep-alive\r\nConnection: close\r\n", false),
        Row("1.1", "Connection: closed\r\n", true),
        Row("1.1", "Connection: x-close, foo\r\n", true),
        Row("1.1", "Connection:\r\n close\r\n", false),
        Row("1.1", "Keep-Alive: timeout=5\r\n", true),
        Row("1.1", "Transfer-Encoding: chunked\r\n", true),
        Row("1.1", "Transfer-Encoding: chunked\r\nContent-Length: 1\r\n", false),
        Row("1.2", "", true),
        Row("1.2", "Connection: close\r\n", false),
        Row("1.0", "", false),
        Row("1.0", "Connection: keep-alive\r\n", true),
        Row("1.0", "Connection: Keep-Alive\r\n", true),
        Row("1.0", "Connection: foo, keep-alive\r\n", true),
        Row("1.0", "Connection: close\r\n", false),
        Row("1.0", "Connection: keep-alive, close\r\n", false),
        Row("1.0", "Keep-Alive: timeout=5\r\n", false),
    ]

    @Test(arguments: rows)
    func `version and Connection decide whether the connection is kept`(_ row: Row) throws {
        let head = try RequestHead(parsing: bytes("GET / HTTP/\(row.version)\r\nHost: a\r\n\(row.fields)\r\n"))
        #expect(head.keepsAlive == row.keepsAlive)
    }

    @Test(arguments: [
        ("1.1", "Content-Length: 1\r\nExpect: 100-continue\r\n", true),
        ("1.1", "Transfer-Encoding: chunked\r\nExpect: 100-Continue\r\n", true),
        ("1.1", "Content-Length: 1\r\n", false),
        ("1.1", "Content-Length: 1\r\nExpect: 200-ok\r\n", false),
        ("1.1", "Content-Length: 0\r\nExpect: 100-continue\r\n", false),
        ("1.1", "Expect: 100-continue\r\n", false),
        ("1.0", "Content-Length: 1\r\nExpect: 100-continue\r\n", false),
    ])
    func `a continuation is awaited only for content, and never in HTTP 1.0`(
        _ version: String, _ fields: String, _ expects: Bool
    ) throws {
        let head = try RequestHead(parsing: bytes("POST / HTTP/\(version)\r\nHost: a\r\n\(fields)\r\n"))
        #expect(head.expectsContinue == expects)
    }
}
