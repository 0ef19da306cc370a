import ProctorHTTP

@testable import ProctorJournal

/// Entries about names, proxies and cookies, with everything that can stand in them.
enum CookieNoteSamples {
    static let notes = [
        SetCookieNote(
            field: Array("a=1; Path=/a".utf8), outcome: .stored, revisedOutcome: nil, remarks: []),
        SetCookieNote(
            field: [0x62, 0x3D, 0xFF], outcome: .replaced, revisedOutcome: .ignored,
            remarks: ["a \"remark\"", "another"]),
    ]

    static let verdict = CookieVerdict(
        sent: [Array("a=2".utf8), [0xFF]], expected: Array("a=1".utf8), conformsTo: [],
        differences: [
            CookieDifference(.wrongValue, Array("a".utf8), sentence: "it is \"2\"", section: "RFC 6265 §5.4"),
            CookieDifference(.severalFields, [], sentence: "two fields", section: "RFC 6265 §5.4"),
            CookieDifference(.unknown, [0xFE], sentence: "nobody set it", section: "RFC 6265 §5.4"),
        ])

    static let silent = CookieVerdict(sent: [], expected: nil, conformsTo: [.rfc6265, .rfc6265bis], differences: [])

    static let odd = CookieVerdict(sent: [], expected: [0xFF], conformsTo: [.rfc6265bis], differences: [])

    static let open = CookieVerdict(
        sent: [], expected: Array("a=1".utf8), conformsTo: [.rfc6265], differences: [], undecidedCount: 2)

    static let torn = CookieVerdict(
        sent: [Array("a=1".utf8)], expected: Array("a=1".utf8), conformsTo: [.rfc6265], differences: [],
        otherwise: CookieReading(
            .rfc6265bis, expected: [0xFF],
            differences: [CookieDifference(.refused, Array("a".utf8), sentence: "no", section: "RFC 6265bis §5.6")]))

    static let events: [JournalEvent] = [
        .routed(origin: "main", by: .host), .routed(origin: "main", by: .absolute), .routed(origin: "s", by: .tunnel),
        .tunnelOpened(authority: "home.example.org:443", origin: "secure", connection: 12), .cookiesSet(notes),
        .cookiesSet([]), .cookiesJudged(verdict), .cookiesJudged(silent), .cookiesJudged(odd),
        .cookiesJudged(open), .cookiesJudged(torn),
    ]
}
