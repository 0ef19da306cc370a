extension Markdown {
    /// The page for a terminal, in lines of at most `width` columns where words allow it.
    ///
    /// Code stays as it is written. A table that is wider becomes a paragraph a row. `paint` gets each heading.
    package func text(width: Int, paint: @escaping (String) -> String = { $0 }) -> String {
        let writer = MarkdownText(width: width, paint: paint)
        return writer.lines(blocks).joined(separator: "\n") + "\n"
    }
}

private struct MarkdownText {
    let width: Int
    let paint: (String) -> String

    func lines(_ blocks: [Markdown.Block]) -> [String] {
        var lines: [String] = []
        for block in blocks {
            if !lines.isEmpty { lines.append("") }
            lines += self.lines(block)
        }
        return lines
    }

    private func lines(_ block: Markdown.Block) -> [String] {
        switch block {
        case .heading(let level, let words, _):
            let text = words.plainText
            return level == 1 ? [paint(text), String(repeating: "=", count: min(width, text.count))] : [paint(text)]
        case .paragraph(let words): return wrapped(words.text)
        case .code(_, let text):
            var lines = text.split(separator: "\n", omittingEmptySubsequences: false)
            if lines.last?.isEmpty == true { lines.removeLast() }
            return lines.map { $0.isEmpty ? "" : "    \($0)" }
        case .quote(let blocks): return narrower(by: 2).lines(blocks).map { $0.isEmpty ? ">" : "> \($0)" }
        case .list(let start, let items):
            return items.enumerated().flatMap { index, item in
                self.item(item, behind: start.map { "\($0 + index). " } ?? "- ")
            }
        case .table(let head, let rows): return table([head] + rows)
        case .rule: return [String(repeating: "-", count: width)]
        }
    }

    private func item(_ blocks: [Markdown.Block], behind mark: String) -> [String] {
        let inner = narrower(by: mark.count)
        // A list below a paragraph stands close to it.
        let lines = blocks.enumerated().flatMap { index, block in
            let isApart = if case .list = block { false } else { index > 0 }
            return (isApart ? [""] : []) + inner.lines(block)
        }
        let margin = String(repeating: " ", count: mark.count)
        return lines.enumerated().map { index, line in
            index == 0 ? mark + line : line.isEmpty ? "" : margin + line
        }
    }

    private func table(_ rows: [[[Markdown.Inline]]]) -> [String] {
        let texts = rows.map { $0.map(\.text) }
        let widths = texts[0].indices.map { column in texts.map { $0[column].count }.max() ?? 0 }
        guard widths.reduce(0, +) + 2 * (widths.count - 1) <= width else { return paragraphs(texts) }
        let lines = texts.map { row in
            let cells = zip(row, widths).map { text, width in text + String(repeating: " ", count: width - text.count) }
            var line = cells.joined(separator: "  ")
            while line.last == " " { line.removeLast() }
            return line
        }
        let rule = widths.map { String(repeating: "-", count: $0) }.joined(separator: "  ")
        return [lines[0], rule] + lines.dropFirst()
    }

    private func paragraphs(_ rows: [[String]]) -> [String] {
        let inner = narrower(by: 4)
        return rows.dropFirst().flatMap { row in
            wrapped(row[0])
                + zip(rows[0], row).dropFirst().filter { !$1.isEmpty }.flatMap { name, text in
                    inner.wrapped(name.isEmpty ? text : "\(name): \(text)").map { "    \($0)" }
                }
        }
    }

    private func narrower(by columns: Int) -> MarkdownText {
        MarkdownText(width: max(20, width - columns), paint: paint)
    }

    private func wrapped(_ text: String) -> [String] {
        text.split(separator: "\n", omittingEmptySubsequences: false).flatMap { part in
            var lines: [String] = []
            var line = ""
            for word in part.split(separator: " ") {
                if !line.isEmpty, line.count + 1 + word.count > width {
                    lines.append(line)
                    line = ""
                }
                line += (line.isEmpty ? "" : " ") + word
            }
            return lines + [line]
        }
    }
}

extension [Markdown.Inline] {
    /// Code keeps its marks, and addresses of the web stand behind their words.
    fileprivate var text: String {
        map { inline in
            switch inline {
            case .text(let text): text
            case .code(let text): "`\(text)`"
            case .emphasis(let words), .strong(let words): words.text
            case .lineBreak: "\n"
            case .image(let alternative, _): "[picture: \(alternative)]"
            case .link(let words, let target):
                target.hasPrefix("http") && target != words.text ? "\(words.text) (\(target))" : words.text
            }
        }.joined()
    }
}
