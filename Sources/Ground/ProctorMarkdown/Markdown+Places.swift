internal import CMarkdown

extension Markdown {
    /// A heading or a fenced block at the top of a page, with the line at which it stands.
    package enum PlacedBlock: Sendable, Equatable {
        case heading(level: Int, String, line: Int)
        /// `info` is all that stands behind the fence; `line` is the one of the fence, from 1.
        case fence(info: String, String, line: Int)
    }

    /// The headings and fenced blocks of a page with their lines, in their order; nothing inside lists and quotes.
    ///
    /// Of a page longer than ``byteLimit``, what stands behind it is left out.
    package static func placedBlocks(of source: String) -> [PlacedBlock] {
        guard let parsed = ParsedMarkdown(source) else { return [] }
        return parsed.root.children.compactMap { node in
            switch node.kind {
            case "heading":
                .heading(level: node.headingLevel, MarkdownReader.inlines(in: node).plainText, line: node.line)
            case "code_block" where node.isFenced: .fence(info: node.fence, node.literal, line: node.line)
            default: nil
            }
        }
    }
}
