import ProctorBase
import Testing

@testable import ProctorHTTP

struct LimitTests {
    private static func row(
        _ name: String, _ input: String, limit: WritableKeyPath<RequestLimits, Int>, most: Int, kind: Violation.Kind
    ) -> LimitRow<RequestLimits> {
        LimitRow(name, input, of: RequestLimits(), limit: limit, most: most, kind: kind)
    }

    static let chunked = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"

    static let rows: [LimitRow<RequestLimits>] = [
        row(
            "empty lines", "\r\n\r\nGET / HTTP/1.0\r\n\r\n", limit: \.emptyLineCount, most: 2, kind: .tooManyEmptyLines),
        row("method", "ABCDE / HTTP/1.0\r\n\r\n", limit: \.methodByteCount, most: 5, kind: .methodTooLong),
        row("target", "GET /2345 HTTP/1.0\r\n\r\n", limit: \.targetByteCount, most: 5, kind: .targetTooLong),
        row(
            "field line", "GET / HTTP/1.0\r\nX: 456\r\n\r\n", limit: \.fieldLineByteCount, most: 8,
            kind: .fieldLineTooLong),
        row(
            "fields", "GET / HTTP/1.0\r\nA: 1\r\nB: 2\r\n c\r\n\r\n", limit: \.fieldCount, most: 2, kind: .tooManyFields
        ),
        row("head", "GET / HTTP/1.0\r\nA: 1\r\n\r\n", limit: \.headByteCount, most: 24, kind: .headTooLarge),
        row(
            "length", "POST / HTTP/1.0\r\nContent-Length: 3\r\n\r\nabc", limit: \.bodyByteCount, most: 3,
            kind: .contentTooLarge),
        row(
            "chunks", chunked + "2\r\nab\r\n1\r\nc\r\n0\r\n\r\n", limit: \.bodyByteCount, most: 3,
            kind: .contentTooLarge),
        row("chunk line", chunked + "0;ab\r\n\r\n", limit: \.chunkLineByteCount, most: 4, kind: .chunkLineTooLong),
        row("trailers", chunked + "0\r\nA: 1\r\n\r\n", limit: \.trailerByteCount, most: 8, kind: .trailersTooLarge),
    ]

    @Test(arguments: rows)
    func `what is as long as its limit is read, and one more is refused`(_ row: LimitRow<RequestLimits>) throws {
        let within = Verifier<RequestReader>.events(of: row.input, limits: row.atLimit)
        #expect(within.last == .end)

        let refusal = try #require(Verifier<RequestReader>.events(of: row.input, limits: row.belowLimit).last)
        #expect(refusal.isRefusal)
        let violation = try #require(refusal.violations.first)
        #expect(violation.kind == row.kind)
        #expect(violation.bound != nil)
        #expect(violation.status != 200)
    }

    @Test func `an endless head is refused without being kept`() {
        var reader = RequestReader()
        let piece = [UInt8](repeating: UInt8(ascii: "a"), count: 1000)
        #expect(reader.firstEvent(feeding: piece) == .refused(Violation(.requestLineTooLong, at: 8480, bound: 8480)))
    }

    @Test func `limits of any size make no trap`() {
        let most = RequestLimits(
            emptyLineCount: .max, methodByteCount: .max, targetByteCount: .max, fieldLineByteCount: .max,
            fieldCount: .max, headByteCount: .max, chunkLineByteCount: .max, trailerByteCount: .max, bodyByteCount: .max
        )
        let least = RequestLimits(
            emptyLineCount: 0, methodByteCount: 0, targetByteCount: 0, fieldLineByteCount: 0, fieldCount: 0,
            headByteCount: 0, chunkLineByteCount: 0, trailerByteCount: 0, bodyByteCount: 0)
        for row in MalformedRequest.all where row.limits == RequestLimits() {
            Verifier<RequestReader>.events(of: row.input, limits: least, thenEnds: row.thenEnds)
            let events = Verifier<RequestReader>.events(of: row.input, limits: most, thenEnds: row.thenEnds)
            let kinds = events.flatMap(\.violations).map(\.kind)
            #expect(kinds == row.expected.map(\.kind), "\(row.name)")
        }
    }
}

struct RequestLineTests {
    @Test(arguments: WellFormed.all)
    func `the quick way and the careful way read a line alike`(_ row: WellFormed) throws {
        let end = try #require(row.input.firstIndex(of: 0x0A)) + 1
        var findings = Findings(of: .request)
        let quick = try RequestLine(row.input.span, end: end, limits: RequestLimits(), findings: &findings)
        let careful = try RequestLine(careful: row.input.span, end: end, limits: RequestLimits(), findings: &findings)
        #expect(quick == careful)
        #expect(findings.violations == [])
    }

