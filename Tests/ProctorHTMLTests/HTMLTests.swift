import ProctorHTML
import Testing

/// What is interpolated into HTML is text, and stays text.
struct HTMLTests {
    @Test(arguments: [
        ("<script>", "&lt;script&gt;"), ("a & b", "a &amp; b"), ("\"'", "&quot;&#39;"), ("§ 5 → ü", "§ 5 → ü"),
        ("&amp;", "&amp;amp;"), ("", ""),
    ])
    func `an interpolated value is escaped`(value: String, escaped: String) {
        let html: HTML = "<p title=\"\(value)\">\(value)</p>"
        #expect(String(decoding: html.bytes, as: UTF8.self) == "<p title=\"\(escaped)\">\(escaped)</p>")
    }

    @Test func `interpolated HTML is not escaped again`() {
        let inner: HTML = "<b>\("<")</b>"
        let outer: HTML = "<p>\(inner)\(7)</p>"
        #expect(String(decoding: outer.bytes, as: UTF8.self) == "<p><b>&lt;</b>7</p>")
    }

    @Test func `a document has its title escaped and its head as it is`() {
        let text = String(
            decoding: HTML("<p>x</p>").document(title: "a<b", head: "<style>x</style>").bytes, as: UTF8.self)
        #expect(text.hasPrefix("<!doctype html>\n<html lang=\"en\">"))
        #expect(
            text.contains(
                "<title>a&lt;b</title><link rel=\"icon\" href=\"data:,\"><style>x</style></head><body>\n<p>x</p>\n</body></html>\n"
            ))
    }
}
