import ProctorHTTP
import Testing

struct ReplyLimitTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let name: String
        let input: [UInt8]
        let atLimit: ReplyLimits
        let belowLimit: ReplyLimits
        let kind: Violation.Kind

        init(
            _ name: String, _ input: String, limit: WritableKeyPath<ReplyLimits, Int>, most: Int,
            kind: Violation.Kind
        ) {
            self.name = name
            self.input = bytes(input)
            var limits = ReplyLimits()
            limits[keyPath: limit] = most
            atLimit = limits
            limits[keyPath: limit] = most - 1
            belowLimit = limits
            self.kind = kind
        }

        var testDescription: String { name }
    }

    static let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    static let hint = "HTTP/1.1 103 x\r\n\r\n"

    static let rows: [Row] = [
        Row(
            "empty lines", "\r\n\r\nHTTP/1.1 204 x\r\n\r\n", limit: \.emptyLineCount, most: 2, kind: .tooManyEmptyLines),
        Row("status line", "HTTP/1.1 204 x\r\n\r\n", limit: \.statusLineByteCount, most: 16, kind: .statusLineTooLong),
        Row(
            "field line", "HTTP/1.1 204 x\r\nX: 456\r\n\r\n", limit: \.fieldLineByteCount, most: 8,
            kind: .fieldLineTooLong),
        Row(
            "fields", "HTTP/1.1 204 x\r\nA: 1\r\nB: 2\r\n c\r\n\r\n", limit: \.fieldCount, most: 2, kind: .tooManyFields
        ),
        Row("head", "HTTP/1.1 204 x\r\nA: 1\r\n\r\n", limit: \.headByteCount, most: 24, kind: .headTooLarge),
        Row(
            "interim replies", hint + hint + "HTTP/1.1 204 x\r\n\r\n", limit: \.interimCount, most: 2,
            kind: .tooManyInterimReplies),
        Row(
            "length", "HTTP/1.1 200 x\r\nContent-Length: 3\r\n\r\nabc", limit: \.bodyByteCount, most: 3,
            kind: .contentTooLarge),
        Row(
            "chunks", chunked + "2\r\nab\r\n1\r\nc\r\n0\r\n\r\n", limit: \.bodyByteCount, most: 3,
            kind: .contentTooLarge),
        Row("until close", "HTTP/1.1 200 x\r\n\r\nabc", limit: \.bodyByteCount, most: 3, kind: .contentTooLarge),
        Row("chunk line", chunked + "0;ab\r\n\r\n", limit: \.chunkLineByteCount, most: 4, kind: .chunkLineTooLong),
        Row("trailers", chunked + "0\r\nA: 1\r\n\r\n", limit: \.trailerByteCount, most: 8, kind: .trailersTooLarge),
    ]

    @Test(arguments: rows)
    func `what is as long as its limit is read, and one more is refused`(_ row: Row) throws {
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
        var refusal: ReplyEvent?
        for _ in 0..<100 where refusal == nil {
            var offset = 0
            refusal = reader.next(piece.span, at: &offset)
        }
        #expect(refusal == .violation(Violation(.statusLineTooLong, in: .reply, at: 8192, bound: 8192)))
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
