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
}
