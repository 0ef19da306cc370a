import ProctorBase
import ProctorCoding
import ProctorHTTP
import Testing

@testable import ProctorFixtures
@testable import ProctorScenario

/// `events:` of a reply.
struct EventStreamReadingTests {
    private func reply(_ events: String, _ more: String = "") throws -> StructuredReply {
        try #require(try replies("{ events: \(events)\(more) }", request: "\"GET /{id}\"").first).structured
    }

    private func text(_ events: String) throws -> String {
        let pieces = try reply(events).pieces
        return pieces.map { String(decoding: $0 ?? [], as: UTF8.self) }.joined()
    }

    @Test func `a stream has its status, fields and chunks by itself`() throws {
        let plain = try reply("[one]")
        #expect(plain.status == 200)
        #expect(plain.headers.map { String(decoding: $0.name, as: UTF8.self) } == ["Content-Type", "Cache-Control"])
        #expect(plain.headers.map { $0.value.literalBytes } == ["text/event-stream".bytes, "no-store".bytes])
        #expect(plain.framing == .chunked(ChunkStyle()))
        let own = try reply(
            "[one]", ", status: 203, headers: { X: a, content-type: text/plain, cache-control: max-age=1 }")
        #expect(own.status == 203 && own.headers.map { String(decoding: $0.name, as: UTF8.self) }.count == 3)
        #expect(try reply("[one]", ", framing: close").framing == .close)
        #expect(try reply("[one]", ", version: HTTP/1.0").framing == .close)
        #expect(try reply("[one]", ", headers: { Content-Length: 11 }").framing == .unspecified)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        let events: String
        let text: String
        var testDescription: String { events }

        init(_ events: String, _ text: String) {
            self.events = events
            self.text = text
        }
    }

    @Test(arguments: [
        Row("[one, '', ' two']", "data: one\n\ndata:\n\ndata:  two\n\n"),
        Row("[{ id: 7, event: add, data: a }]", "id: 7\nevent: add\ndata: a\n\n"),
        Row("[{ data: a, id: 7 }]", "data: a\nid: 7\n\n"),
        Row("[{ id: '' }]", "id:\n\n"),
        Row(#"[{ data: "a\nb\r\nc\rd" }]"#, "data: a\ndata: b\ndata: c\ndata: d\n\n"),
        Row("[{ data: [a, '', b] }]", "data: a\ndata:\ndata: b\n\n"),
        Row(
            "[{ data: { json: { a: [1, x, null], b: \"two\\nlines\" } } }]",
            "data: {\"a\":[1,\"x\",null],\"b\":\"two\\nlines\"}\n\n"),
        Row("[{ data: { hex: 61 0a 62 } }]", "data: a\ndata: b\n\n"),
        Row("[{ data: { repeat: ab, bytes: 5 } }]", "data: ababa\n\n"),
        Row("[{ retry: 100 }]", "retry: 100\n\n"),
        Row(#"[{ comment: "a\nb" }, { comment: '' }]"#, ": a\n: b\n\n:\n\n"),
        Row("[{ lines: [data, 'retry: soon', { hex: 69 64 3a 00 }] }]", "data\nretry: soon\nid:\0\n\n"),
        Row("[{ data: a, closed: false }]", "data: a\n"),
        Row("[{ raw: \"data: b\\r\" }, { raw: { hex: ff } }]", "data: b\r\u{FFFD}"),
        Row(
            "[{ repeat: 3, events: [{ id: '{{repetition}}', data: 'n{{repetition}}' }] }]",
            "id: 1\ndata: n1\n\nid: 2\ndata: n2\n\nid: 3\ndata: n3\n\n"),
        Row("{ list: [a] }", "data: a\n\n"),
        Row("{ list: [a], line-end: crlf }", "data: a\r\n\r\n"),
        Row("{ list: [{ comment: '' }, a], line-end: cr }", ":\r\rdata: a\r\r"),
        Row("{ list: [a, b, c], line-end: mixed }", "data: a\r\r\ndata: b\n\rdata: c\r\n\n"),
        Row("{ list: [a], bom: true }", "\u{FEFF}data: a\n\n"),
        Row("{ list: [{ raw: x }], bom: true }", "\u{FEFF}x"),
    ])
    func `events are written as lines`(_ row: Row) throws {
        // A carriage return and a line feed are one character of Swift, so the bytes are compared.
        #expect(Array(try text(row.events).utf8) == Array(row.text.utf8))
    }

    @Test(arguments: ["lf", "cr", "crlf", "mixed"])
    func `what is written is read as the same events`(_ lineEnd: String) throws {
        let list =
            "[{ id: 1, data: [a, '', b] }, { comment: c }, { event: e, data: '' }, { retry: 5 }, f, g, { id: 2, data: h }]"
        let bytes = try text("{ bom: true, line-end: \(lineEnd), list: \(list) }").utf8
        var reader = EventStreamReader()
        let events = try reader.read(bytes)
        #expect(events.map { String(decoding: $0.data, as: UTF8.self) } == ["a\n\nb", "", "f", "g", "h"])
        #expect(events.map(\.name) == ["", "e", "", "", ""])
        #expect(events.map(\.lastID) == ["1", "1", "1", "1", "2"])
        #expect(reader.retry == 5)
    }

    @Test func `each event is a piece, and effects stand between them`() throws {
        let reply = try reply(
            "{ bom: true, list: [{ do: wait 1s }, a, { do: await data }, { id: 1, data: b }, { do: stall }] }")
        let shape = reply.body.map { piece in
            switch piece {
            case .bytes(let source): String(decoding: source.literalBytes ?? [], as: UTF8.self)
            case .effect(let action): "\(action.row.verb)"
            }
        }
        #expect(shape == ["\u{FEFF}", "wait", "data: a\n\n", "await", "id: 1\ndata: b\n\n", "stall"])
    }

    @Test func `a late-bound value can't end a field, and its line ends make lines of data`() throws {
        let reply = try reply(
            "[{ id: '{{request.header.Last-Event-ID}}', event: 'x{{request.query.e}}', data: '<{{request.body}}>{{path.id}}' }, { data: { json: { a: '{{request.json/a}}', b: '-{{request.method}}' } } }]"
        )
        let escapes = reply.body.flatMap { piece -> [LateEscape] in
            guard case .bytes(.template(let template)) = piece else { return [] }
            return template.parts.compactMap { if case .value(_, let escape) = $0 { escape } else { nil } }
        }
        #expect(escapes == [.field, .field, .eventData, .eventData, .jsonLine, .jsonText])
    }
}
