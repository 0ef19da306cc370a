package import ProctorHTML
internal import ProctorMarkdown

/// The pages of a book as HTML, for a server and for a folder.
package struct BookPages: Sendable {
    package let book: Book
    private let addresses: BookAddresses
    private let searchNeedsScript: Bool

    /// `searchNeedsScript`: the form is hidden until the script shows it.
    package init(_ book: Book, at addresses: BookAddresses, searchNeedsScript: Bool = false) {
        (self.book, self.addresses, self.searchNeedsScript) = (book, addresses, searchNeedsScript)
    }

    /// The content of a page: search, text, the pages beside it, and the contents of the book.
    ///
    /// `typed` is what was looked for, and `hits` what that found; without hits the text of the page stands there.
    package func main(of page: Book.Page, typed: String = "", hits: [BookHit]? = nil) -> HTML {
        let markdown = page.markdown
        let part: HTML = page.part.isEmpty ? "" : "<p class=\"soft part\">\(page.part)</p>\n"
        let title: HTML = hits == nil ? "" : "<h1>Search</h1>"
        let text: HTML = hits == nil ? "\(part)\(html(of: markdown, page))\(turn(from: page))" : ""
        let hidden: HTML = searchNeedsScript ? " hidden" : ""
        let list: HTML = hits.map { self.list($0, typed: typed) } ?? ""
        return """
            <div class="book"><article>\
            <form id="search" class="bar" role="search" action="\(addresses.page(""))" method="get"\(hidden)>\
            <label class="grow">Search the book <input type="search" name="q" value="\(typed)" autocomplete="off" \
            placeholder="timeout, self signed, R12"></label><button>Find</button>\
            \(wayToWords(from: page))<a class="to-contents" href="#contents">Contents</a></form>
            \(title)<div id="found" aria-live="polite">\(list)</div>
            \(text)</article>
            \(contents(at: page, markdown, isOpen: hits == nil))</div>
            """
    }

    /// What a search found, as the script of a page shows it too.
    package func list(_ hits: [BookHit], typed: String) -> HTML {
        guard !hits.isEmpty else {
            return "<p>Nothing in the book has the words <q>\(typed)</q>. Fewer words find more.</p>"
        }
        let items = hits.joined { hit in
            let title: HTML = address(of: hit).map { .link(hit.title, to: $0) } ?? "<strong>\(hit.title)</strong>"
            return "<li>\(title) <span class=\"soft\">\(hit.place)</span><p>\(hit.line)</p></li>\n"
        }
        return "<ol class=\"hits\">\(items)</ol>"
    }

    /// nil for a scenario that has no page here.
    package func address(of hit: BookHit) -> String? {
        hit.kind == .scenario ? addresses.scenario(hit.target) : addresses.chapter(hit.target)
    }

    private func html(of markdown: Markdown, _ page: Book.Page) -> HTML {
        markdown.html { target in
            switch BookLink(target, from: page.path, in: book) {
            case .page(let path, nil): return .address(addresses.page(path))
            case .page(let path, let anchor?):
                return .address(path == page.path ? "#\(anchor)" : "\(addresses.page(path))#\(anchor)")
            case .web(let address): return .address(address)
            case .scenario(let id):
                return addresses.scenario(id).map { .address($0) } ?? .missing("fixtures/\(id).yaml")
            case .source(let path): return .missing(path)
            }
        }
    }

    /// Nothing at the page of words itself, and in a book without one.
    private func wayToWords(from page: Book.Page) -> HTML {
        guard page.path != Book.words, book.position(of: Book.words) != nil else { return "" }
        return "<a class=\"to-words\" href=\"\(addresses.page(Book.words))\">Words of this book</a>"
    }

    private func turn(from page: Book.Page) -> HTML {
        guard let position = book.position(of: page.path) else { return "" }
        var html: HTML = "<nav class=\"turn\" aria-label=\"Pages beside this one\">"
        if position > 0 {
            let before = book.pages[position - 1]
            html += "<a rel=\"prev\" href=\"\(addresses.page(before.path))\">← \(before.title)</a>"
        }
        if position + 1 < book.pages.count {
            let next = book.pages[position + 1]
            html += "<a rel=\"next\" href=\"\(addresses.page(next.path))\">\(next.title) →</a>"
        }
        return "\(html)</nav>"
    }

    private func contents(at page: Book.Page, _ markdown: Markdown, isOpen: Bool) -> HTML {
        let none: HTML = ""
        var html: HTML = """
            <nav class="contents" id="contents" aria-label="Contents"><p class="title">\
            <a href="\(addresses.page(""))"\(page.path.isEmpty && isOpen ? Self.current : none)>The book</a></p>
            """
        for part in book.parts {
            html += "<h2>\(part.title)</h2><ul>\n"
            for entry in book.pages[part.pages] where entry.parent == nil || entry.parent == page.parent ?? page.path {
                let isCurrent = isOpen && entry.path == page.path
                html += entry.parent == nil ? "<li>" : "<li class=\"below\">"
                html += "<a href=\"\(addresses.page(entry.path))\"\(isCurrent ? Self.current : none)>\(entry.name)</a>"
                if isCurrent { html += headings(of: markdown) }
                html += "</li>\n"
            }
            html += "</ul>\n"
        }
        return "\(html)</nav>"
    }

    private static let current: HTML = " aria-current=\"page\""

    private func headings(of markdown: Markdown) -> HTML {
        var html: HTML = ""
        for case .heading(2, let words, let anchor) in markdown.blocks {
            html += "<li><a href=\"#\(anchor)\">\(words.plainText)</a></li>"
        }
        return html.bytes.isEmpty ? "" : "<ul>\(html)</ul>"
    }
}
