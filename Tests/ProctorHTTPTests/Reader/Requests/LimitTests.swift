import ProctorHTTP
import Testing

struct LimitTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let input: [UInt8]
        let atLimit: RequestLimits
        let belowLimit: RequestLimits
        let kind: Violation.Kind

        init(
            _ name: String, _ input: String, _ limit: WritableKeyPath<RequestLimits, Int>, _ most: Int,
            _ kind: Violation.Kind
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
        Row("empty lines", "\r\n\r\nGET / HTTP/1.0\r\n\r\n", \.emptyLineCount, 2, .tooManyEmptyLines),
        Row("method", "ABCDE / HTTP/1.0\r\n\r\n", \.methodByteCount, 5, .methodTooLong),
        Row("target", "GET /2345 HTTP/1.0\r\n\r\n", \.targetByteCount, 5, .targetTooLong),
        Row("field line", "GET / HTTP/1.0\r\nX: 456\r\n\r\n", \.fieldLineByteCount, 8, .fieldLineTooLong),
        Row("fields", "GET / HTTP/1.0\r\nA: 1\r\nB: 2\r\n c\r\n\r\n", \.fieldCount, 2, .tooManyFields),
        Row("head", "GET / HTTP/1.0\r\nA: 1\r\n\r\n", \.headByteCount, 24, .headTooLarge),
        Row("length", "POST / HTTP/1.0\r\nContent-Length: 3\r\n\r\nabc", \.bodyByteCount, 3, .contentTooLarge),
        Row("chunks", chunked + "2\r\nab\r\n1\r\nc\r\n0\r\n\r\n", \.bodyByteCount, 3, .contentTooLarge),
        Row("chunk line", chunked + "0;ab\r\n\r\n", \.chunkLineByteCount, 4, .chunkLineTooLong),
        Row("trailers", chunked + "0\r\nA: 1\r\n\r\n", \.trailerByteCount, 8, .trailersTooLarge),
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
