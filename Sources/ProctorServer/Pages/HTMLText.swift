/// HTML as text, written so that what comes from a fixture can't become markup.
struct HTMLText {
    private(set) var text = ""

    /// Markup of our own.
    mutating func raw(_ markup: StaticString) {
        text += "\(markup)"
    }

    /// Text of whatever origin; escaped for content and for quoted attributes.
    mutating func escaped(_ value: some StringProtocol) {
        for scalar in value.unicodeScalars {
            switch scalar {
            case "&": text += "&amp;"
            case "<": text += "&lt;"
            case ">": text += "&gt;"
            case "\"": text += "&quot;"
            case "'": text += "&#39;"
            default: text.unicodeScalars.append(scalar)
            }
        }
    }

    /// An element that holds text only.
    mutating func element(_ name: StaticString, class style: StaticString = "", _ value: some StringProtocol) {
        raw("<")
        raw(name)
        if style.utf8CodeUnitCount > 0 {
            raw(" class=\"")
            raw(style)
            raw("\"")
        }
        raw(">")
        escaped(value)
        raw("</")
        raw(name)
        raw(">")
    }

    /// A link; `address` is a path of ours or an https URL.
    mutating func link(to address: String, _ value: some StringProtocol) {
        raw("<a href=\"")
        escaped(address)
        raw("\">")
        escaped(value)
        raw("</a>")
    }

    /// A whole page around what `body` writes.
    static func page(title: String, _ body: (inout HTMLText) -> Void) -> String {
        var html = HTMLText()
        html.raw("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">")
        html.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")
        html.raw("<meta name=\"color-scheme\" content=\"light dark\">")
        html.element("title", title)
        html.raw("<style>")
        html.text += PageStyle.sheet
        html.raw("</style></head><body>\n")
        body(&html)
        html.raw("\n</body></html>\n")
        return html.text
    }
}
