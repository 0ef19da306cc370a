import ProctorScenario
import ProctorTestWire
import Testing

@testable import ProctorJournal
@testable import ProctorReplies
@testable import ProctorServer

/// The reply to a request that no exchange expects.
struct NearestExchangeTests {
    private let yaml = """
        summary: nearest
        exchanges:
          - { request: POST /form, reply: { status: 200 }, times: 1 }
          - { request: GET /items/one, reply: { status: 200 } }
          - { request: { method: GET, path: /query, query: { a: "1" } }, reply: { status: 200 } }
          - { request: { method: GET, path: /fields, headers: { Accept: "text/*", Cookie: null } }, reply: { status: 200 } }
          - { request: { method: PUT, path: /body, body: abc }, reply: { status: 200 } }
        """

    struct Row: Sendable, CustomTestStringConvertible {
        let request: String
        let nearest: Int
        let differences: [String]
        var testDescription: String { request }
    }

    static let rows: [Row] = [
        Row(request: .request("GET /form"), nearest: 0, differences: ["method: wanted POST, got GET"]),
        Row(request: .request("HEAD /items/one"), nearest: 1, differences: ["method: wanted GET, got HEAD"]),
        Row(
            request: .request("GET /items/oen"), nearest: 1,
            differences: ["target: wanted /items/one, got /items/oen"]),
        Row(
            request: .request("GET /items/one?x"), nearest: 1,
            differences: ["target: wanted /items/one, got /items/one?x"]),
        Row(
            request: .request("GET /query?a=2"), nearest: 2,
            differences: ["target: wanted /query?a=1 (in any order), got /query?a=2"]),
        Row(
            request: .request("GET /fields", "Accept: image/png", "Accept: */*", "Cookie: a=1"), nearest: 3,
            differences: [
                "header Accept: wanted \"text/*\", got \"image/png\" and \"*/*\"",
                "header Cookie: wanted none, got \"a=1\"",
            ]),
        Row(
            request: .request("GET /fields"), nearest: 3, differences: ["header Accept: wanted \"text/*\", got none"]),
        Row(
            request: .request("PUT /body", "Content-Length: 4") + "abcd", nearest: 4,
            differences: [#"body: wanted 3 bytes, got 4 other bytes; from byte 3 on wanted nothing more, got "d""#]),
    ]

    @Test(arguments: rows)
    func `the nearest exchange is named with every difference`(_ row: Row) throws {
        let compiled = CompiledScenario(try scenario(yaml))
        let miss = NearestExchange(request: try RequestView(parsing: row.request), origin: 0).miss(
            in: compiled, isUsedUp: { _ in false }, next: nil)
        #expect(miss.nearestExchange == row.nearest)
        #expect(miss.differences == row.differences)
    }

    @Test func `the page of a miss names exchange, place and differences, and the journal too`() async throws {
        try await withRun(yaml) { run in
            let first = try await exchange(.request("POST /form"), with: run.base)
            #expect(first.text.hasPrefix("HTTP/1.1 200 OK\r\n"))
            let second = try await exchange(.request("POST /form"), with: run.base)
            #expect(second.text.hasPrefix("HTTP/1.1 404 Not Found\r\n"))
            #expect(second.text.contains("scenario test/one does not expect POST /form\n"))
            #expect(second.text.contains("nearest: POST /form  (test/one.yaml:3:5)\n"))
            #expect(second.text.contains("  turns: it was already used once, which is all it has\n"))
            let lines = try await run.journal.lines(untilClosed: 2)
            #expect(lines.contains("c1 r1 missed, nearest 0"))
        }
    }

    @Test func `a strict sequence says which exchange is next`() async throws {
        let strict = """
            summary: strict
            sequence: strict
            exchanges:
              - { request: GET /a, reply: { status: 200 } }
              - { request: GET /b, reply: { status: 200 } }
            """
        try await withRun(strict) { run in
            let page = try await exchange(.request("GET /b"), with: run.base).text
            #expect(page.contains("  order: the sequence is strict and GET /a is next\n"))
        }
    }

    @Test func `hostile bytes of a request are escaped in the page`() async throws {
        try await withRun(yaml) { run in
            let page = try await exchange("GET /\u{7F}\u{1B}[31m<b> HTTP/1.1\r\nHost: a\r\n\r\n", with: run.base).text
            #expect(!page.contains("\u{1B}"))
            #expect(page.contains("Content-Type: text/plain; charset=utf-8\r\n"))
        }
    }
}
