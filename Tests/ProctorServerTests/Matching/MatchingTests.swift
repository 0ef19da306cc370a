import ProctorScenario
import Testing

@testable import ProctorReplies
@testable import ProctorServer

/// Which requests an exchange waits for.
struct MatchingTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let request: String
        let matching: [String]
        let others: [String]
        var testDescription: String { request }
    }

    /// Beyond the number of items that are compared each with each.
    private static let manyItems = (0..<10).map { "c\($0): \"\($0)\"" }.joined(separator: ", ")
    private static let manyPairs = (0..<10).map { "c\(9 - $0)=\(9 - $0)" }.joined(separator: "&")

    static let rows: [Row] = [
        Row(
            request: "GET /a", matching: [.request("GET /a")],
            others: [
                .request("HEAD /a"), .request("get /a"), .request("GET /a/"), .request("GET /a?"), .request("GET /A"),
                .request("GET /%61"), .request("GET /a?x"),
            ]),
        Row(
            request: "GET|HEAD|BREW /a",
            matching: [.request("GET /a"), .request("HEAD /a"), .request("BREW /a")],
            others: [.request("POST /a"), .request("GETHEAD /a")]),
        Row(
            request: "\"* /a\"", matching: [.request("GET /a"), .request("X-ANY /a")], others: [.request("GET /b")]),
        Row(
            request: "GET /*", matching: [.request("GET /"), .request("GET /a/b?c=d"), .request("GET /?")],
            others: ["OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n"]),
        Row(
            request: "GET /a/*/z", matching: [.request("GET /a/b/z"), .request("GET /a//z"), .request("GET /a/?/z")],
            others: [.request("GET /a/z")]),
        Row(
            request: "\"GET /{a}/{b}\"", matching: [.request("GET /x/y")],
            others: [.request("GET /x/"), .request("GET /x/y/z"), .request("GET /x/y?q"), .request("GET //y")]),
        Row(
            request: "GET /a?b=1&c=2", matching: [.request("GET /a?b=1&c=2")],
            others: [.request("GET /a?c=2&b=1"), .request("GET /a")]),
        Row(
            request: "{ method: GET, path: /a, query: { b: \"1\", c: \"*\" } }",
            matching: [.request("GET /a?b=1&c=2"), .request("GET /a?c=&b=1"), .request("GET /a?c&b=1")],
            others: [
                .request("GET /a?b=1"), .request("GET /a?b=1&c=2&d=3"), .request("GET /a?b=2&c=2"),
                .request("GET /a"), .request("GET /a?b=1&c=2&c=3"), .request("GET /a?B=1&c=2"),
            ]),
        Row(
            request: "{ method: GET, path: /a, query: {} }", matching: [.request("GET /a"), .request("GET /a?")],
            others: [.request("GET /a?b")]),
        Row(
            request: "{ method: GET, path: /a, query: { b: [ \"*\", \"1\" ] } }",
            matching: [.request("GET /a?b=1&b=2"), .request("GET /a?b=2&b=1")], others: [.request("GET /a?b=2&b=3")]),
        Row(
            request: "{ method: GET, path: /a, query: { b: [ \"*\", \"1\" ], \(manyItems), d: null } }",
            matching: [
                .request("GET /a?b=1&b=2&\(manyPairs)"), .request("GET /a?b=2&\(manyPairs)&b=1"),
            ],
            others: [
                .request("GET /a?b=2&b=3&\(manyPairs)"), .request("GET /a?b=1&\(manyPairs)"),
                .request("GET /a?b=1&b=2&\(manyPairs)&d=1"), .request("GET /a?b=1&b=2&\(manyPairs)&e=1"),
                .request("GET /a?b=1&b=2&b=3&\(manyPairs)"),
            ]),
        Row(
            request: "{ method: GET, path: /a, headers: { X-One: \"a*z\", X-Two: null } }",
            matching: [
                .request("GET /a", "x-one: a-z"), .request("GET /a", "X-One: b", "X-ONE: az"),
            ],
            others: [
                .request("GET /a"), .request("GET /a", "X-One: a"), .request("GET /a", "X-One: az", "x-two:"),
            ]),
        Row(
            request: "{ method: POST, path: /a, body: a=1 }",
            matching: [.request("POST /a", "Content-Length: 3") + "a=1"],
            others: [.request("POST /a", "Content-Length: 3") + "a=2", .request("POST /a")]),
        Row(
            request: "{ method: POST, path: /a, body: \"\" }", matching: [.request("POST /a")],
            others: [.request("POST /a", "Content-Length: 1") + "x"]),
        Row(
            request: "GET /p", matching: ["GET http://other/p HTTP/1.1\r\nHost: other\r\n\r\n"],
            others: ["GET http://other/q HTTP/1.1\r\nHost: other\r\n\r\n"]),
        Row(
            request: "GET http://h/p", matching: ["GET http://h/p HTTP/1.1\r\nHost: h\r\n\r\n"],
            others: [.request("GET /p"), "GET http://i/p HTTP/1.1\r\nHost: i\r\n\r\n"]),
        Row(
            request: "OPTIONS *", matching: ["OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n"],
            others: [.request("OPTIONS /"), .request("OPTIONS /*")]),
        Row(
            request: "CONNECT h:1", matching: ["CONNECT h:1 HTTP/1.1\r\nHost: h:1\r\n\r\n"],
            others: ["CONNECT h:2 HTTP/1.1\r\nHost: h:2\r\n\r\n"]),
    ]

    @Test(arguments: rows)
    func `an exchange takes the requests it names and no others`(_ row: Row) throws {
        let exchange = CompiledExchange(try exchanges("  - { request: \(row.request), reply: { status: 200 } }")[0])
        for text in row.matching { #expect(try exchange.verdict(on: RequestView(parsing: text)) == .holds, "\(text)") }
        for text in row.others { #expect(try exchange.verdict(on: RequestView(parsing: text)) == .fails, "\(text)") }
    }

    private func exchanges(_ items: String) throws -> [Exchange] {
        try scenario("summary: matching\nexchanges:\n\(items)").exchanges
    }
}

extension CompiledExchange {
    convenience init(_ exchange: Exchange) { self.init(exchange, isStrict: false) }
}
