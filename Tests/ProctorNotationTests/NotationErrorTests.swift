import ProctorTestSupport
import Testing

@testable import ProctorEvents
@testable import ProctorNotation

/// What is refused when an expression is parsed, where, and what a person is told.
struct NotationErrorTests {
    struct Row: CustomTestStringConvertible {
        let text: String
        let lane: Lane
        let offset: Int
        let sentence: String

        init(_ text: String, _ lane: Lane = .task, at offset: Int, _ sentence: String) {
            self.text = text
            self.lane = lane
            self.offset = offset
            self.sentence = sentence
        }

        var testDescription: String { text }
    }

    static let empty = "the expression is empty; write which events must come, or leave the key out"
    static let mixed = "'|' and '&' stand on one level; put parentheses around the part that belongs together"
    static let request =
        "is not a method, one space and a target; write request(GET /a), and several in full: request(GET /a|HEAD /a)"

    static let rows: [Row] = [
        Row("", at: 0, empty),
        Row("  # only a comment", at: 0, empty),
        Row("data |", at: 6, "nothing stands after '|'; write (a)? for what may be missing"),
        Row("data | | data", at: 7, "nothing stands after '|'; write (a)? for what may be missing"),
        Row("data & ", at: 7, "nothing stands after '&'; write (a)? for what may be missing"),
        Row("| data", at: 0, "nothing stands before '|'; write (a)? for what may be missing"),
        Row("data ()", at: 6, "nothing stands between the parentheses"),
        Row("data (", at: 6, "'(' is not closed and nothing stands after it"),
        Row("(data", at: 0, "'(' is not closed"),
        Row("data)", at: 4, "')' closes no '('"),
        Row(")", at: 0, "')' closes no '('"),
        Row("data | fileReady & metrics", at: 17, mixed),
        Row("(data & fileReady | metrics)", at: 18, mixed),
        Row("data*?", at: 5, "a second count; one is enough, or write parentheses: (data*)?"),
        Row("(data response)+ {2}", at: 17, "a second count; one is enough, or write parentheses: ((data response)+){"),
        Row("data{3,1}", at: 5, "3 is greater than 1; the smaller number stands first"),
        Row("data{0}", at: 5, "{0} asks for nothing; the greatest number must be at least 1"),
        Row("data{0,0}", at: 7, "{0,0} asks for nothing; the greatest number must be at least 1"),
        Row("data{,3}", at: 5, "a count is written {n}, {n,} or {n,m}; here a number is missing"),
        Row("data{3", at: 6, "a count is written {n}, {n,} or {n,m}; here '}' is missing"),
        Row("data{1000001}", at: 5, "a count is at most 1000000"),
        Row("data{99999999999999999999999}", at: 5, "a count is at most 1000000"),
        Row("*", at: 0, "'*' begins no event"),
        Row("data é", at: 5, "'é' begins no event"),
        Row("respons(200) complete(ok)", at: 0, "unknown event 'respons'; did you mean 'response'?"),
        Row("response(200) data...", at: 14, "unknown event 'data...'; put a space before '...'"),
        Row("....", at: 0, "'....' is no event; '...' stands for any events"),
        Row("p.start", at: 0, "'p.start' is no event of lane 'task'; it belongs to 'proto'"),
        Row("data", .session, at: 0, "'data' is no event of lane 'session'; it belongs to 'task', 'protocolClient'"),
        Row("GET", .wire, at: 0, "unknown event 'GET'; requests are written request(GET /path)"),
        Row(
            "qqqqqqqq", .session, at: 0,
            "unknown event 'qqqqqqqq'; lane 'session' has: challenge challengeCancelled sessionInvalid backgroundEvents backgroundEventsDone"
        ),
        Row(
            "challenge (basic)", at: 11,
            "unknown event 'basic'; lane 'task' has: \(EventVocabulary.names(in: .task).joined(separator: " "))"
                + "; to give 'challenge' an argument, write no space before its '('"),
        Row(
            "response (200)", at: 10,
            "'2' begins no event; to give 'response' an argument, write no space before its '('"),
        Row("data(5)", at: 4, "'data' has no argument"),
        Row("response()", at: 9, "an argument is missing; an empty one is written \"\""),
        Row("response(200|)", at: 13, "an argument is missing; an empty one is written \"\""),
        Row("response(200", at: 8, "the argument list is not closed"),
        Row("response(200\n)", at: 8, "the argument list is not closed on its line"),
        Row("response(*)", at: 9, "'*' alone takes every argument; leave the argument list out"),
        Row(
            "challenge(a*b)", at: 12,
            "'*' stands only at the end of an argument; put an argument that holds one in double quotes"),
        Row("challenge(a(b))", at: 11, "put an argument that holds '(' in double quotes"),
        Row("challenge(\"a\" b)", at: 14, "after a quoted argument come '|' or ')', not 'b'"),
        Row("challenge(\"a)", at: 10, "the double quote is not closed"),
        Row("challenge(\"a\\b\")", at: 12, "a backslash stands only before '\"' and '\\'"),
        Row("response(20)", at: 9, "'20' is no status; write three digits, or fewer and '*'"),
        Row("response(200*)", at: 9, "'200*' is no status; write three digits, or fewer and '*'"),
        Row("response(ok)", at: 9, "'ok' is no status; write three digits, or fewer and '*'"),
        Row("redirect(200)", at: 9, "'redirect' never has status 200; it begins with 3"),
        Row("informational(2*)", at: 14, "'informational' never has status 2*; it begins with 1"),
        Row("request(GET)", .wire, at: 8, "'GET' \(request)"),
        Row("request(GET|HEAD /a)", .wire, at: 8, "'GET' \(request)"),
        Row("request(GET  /a)", .wire, at: 8, "'GET  /a' \(request)"),
    ]

