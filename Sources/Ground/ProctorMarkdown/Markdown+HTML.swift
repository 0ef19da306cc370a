package import ProctorHTML

extension Markdown {
    /// Where a link or an image leads, as a page needs it.
    package enum Target: Sendable, Equatable {
        case address(String)
        /// The words stand without a link, and behind them what the target is.
        case missing(String)
    }

    /// The page as HTML, in which each heading links to itself.
    ///
    /// `resolve` is asked where each link leads, and each image.
    package func html(resolving resolve: @escaping (String) -> Target) -> HTML {
        let writer = MarkdownHTML(resolve: resolve)
        return blocks.reduce(into: "") { $0 += writer.block($1) }
    }
}

private struct MarkdownHTML {
    let resolve: (String) -> Markdown.Target

    func block(_ block: Markdown.Block) -> HTML {
        switch block {
        case .heading(let level, let words, let anchor):
            let content = inlines(words)
            let toItself: HTML = """
                <a class="anchor" href="#\(anchor)" aria-label="Link to \(words.plainText)">#</a>
                """
            return switch level {
            case 1: "<h1 id=\"\(anchor)\">\(content)</h1>\n"
            case 2: "<h2 id=\"\(anchor)\">\(content) \(toItself)</h2>\n"
            case 3: "<h3 id=\"\(anchor)\">\(content) \(toItself)</h3>\n"
            default: "<h4 id=\"\(anchor)\">\(content) \(toItself)</h4>\n"
            }
        case .paragraph(let words): return "<p>\(inlines(words))</p>\n"
        case .code(let language, let text):
            return "<pre tabindex=\"0\" class=\"code\" data-language=\"\(language)\"><code>\(text)</code></pre>\n"
        case .quote(let blocks): return "<blockquote>\(joined(blocks))</blockquote>\n"
        case .list(let start, let items):
            var html: HTML = ""
            for item in items { html += "<li>\(self.item(item))</li>\n" }
            guard let start else { return "<ul>\n\(html)</ul>\n" }
            return "<ol start=\"\(start)\">\n\(html)</ol>\n"
        case .table(let head, let rows):
            var html: HTML = """
                <div class="scroll" role="region" aria-label="Table: \(head.map(\.plainText).joined(separator: ", "))" tabindex="0">\
                <table><thead><tr>
                """
            for cell in head { html += "<th scope=\"col\">\(inlines(cell))</th>" }
            html += "</tr></thead><tbody>\n"
            for row in rows {
                html += "<tr>"
                for cell in row { html += "<td>\(inlines(cell))</td>" }
                html += "</tr>\n"
            }
            return "\(html)</tbody></table></div>\n"
        case .rule: return "<hr>\n"
        }
    }

    private func joined(_ blocks: [Markdown.Block]) -> HTML { blocks.reduce(into: "") { $0 += block($1) } }

    /// A paragraph alone, or before a list, stands without marks of its own.
    private func item(_ blocks: [Markdown.Block]) -> HTML {
        guard case .paragraph(let words) = blocks.first else { return joined(blocks) }
        return "\(inlines(words))\(joined(Array(blocks.dropFirst())))"
    }

    private func inlines(_ inlines: [Markdown.Inline]) -> HTML { inlines.reduce(into: "") { $0 += inline($1) } }

    private func inline(_ inline: Markdown.Inline) -> HTML {
        switch inline {
        case .text(let text): return "\(text)"
        case .code(let text): return "<code>\(text)</code>"
        case .emphasis(let words): return "<em>\(inlines(words))</em>"
        case .strong(let words): return "<strong>\(inlines(words))</strong>"
        case .lineBreak: return "<br>"
        case .link(let words, let target):
            switch resolve(target) {
            case .address(let address): return "<a href=\"\(address)\">\(inlines(words))</a>"
            case .missing(""): return inlines(words)
            case .missing(let place): return "\(inlines(words)) (<code>\(place)</code>)"
            }
        case .image(let alternative, let source):
            switch resolve(source) {
            case .address(let address): return "<img src=\"\(address)\" alt=\"\(alternative)\">"
            case .missing: return "<span class=\"soft\">[picture: \(alternative)]</span>"
            }
        }
    }
}
