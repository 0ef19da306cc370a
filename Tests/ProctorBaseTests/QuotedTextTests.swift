import ProctorBase
import Testing

struct QuotedTextTests {
    @Test(arguments: [("p1", "\"p1\""), ("\"p1\"", "'\"p1\"'"), ("", "\"\""), ("it's", "\"it's\"")])
    func `a value with double quotes of its own stands in single ones`(text: String, shown: String) {
        #expect(QuotedText.of(text) == shown)
    }
}
