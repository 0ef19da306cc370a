import ProctorHTML

package struct SiteFile: Sendable {
    /// The path relative to the site's folder; folders are separated by `/`.
    package let path: String
    package let bytes: [UInt8]
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
    var style = SitePath.style
    /// The word for the site's first page.
    var root = "exam"
    /// Names and paths of the pages that each page leads to.
    var pages = [("causes", SitePath.causes), ("all cases", SitePath.find), ("rules", SitePath.rules)]

    /// The beginning of the links to the pages above.
    static let trail: HTML = "<ol class=\"trail\">"

    var way: String { SitePath.way(from: path) }

    func file(_ content: HTML) -> SiteFile {
        let head: HTML = """
            <link rel="stylesheet" href="\(way + style)">\
            \(scripts.joined { "<script defer src=\"\(way + $0)\"></script>" })
            """
        let first: HTML =
            path == SitePath.index
            ? "<li aria-current=\"page\">\(root)</li>" : "<li>\(HTML.link(root, to: way + SitePath.index))</li>"
        let trail = first + above.joined { "<li>\(HTML.link($0.name, to: way + $0.path))</li>" }
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
        pages.joined { name, page in
            page == path ? "<li aria-current=\"page\">\(name)</li>" : "<li>\(HTML.link(name, to: way + page))</li>"
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

    /// A table that can be scrolled on a narrow screen, while its heading columns stay; `columns` are their headings.
    static func table(caption: String, classes: String, columns: [HTML], body: HTML) -> HTML {
        """
        <div class="scroll" role="region" aria-label="\(caption)" tabindex="0"><table class="\(classes)">\
        <caption>\(caption)</caption><thead><tr>\(columns.joined { "<th scope=\"col\">\($0)</th>" })</tr></thead><tbody>
        \(body)</tbody></table></div>

        """
    }

    /// The meaning of the signs.
    static func legend() -> HTML {
        let signs = (OutcomeLook.all + [.absent]).joined {
            "<dt>\(HTML.mark($0, showsWord: true))</dt><dd>\($0.meaning)</dd>"
        }
        return """
            <details class="legend"><summary>What the signs mean</summary><dl class="signs">\(signs)</dl></details>

            """
    }
}
