import Testing

@testable import ProctorServer

struct ControlQueryTests {
    @Test(arguments: [
        (nil, [:]), ("", [:]), ("&&", [:]), ("wait", ["wait": ""]), ("a=1&b=2&a=3", ["a": "3", "b": "2"]),
        ("a+b=%41%2B+%zz", ["a b": "A+ %zz"]), ("a=b=c", ["a": "b=c"]), ("=x", ["": "x"]), ("a=%FF", ["a": "\u{FFFD}"]),
    ])
    func `the query is a form whose last item of a name counts`(query: String?, items: [String: String]) {
        #expect(ControlRequest(query: query.map { Array($0.utf8)[...] }, body: [], base: "http://a").query == items)
    }

    @Test func `a query of more items than a form has is read to its end`() {
        let query = String(repeating: "x&", count: 1_500) + "after=7"
        #expect(
            ControlRequest(query: Array(query.utf8)[...], body: [], base: "http://a").query == ["x": "", "after": "7"])
    }
}
