import ProctorBase
import Testing

@testable import ProctorEvents
@testable import ProctorJournal

/// Files that several journals share, and several starts of a server.
struct JournalPartsTests {
    private static let header = "{\"journal\":\"proctor\",\"version\":1}\n"

    private static func line(_ sequence: Int, _ owner: String = "") -> String {
        "{\"seq\":\(sequence),\"ns\":1\(owner),\"ev\":\"replySent\",\"byteCount\":1}\n"
    }

    private static let one = #","scenario":"a/one","run":"r1""#
    private static let two = #","scenario":"a/two""#

    private func parts(_ text: String) throws -> JournalParts { try JournalParts(Array(text.utf8), file: "j") }

    @Test func `each journal is a part, in the order in which they begin`() throws {
        let file = try parts(
            Self.header + Self.line(1, Self.two) + Self.line(1) + Self.line(1, Self.one) + Self.line(2, Self.two))
        #expect(file.parts.map(\.scenario) == ["a/two", nil, "a/one"] && file.parts.map(\.run) == [nil, nil, "r1"])
        #expect(file.parts.map { $0.entries.map(\.sequence) } == [[1, 2], [1], [1]])
        #expect(file.startCount == 1 && file.cutCount == 0 && file.lostLineCount == 0 && file.unknownCount == 0)
    }

    @Test func `a start that goes on with the file has parts of its own`() throws {
        let file = try parts(Self.header + Self.line(1, Self.one) + Self.header + Self.line(1, Self.one))
        #expect(file.parts.map(\.start) == [1, 2] && file.startCount == 2)
        #expect(try parts(Self.line(1)).parts.map(\.start) == [1])
        #expect(try parts("").parts.isEmpty)
    }

    @Test func `what was dropped, lost, or is of a later version is counted`() throws {
        let file = try parts(
            "{\"seq\":4,\"ns\":1\(Self.one),\"ev\":\"entriesDropped\",\"count\":4}\n" + Self.line(5, Self.one)
                + "{\"ev\":\"linesLost\",\"count\":7,\"reason\":\"write: full\"}\n"
                + "{\"seq\":6,\"ns\":1,\"ev\":\"dreamt\"}\n")
        #expect(file.parts.map(\.droppedCount) == [4] && file.lostLineCount == 7 && file.unknownCount == 1)
    }

    @Test func `a line that breaks off counts at the end and before a header, and is an error elsewhere`() throws {
        let broken = #"{"seq":2,"ns":1,"ev":"repl"#
        #expect(try parts(Self.line(1) + broken).cutCount == 1)
        #expect(try parts(Self.line(1) + broken + "\n" + Self.header + Self.line(1)).cutCount == 1)
        let error = #expect(throws: TraceReadingError.self) { try parts(Self.line(1) + broken + "\n" + Self.line(3)) }
        #expect(error?.location.line == 2)
        #expect(throws: TraceReadingError.self) { try parts(Self.line(1) + "hello\n" + Self.header) }
    }

    // MARK: One run of them

    private func lines(_ text: String, scenario: String? = nil) throws -> JournalLines {
        try JournalLines(Array(text.utf8), file: "j", scenario: scenario)
    }

    @Test func `lines of two starts are refused, for each counts on its own`() throws {
        for owner in ["", Self.one, Self.two] {
            let text = Self.header + Self.line(1, owner) + Self.header + Self.line(1, owner)
            let error = #expect(throws: TraceReadingError.self) { try lines(text) }
            #expect(error?.location.line == 4)
            #expect(error?.sentence.hasSuffix("which line 3 begins: give the lines of one start") == true)
        }
    }

    @Test func `another start does not matter where only one of them has the scenario`() throws {
        let text =
            Self.header + Self.line(1) + Self.line(1, Self.two) + Self.header + Self.line(1, Self.one) + Self.line(1)
            + Self.line(2, Self.one)
        #expect(try lines(text, scenario: "a/one").entries.map(\.sequence) == [1, 2])
        #expect(try lines(text, scenario: "a/two").entries.map(\.sequence) == [1])
    }

    @Test func `a run says what was dropped of it, and what may have been lost`() throws {
        let read = try lines(
            Self.header + "{\"seq\":4,\"ns\":1\(Self.one),\"ev\":\"entriesDropped\",\"count\":4}\n"
                + Self.line(5, Self.one) + "{\"ev\":\"linesLost\",\"count\":7,\"reason\":\"write: full\"}\n")
        #expect(read.droppedCount == 11 && read.entries.count == 1 && read.unknownCount == 0)
    }

    @Test func `the lines that stand for what is missing are written as they are read`() throws {
        let entry = JournalEntry(
            sequence: 13, nanoseconds: 9, connection: nil, request: nil, event: .replySent(status: nil, byteCount: 1))
        var json = JSONText()
        JournalEncoder(scenario: "a/one", run: "r1").appendDropped(12, before: entry, to: &json)
        JournalEncoder.appendLost(3, reason: #""full""#, to: &json)
        let bytes = json.bytes
        #expect(
            String(decoding: bytes, as: UTF8.self) == """
                {"seq":12,"ns":9,"scenario":"a/one","run":"r1","ev":"entriesDropped","count":12}
                {"ev":"linesLost","count":3,"reason":"\\"full\\""}

                """)
        #expect(try JournalLines(bytes, file: "j").droppedCount == 15)
    }
}
