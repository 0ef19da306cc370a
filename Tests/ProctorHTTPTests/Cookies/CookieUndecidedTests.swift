import ProctorHTTP
import Testing

/// Responses that the client of a request perhaps had not read.
struct CookieUndecidedTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        /// Fields of one response each, numbered from 1.
        let set: [[String]]
        let undecided: Set<Int>
        /// For each response those beside it.
        let beside: [Int: Set<Int>]
        let conforming: [String?]
        let departing: [String?]

        init(
            _ name: String, set: [[String]], undecided: Set<Int> = [], beside: [Int: Set<Int>] = [:],
            conforming: [String?], departing: [String?]
        ) {
            self.name = name
            self.set = set
            self.undecided = undecided
            self.beside = beside
            self.conforming = conforming
            self.departing = departing
        }

        var testDescription: String { name }
    }

    static let rows: [Row] = [
        Row(
            "all is known", set: [["a=1"], ["a=2", "b=1"]], conforming: ["a=2; b=1"],
            departing: [nil, "a=1", "a=1; b=1", "a=2"]),
        Row(
            "a first cookie", set: [["a=1"]], undecided: [1], conforming: [nil, "a=1"],
            departing: ["a=2", "a=1; a=1", "a=1; b=1", "=a=1"]),
        Row(
            "a second cookie", set: [["a=1"], ["b=1"]], undecided: [2], conforming: ["a=1", "a=1; b=1", "b=1; a=1"],
            departing: [nil, "b=1"]),
        Row(
            "another value", set: [["a=1"], ["a=2"]], undecided: [2], conforming: ["a=1", "a=2"],
            departing: [nil, "a=3", "a=1; a=2", "a=2; a=1"]),
        Row(
            "deleted", set: [["a=1", "b=1"], ["a=; Max-Age=0"]], undecided: [2], conforming: ["b=1", "a=1; b=1"],
            departing: [nil, "a=1", "a=; b=1"]),
        Row(
            "a deletion that found nothing, and a cookie from beside it", set: [["a=; Max-Age=0"], ["a=1"]],
            beside: [2: [1]], conforming: [nil, "a=1"], departing: ["a=2", "a=1; a=1"]),
        Row(
            "one that is open between two that are not", set: [["c=1"], ["b=1"], ["a=1"]], undecided: [2],
            conforming: ["c=1; a=1", "c=1; b=1; a=1", "b=1; c=1; a=1", "c=1; a=1; b=1"], departing: [nil, "b=1"]),
        Row(
            "several in a row", set: [["a=1"], ["a=2"], ["a=3"], ["a=4"]], undecided: [3, 4],
            conforming: ["a=2", "a=3", "a=4"], departing: ["a=1", nil]),
        Row(
            "only the later one is known", set: [["a=1"], ["a=2"], ["a=3"]], undecided: [2], conforming: ["a=3"],
            departing: ["a=1", "a=2", nil]),
        Row(
            "for another path", set: [["a=1"], ["a=2; Path=/other"]], undecided: [2], conforming: ["a=1"],
            departing: ["a=1; a=2", "a=2", nil]),
        Row(
            "another that looks alike", set: [["a=1; Path=/"], ["a=1; Path=/x", "b=1; Path=/x/y"]], undecided: [2],
            conforming: ["a=1", "a=1; a=1", "b=1; a=1; a=1", "b=1; a=1"], departing: [nil, "a=1; a=1; a=1", "b=1"]),
        Row(
            "another value, by which it looks like another", set: [["a=1; Path=/", "a=2; Path=/x"], ["a=1; Path=/x"]],
            undecided: [2], conforming: ["a=2; a=1", "a=1; a=1"], departing: [nil, "a=1", "a=2", "a=2; a=1; a=1"]),
        Row(
            "beside one another", set: [["a=1"], ["a=2"]], beside: [2: [1]], conforming: ["a=1", "a=2"],
            departing: [nil, "a=3", "a=1; a=2"]),
        Row(
            "one beside another deletes", set: [["a=1"], ["a=; Max-Age=0"]], beside: [2: [1]],
            conforming: [nil, "a=1"], departing: ["a="]),
        Row(
            "beside one another, and then one behind both", set: [["a=1"], ["a=2"], ["a=3"]], beside: [2: [1]],
            conforming: ["a=3"], departing: ["a=1", "a=2", nil]),
        Row(
            "the order of what came side by side", set: [["a=1"], ["b=1"], ["c=1"]], beside: [2: [1]],
            conforming: ["a=1; b=1; c=1", "b=1; a=1; c=1"], departing: ["a=1; b=1", "c=2; a=1; b=1"]),
        Row(
            "a cookie whose value begins with =", set: [["==x"]], undecided: [1], conforming: [nil, "=x"],
            departing: ["=y", "==x"]),
    ]

    static func judge(_ row: Row) -> CookieJudge {
        var judge = CookieJudge()
        for (index, fields) in row.set.enumerated() {
            _ = judge.set(
                fields.map(bytes), by: CookieURL(CookieJudgeTests.home), at: CookieStory.start,
                beside: row.beside[index + 1] ?? [])
        }
        return judge
    }

    static func verdict(_ row: Row, _ sent: String?) -> CookieVerdict {
        var judge = judge(row)
        return judge.judge(
            sent.map { [bytes($0)] } ?? [], to: CookieURL(CookieJudgeTests.home + "x/y"), at: CookieStory.start,
            undecided: row.undecided)
    }

    @Test(arguments: rows)
    func `what the client may have known conforms, and nothing else`(_ row: Row) {
        #expect(Self.judge(row).responseCount == row.set.count)
        for sent in row.conforming {
            let verdict = Self.verdict(row, sent)
            #expect(!verdict.conformsTo.isEmpty && verdict.differences.isEmpty, "\(sent ?? "-"): \(verdict)")
            #expect(verdict.undecidedCount == row.undecided.count)
        }
        for sent in row.departing {
            let verdict = Self.verdict(row, sent)
            #expect(verdict.conformsTo.isEmpty && !verdict.differences.isEmpty, "\(sent ?? "-"): \(verdict)")
        }
    }

    @Test func `changes beyond those that are kept are taken for known`() {
        var judge = CookieJudge()
        let place = CookieURL(CookieJudgeTests.home)
        _ = judge.set([bytes("a=1")], by: place, at: 0)
        for index in 0..<2_100 { _ = judge.set([bytes("b=\(index)")], by: place, at: 0) }
        #expect(judge.judge([bytes("b=2099")], to: place, at: 0, undecided: [1]).conformsTo.isEmpty)
        #expect(!judge.judge([bytes("a=1; b=2098")], to: place, at: 0, undecided: [1, 2101]).conformsTo.isEmpty)
    }

    @Test func `a cookie whose place is open does not hide that its neighbours are in a wrong order`() {
        let place = CookieURL(CookieJudgeTests.home)
        var judge = CookieJudge()
        for field in ["c=1", "b=1", "a=1"] { _ = judge.set([Array(field.utf8)], by: place, at: 0) }
        for text in ["a=1; c=1", "a=1; b=1; c=1", "b=1; a=1; c=1"] {
            let verdict = judge.judge([Array(text.utf8)], to: place, at: 0, undecided: [2])
            #expect(verdict.differences.map(\.kind) == [.wrongOrder], "\(text)")
        }
    }
}

