import ProctorHTML

package struct SiteFile: Sendable {
    /// The path relative to the site's folder; folders are separated by `/`.
    package let path: String
    package let bytes: [UInt8]

    init(path: String, bytes: [UInt8]) {
        (self.path, self.bytes) = (path, bytes)
    }

    init(path: String, text: String) { self.init(path: path, bytes: Array(text.utf8)) }
}

/// The parts of a page around its content, the same on every page of a site.
struct SitePage {
    let path: String
    let title: String
    /// Names and paths of the pages above this one, outermost first; the site's first page is always above.
    var above: [(name: String, path: String)] = []
    /// Scripts of the site, which no page needs for its content.
    var scripts: [String] = []
    var isWide = false

    /// The beginning of the links to the pages above.
    static let trail: HTML = "<ol class=\"trail\">"

    var way: String { SitePath.way(from: path) }

    func file(_ content: HTML) -> SiteFile {
        var head: HTML = "<link rel=\"stylesheet\" href=\"\(way + SitePath.style)\">"
        for script in scripts { head += "<script defer src=\"\(way + script)\"></script>" }
        var trail: HTML = "<li>\(HTML.link("exam", to: way + SitePath.index))</li>"
        if path == SitePath.index { trail = "<li aria-current=\"page\">exam</li>" }
        for place in above { trail += "<li>\(HTML.link(place.name, to: way + place.path))</li>" }
        let width: HTML = isWide ? " class=\"wide\"" : ""
        let body: HTML = """
            <a class="skip" href="#content">to the content</a>
            <header><nav aria-label="above this page">\(Self.trail)\(trail)</ol></nav>\
            <nav aria-label="all pages"><ul class="trail">\(self.links)</ul></nav></header>
            <main id="content"\(width)>
            \(content)
            </main>
            """
        return SiteFile(path: path, bytes: body.document(title: "\(title) · Proctor", head: head).bytes)
    }

    private var links: HTML {
        let pages = [("causes", SitePath.causes), ("all cases", SitePath.find), ("rules", SitePath.rules)]
        return pages.reduce(into: "") { html, page in
            html +=
                page.1 == path
                ? "<li aria-current=\"page\">\(page.0)</li>" : "<li>\(HTML.link(page.0, to: way + page.1))</li>"
        }
    }
}

extension HTML {
    /// An outcome's sign in its colours; its word is read aloud, or shown beside it.
    static func mark(_ look: OutcomeLook, showsWord: Bool) -> HTML {
        showsWord
            ? "<span class=\"mark \(look.tone.rawValue)\">\(look.label)</span>"
            : """
            <span class="mark \(look.tone.rawValue)" title="\(look.word)"><span aria-hidden="true">\(look.sign)</span>\
            <span class="unseen">\(look.word)</span></span>
            """
    }

    /// A table that can be scrolled on a narrow screen, while its heading columns stay.
    static func table(caption: String, classes: String, head: HTML, body: HTML) -> HTML {
        """
        <div class="scroll" role="region" aria-label="\(caption)" tabindex="0"><table class="\(classes)">\
        <caption>\(caption)</caption><thead>\(head)</thead><tbody>
        \(body)</tbody></table></div>

        """
    }

    /// The meaning of the signs.
    static func legend() -> HTML {
        var html: HTML = "<details class=\"legend\"><summary>What the signs mean</summary><dl class=\"signs\">"
        for look in OutcomeLook.all + [.absent] {
            html += "<dt>\(HTML.mark(look, showsWord: true))</dt><dd>\(look.meaning)</dd>"
        }
        return "\(html)</dl></details>\n"
    }
}
