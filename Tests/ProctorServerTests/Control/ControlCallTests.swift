import Testing

@testable import ProctorServer

struct ControlQueryTests {
    @Test(arguments: [
        ("", [:]), ("&&", [:]), ("wait", ["wait": ""]), ("a=1&b=2&a=3", ["a": "3", "b": "2"]),
        ("a+b=%41%2B+%zz", ["a b": "A+ %zz"]), ("a=b=c", ["a": "b=c"]), ("=x", ["": "x"]), ("a=%FF", ["a": "\u{FFFD}"]),
        // A query of more items than a form has is read to its end.
        (String(repeating: "x&", count: 1_500) + "after=7", ["x": "", "after": "7"]),
    ])
    func `the query is a form whose last item of a name counts`(query: String, items: [String: String]) {
        #expect(ControlRequest.items(of: Array(query.utf8)[...]) == items)
    }
}
