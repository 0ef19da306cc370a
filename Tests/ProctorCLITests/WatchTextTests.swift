import Testing

@testable import proctor

/// What `proctor watch` prints of a stream.
struct WatchTextTests {
    @Test func `lines are broken at blanks, and within words that are too long`() {
        func pieces(_ text: String, _ width: Int?) -> [String] {
            LineBreaking.pieces(of: text, width: width, first: 10, rest: 5)
        }
        #expect(pieces("one two", nil) == ["one two"])
        #expect(pieces("one two", 80) == ["one two"])
        #expect(pieces("abcdefghij klmnopqrst uvw", 30) == ["abcdefghij", "klmnopqrst uvw"])
        let long = String(repeating: "x", count: 60)
        #expect(pieces(long, 30).map(\.count) == [20, 25, 15] && pieces(long, 30).joined() == long)
        #expect(pieces(long, 1).allSatisfy { $0.count <= 20 })
    }

    @Test func `JSON moves no cursor and keeps its value`() {
        #expect(PrintableJSON.escape(#"{"a":"ä\u001b"}"#) == #"{"a":"ä\u001b"}"#)
        #expect(PrintableJSON.escape("{\"a\":\"\u{9B}2J\u{202E}\u{7F}\"}") == #"{"a":"\u009b2J\u202e\u007f"}"#)
    }
}