    @Test func `a line feed is found at every place of inputs of every length`() {
        for count in 0..<40 {
            var input = [UInt8](repeating: 0x0B, count: count)
            #expect(input.span.indexOfLineFeed(from: 0) == count)
            for place in 0..<count {
                input[place] = 0x0A
                for start in 0...place { #expect(input.span.indexOfLineFeed(from: start) == place) }
                input[place] = 0x8A
            }
        }
    }

    @Test(arguments: [
        ("", [""]), ("a", ["a"]), (" a , b\t", ["a", "b"]), ("a,,b", ["a", "", "b"]), (",", ["", ""]),
        ("\"a,b\",c", ["\"a,b\"", "c"]), ("\"a\\\",b\",c", ["\"a\\\",b\"", "c"]), ("\"a,b", ["\"a,b"]),
        ("\"a\\", ["\"a\\"]),
    ])
    func `a list is parted at its commas`(_ value: String, _ expected: [String]) {
        let value = bytes(value)
        var elements = ListElements()
        var found: [String] = []
        while let element = elements.next(in: value.span) { found.append(text(value[element])) }
        #expect(found == expected)
    }
}

struct ReplyLimitTests {
    private static func row(
        _ name: String, _ input: String, limit: WritableKeyPath<ReplyLimits, Int>, most: Int, kind: Violation.Kind
    ) -> LimitRow<ReplyLimits> {
        LimitRow(name, input, of: ReplyLimits(), limit: limit, most: most, kind: kind)
    }

    static let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    static let hint = "HTTP/1.1 103 x\r\n\r\n"

    static let rows: [LimitRow<ReplyLimits>] = [
        row(
            "empty lines", "\r\n\r\nHTTP/1.1 204 x\r\n\r\n", limit: \.emptyLineCount, most: 2, kind: .tooManyEmptyLines),
        row("status line", "HTTP/1.1 204 x\r\n\r\n", limit: \.statusLineByteCount, most: 16, kind: .statusLineTooLong),
        row(
            "field line", "HTTP/1.1 204 x\r\nX: 456\r\n\r\n", limit: \.fieldLineByteCount, most: 8,
            kind: .fieldLineTooLong),
        row(
            "fields", "HTTP/1.1 204 x\r\nA: 1\r\nB: 2\r\n c\r\n\r\n", limit: \.fieldCount, most: 2, kind: .tooManyFields
        ),
        row("head", "HTTP/1.1 204 x\r\nA: 1\r\n\r\n", limit: \.headByteCount, most: 24, kind: .headTooLarge),
        row(
            "interim replies", hint + hint + "HTTP/1.1 204 x\r\n\r\n", limit: \.interimCount, most: 2,
            kind: .tooManyInterimReplies),
        row(
            "length", "HTTP/1.1 200 x\r\nContent-Length: 3\r\n\r\nabc", limit: \.bodyByteCount, most: 3,
            kind: .contentTooLarge),
        row(
            "chunks", chunked + "2\r\nab\r\n1\r\nc\r\n0\r\n\r\n", limit: \.bodyByteCount, most: 3,
            kind: .contentTooLarge),
        row("until close", "HTTP/1.1 200 x\r\n\r\nabc", limit: \.bodyByteCount, most: 3, kind: .contentTooLarge),
        row("chunk line", chunked + "0;ab\r\n\r\n", limit: \.chunkLineByteCount, most: 4, kind: .chunkLineTooLong),
        row("trailers", chunked + "0\r\nA: 1\r\n\r\n", limit: \.trailerByteCount, most: 8, kind: .trailersTooLarge),
    ]

    @Test(arguments: rows)
    func `what is as long as its limit is read, and one more is refused`(_ row: LimitRow<ReplyLimits>) throws {
        let within = Verifier<ReplyReader>.events(of: row.input, to: ["GET"], limits: row.atLimit, thenEnds: true)
        #expect(within.last == .end)

        let events = Verifier<ReplyReader>.events(of: row.input, to: ["GET"], limits: row.belowLimit)
        let refusal = try #require(events.last)
        #expect(refusal.isRefusal)
        let violation = try #require(refusal.violations.first)
        #expect(violation.kind == row.kind)
        #expect(violation.bound != nil)
        #expect(violation.sentence.contains("\(violation.bound ?? -1)"))
    }

    @Test func `an endless status line is refused without being kept`() {
        var reader = ReplyReader()
        reader.expectReply(to: bytes("GET"))
        let first = bytes("HTTP/1.1 200 ")
        var offset = 0
        #expect(reader.next(first.span, at: &offset) == nil)
        let piece = [UInt8](repeating: UInt8(ascii: "a"), count: 1000)
        #expect(
            reader.firstEvent(feeding: piece)
                == .refused(Violation(.statusLineTooLong, in: .reply, at: 8192, bound: 8192)))
    }

    @Test func `limits of any size make no trap`() {
        let most = ReplyLimits(
            emptyLineCount: .max, statusLineByteCount: .max, fieldLineByteCount: .max, fieldCount: .max,
            headByteCount: .max, interimCount: .max, chunkLineByteCount: .max, trailerByteCount: .max,
            bodyByteCount: .max)
        let least = ReplyLimits(
            emptyLineCount: 0, statusLineByteCount: 0, fieldLineByteCount: 0, fieldCount: 0, headByteCount: 0,
            interimCount: 0, chunkLineByteCount: 0, trailerByteCount: 0, bodyByteCount: 0)
        for row in MalformedReply.all where row.limits == ReplyLimits() {
            Verifier<ReplyReader>.events(of: row.input, to: row.methods, limits: least, thenEnds: row.thenEnds)
            let events = Verifier<ReplyReader>.events(
                of: row.input, to: row.methods, limits: most, thenEnds: row.thenEnds)
            #expect(events.flatMap(\.violations).map(\.kind) == row.expected.map(\.kind), "\(row.name)")
        }
    }
}
