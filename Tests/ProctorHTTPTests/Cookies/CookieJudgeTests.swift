import ProctorHTTP
import Testing

/// What is told about a Cookie field that is not the expected one.
struct CookieJudgeTests {
    static let home = "http://home.example.org/"

    @Test func `a field of thousands of pairs is judged with no more than 64 differences`() {
        var judge = CookieJudge()
        let field = bytes((0..<5_000).map { "c\($0)=1" }.joined(separator: "; "))
        let verdict = judge.judge([field], to: CookieURL(Self.home), at: 0)
        #expect(verdict.differences.count == 64 && verdict.conformsTo.isEmpty)
    }
}
