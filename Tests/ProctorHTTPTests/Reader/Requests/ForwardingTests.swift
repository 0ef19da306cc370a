import ProctorHTTP
import Testing

/// The fields of a request that a proxy hands on.
struct ForwardingTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let fields: [String]
        /// What is left of them.
        let left: [String]

        var testDescription: String { fields.joined(separator: " | ") }
    }

    private static let rows = [
        Row(fields: ["Host: a", "A: 1"], left: ["Host: a", "A: 1"]),
        Row(fields: ["Host: a", "Proxy-Authorization: x", "A: 1"], left: ["Host: a", "A: 1"]),
        Row(fields: ["PROXY-connection: x", "Host: a"], left: ["Host: a"]),
        Row(fields: ["Host: a", "Connection: close", "Close: 1"], left: ["Host: a"]),
        Row(fields: ["Host: a", "b: 1", "Connection: , B ,c", "C: 2", "connection: D", "D: 3"], left: ["Host: a"]),
        Row(
            fields: ["Host: a", "Connection: BC", "B: 1", "Proxy-Authenticate: x"],
            left: ["Host: a", "B: 1", "Proxy-Authenticate: x"]),
        Row(fields: ["Host: a", "Connection:", "A: 1"], left: ["Host: a", "A: 1"]),
    ]

    @Test(arguments: rows)
    func `what is for the proxy goes, and nothing else`(_ row: Row) throws {
        let text = "GET http://a/ HTTP/1.1\r\n" + row.fields.map { $0 + "\r\n" }.joined() + "\r\n"
        let head = try RequestHead(parsing: Array(text.utf8))
        let forwarded = head.forwarded
        #expect(forwarded.fields.map { String(decoding: $0.raw, as: UTF8.self) } == row.left)
        #expect(forwarded.bytes == head.bytes && forwarded.keepsAlive == head.keepsAlive)
        #expect(forwarded.target == head.target && forwarded.method == "GET" && forwarded.form == .absolute)
        #expect((forwarded == head) == (row.left == row.fields))
    }
}
