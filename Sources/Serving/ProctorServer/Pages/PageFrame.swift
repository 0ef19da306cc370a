internal import ProctorBase
import ProctorHTML
internal import ProctorReplies

/// The parts that all pages of the server share.
enum PageFrame {
    /// A whole page; `scripts` and `styles` are names of ``PageAsset``.
    static func page(
        _ main: HTML, title: String, status: Int = 200, scripts: [String] = [], styles: [String] = [],
        isWide: Bool = false
    ) -> BuiltInReply {
        var head: HTML = ""
        for style in ["pages.css"] + styles {
            head += "<link rel=\"stylesheet\" href=\"\(ServedAssets.prefix)\(style)\">"
        }
        for script in scripts {
            head += "<script type=\"module\" src=\"\(ServedAssets.prefix)\(script)\"></script>"
        }
        let width: HTML = isWide ? " class=\"wide\"" : ""
        let body: HTML = """
            <a class="skip" href="#main">Skip to the content</a>\
            <header class="top"><nav aria-label="Pages"><a class="home" href="/">Proctor</a> \
            \(.link("Catalogue", to: "/")) \(.link("Runs", to: RunPages.list)) \
            \(.link("Shared port", to: RunPages.shared)) \(.link("Docs", to: ServedBook.address))</nav></header>
            <main id="main" tabindex="-1"\(width)>\(main)</main>
            """
        return BuiltInReply(
            status: status, contentType: "text/html; charset=utf-8",
            bytes: body.document(title: title, head: head).bytes)
    }

    /// A text reply as a page: its first line is the heading.
    static func page(of reply: BuiltInReply) -> BuiltInReply {
        let text = String(decoding: reply.body, as: UTF8.self)
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let first = lines.isEmpty ? "" : String(lines.removeFirst())
        while lines.first?.isEmpty == true { lines.removeFirst() }
        while lines.last?.isEmpty == true { lines.removeLast() }
        var html: HTML = "<p class=\"soft\">\(reply.status)</p><h1>\(first)</h1>\n"
        if !lines.isEmpty { html += "<pre tabindex=\"0\">\(linked(lines.joined(separator: "\n")))</pre>\n" }
        html += "<p>\(.link("Look in the catalogue", to: "/"))</p>"
        var page = page(html, title: "\(reply.status) · Proctor", status: reply.status)
        page.fields = reply.fields
        return page
    }

    /// Links http addresses in a text, and those of pages.
    private static func linked(_ text: String) -> HTML {
        var html: HTML = ""
        for (index, word) in text.split(separator: " ", omittingEmptySubsequences: false).enumerated() {
            if index > 0 { html += " " }
            let address = word.prefix { !$0.isNewline }
            if ["http://", "https://", RunPages.prefix].contains(where: { address.hasPrefix($0) }) {
                html += .link(String(address), to: String(address))
                html += "\(word.dropFirst(address.count))"
            } else {
                html += "\(word)"
            }
        }
        return html
    }
}
