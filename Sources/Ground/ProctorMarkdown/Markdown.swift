/// A page of Markdown as a tree of values.
///
/// HTML in the source is no part of it: comments vanish, and any other markup is the text that it is written as.
package struct Markdown: Sendable, Equatable {
    package let blocks: [Block]

    package indirect enum Block: Sendable, Equatable {
        /// `anchor` is unique in the page, and is the one that GitHub makes of the text.
        case heading(level: Int, [Inline], anchor: String)
        case paragraph([Inline])
        /// `language` is the first word behind the fence; empty: none.
        case code(language: String, String)
        case quote([Block])
        /// The number of the first item; nil: the items have no numbers.
        case list(from: Int?, [[Block]])
        /// Each row has as many cells as the head.
        case table(head: [[Inline]], rows: [[[Inline]]])
        case rule
    }

    package indirect enum Inline: Sendable, Equatable {
        case text(String)
        case code(String)
        case emphasis([Inline])
        case strong([Inline])
        case link([Inline], to: String)
        case image(alternative: String, source: String)
        case lineBreak
    }
}

extension Markdown {
    /// The text of the first heading; nil where there is none.
    package var title: String? {
        for case .heading(_, let words, _) in blocks { return words.plainText }
        return nil
    }

    /// The text of the first paragraph; empty where there is none.
    package var lead: String {
        for case .paragraph(let words) in blocks { return words.plainText }
        return ""
    }

    /// The anchor that GitHub makes of a heading: letters, digits, `_` and `-` in lower case, blanks as `-`.
    package static func anchor(of heading: String) -> String {
        String(
            heading.lowercased().compactMap { character in
                if character == " " { return "-" }
                let stays = character.isLetter || character.isNumber || character == "-" || character == "_"
                return stays ? character : nil
            })
    }

    /// The anchors of all headings, in their order.
    package var anchors: [String] {
        blocks.compactMap { if case .heading(_, _, let anchor) = $0 { anchor } else { nil } }
    }

    /// The heading with that anchor, and what stands below it; nil where there is none.
    package func section(at anchor: String) -> Markdown? {
        var section: [Block] = []
        var depth: Int?
        for block in blocks {
            if case .heading(let level, _, let name) = block {
                if let depth, level <= depth { break }
                if name == anchor { depth = level }
            }
            if depth != nil { section.append(block) }
        }
        return depth == nil ? nil : Markdown(blocks: section)
    }

    /// The words of all links and images, and where they lead, in their order.
    package var links: [(words: String, target: String)] { blocks.flatMap(\.links) }
}

extension Markdown.Block {
    fileprivate var links: [(words: String, target: String)] {
        switch self {
        case .heading(_, let words, _), .paragraph(let words): words.flatMap(\.links)
        case .quote(let blocks): blocks.flatMap(\.links)
        case .list(_, let items): items.flatMap { $0.flatMap(\.links) }
        case .table(let head, let rows): (head + rows.flatMap(\.self)).flatMap { $0.flatMap(\.links) }
        case .code, .rule: []
        }
    }

    /// What a reader reads, without marks; the cells of a row stand in one line.
    package var plainText: String {
        switch self {
        case .heading(_, let words, _), .paragraph(let words): words.plainText
        case .code(_, let text): text
        case .quote(let blocks): blocks.map(\.plainText).joined(separator: "\n")
        case .list(_, let items): items.map { $0.map(\.plainText).joined(separator: "\n") }.joined(separator: "\n")
        case .table(let head, let rows):
            ([head] + rows).map { $0.map(\.plainText).joined(separator: " ") }.joined(separator: "\n")
        case .rule: ""
        }
    }
}

extension Markdown.Inline {
    fileprivate var links: [(words: String, target: String)] {
        switch self {
        case .text, .code, .lineBreak: []
        case .emphasis(let words), .strong(let words): words.flatMap(\.links)
        case .link(let words, let target): [(words.plainText, target)] + words.flatMap(\.links)
        case .image(let alternative, let source): [(alternative, source)]
        }
    }

    fileprivate var plainText: String {
        switch self {
        case .text(let text), .code(let text): text
        case .emphasis(let words), .strong(let words), .link(let words, _): words.plainText
        case .image(let alternative, _): alternative
        case .lineBreak: " "
        }
    }
}

extension [Markdown.Inline] {
    package var plainText: String { map(\.plainText).joined() }
}
