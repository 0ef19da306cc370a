import Testing

@testable import proctor

/// Server-Sent Events as `proctor watch` reads them (WHATWG HTML §9.2.6).
struct EventStreamTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let input: String
        let events: [StreamedEvent]

        init(_ name: String, _ input: String, _ events: [(String, String, String)]) {
            testDescription = name
            self.input = input
            self.events = events.map { StreamedEvent(name: $0.0, data: Array($0.1.utf8), lastID: $0.2) }
        }
    }

    static let rows = [
        Row("an event with its number", "id: 7\ndata: {\"a\":1}\n\n", [("", "{\"a\":1}", "7")]),
        Row("the number stays", "id: 7\ndata: a\n\nevent: end\ndata: b\n\n", [("", "a", "7"), ("end", "b", "7")]),
        Row("several lines of data", "data: a\ndata\ndata:b\n\n", [("", "a\n\nb", "")]),
        Row("one blank is not of the value", "data:  a \n\n", [("", " a ", "")]),
        Row("a comment", ": nothing new\n\ndata: a\n\n", [("", "a", "")]),
        Row("a name without data is no event", "event: gap\n\ndata: a\n\n", [("", "a", "")]),
        Row("unknown fields", "datum: b\nx\ndata: a\n\n", [("", "a", "")]),
        Row("CR LF", "id: 1\r\ndata: a\r\n\r\ndata: b\r\n\r\n", [("", "a", "1"), ("", "b", "1")]),
        Row("CR", "id: 1\rdata: a\r\rdata: b\r\r", [("", "a", "1"), ("", "b", "1")]),
        Row("a byte order mark", "\u{FEFF}data: a\n\n", [("", "a", "")]),
        Row("a number with NUL is none", "id: 1\nid: 2\0\ndata: a\n\n", [("", "a", "1")]),
        Row("an end without an empty line is no event", "data: a\n\ndata: b\n", [("", "a", "")]),
        Row("more than one byte a character", "data: ä€\n\n", [("", "ä€", "")]),
    ]

    /// Feeds the reader in pieces, and says what it made of them.
    private func events(_ pieces: [[UInt8]]) throws -> [StreamedEvent] {
        var reader = EventStreamReader()
        return try pieces.flatMap { try reader.take($0) }
    }

    @Test(arguments: rows)
    func `events are read whole, byte by byte, cut anywhere and before others`(row: Row) throws {
        let input = Array(row.input.utf8)
        #expect(try events([input]) == row.events)
        #expect(try events(input.map { [$0] }) == row.events)
        for cut in 0...input.count { #expect(try events([Array(input[..<cut]), Array(input[cut...])]) == row.events) }
        #expect(try events([[], input, []]) == row.events)
        let more = try events([input + Array("\n\nid: 99\ndata: more\n\n".utf8)])
        #expect(Array(more.prefix(row.events.count)) == row.events && more.last?.lastID == "99")
    }

    @Test func `the wait between connections is told`() throws {
        var reader = EventStreamReader()
        #expect(try reader.take(Array("retry: 12x\n\n".utf8)).isEmpty && reader.retry == nil)
        #expect(try reader.take(Array("retry: 1000\n".utf8)).isEmpty && reader.retry == 1_000)
    }

    @Test(arguments: ["data: 0123456789", "data: 0123\ndata: 4567\ndata: 89\n"])
    func `an event is bounded`(text: String) {
        var reader = EventStreamReader(limit: 10)
        #expect(throws: EventStreamReader.TooLong.self) { try reader.take(Array(text.utf8)) }
    }

    @Test func `lines are broken at blanks, and within words that are too long`() {
        func pieces(_ text: String, _ width: Int?) -> [String] {
            LineBreaking.pieces(of: text, width: width, first: 10, rest: 5)
        }
        #expect(pieces("one two", nil) == ["one two"])
        #expect(pieces("one two", 80) == ["one two"])
        #expect(pieces("abcdefghij klmnopqrst uvw", 30) == ["abcdefghij", "klmnopqrst uvw"])
        let long = String(repeating: "x", count: 60)
        #expect(pieces(long, 30).map(\.count) == [20, 25, 15] && pieces(long, 30).joined() == long)
        #expect(pieces(long, 1).allSatisfy { $0.count <= 20 })
    }

    @Test func `JSON moves no cursor and keeps its value`() {
        #expect(PrintableJSON.of(#"{"a":"ä\u001b"}"#) == #"{"a":"ä\u001b"}"#)
        #expect(PrintableJSON.of("{\"a\":\"\u{9B}2J\u{202E}\u{7F}\"}") == #"{"a":"\u009b2J\u202e\u007f"}"#)
    }
}
