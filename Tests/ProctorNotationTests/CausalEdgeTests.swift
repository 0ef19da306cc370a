import ProctorTestSupport
import Testing

@testable import ProctorEvents
@testable import ProctorNotation

/// `LANE EVENT after LANE EVENT`, right and wrong.
struct CausalEdgeTests {
    @Test func `both ends are read with lane, arguments and index`() throws {
        let edge = try CausalEdge(parsing: "wire request(GET /b)[1] after harness[2] answer(follow)")
        #expect(edge.later.lane == LaneID(.wire, 0))
        #expect(edge.later.symbol.matches(TraceEventSymbol("request", "GET /b")))
        #expect(!edge.later.symbol.matches(TraceEventSymbol("request", "GET /c")))
        #expect(edge.later.count == 2)
        #expect(edge.earlier.lane == LaneID(.harness, 2))
        #expect(edge.earlier.symbol.matches(TraceEventSymbol("answer", "follow")))
        #expect(edge.earlier.count == 1)
        #expect(edge.description == "wire request(GET /b)[1] after harness[2] answer(follow)")
    }

    @Test func `an index of 0 may be written`() throws {
        #expect(try CausalEdge(parsing: "task data[0] after task response").later.count == 1)
        #expect(try CausalEdge(parsing: "task[0] data after task response").later.lane == LaneID(.task, 0))
        #expect(try CausalEdge(parsing: "task data[999999] after task response").later.count == 1_000_000)
    }

    @Test func `a download is a task`() throws {
        #expect(try CausalEdge(parsing: "download[3] fileReady after wire request").later.lane == LaneID(.task, 3))
    }

    @Test func `every lane can stand at either end`() throws {
        for lane in Lane.allCases {
            let name = try #require(EventVocabulary.names(in: lane).first)
            let end = "\(lane.rawValue) \(name)"
            let edge = try CausalEdge(parsing: "\(end) after \(end)")
            #expect(edge.later == edge.earlier)
            #expect(edge.later.lane.lane == lane)
        }
    }

    @Test(arguments: ["  wire\trequest   after \t task  data ", "wire request\nafter\r\ntask data\n"])
    func `blanks and line ends may stand between the words`(text: String) throws {
        let edge = try CausalEdge(parsing: text)
        #expect(edge.later.lane.lane == .wire && edge.earlier.lane.lane == .task)
    }

