internal import CMarkdown
internal import ProctorBase

extension Markdown {
    /// The longest source that is read, in bytes; what stands behind it is left out.
    package static let byteLimit = 4 << 20

    /// Reads CommonMark with the tables of GitHub; any text is a page.
    package init(_ source: String) {
        self.init(source) { _ in false }
    }

    /// The first blocks of a page, as many as its ``title`` and ``lead`` need.
    package init(openingOf source: String) {
        var (hasTitle, hasLead) = (false, false)
        self.init(source) { block in
            switch block {
            case .heading: hasTitle = true
            case .paragraph: hasLead = true
            default: break
            }
            return hasTitle && hasLead
        }
    }

    private init(_ source: String, endsWith isLast: (Block) -> Bool) {
        guard let parsed = ParsedMarkdown(source) else {
            blocks = []
            return
        }
        var reader = MarkdownReader()
        blocks = reader.blocks(in: parsed.root, endsWith: isLast)
    }
}

/// The tree of the C library, which is freed with it.
@safe struct ParsedMarkdown: ~Copyable {
    let root: MarkdownNode

    /// The extensions are registered once in a process, whose list is not safe from several threads.
    private static let isReady: Bool = {
        cmark_gfm_core_extensions_ensure_registered()
        return true
    }()

    /// nil without memory for it.
    init?(_ source: String) {
        guard Self.isReady, let parser = unsafe cmark_parser_new(CMARK_OPT_DEFAULT) else { return nil }
        defer { unsafe cmark_parser_free(parser) }
        if let tables = unsafe cmark_find_syntax_extension("table") {
            unsafe cmark_parser_attach_syntax_extension(parser, tables)
        }
        unsafe Array(source.utf8.prefix(Markdown.byteLimit)).withUnsafeBufferPointer { buffer in
            unsafe buffer.withMemoryRebound(to: CChar.self) { text in
                unsafe cmark_parser_feed(parser, text.baseAddress, text.count)
            }
        }
        guard let root = unsafe cmark_parser_finish(parser) else { return nil }
        self.root = unsafe MarkdownNode(root)
    }

    deinit { root.free() }
}

/// A node of such a tree, as long as that lives.
@safe struct MarkdownNode {
    private let node: OpaquePointer

    @unsafe init(_ node: OpaquePointer) { unsafe self.node = node }

    var kind: String { unsafe Self.text(cmark_node_get_type_string(node)) }
    var literal: String { unsafe Self.text(cmark_node_get_literal(node)) }
    var address: String { unsafe Self.text(cmark_node_get_url(node)) }
    /// What stands behind the fence of code.
    var fence: String { unsafe Self.text(cmark_node_get_fence_info(node)) }
    /// Whether a block of code stands between fences, and is not one by its indentation.
    var isFenced: Bool {
        // The library writes all three without a look at what it was given.
        var (length, offset, character): (Int32, Int32, CChar) = (0, 0, 0)
        return unsafe cmark_node_get_fenced(node, &length, &offset, &character) != 0
    }
    /// The line at which it begins, from 1.
    var line: Int { unsafe Int(cmark_node_get_start_line(node)) }
    var headingLevel: Int { unsafe Int(cmark_node_get_heading_level(node)) }
    /// The first number of a list; nil for one without numbers.
    var listStart: Int? {
        unsafe cmark_node_get_list_type(node) == CMARK_ORDERED_LIST ? Int(cmark_node_get_list_start(node)) : nil
    }

    var children: [MarkdownNode] {
        var children: [MarkdownNode] = []
        var next = unsafe cmark_node_first_child(node)
        while let child = unsafe next {
            children.append(unsafe MarkdownNode(child))
            unsafe next = cmark_node_next(child)
        }
        return children
    }

    func free() { unsafe cmark_node_free(node) }

    private static func text(_ text: UnsafePointer<CChar>?) -> String {
        unsafe text.map { unsafe String(cString: $0) } ?? ""
    }
}

/// Makes values of the library's tree.
struct MarkdownReader {
    private var usedAnchors: [String: Int] = [:]

    mutating func blocks(
        in parent: MarkdownNode, endsWith isLast: (Markdown.Block) -> Bool = { _ in false }
    ) -> [Markdown.Block] {
        var blocks: [Markdown.Block] = []
        for node in parent.children {
            guard let block = block(node) else { continue }
            blocks.append(block)
            if isLast(block) { break }
        }
        return blocks
    }

    /// nil for a comment, and for what a page of ours does not have.
    private mutating func block(_ node: MarkdownNode) -> Markdown.Block? {
        switch node.kind {
        case "heading":
            let words = Self.inlines(in: node)
            return .heading(level: node.headingLevel, words, anchor: anchor(of: words.plainText))
        case "paragraph": return .paragraph(Self.inlines(in: node))
        case "code_block":
            return .code(language: node.fence.split(separator: " ").first.map(String.init) ?? "", node.literal)
        case "block_quote": return .quote(blocks(in: node))
        case "list":
            var items: [[Markdown.Block]] = []
            for item in node.children { items.append(blocks(in: item)) }
            return .list(from: node.listStart, items)
        case "table":
            var rows = node.children.map { $0.children.map(Self.inlines) }
            return rows.isEmpty ? nil : .table(head: rows.removeFirst(), rows: rows)
        case "thematic_break": return .rule
        case "html_block":
            let rest = Self.withoutComments(node.literal)
            return rest.isEmpty ? nil : .paragraph([.text(rest)])
        default: return nil
        }
    }

    /// A number tells a second one of a page.
    private mutating func anchor(of text: String) -> String {
        let anchor = Markdown.anchor(of: text)
        let count = usedAnchors[anchor, default: 0]
        usedAnchors[anchor] = count + 1
        return count == 0 ? anchor : "\(anchor)-\(count)"
    }

    static func inlines(in parent: MarkdownNode) -> [Markdown.Inline] {
        var inlines: [Markdown.Inline] = []
        for inline in parent.children.compactMap(inline) {
            // The library parts a text at each sign that could have been a mark.
            if case .text(let more) = inline, case .text(let text) = inlines.last {
                inlines[inlines.count - 1] = .text(text + more)
            } else {
                inlines.append(inline)
            }
        }
        return inlines
    }

    private static func inline(_ node: MarkdownNode) -> Markdown.Inline? {
        switch node.kind {
        case "text": return .text(node.literal)
        case "softbreak": return .text(" ")
        case "linebreak": return .lineBreak
        case "code": return .code(node.literal)
        case "emph": return .emphasis(inlines(in: node))
        case "strong": return .strong(inlines(in: node))
        case "link": return .link(inlines(in: node), to: node.address)
        case "image": return .image(alternative: inlines(in: node).plainText, source: node.address)
        case "html_inline":
            let rest = withoutComments(node.literal)
            // A break is the one mark that cells of tables need.
            if rest == "<br>" { return .lineBreak }
            return rest.isEmpty ? nil : .text(rest)
        default: return nil
        }
    }

    private static func withoutComments(_ markup: String) -> String {
        var rest = markup[...]
        var text = ""
        while let start = rest.firstRange(ofText: "<!--") {
            text += rest[..<start.lowerBound]
            rest = rest[start.upperBound...]
            guard let end = rest.firstRange(ofText: "-->") else {
                rest = ""
                break
            }
            rest = rest[end.upperBound...]
        }
        var whole = (text + rest).drop(while: \.isWhitespace)
        while whole.last?.isWhitespace == true { whole.removeLast() }
        return String(whole)
    }
}
