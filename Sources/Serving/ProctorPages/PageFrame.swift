internal import ProctorBase
import ProctorHTML
import ProctorReplies
import ProctorServer

/// The parts that all pages of the server share.
struct PageFrame: Sendable {
    /// The pages of modules, to which the head of every page leads.
    let pages: [ServedPage]

    /// The address that leads to the chapter of the book about a rule or an outcome.
    static func address(about word: String) -> String {
        "\(PageAddress.prefix)\(PageAddress.bookName)?about=\(word)"
    }

    func page(_ content: PageContent) -> BuiltInReply {
        let sheets = (["pages.css"] + content.styles).joined {
            "<link rel=\"stylesheet\" href=\"\(ServedAssets.prefix)\($0)\">"
        }
        let modules = content.scripts.joined {
            "<script type=\"module\" src=\"\(ServedAssets.prefix)\($0)\"></script>"
        }
        let ways = pages.joined { page in
            page.title.map { " \(.link($0, to: PageAddress.prefix + page.name))" } ?? ""
        }
        let width: HTML = content.isWide ? " class=\"wide\"" : ""
        let body: HTML = """
            <a class="skip" href="#main">Skip to the content</a>\
            <header class="top"><nav aria-label="Pages"><a class="home" href="/">Proctor</a> \
            \(.link("Catalogue", to: "/")) \(.link("Runs", to: PageAddress.runs)) \
            \(.link("Shared port", to: PageAddress.sharedPort))\(ways)</nav></header>
            <main id="main" tabindex="-1"\(width)>\(content.main)</main>
            """
        return BuiltInReply(
            status: content.status, contentType: "text/html; charset=utf-8",
            bytes: body.document(title: content.title, head: "\(sheets)\(modules)").bytes)
    }

    /// A text reply as a page: its first line is the heading.
    func page(of reply: BuiltInReply) -> BuiltInReply {
        let text = String(decoding: reply.body, as: UTF8.self)
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let first = lines.isEmpty ? "" : String(lines.removeFirst())
        while lines.first?.isEmpty == true { lines.removeFirst() }
        while lines.last?.isEmpty == true { lines.removeLast() }
        var html: HTML = "<p class=\"soft\">\(reply.status)</p><h1>\(first)</h1>\n"
        if !lines.isEmpty { html += "<pre tabindex=\"0\">\(Self.linked(lines.joined(separator: "\n")))</pre>\n" }
        html += "<p>\(.link("Look in the catalogue", to: "/"))</p>"
        var page = page(PageContent(html, title: "\(reply.status) · Proctor", status: reply.status))
        page.fields = reply.fields
        return page
    }

    /// Links http addresses in a text, and those of pages.
    private static func linked(_ text: String) -> HTML {
        var html: HTML = ""
        for (index, word) in text.split(separator: " ", omittingEmptySubsequences: false).enumerated() {
            if index > 0 { html += " " }
            let address = word.prefix { !$0.isNewline }
            if ["http://", "https://", PageAddress.prefix].contains(where: { address.hasPrefix($0) }) {
                html += .link(String(address), to: String(address))
                html += "\(word.dropFirst(address.count))"
            } else {
                html += "\(word)"
            }
        }
        return html
    }
}
