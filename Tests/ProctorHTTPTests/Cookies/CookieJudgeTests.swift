import ProctorHTTP
import Testing

/// What is told about a Cookie field that is not the expected one.
struct CookieJudgeTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        /// URL, Set-Cookie fields of one response each.
        let set: [(String, [String])]
        let wait: Int
        let url: String
        let sent: [String]
        let kinds: [CookieDifference.Kind]
        /// Parts of the first sentence.
        let says: [String]
        let section: String

        init(
            _ name: String, set: [(String, [String])], wait: Int = 0, to url: String, sent: [String] = [],
            gives kinds: [CookieDifference.Kind], saying says: String..., section: String
        ) {
            self.name = name
            self.set = set
            self.wait = wait
            self.url = url
            self.sent = sent
            self.kinds = kinds
            self.says = says
            self.section = section
        }

        var testDescription: String { name }
    }

    static let home = "http://home.example.org/"

    static let rows: [Row] = [
        Row(
            "no field", set: [(home, ["a=1; Path=/"])], to: home + "x?y", gives: [.missing],
            saying: "\"a=1\" is missing", "there is no Cookie field", "http://home.example.org/x",
            section: "RFC 6265 §5.4"),
        Row(
            "one of two", set: [(home, ["a=1", "b=2"])], to: home, sent: ["b=2"], gives: [.missing],
            saying: "\"a=1\" is missing", "not in the Cookie field", section: "RFC 6265 §5.4"),
        Row(
            "no reply set it", set: [], to: home, sent: ["x=y"], gives: [.unknown],
            saying: "no reply set the cookie \"x=y\"", section: "RFC 6265 §5.4"),
        Row(
            "another value", set: [(home, ["a=1"])], to: home, sent: ["a=2"], gives: [.wrongValue],
            saying: "\"a=2\" never had this value", "expected \"a=1\"", section: "RFC 6265 §5.4"),
        Row(
            "quotation marks are gone", set: [(home, [#"a="b""#])], to: home, sent: ["a=b"], gives: [.wrongValue],
            saying: "the quotation marks are part of the value", section: "RFC 6265 §5.4"),
        Row(
            "quotation marks are added", set: [(home, ["a=b"])], to: home, sent: [#"a="b""#], gives: [.wrongValue],
            saying: "were not part of the value", section: "RFC 6265 §5.4"),
        Row(
            "decoded", set: [(home, ["a=%41"])], to: home, sent: ["a=A"], gives: [.wrongValue],
            saying: "are not decoded", section: "RFC 6265 §5.4"),
        Row(
            "encoded", set: [(home, ["a=b c"])], to: home, sent: ["a=b%20c"], gives: [.wrongValue],
            saying: "without encoding", section: "RFC 6265 §5.4"),
        Row(
            "cut at the second equals sign", set: [(home, ["a=b=c"])], to: home, sent: ["a=b"], gives: [.wrongValue],
            saying: "2 bytes are cut off its end", section: "RFC 6265 §5.4"),
        Row(
            "the old value", set: [(home, ["a=1"]), (home, ["a=2"])], to: home, sent: ["a=1"], gives: [.oldValue],
            saying: "was replaced by the value \"2\"", "expected \"a=2\"", section: "RFC 6265 §5.3"),
        Row(
            "deleted", set: [(home, ["a=1"]), (home, ["a=; Max-Age=0"])], to: home, sent: ["a=1"], gives: [.deleted],
            saying: "was deleted", "leave it out", section: "RFC 6265 §5.3"),
        Row(
            "expired", set: [(home, ["a=1; Max-Age=5"])], wait: 9, to: home, sent: ["a=1"], gives: [.expired],
            saying: "is over, since Thu, 01 Jan 2026 00:00:05 GMT", section: "RFC 6265 §5.3"),
        Row(
            "over as it came", set: [(home, ["a=1; Expires=Sun, 06 Nov 1994 08:49:37 GMT"])], to: home, sent: ["a=1"],
            gives: [.expired], saying: "was over as it came, since Sun, 06 Nov 1994 08:49:37 GMT",
            section: "RFC 6265 §5.3"),
        Row(
            "to a sibling", set: [(home, ["a=1"])], to: "http://sibling.example.org/", sent: ["a=1"],
            gives: [.wrongHost], saying: "kept for home.example.org", "it had no Domain", section: "RFC 6265 §5.1.3"),
        Row(
            "from a sibling's domain", set: [(home, ["a=1; Domain=home.example.org"])], to: "http://example.org/",
            sent: ["a=1"], gives: [.wrongHost], saying: "its Domain ends elsewhere", section: "RFC 6265 §5.1.3"),
        Row(
            "to another path", set: [(home + "a/b", ["a=1"])], to: home, sent: ["a=1"], gives: [.wrongPath],
            saying: "path \"/a\"", section: "RFC 6265 §5.1.4"),
        Row(
            "to a path that only begins so", set: [(home, ["a=1; Path=/a"])], to: home + "ab", sent: ["a=1"],
            gives: [.wrongPath], saying: "behind a slash", section: "RFC 6265 §5.1.4"),
        Row(
            "Secure without TLS", set: [("https://home.example.org/", ["a=1; Secure"])], to: home, sent: ["a=1"],
            gives: [.wrongScheme], saying: "it is Secure and the connection is not", section: "RFC 6265 §5.4"),
        Row(
            "a foreign Domain", set: [(home, ["a=1; Domain=example.net"])], to: home, sent: ["a=1"], gives: [.refused],
            saying: "to be ignored, for its Domain is neither", section: "RFC 6265 §5.3"),
        Row(
            "a public suffix", set: [(home, ["a=1; Domain=org"])], to: home, sent: ["a=1"], gives: [.refused],
            saying: "public suffix", section: "RFC 6265 §5.3"),
        Row(
            "refused, and an older one stands", set: [(home, ["a=1", "a=2; Domain=example.net"])], to: home,
            sent: ["a=2"], gives: [.refused], saying: "expected \"a=1\"", section: "RFC 6265 §5.3"),
        Row(
            "twice", set: [(home, ["a=1"])], to: home, sent: ["a=1; a=1"], gives: [.twice], saying: "send each once",
            section: "RFC 6265 §5.4"),
        Row(
            "the shorter path first", set: [(home, ["a=1; Path=/"]), (home, ["b=1; Path=/x"])], to: home + "x",
            sent: ["a=1; b=1"], gives: [.wrongOrder], saying: "\"b=1\" stands behind \"a=1\"", "longer path",
            section: "RFC 6265 §5.4"),
        Row(
            "the younger first", set: [(home, ["a=1"]), (home, ["b=1"])], to: home, sent: ["b=1; a=1"],
            gives: [.wrongOrder], saying: "older cookie goes first", section: "RFC 6265 §5.4"),
        Row(
            "two fields", set: [(home, ["a=1", "b=1"])], to: home, sent: ["a=1", "b=1"], gives: [.severalFields],
            saying: "2 Cookie fields came", section: "RFC 6265 §5.4"),
        Row(
            "no space", set: [(home, ["a=1", "b=1"])], to: home, sent: ["a=1;b=1"], gives: [.separators],
            saying: "at byte 4", "no space", section: "RFC 6265 §5.4"),
        Row(
            "a semicolon at the end", set: [(home, ["a=1"])], to: home, sent: ["a=1;"], gives: [.separators],
            saying: "at byte 4", "leave the semicolon out", section: "RFC 6265 §5.4"),
        Row(
            "an equals sign without a name", set: [(home, ["token"])], to: home, sent: ["=token"], gives: [.malformed],
            saying: "send the value alone", section: "RFC 6265bis §5.8.3"),
        Row(
            "an empty field", set: [], to: home, sent: [""], gives: [.separators], saying: "nothing stands here",
            section: "RFC 6265 §5.4"),
        Row(
            "as RFC 2109 has it", set: [(home, ["a=1"])], to: home, sent: ["$Version=1; a=1"], gives: [.unknown],
            saying: "RFC 2109", "names and values alone", section: "RFC 6265 §5.4"),
        Row(
            "several at once", set: [(home, ["a=1", "b=1; Path=/x", "c=1"])], to: home, sent: ["b=1; d=1; a=2"],
            gives: [.wrongPath, .unknown, .wrongValue, .missing], saying: "path \"/x\"", section: "RFC 6265 §5.1.4"),
    ]

    static func judge(_ row: Row) -> CookieVerdict {
        var judge = CookieJudge()
        for (url, fields) in row.set {
            _ = judge.set(fields.map(bytes), by: CookieURL(url), at: CookieStory.start)
        }
        return judge.judge(row.sent.map(bytes), to: CookieURL(row.url), at: CookieStory.start + row.wait)
    }

    @Test(arguments: rows)
    func `a difference is explained`(_ row: Row) {
        let verdict = Self.judge(row)
        #expect(verdict.differences.map(\.kind) == row.kinds, "\(verdict.differences)")
        #expect(verdict.sent == row.sent.map(bytes))
        let ofForm: [CookieDifference.Kind] = [.wrongOrder, .separators, .severalFields]
        let areRight = row.kinds.allSatisfy { ofForm.contains($0) }
        #expect(verdict.conformsTo == (areRight ? CookieEdition.allCases : []))
        let sentence = verdict.differences.first?.sentence ?? ""
        for part in row.says { #expect(sentence.contains(part), "\(sentence)") }
        #expect(verdict.differences.first?.section == row.section)
    }

    @Test func `every kind of difference but what the program forbids is met`() {
        #expect(Set(Self.rows.flatMap(\.kinds)) == Set(CookieDifference.Kind.allCases).subtracting([.forbidden]))
    }

    struct Choice: Sendable, CustomTestStringConvertible {
        let name: String
        let set: [(String, [String])]
        let wait: Int
        let url: String
        let sent: [String]
        let conformsTo: [CookieEdition]

        init(
            _ name: String, set: [(String, [String])], wait: Int = 0, to url: String, sent: [String] = [],
            conformsTo: [CookieEdition] = CookieEdition.allCases
        ) {
            self.name = name
            self.set = set
            self.wait = wait
            self.url = url
            self.sent = sent
            self.conformsTo = conformsTo
        }

        var testDescription: String { name }
    }

    static let many = (0..<190).map { "m\($0)=1" }
    static let fifty = (0..<60).map { "c\($0)=1" }

    static let choices: [Choice] = [
        Choice("nothing is expected and nothing comes", set: [], to: home),
        Choice("as expected", set: [(home, ["a=1", "b=2"])], to: home, sent: ["a=1; b=2"]),
        Choice("cookies of one response in any order", set: [(home, ["a=1", "b=2"])], to: home, sent: ["b=2; a=1"]),
        Choice(
            "what breaks the server's grammar is sent back", set: [(home, [#"a b="c, d"#])], to: home,
            sent: [#"a b="c, d"#]),
        Choice(
            "a cookie without a name that looks named", set: [(home, ["=a=b"])], to: home, sent: ["a=b"],
            conformsTo: [.rfc6265bis]),
        Choice(
            "a cookie without a name whose value begins with =", set: [(home, ["==x", "a=1"])], to: home,
            sent: ["=x; a=1"], conformsTo: [.rfc6265bis]),
        Choice(
            "a cookie without a name with spaces around its =", set: [(home, ["=a = b"])], to: home, sent: ["a = b"],
            conformsTo: [.rfc6265bis]),
        Choice("a pair without = by the RFC", set: [(home, ["token"])], to: home, conformsTo: [.rfc6265]),
        Choice(
            "a pair without = by the revision", set: [(home, ["token"])], to: home, sent: ["token"],
            conformsTo: [.rfc6265bis]),
        Choice(
            "a Secure cookie from elsewhere by the RFC", set: [(home, ["a=1; Secure"])],
            to: "https://home.example.org/", sent: ["a=1"], conformsTo: [.rfc6265]),
        Choice(
            "a Secure cookie from elsewhere by the revision", set: [(home, ["a=1; Secure"])],
            to: "https://home.example.org/", conformsTo: [.rfc6265bis]),
        Choice(
            "a Secure cookie of the machine itself, kept", set: [("http://127.0.0.1/", ["a=1; Secure"])],
            to: "http://127.0.0.1/", sent: ["a=1"], conformsTo: [.rfc6265bis]),
        Choice(
            "a Secure cookie of the machine itself, refused", set: [("http://localhost/", ["a=1; Secure"])],
            to: "http://localhost/"),
        Choice("about to expire, sent", set: [(home, ["a=1; Max-Age=9"])], wait: 8, to: home, sent: ["a=1"]),
        Choice("about to expire, left out", set: [(home, ["a=1; Max-Age=9"])], wait: 8, to: home),
        Choice("just expired, sent", set: [(home, ["a=1; Max-Age=9"])], wait: 11, to: home, sent: ["a=1"]),
        Choice(
            "longer than a client of the RFC need keep", set: [(home, ["a=" + String(repeating: "x", count: 4097)])],
            to: home),
        Choice(
            "50 of 60 cookies of a domain", set: [(home, fifty)], to: home,
            sent: [fifty.suffix(50).joined(separator: "; ")]),
        Choice(
            "more cookies of a domain than the model keeps", set: [(home, many)], to: home,
            sent: [many.joined(separator: "; ")]),
        Choice(
            "49 of 60 cookies of a domain", set: [(home, fifty)], to: home,
            sent: [fifty.suffix(49).joined(separator: "; ")], conformsTo: []),
        Choice(
            "a cookie of the host and of its domain by the RFC",
            set: [(home, ["a=1"]), (home, ["a=2; Domain=home.example.org"])], to: home, sent: ["a=2"],
            conformsTo: [.rfc6265]),
        Choice(
            "a cookie of the host and of its domain by the revision",
            set: [(home, ["a=1"]), (home, ["a=2; Domain=home.example.org"])], to: home, sent: ["a=1; a=2"],
            conformsTo: [.rfc6265bis]),
    ]

    @Test(arguments: choices)
    func `where there is a choice, either way conforms`(_ row: Choice) {
        let verdict = Self.judge(
            Row(row.name, set: row.set, wait: row.wait, to: row.url, sent: row.sent, gives: [], section: ""))
        #expect(verdict.conformsTo == row.conformsTo, "\(verdict.differences)")
        #expect(verdict.differences.isEmpty == !row.conformsTo.isEmpty)
    }

    @Test func `the expected field is that of the edition that comes nearest`() {
        var judge = CookieJudge()
        let place = CookieURL(Self.home)
        _ = judge.set([bytes("token"), bytes("a=1")], by: place, at: 0)
        #expect(judge.judge([], to: place, at: 0).expected == bytes("a=1"))
        #expect(judge.judge([bytes("token; a=1")], to: place, at: 0).expected == bytes("token; a=1"))
    }

    @Test func `where the other edition finds other differences, they are told beside the nearest one's`() throws {
        var judge = CookieJudge()
        let place = CookieURL(Self.home)
        _ = judge.set([bytes("token"), bytes("a=1")], by: place, at: 0)
        let first = judge.judge([bytes("a=1")], to: place, at: 0)
        #expect(first.conformsTo == [.rfc6265] && first.differences.isEmpty)
        let other = try #require(first.otherwise)
        #expect(other.edition == .rfc6265bis && other.expected == bytes("token; a=1"))
        #expect(other.differences.map(\.kind) == [.missing])
        #expect(other.differences.map(\.section) == ["RFC 6265bis §5.8.3"])
        #expect(first.read(by: .rfc6265) == first)
        #expect(first.read(by: .rfc6265bis).differences == other.differences)
        #expect(first.read(by: .rfc6265bis).expected == other.expected)
        let second = judge.judge([bytes("token; a=1")], to: place, at: 0)
        #expect(second.conformsTo == [.rfc6265bis] && second.otherwise?.edition == .rfc6265)
        #expect(second.otherwise?.differences.map(\.section) == ["RFC 6265 §5.2"])
        // Both editions expect one cookie at least, and both miss it.
        _ = judge.set([bytes("token; Max-Age=0")], by: place, at: 0)
        let same = judge.judge([], to: place, at: 0)
        #expect(same.differences.map(\.kind) == [.missing] && same.otherwise == nil)
        #expect(same.read(by: .rfc6265bis) == same)
    }

    struct Note: Sendable, CustomTestStringConvertible {
        let field: String
        let outcome: SetCookieNote.Outcome
        let revised: SetCookieNote.Outcome?
        let says: [String]

        init(
            _ field: String, _ outcome: SetCookieNote.Outcome, _ revised: SetCookieNote.Outcome? = nil,
            _ says: String...
        ) {
            self.field = field
            self.outcome = outcome
            self.revised = revised
            self.says = says
        }

        var testDescription: String { field }
    }

    static let notes: [Note] = [
        Note("b=1", .stored), Note("old=2", .replaced), Note("old=; Expires=Thu, 01 Jan 1970 00:00:00 GMT", .deleted),
        Note(
            "b=; Expires=Thu, 01 Jan 1970 00:00:00 GMT", .ignored, nil,
            "there is no cookie of its name, domain and path"),
        Note("b=1; Domain=example.net", .ignored, nil, "neither the host", "RFC 6265 §5.3"),
        Note("token", .ignored, .stored, "no \"=\"", "RFC 6265 §5.2", "byte 0"),
        Note("b=1; Secure", .stored, .ignored, "RFC 6265bis §5.7"),
        Note("__Host-b=1; Path=/", .stored, .ignored, "__Host-", "RFC 6265bis §5.7"),
        Note("b=1; Max-Age=99999999", .stored, nil, "cut to 400 days", "RFC 6265bis §5.5"),
        Note("b=c d", .stored, nil, "byte 3", "RFC 6265 §4.1.1"),
        Note("b=1;;;;;;", .stored, nil, "byte 4", "2 more departures"),
    ]

    @Test(arguments: notes)
    func `what becomes of a Set-Cookie field is told`(_ row: Note) throws {
        var judge = CookieJudge()
        let place = CookieURL(Self.home)
        _ = judge.set([bytes("old=1")], by: place, at: CookieStory.start)
        let note = try #require(judge.set([bytes(row.field)], by: place, at: CookieStory.start).first)
        #expect(note.field == bytes(row.field))
        #expect(note.outcome == row.outcome && note.revisedOutcome == row.revised)
        #expect(note.remarks.isEmpty == row.says.isEmpty, "\(note.remarks)")
        for part in row.says { #expect(note.remarks.contains { $0.contains(part) }, "\(part): \(note.remarks)") }
    }

    @Test func `a Secure cookie of a loopback host is told to be a matter of choice`() throws {
        var judge = CookieJudge()
        let notes = judge.set([bytes("a=1; Secure")], by: CookieURL("http://localhost/"), at: 0)
        let remarks = try #require(notes.first).remarks
        #expect(remarks.contains { $0.contains("takes a loopback host for secure") })
    }

    @Test func `each field has a note, in order`() {
        var judge = CookieJudge()
        let fields = ["a=1", "a=2", "", "b=1"].map(bytes)
        let notes = judge.set(fields, by: CookieURL(Self.home), at: 0)
        #expect(notes.map(\.field) == fields)
        #expect(notes.map(\.outcome) == [.stored, .replaced, .ignored, .stored])
    }

    @Test func `a field of thousands of pairs is judged with no more than 64 differences`() {
        var judge = CookieJudge()
        let field = bytes((0..<5_000).map { "c\($0)=1" }.joined(separator: "; "))
        let verdict = judge.judge([field], to: CookieURL(Self.home), at: 0)
        #expect(verdict.differences.count == 64 && verdict.conformsTo.isEmpty)
    }
}
