import ProctorCoding
import ProctorHTTP
import Testing

/// Event streams as clients must read them (WHATWG HTML §9.2.5, §9.2.6).
struct EventStreamReaderTests {
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
        Row(
            "a second byte order mark is a part of the field's name", "\u{FEFF}\u{FEFF}data: a\n\ndata: b\n\n",
            [("", "b", "")]),
        Row("a mark behind the first line", "\n\u{FEFF}data: a\n\ndata: b\n\n", [("", "b", "")]),
        Row("all line ends in one stream", "data: a\r\ndata: b\n\r\rdata: c\r\n\n", [("", "a\nb", ""), ("", "c", "")]),
        Row(
            "a field without a colon has an empty value", "data\n\ndata\ndata\n\nid\nevent\ndata: a\n\n",
            [("", "", ""), ("", "\n", ""), ("", "a", "")]),
        Row(
            "an empty number removes the last one", "id: 1\ndata: a\n\nid\ndata: b\n\n",
            [("", "a", "1"), ("", "b", "")]),
        Row("the last of several names counts", "event: a\nevent: b\ndata: c\n\n", [("b", "c", "")]),
        Row("letter case counts", "Data: a\nDATA: a\ndata: b\n\n", [("", "b", "")]),
        Row("a blank before a name is a part of it", " data: a\ndata: b\n\n", [("", "b", "")]),
        Row("a colon in a value", "data::a:b\n\n", [("", ":a:b", "")]),
        Row("a tab stays", "data:\ta\n\n", [("", "\ta", "")]),
        Row("more than one byte a character", "data: ä€\n\n", [("", "ä€", "")]),
    ]

    /// Feeds the reader in pieces, and says what it made of them.
    private func events(_ pieces: [[UInt8]]) throws -> [StreamedEvent] {
        var reader = EventStreamReader()
        return try pieces.flatMap { try reader.read($0) }
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
        #expect(try reader.read(Array("retry: 12x\n\n".utf8)).isEmpty && reader.retry == nil)
        #expect(try reader.read(Array("retry: 1000\n".utf8)).isEmpty && reader.retry == 1_000)
        #expect(
            try reader.read(Array("retry: -1\nretry\nretry: +5\nretry:  7\n".utf8)).isEmpty && reader.retry == 1_000)
        #expect(try reader.read(Array("retry:0\n".utf8)).isEmpty && reader.retry == 0)
        #expect(try reader.read(Array("retry: 99999999999999999999\n".utf8)).isEmpty && reader.retry == Int.max)
    }

    @Test(arguments: ["data: 0123456789", "data: 0123\ndata: 4567\ndata: 89\n"])
    func `an event is bounded`(text: String) {
        var reader = EventStreamReader(limit: 10)
        #expect(throws: EventStreamReader.TooLong.self) { try reader.read(Array(text.utf8)) }
    }

    @Test func `an event may have as many bytes as the bound says, line ends among them`() throws {
        let text = Array("data:0123\ndata:4567\n\n".utf8)
        var reader = EventStreamReader(limit: 9)
        #expect(try reader.read(text).map(\.data.count) == [9])
        var lower = EventStreamReader(limit: 9)
        #expect(throws: EventStreamReader.TooLong.self) { try lower.read(Array("data:\n".utf8) + text) }
    }

    @Test func `the id of an event that has no end is not the last one`() throws {
        var reader = EventStreamReader(lastID: "0")
        #expect(reader.lastID == "0")
        _ = try reader.read(Array("id: 1\n".utf8))
        #expect(reader.lastID == "0")
        #expect(try reader.read(Array("\n".utf8)).isEmpty && reader.lastID == "1")
        #expect(try reader.read(Array("id\ndata: a\n\n".utf8)).map(\.lastID) == [""] && reader.lastID == "")
    }

    @Test func `bytes that are no UTF-8 stay in the data`() throws {
        var reader = EventStreamReader()
        #expect(try reader.read(Array("data: ".utf8) + [0xC3, 0x28, 0x0A, 0x0A]).map(\.data) == [[0xC3, 0x28]])
    }

    @Test(arguments: ["", "a\nb", "\r\n\r", "a\r\nb\rc\n", "ä"])
    func `text is its lines, and these are the text again as data`(text: String) throws {
        let lines = EventData.lines(of: Array(text.utf8))
        var reader = EventStreamReader()
        var input: [UInt8] = []
        for line in lines { input += Array("data: ".utf8) + line + [0x0A] }
        let whole: [UInt8] = Array(lines.joined(separator: [0x0A]))
        #expect(try reader.read(input + [0x0A]).map(\.data) == [whole])
        #expect(lines.allSatisfy { !$0.contains(0x0A) && !$0.contains(0x0D) })
    }
}
