import ProctorHTTP
import Testing

/// What is told about a Cookie field that is not the expected one.
struct CookieJudgeTests {
    static let home = "http://home.example.org/"

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

    @Test func `a field of thousands of pairs is judged with no more than 64 differences`() {
        var judge = CookieJudge()
        let field = bytes((0..<5_000).map { "c\($0)=1" }.joined(separator: "; "))
        let verdict = judge.judge([field], to: CookieURL(Self.home), at: 0)
        #expect(verdict.differences.count == 64 && verdict.conformsTo.isEmpty)
    }
}