/// A short story of a cookie client: the responses that set cookies, and the requests that send them.
struct CookieStory: Sendable, CustomTestStringConvertible {
    let name: String
    let steps: [Step]

    enum Step: Sendable {
        /// A response of that URL.
        case set(String, [String])
        /// A request to that URL, and the cookies sent by RFC 6265 and by RFC 6265bis.
        case sends(String, String?, revised: String?)
        /// Seconds pass.
        case wait(Int)
        case endSession

        static func sends(_ url: String, _ both: String?) -> Step { .sends(url, both, revised: both) }
        static func set(_ url: String, _ fields: String...) -> Step { .set(url, fields) }
    }

    init(_ name: String, _ steps: Step...) {
        self.name = name
        self.steps = steps
    }

    var testDescription: String { name }

    /// 1 January 2026.
    static let start = 1_767_225_600
}

extension CookieURL {
    /// `https://host/path`, what follows `?` left out.
    init(_ url: String) {
        let isSecure = url.hasPrefix("https://")
        let rest = url.drop { $0 != ":" }.dropFirst(3)
        let path = rest.drop { $0 != "/" }.prefix { $0 != "?" }
        self.init(isSecure: isSecure, host: String(rest.prefix { $0 != "/" }), path: bytes(String(path)))
    }
}
