internal import ProctorBase
package import ProctorHTML
package import ProctorReplies

/// A page of a module, below `/__proctor/ui/NAME`, which the head of every page leads to.
package struct ServedPage: Sendable {
    let name: String
    /// nil: no page leads to it.
    let title: String?
    /// `path` is what stands behind the name and a slash.
    let reply:
        @Sendable (_ api: ControlAPI, _ path: String, _ query: [String: String]) async throws(ControlError)
            -> BuiltInReply

    package init(
        _ name: String, title: String,
        reply:
            @escaping @Sendable (ControlAPI, _ path: String, _ query: [String: String]) async throws(ControlError)
            -> BuiltInReply
    ) {
        (self.name, self.title, self.reply) = (name, title, reply)
    }

    /// The page itself, and what stands behind its name.
    var calls: [ControlCall] {
        ["ui/\(name)", "ui/\(name)/REST"].map { path in
            ControlCall("GET", path, for: .readers) { api in
                { request throws(ControlError) in try await reply(api, request.id, request.query) }
            }
        }
    }

    /// A page of a module that this program was built without, which is told so: `part` is the module, as "the book".
    package init(_ name: String, without part: String) {
        (self.name, title) = (name, nil)
        reply = { _, _, _ throws(ControlError) in throw .withoutModule(part) }
    }
}

/// The parts that all pages of the server share.
package struct PageFrame: Sendable {
    let pages: [ServedPage]

    /// Whether there is a book, to whose chapters pages can lead.
    var hasBook: Bool { pages.contains { $0.name == Self.book && $0.title != nil } }

    /// The name of the book's page.
    package static let book = "docs"

    /// The address of a chapter of the book, or of its contents.
    static func address(of chapter: String) -> String { "\(RunPages.prefix)\(book)/\(chapter)" }

    /// The address that leads to the chapter about a rule or an outcome.
    static func address(about word: String) -> String { "\(RunPages.prefix)\(book)?about=\(word)" }

    /// A whole page; `scripts` and `styles` are names of ``PageAsset``.
    package func page(
        _ main: HTML, title: String, status: Int = 200, scripts: [String] = [], styles: [String] = [],
        isWide: Bool = false
    ) -> BuiltInReply {
        let sheets = (["pages.css"] + styles).joined {
            "<link rel=\"stylesheet\" href=\"\(ServedAssets.prefix)\($0)\">"
        }
        let modules = scripts.joined { "<script type=\"module\" src=\"\(ServedAssets.prefix)\($0)\"></script>" }
        let ways = pages.joined { page in
            page.title.map { " \(.link($0, to: RunPages.prefix + page.name))" } ?? ""
        }
        let width: HTML = isWide ? " class=\"wide\"" : ""
        let body: HTML = """
            <a class="skip" href="#main">Skip to the content</a>\
            <header class="top"><nav aria-label="Pages"><a class="home" href="/">Proctor</a> \
            \(.link("Catalogue", to: "/")) \(.link("Runs", to: RunPages.list)) \
            \(.link("Shared port", to: RunPages.shared))\(ways)</nav></header>
            <main id="main" tabindex="-1"\(width)>\(main)</main>
            """
        return BuiltInReply(
            status: status, contentType: "text/html; charset=utf-8",
            bytes: body.document(title: title, head: "\(sheets)\(modules)").bytes)
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
