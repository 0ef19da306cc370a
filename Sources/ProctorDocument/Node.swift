package import ProctorBase

/// A value of a YAML file and its place; scalars are text, whatever they look like.
package struct Node: Sendable {
    /// The value, by its form alone.
    package let content: Content
    package let source: SourceFile
    /// Of the first byte of the value (the quote, or `|` and `>`).
    let offset: Int

    /// The three forms of YAML; entries and items are in the order of the file.
    package enum Content: Sendable {
        case scalar(String, Style)
        case sequence([Node])
        case mapping([Entry])
    }

    /// How a scalar was written; quotes and blocks always mean text.
    package enum Style: Sendable, Equatable {
        case plain, singleQuoted, doubleQuoted, literal, folded
    }

    package struct Entry: Sendable {
        /// The text of the key, whatever it looks like.
        package let key: String
        /// For the place of messages about the key.
        package let keyNode: Node
        /// The text after the colon; null when there is none.
        package let value: Node

        init(key: String, keyNode: Node, value: Node) {
            self.key = key
            self.keyNode = keyNode
            self.value = value
        }

        /// An entry that a program made; messages about its key have the place of `value`.
        package init(_ key: String, _ value: Node) {
            self.init(
                key: key, keyNode: Node(content: .scalar(key, .plain), source: value.source, offset: value.offset),
                value: value)
        }
    }

    /// A value that a program made, for the place of messages.
    package init(_ content: Content, madeAt place: SourceFile) {
        self.init(content: content, source: place, offset: 0)
    }

    init(content: Content, source: SourceFile, offset: Int) {
        self.content = content
        self.source = source
        self.offset = offset
    }

    /// Where the value begins.
    package var location: SourceLocation { source.location(at: offset) }

    /// True for plain `null`, `~` and nothing at all; a quoted "null" is text.
    package var isNull: Bool {
        guard case .scalar(let text, .plain) = content else { return false }
        return text.isEmpty || text == "~" || text == "null"
    }

    package var text: String? {
        guard case .scalar(let text, _) = content, !isNull else { return nil }
        return text
    }

    /// The text of an unquoted scalar that is not null; only such text can be a number, `true` or `false`.
    package var plainText: String? {
        guard case .scalar(_, .plain) = content else { return nil }
        return text
    }

    package var items: [Node]? {
        guard case .sequence(let items) = content else { return nil }
        return items
    }

    package var entries: [Entry]? {
        guard case .mapping(let entries) = content else { return nil }
        return entries
    }

    /// The description of the value in messages.
    package var found: String {
        switch content {
        case .scalar where isNull: "nothing"
        case .scalar(let text, .plain): "\(quoted(text))"
        case .scalar(let text, _): "the text \(quoted(text))"
        case .sequence: "a list"
        case .mapping: "a mapping"
        }
    }
}

/// In double quotes, with escaped controls, cut when long; for messages.
package func quoted(_ text: String) -> String {
    var result = "\""
    var count = 0
    for scalar in text.unicodeScalars {
        count += 1
        if count > 60 {
            result += "…"
            break
        }
        switch scalar {
        case "\n": result += "\\n"
        case "\r": result += "\\r"
        case "\t": result += "\\t"
        case "\"": result += "\\\""
        default:
            if scalar.isControl {
                result += scalar.escape
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
    }
    return result + "\""
}

extension Node {
    /// The place in the file of byte `textOffset` of a scalar's text.
    ///
    /// YAML changes only whitespace and, in double quotes, escapes; so other characters are counted in the text and in
    /// the file. Exact for these and for the end of the text; within the whitespace of a folded scalar it is the start
    /// of that whitespace.
    package func location(ofTextOffset textOffset: Int) -> SourceLocation {
        guard case .scalar(let text, let style) = content else { return location }
        var wanted = 0
        var blanks = 0
        for byte in text.utf8.prefix(max(0, textOffset)) where byte & 0xC0 != 0x80 {
            if Self.isBlank(byte) {
                blanks += 1
            } else {
                wanted += 1
                blanks = 0
            }
        }
        let pointsAtBlank = textOffset >= text.utf8.count || Self.isBlank(Array(text.utf8)[max(0, textOffset)])
        var cursor = Cursor(bytes: source.bytes, offset: contentOffset(style), style: style)
        for _ in 0..<wanted { cursor.skipCharacter() }
        if pointsAtBlank {
            for _ in 0..<blanks { cursor.skipBlankOnLine() }
        } else {
            cursor.skipBlanks()
        }
        return source.location(at: cursor.offset)
    }

    private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

    /// Where the text can begin: after the quote, or on the line after `|` and `>`.
    private func contentOffset(_ style: Style) -> Int {
        switch style {
        case .plain: return offset
        case .singleQuoted, .doubleQuoted: return offset + 1
        case .literal, .folded:
            let lineEnd = source.bytes[min(offset, source.bytes.count)...].firstIndex { $0 == 0x0A || $0 == 0x0D }
            return lineEnd ?? source.bytes.count
        }
    }

    /// Walks the source of a scalar.
    private struct Cursor {
        let bytes: [UInt8]
        var offset: Int
        let style: Style

        private var byte: UInt8? { offset < bytes.count ? bytes[offset] : nil }

        /// Skips whitespace, line breaks and their escapes.
        mutating func skipBlanks() {
            while let byte {
                if Node.isBlank(byte) { offset += 1 } else if isEscapedBlank { offset += 2 } else { return }
            }
        }

        /// Skips one blank, if there is one on this line.
        mutating func skipBlankOnLine() {
            if byte == 0x20 || byte == 0x09 { offset += 1 } else if isEscapedBlank { offset += 2 }
        }

        /// `\n` `\r` `\t` `\ ` and an escaped line break.
        private var isEscapedBlank: Bool {
            guard style == .doubleQuoted, byte == 0x5C, offset + 1 < bytes.count else { return false }
            return [0x6E, 0x72, 0x74, 0x20, 0x09, 0x0A, 0x0D].contains(bytes[offset + 1])
        }

        /// Skips blanks and then one character of the text.
        mutating func skipCharacter() {
            skipBlanks()
            guard let byte else { return }
            offset += 1
            if style == .singleQuoted, byte == 0x27 {
                offset += 1
            } else if style == .doubleQuoted, byte == 0x5C, let kind = self.byte {
                offset += 1
                switch kind {
                case 0x78: offset += 2
                case 0x75: offset += 4
                case 0x55: offset += 8
                default: break
                }
            }
            while let next = self.byte, next & 0xC0 == 0x80 { offset += 1 }
            offset = min(offset, bytes.count)
        }
    }
}