    @Test(arguments: rows)
    func `a typing error is found where it stands`(row: Row) {
        let error = #expect(throws: NotationError.self) { try Notation(parsing: row.text, lane: row.lane) }
        #expect(error?.sentence == row.sentence)
        #expect(error?.offset == row.offset)
        #expect(error?.text == row.text)
    }

    @Test func `the caret stands below the place`() {
        let error = #expect(throws: NotationError.self) {
            try Notation(parsing: "respons(200) complete(ok)", lane: .task)
        }
        #expect(
            error?.description == """
                unknown event 'respons'; did you mean 'response'?
                respons(200) complete(ok)
                ^
                """)
    }

    @Test func `line and column are those of a text of several lines`() {
        let text = "response(200)  # the head\n  data+ dat\ncomplete"
        let error = #expect(throws: NotationError.self) { try Notation(parsing: text, lane: .task) }
        #expect(error?.line == 2)
        #expect(error?.column == 9)
        #expect(error?.offset == 34)
        #expect(error?.caretLines == "  data+ dat\n        ^")
    }

    @Test func `a column counts bytes and the caret characters`() {
        let error = #expect(throws: NotationError.self) { try Notation(parsing: "wsOpen(żółw) dat", lane: .task) }
        #expect(error?.column == 17)
        #expect(error?.caretLines == "wsOpen(żółw) dat\n             ^")
    }

    @Test func `a long line is cut around its caret and control characters cannot reach the terminal`() {
        let text = String(repeating: "data ", count: 40) + "\u{1B}[2J" + String(repeating: " data", count: 40)
        let error = #expect(throws: NotationError.self) { try Notation(parsing: text, lane: .task) }
        #expect(error?.offset == 200)
        let lines = error?.caretLines.split(separator: "\n").map { Array($0) } ?? []
        #expect(lines.count == 2)
        #expect(lines.first?.count == 102)
        #expect(lines.last?.last == "^")
        let caret = (lines.last?.count ?? 1) - 1
        #expect(lines.first?[caret...].prefix(4) == ["?", "[", "2", "J"])
    }

    @Test func `64 parentheses may be open and 65 may not`() throws {
        let nested = { (depth: Int) in
            String(repeating: "(", count: depth) + "data" + String(repeating: ")", count: depth)
        }
        _ = try Notation(parsing: nested(64), lane: .task)
        let error = #expect(throws: NotationError.self) { try Notation(parsing: nested(65), lane: .task) }
        #expect(error?.sentence == "more than 64 parentheses are open")
        #expect(error?.offset == 64)
        // Far deeper than any stack allows.
        #expect(throws: NotationError.self) { try Notation(parsing: nested(30_000), lane: .task) }
    }

    @Test func `64 KiB are parsed and one byte more is refused`() throws {
        let full = String(repeating: "data ", count: 13_107) + " "
        #expect(full.utf8.count == 65_536)
        #expect(try Notation(parsing: full, lane: .task).syntax.nodes.count == 13_108)
        let error = #expect(throws: NotationError.self) { try Notation(parsing: full + " ", lane: .task) }
        #expect(error?.sentence == "the expression is longer than 65536 bytes")
    }

    @Test func `an interleaving has at most 64 sides`() throws {
        let sides = { (count: Int) in Array(repeating: "data", count: count).joined(separator: " & ") }
        _ = try Notation(parsing: sides(64), lane: .task)
        let error = #expect(throws: NotationError.self) { try Notation(parsing: sides(65), lane: .task) }
        #expect(error?.sentence == "'&' has more than 64 sides")
    }

    @Test func `bytes of any kind are refused or parsed but never trap`() {
        var random = SeededGenerator(seed: 7)
        let alphabet = Array("data response(200)|&*?+{}1,,..\"\\#\n()é\u{0}".utf8)
        for _ in 0..<20_000 {
            let count = Int.random(in: 0...24, using: &random)
            let bytes = (0..<count).map { _ in alphabet[Int.random(in: 0..<alphabet.count, using: &random)] }
            do {
                let notation = try Notation(parsing: String(decoding: bytes, as: UTF8.self), lane: .task)
                var matcher = NotationMatcher(notation)
                _ = take(&matcher, TraceEventSymbol("data"))
                _ = matcher.diagnosis?.description
            } catch {
                #expect(error.offset <= error.text.utf8.count)
                #expect(error.caretLines.hasSuffix("^"))
            }
        }
    }
}
