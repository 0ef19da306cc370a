import ProctorBase
import Testing

struct EscapedTextTests {
    @Test(
        arguments: [
            ([], ""), (Array("GET / \"x\" ~".utf8), "GET / \"x\" ~"), ([13, 10, 9], "\\r\\n\\t"),
            ([0, 0x1F, 0x7F, 0x80, 0xFF], "\\x00\\x1F\\x7F\\x80\\xFF"), (Array("é".utf8), "\\xC3\\xA9"),
        ] as [([UInt8], String)])
    func `what is not printable ASCII is escaped`(bytes: [UInt8], text: String) {
        #expect(EscapedText.escape(bytes) == text)
    }

    @Test func `every byte comes out as printable ASCII`() {
        let text = EscapedText.escape(0...255, limit: 256)
        #expect(text.utf8.allSatisfy { $0 >= 0x20 && $0 <= 0x7E })
    }

    @Test(arguments: [(3, "abc"), (2, "ab… (1 more bytes)"), (0, "… (3 more bytes)")])
    func `what is cut is counted`(limit: Int, text: String) {
        #expect(EscapedText.escape("abc".utf8, limit: limit) == text)
    }
}

struct QuotedTextTests {
    @Test(arguments: [("p1", "\"p1\""), ("\"p1\"", "'\"p1\"'"), ("", "\"\""), ("it's", "\"it's\"")])
    func `a value with double quotes of its own stands in single ones`(text: String, shown: String) {
        #expect(QuotedText.quote(text) == shown)
    }
}

struct PluralTests {
    @Test func `one thing has no plural, and a noun may have its own`() {
        #expect(Plural.count(1, "request") == "1 request")
        #expect(Plural.count(0, "request") == "0 requests")
        #expect(Plural.count(2, "entry", plural: "entries") == "2 entries")
    }
}
