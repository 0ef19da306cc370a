import ProctorScenario
import Testing

struct RequestBodyReadingTests {
    private func exchange(_ keys: String) throws -> Exchange {
        try #require(try load("summary: s\nexchanges: [{ \(keys) }]").exchanges.first)
    }

    @Test func `a form holds names with one pattern or several`() throws {
        let exchange = try exchange(
            #"request: { method: POST, path: /a, form: { a: "b c", d: [1, "*x", "\\*"] } }, reply: { status: 200 }"#)
        guard case .form(let items)? = exchange.request.body else {
            Issue.record("\(String(describing: exchange.request.body))")
            return
        }
        #expect(items.map(\.name) == ["a", "d", "d", "d"].map(\.bytes))
        #expect(items.map(\.value.exactBytes) == ["b c".bytes, "1".bytes, nil, "*".bytes])
    }

    @Test func `parts hold names, patterns and content`() throws {
        let exchange = try exchange(
            #"request: { method: POST, path: /a, parts: [{ name: f, filename: "*.txt", type: text/plain, body: { hex: "00" } }, { name: g }] }, reply: { status: 200 }"#
        )
        guard case .parts(let parts)? = exchange.request.body, parts.count == 2 else {
            Issue.record("\(String(describing: exchange.request.body))")
            return
        }
        #expect(parts.map(\.name) == ["f".bytes, "g".bytes])
        #expect(parts[0].fileName?.parts == [.wildcard, .literal(".txt".bytes)])
        #expect(parts[0].contentType?.exactBytes == "text/plain".bytes)
        #expect(parts[0].body?.literalBytes == [0])
        #expect(parts[1].fileName == nil && parts[1].contentType == nil && parts[1].body == nil)
    }

    @Test func `reading can be slow, and turns can be those of connections`() throws {
        let slow = try exchange("request: POST /a, reads: { bytes: 1000, every: 10ms }, reply: { status: 200 }")
        #expect(slow.reads == .paced(byteCount: 1000, interval: .milliseconds(10)))
        #expect(slow.turns == .request)
        let byConnection = try exchange(
            "request: GET /a, turns: connection, reply: [{ status: 200 }, { status: 201 }]")
        #expect(byConnection.turns == .connection)
    }

    @Test func `roles and receive buffers are read`() throws {
        let scenario = try load(
            """
            summary: s
            origins: { main: { receive-buffer: 4096 }, a: { role: unaccepting, receive-buffer: 256 }, b: { role: unreachable } }
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            """)
        #expect(scenario.origins.map(\.role) == [.server, .unaccepting, .unreachable])
        #expect(scenario.origins.map(\.receiveBufferByteCount) == [4096, 256, nil])
    }

    @Test func `the names of facts are written as they were read`() throws {
        let names = [
            "wire[0].framing", "wire[1].chunks", "wire[0].trailers.X-A", "wire[0].form.a.b", "wire[0].parts",
            "wire[2].parts[3].name", "wire[0].parts[0].filename", "wire[0].parts[0].type", "wire[0].parts[0].body",
        ]
        for name in names { #expect(try FactName(parsing: name).text == name) }
        #expect(try FactName(parsing: "wire[2].parts[3].type") == .wire(index: 2, .part(index: 3, .type)))
        #expect(try FactName(parsing: "wire[0].trailers.A") == .wire(index: 0, .trailer("A")))
    }
}
