import Testing

@testable import ProctorHTTP

struct LimitTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let input: [UInt8]
        let atLimit: RequestLimits
        let belowLimit: RequestLimits
        let kind: Violation.Kind

        init(
            _ name: String, _ input: String, limit: WritableKeyPath<RequestLimits, Int>, most: Int,
            kind: Violation.Kind
        ) {
            self.name = name
            self.input = bytes(input)
            var limits = RequestLimits()
            limits[keyPath: limit] = most
            atLimit = limits
            limits[keyPath: limit] = most - 1
            belowLimit = limits
            self.kind = kind
        }

        var testDescription: String { name }
    }

    static let chunked = "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"

    static let rows: [Row] = [
        Row(
            "empty lines", "\r\n\r\nGET / HTTP/1.0\r\n\r\n", limit: \.emptyLineCount, most: 2, kind: .tooManyEmptyLines),
        Row("method", "ABCDE / HTTP/1.0\r\n\r\n", limit: \.methodByteCount, most: 5, kind: .methodTooLong),
        Row("target", "GET /2345 HTTP/1.0\r\n\r\n", limit: \.targetByteCount, most: 5, kind: .targetTooLong),
        Row(
            "field line", "GET / HTTP/1.0\r\nX: 456\r\n\r\n", limit: \.fieldLineByteCount, most: 8,
            kind: .fieldLineTooLong),
        Row(
            "fields", "GET / HTTP/1.0\r\nA: 1\r\nB: 2\r\n c\r\n\r\n", limit: \.fieldCount, most: 2, kind: .tooManyFields
        ),
        Row("head", "GET / HTTP/1.0\r\nA: 1\r\n\r\n", limit: \.headByteCount, most: 24, kind: .headTooLarge),
        Row(
            "length", "POST / HTTP/1.0\r\nContent-Length: 3\r\n\r\nabc", limit: \.bodyByteCount, most: 3,
            kind: .contentTooLarge),
        Row(
            "chunks", chunked + "2\r\nab\r\n1\r\nc\r\n0\r\n\r\n", limit: \.bodyByteCount, most: 3,
            kind: .contentTooLarge),
        Row("chunk line", chunked + "0;ab\r\n\r\n", limit: \.chunkLineByteCount, most: 4, kind: .chunkLineTooLong),
        Row("trailers", chunked + "0\r\nA: 1\r\n\r\n", limit: \.trailerByteCount, most: 8, kind: .trailersTooLarge),
    ]

    @Test(arguments: rows)
    func `what is as long as its limit is read, and one more is refused`(_ row: Row) throws {
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
        var refusal: RequestEvent?
        for _ in 0..<100 where refusal == nil {
            var offset = 0
            refusal = reader.next(piece.span, at: &offset)
        }
        #expect(refusal == .refused(Violation(.requestLineTooLong, at: 8480, bound: 8480)))
    }

    @Test func `limits of any size make no trap`() {
        let most = RequestLimits(
            emptyLineCount: .max, methodByteCount: .max, targetByteCount: .max, fieldLineByteCount: .max,
            fieldCount: .max, headByteCount: .max, chunkLineByteCount: .max, trailerByteCount: .max, bodyByteCount: .max
        )
        let least = RequestLimits(
            emptyLineCount: 0, methodByteCount: 0, targetByteCount: 0, fieldLineByteCount: 0, fieldCount: 0,
            headByteCount: 0, chunkLineByteCount: 0, trailerByteCount: 0, bodyByteCount: 0)
        for row in Malformed.all where row.limits == RequestLimits() {
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
