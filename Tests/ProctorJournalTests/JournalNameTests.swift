import ProctorHTTP
import Testing

@testable import ProctorEvents
@testable import ProctorJournal

/// Journal lines about names, proxies and cookies: written, read back, and refused where they say what cannot be.
struct JournalNameTests {
    private static func line(_ members: String) -> [UInt8] { Array(#"{"seq":1,"ns":2,\#(members)}"#.utf8) }

    @Test func `every event has its golden line`() {
        let head = #"{"seq":7,"ns":81230,"connection":2,"ev":"#
        let rows: [(JournalEvent, String)] = [
            (.routed(origin: "main", by: .host), #""routed","origin":"main","by":"host"}"#),
            (.routed(origin: "alt", by: .absolute), #""routed","origin":"alt","by":"absolute"}"#),
            (.routed(origin: "alt", by: .tunnel), #""routed","origin":"alt","by":"tunnel"}"#),
            (
                .tunnelOpened(authority: "home.example.org:443", origin: "secure", connection: 12),
                #""tunnelOpened","authority":"home.example.org:443","origin":"secure","tunnelConnection":12}"#
            ),
            (
                .cookiesSet(CookieNoteSamples.notes),
                #""cookiesSet","cookies":[{"field":"a=1; Path=/a","outcome":"stored","remarks":[]},"#
                    + #"{"fieldBase64":"Yj3/","outcome":"replaced","revisedOutcome":"ignored","#
                    + #""remarks":["a \"remark\"","another"]}]}"#
            ),
            (
                .cookiesJudged(CookieNoteSamples.verdict),
                #""cookiesJudged","sent":["a=2",{"base64":"/w=="}],"expected":"a=1","conformsTo":[],"#
                    + #""differences":[{"kind":"wrong-value","name":"a","sentence":"it is \"2\"","#
                    + #""section":"RFC 6265 §5.4"},{"kind":"several-fields","name":"","sentence":"two fields","#
                    + #""section":"RFC 6265 §5.4"},{"kind":"unknown","nameBase64":"/g==","#
                    + #""sentence":"no reply set it","section":"RFC 6265 §5.4"}]}"#
            ),
            (
                .cookiesJudged(CookieNoteSamples.silent),
                #""cookiesJudged","sent":[],"conformsTo":["rfc6265","rfc6265bis"],"differences":[]}"#
            ),
            (
                .cookiesJudged(CookieNoteSamples.odd),
                #""cookiesJudged","sent":[],"expectedBase64":"/w==","conformsTo":["rfc6265bis"],"differences":[]}"#
            ),
            (
                .cookiesJudged(CookieNoteSamples.open),
                #""cookiesJudged","sent":[],"expected":"a=1","conformsTo":["rfc6265"],"differences":[],"undecided":2}"#
            ),
            (
                .cookiesJudged(CookieNoteSamples.torn),
                #""cookiesJudged","sent":["a=1"],"expected":"a=1","conformsTo":["rfc6265"],"differences":[],"#
                    + #""otherwise":{"edition":"rfc6265bis","expectedBase64":"/w==","differences":[{"kind":"refused","#
                    + #""name":"a","sentence":"no","section":"RFC 6265bis §5.6"}]}}"#
            ),
        ]
        for (event, rest) in rows { #expect(JournalEncoderTests.line(event) == head + rest + "\n") }
    }

    @Test func `every event comes back as it was`() throws {
        let bytes = JournalEncoder().lines(
            CookieNoteSamples.events.enumerated().map { index, event in
                JournalEntry(sequence: UInt64(index + 1), nanoseconds: 9, connection: 0, request: 1, event: event)
            })
        let read = try JournalLines(bytes, file: "j")
        #expect(read.unknownCount == 0)
        let again = JournalEncoder().lines(read.entries)
        #expect(String(decoding: again, as: UTF8.self) == String(decoding: bytes, as: UTF8.self))
        guard read.entries.count == CookieNoteSamples.events.count,
            case .tunnelOpened("home.example.org:443", "secure", 12) = read.entries[3].event,
            case .cookiesSet(let notes) = read.entries[4].event,
            case .cookiesJudged(let verdict) = read.entries[6].event,
            case .cookiesJudged(let torn) = read.entries[10].event
        else {
            Issue.record("\(read.entries)")
            return
        }
        #expect(notes == CookieNoteSamples.notes && verdict == CookieNoteSamples.verdict)
        #expect(torn == CookieNoteSamples.torn)
    }

    @Test(arguments: CookieDifference.Kind.allCases) func `every kind of difference comes back`(
        kind: CookieDifference.Kind
    ) throws {
        let verdict = CookieVerdict(
            sent: [], expected: nil, conformsTo: [],
            differences: [CookieDifference(kind, [], sentence: "s", section: "x")])
        let line = JournalEncoderTests.line(.cookiesJudged(verdict))
        guard case .cookiesJudged(verdict)? = try JournalLines(Array(line.utf8), file: "j").entries.first?.event else {
            Issue.record("\(line)")
            return
        }
    }

    @Test func `keys of later versions are passed over`() throws {
        let line =
            #""ev":"cookiesSet","store":1,"cookies":[{"field":"a","outcome":"stored","remarks":[],"level":[2,{"a":1}]}]"#
        #expect(try JournalLines(Self.line(line), file: "j").entries.count == 1)
    }

    @Test(
        arguments: [
            (#""ev":"routed","origin":"main""#, "an entry needs the key 'by'"),
            (#""ev":"routed","origin":"main","by":"name""#, "'by' is no 'name'"),
            (#""ev":"tunnelOpened","authority":"a:1","origin":"main""#, "an entry needs the key 'tunnelConnection'"),
            (
                #""ev":"tunnelOpened","authority":"a:1","origin":"main","tunnelConnection":-1"#,
                "'tunnelConnection' is a whole number from 0 to 9007199254740992"
            ), (#""ev":"cookiesSet""#, "an entry needs the key 'cookies'"),
            (#""ev":"cookiesSet","cookies":["a=1"]"#, "'cookies' is a list of objects"),
            (#""ev":"cookiesSet","cookies":[{"outcome":"stored","remarks":[]}]"#, "an entry needs the key 'field'"),
            (#""ev":"cookiesSet","cookies":[{"field":"a","outcome":"kept","remarks":[]}]"#, "'outcome' is no 'kept'"),
            (
                #""ev":"cookiesSet","cookies":[{"field":"a","outcome":"stored","revisedOutcome":1,"remarks":[]}]"#,
                "'revisedOutcome' is a text"
            ),
            (
                #""ev":"cookiesSet","cookies":[{"field":"a","outcome":"stored","remarks":[1]}]"#,
                "'remarks' is a list of texts"
            ), (#""ev":"cookiesJudged","sent":[]"#, "an entry needs the key 'conformsTo'"),
            (
                #""ev":"cookiesJudged","sent":[1],"conformsTo":[],"differences":[]"#,
                "'sent' is text, or an object with base64"
            ),
            (
                #""ev":"cookiesJudged","sent":[],"conformsTo":["rfc2109"],"differences":[]"#,
                "'conformsTo' is no 'rfc2109'"
            ), (#""ev":"cookiesJudged","sent":[],"expectedBase64":"?","conformsTo":[],"differences":[]"#, nil),
            (
                #""ev":"cookiesJudged","sent":[],"conformsTo":[],"differences":[{"kind":"odd","name":"a","sentence":"s","section":"x"}]"#,
                "'kind' is no 'odd'"
            ),
            (
                #""ev":"cookiesJudged","sent":[],"conformsTo":[],"differences":[{"kind":"missing","name":"a","section":"x"}]"#,
                "an entry needs the key 'sentence'"
            ),
        ] as [(String, String?)]) func `an impossible value is refused with its reason`(
            _ members: String, _ sentence: String?
        )
    {
        #expect { try JournalLines(Self.line(members), file: "j") } throws: { error in
            guard let found = (error as? TraceReadingError)?.sentence else { return false }
            return sentence.map { $0 == found } ?? found.hasPrefix("'expected': ")
        }
    }
}
