import ProctorBase
import Testing

struct JSONPointerTests {
    /// RFC 6901 §5, and what else a pointer can hold.
    @Test(arguments: [
        ("", []), ("/foo", ["foo"]), ("/foo/0", ["foo", "0"]), ("/", [""]), ("/a~1b", ["a/b"]), ("/c%d", ["c%d"]),
        ("/m~0n", ["m~n"]), ("/ ", [" "]), ("/~01", ["~1"]), ("//", ["", ""]), ("/ä", ["ä"]),
    ])
    func `a pointer is its tokens, and writes itself again`(_ text: String, _ tokens: [String]) throws {
        let pointer = try JSONPointer(text)
        #expect(pointer.tokens == tokens && pointer.text == text)
    }

    @Test(arguments: [("a", 0), ("/~", 1), ("/a/~2", 3), ("/~~0", 1)])
    func `what is no pointer says where`(_ text: String, _ offset: Int) {
        #expect { try JSONPointer(text) } throws: { ($0 as? JSONPointer.Fault)?.offset == offset }
    }

    @Test func `a pointer is bounded`() throws {
        let most = String(repeating: "/a", count: JSONPointer.longest)
        #expect(try JSONPointer(most).tokens.count == JSONPointer.longest)
        #expect(throws: JSONPointer.Fault.self) { try JSONPointer(most + "/a") }
    }

    @Test(arguments: [
        ("0", 0), ("10", 10), ("01", nil), ("-1", nil), ("", nil), ("+1", nil), ("-", nil),
        ("99999999999999999999", nil),
    ])
    func `an index has no sign and no zero in front`(_ token: String, _ index: Int?) {
        #expect(JSONPointer.index(token) == index)
    }
}
