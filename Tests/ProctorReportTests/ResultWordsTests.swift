import Testing

@testable import ProctorReport

/// How loads end, for people who do not know expressions.
struct ResultWordsTests {
    private static let whole = ClientResult(status: 200, url: nil, byteCount: 5, isError: false, message: nil)

    @Test(arguments: [
        ("complete(error) | response(200) data* complete(error)", "an error"),
        ("challenge(basic|digest) response(401) data+ complete(ok)", "status 401 and no error"),
        ("redirect(302)? complete(timedOut)", "the error timedOut"), ("awaited(error)", "an error"),
        ("(response(200) data*){0,2} complete(error) | complete(ok)", "an error, or no error"),
    ])
    func `an expression tells how a load is to end`(expression: String, words: String) {
        #expect(ResultWords.wanted(expression, insteadOf: Self.whole) == words)
    }

    @Test(arguments: ["response(200) data+ complete(ok)", "response(200) data+", "complete(error) | data"])
    func `what ended so, or says no end, has no words`(expression: String) {
        #expect(ResultWords.wanted(expression, insteadOf: Self.whole) == nil)
    }

    @Test func `a load is told by its number where there are several`() {
        #expect(ResultWords.came(Self.whole, step: 0, of: 1) == "the load ended with status 200, 5 bytes and no error")
        let lost = ClientResult(status: nil, url: nil, byteCount: 0, isError: true, message: "x")
        #expect(ResultWords.came(lost, step: 1, of: 2) == "load 2 ended with an error")
    }
}