    @Test func `arguments hold blanks, brackets, the word itself and quotes`() throws {
        let rows: [(text: String, argument: String)] = [
            ("challenge(a b)", "a b"),
            ("challenge([1])", "[1]"),
            ("challenge(basic after task)", "basic after task"),
            (#"challenge("a (")"#, "a ("),
            (#"challenge("a \") after")"#, #"a ") after"#),
            (#"challenge("\\")"#, #"\"#),
        ]
        for row in rows {
            let edge = try CausalEdge(parsing: "task \(row.text)[4] after wire request")
            #expect(edge.later.symbol.matches(TraceEventSymbol("challenge", row.argument)), "\(row.text)")
            #expect(edge.later.count == 5)
        }
    }

    struct Wrong: CustomTestStringConvertible {
        let text: String
        let offset: Int
        let sentence: String
        var testDescription: String { text.isEmpty ? "nothing" : text }

        init(_ text: String, _ offset: Int, _ sentence: String) {
            self.text = text
            self.offset = offset
            self.sentence = sentence
        }
    }

    private static let lanes = "expected a lane (task session proto protocolClient handler harness wire), found"

    @Test(arguments: [
        Wrong("", 0, "\(lanes) the end"),
        Wrong("   ", 3, "\(lanes) the end"),
        Wrong("wir request after task data", 0, "\(lanes) 'wir'; did you mean 'wire'?"),
        Wrong("zzz request after task data", 0, "\(lanes) 'zzz'"),
        Wrong("] request after task data", 0, "\(lanes) ']'"),
        Wrong("[1] request after task data", 0, "\(lanes) '[1]'"),
        Wrong("task[ data after task data", 4, "expected [N] with N from 0 to 999999, found '['"),
        Wrong("task[] data after task data", 4, "expected [N] with N from 0 to 999999, found '[]'"),
        Wrong("task[+1] data after task data", 4, "expected [N] with N from 0 to 999999, found '[+1]'"),
        Wrong("task[1]x data after task data", 4, "expected [N] with N from 0 to 999999, found '[1]x'"),
        Wrong("task[1000000] data after task data", 4, "expected [N] with N from 0 to 999999, found '[1000000]'"),
        Wrong(
            "task[99999999999999999999] data after task data", 4,
            "expected [N] with N from 0 to 999999, found '[99999999999999999999]'"),
        Wrong(
            "wire[0] request after task data", 4,
            "there is one lane 'wire', so it has no number; one of its events is wire EVENT[N]"),
        Wrong(
            "task data after session[1] sessionInvalid", 23,
            "there is one lane 'session', so it has no number; one of its events is session EVENT[N]"),
        Wrong("wire", 4, "expected an event of lane 'wire', found the end"),
        Wrong("wire [1] after task data", 5, "expected an event of lane 'wire', found the end"),
        Wrong("wire respons after task data", 5, "unknown event 'respons'; requests are written request(GET /path)"),
        Wrong("task respons after wire request", 5, "unknown event 'respons'; did you mean 'response'?"),
        Wrong(
            "wire data after task data", 5,
            "'data' is no event of lane 'wire'; it belongs to 'task', 'protocolClient'"),
        Wrong("task response(20) after wire request", 14, "'20' is no status; write three digits, or fewer and '*'"),
        Wrong("task data+ after wire request", 5, "expected one event, found the expression 'data+'"),
        Wrong("task (data) after wire request(", 30, "the argument list is not closed"),
        Wrong("task ... after wire request", 5, "expected one event, found the expression '...'"),
        Wrong("wire request(GET / after task data", 12, "the argument list is not closed"),
        Wrong("wire request[x] after task data", 12, "expected [N] with N from 0 to 999999, found '[x]'"),
        Wrong("wire request[-1] after task data", 12, "expected [N] with N from 0 to 999999, found '[-1]'"),
        Wrong("wire request[1000000] after task data", 12, "expected [N] with N from 0 to 999999, found '[1000000]'"),
        Wrong("wire request[1]after task data", 12, "expected [N] with N from 0 to 999999, found '[1]after'"),
        Wrong("wire request[1] [2] after task data", 16, "expected 'after' between the two events, found '[2]'"),
        Wrong("wire request", 12, "expected 'after' between the two events, found the end"),
        Wrong("wire request task data", 13, "expected 'after' between the two events, found 'task'"),
        Wrong("wire request After task data", 13, "expected 'after' between the two events, found 'After'"),
        Wrong("wire request after", 18, "\(lanes) the end"),
        Wrong("wire request after task", 23, "expected an event of lane 'task', found the end"),
        Wrong("wire request after task data after task data", 29, "expected the end of the edge, found 'after'"),
        Wrong("wire request after task data, task", 28, "',' begins no event"),
    ])
    func `what is wrong is told where it stands`(row: Wrong) {
        let error = #expect(throws: NotationError.self) { try CausalEdge(parsing: row.text) }
        #expect(error?.offset == row.offset)
        #expect(error?.sentence == row.sentence)
        #expect(error?.text == row.text)
    }

    @Test func `cut anywhere, an edge is refused within its text or is whole`() throws {
        let text = #"wire request("GET /ä b")[1] after harness[2] answer(follow)[3]"#
        let bytes = Array(text.utf8)
        for count in bytes.indices {
            let part = String(decoding: bytes[..<count], as: UTF8.self)
            do throws(NotationError) {
                let edge = try CausalEdge(parsing: part)
                #expect(edge.earlier.lane.lane == .harness)
            } catch {
                #expect((0...part.utf8.count).contains(error.offset), "\(part)")
                #expect(error.caretLines.contains("^"))
            }
        }
    }

    @Test func `no byte breaks the parser`() {
        var generator = SeededGenerator(seed: 7)
        let words = [
            "wire", "task", "request", "after", "data", " ", "[", "]", "(", ")", "\"", "\\", "1", "ä", "\n", "#",
        ]
        for _ in 0..<3000 {
            let text = (0..<Int.random(in: 0..<12, using: &generator))
                .map { _ in words.randomElement(using: &generator) ?? "" }.joined()
            do throws(NotationError) {
                let edge = try CausalEdge(parsing: text)
                #expect(edge.text == text)
            } catch {
                #expect((0...text.utf8.count).contains(error.offset), "\(text)")
            }
        }
    }
}
