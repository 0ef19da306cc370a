package import ProctorBase

/// A value of a YAML file and its place; every scalar is text, without a type.
package struct Node: Sendable {
    /// The value by its syntax alone.
    package let content: Content
    package let source: SourceFile
    /// The offset of the first byte of the value; for a scalar this may be the quote, `|` or `>`.
    let offset: Int

    /// The three node kinds of YAML; entries and items are in the order of the file.
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
        /// The text of the key, without a type.
        package let key: String
        /// Messages about the key have the place of this node.
        package let keyNode: Node
        /// The text after the colon; null when there is none.
        package let value: Node

        init(key: String, keyNode: Node, value: Node) {
            (self.key, self.keyNode, self.value) = (key, keyNode, value)
        }

        /// The entry with another key and value; messages about the key keep their place.
        package func with(key: String, _ value: Node) -> Entry {
            Entry(key: key, keyNode: keyNode.with(.scalar(key, .plain)), value: value)
        }

        /// An entry made by code; messages about its key have the place of `value`.
        package init(_ key: String, _ value: Node) {
            self.init(
                key: key, keyNode: Node(content: .scalar(key, .plain), source: value.source, offset: value.offset),
                value: value)
        }
    }

    /// A value made by code; messages about it have the given place.
    package init(_ content: Content, madeAt place: SourceFile) {
        self.init(content: content, source: place, offset: 0)
    }

    init(content: Content, source: SourceFile, offset: Int) {
        (self.content, self.source, self.offset) = (content, source, offset)
    }

    /// Another value at the same place; messages about a byte of its text have a place near it.
    package func with(_ content: Content) -> Node { Node(content: content, source: source, offset: offset) }

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

    /// What the value is, for messages.
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

/// The text in double quotes, with escaped controls, cut if long; for messages.
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
    /// YAML changes only whitespace and, in double quotes, escapes; so the other characters are counted in the text and
    /// in the file. The place is exact for these characters and for the end of the text. Within the whitespace of a
    /// folded scalar it is the start of that whitespace.
    ///
    /// For many places of one text use ``TextPlaces``.
    package func location(ofTextOffset textOffset: Int) -> SourceLocation {
        TextPlaces(of: self).location(at: textOffset)
    }

    fileprivate static func isBlank(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }

    /// Where the text can begin: after the quote, or on the line after `|` and `>`.
    fileprivate func contentOffset(_ style: Style) -> Int {
        switch style {
        case .plain: return offset
        case .singleQuoted, .doubleQuoted: return offset + 1
        case .literal, .folded:
            let lineEnd = source.bytes[min(offset, source.bytes.count)...].firstIndex { $0 == 0x0A || $0 == 0x0D }
            return lineEnd ?? source.bytes.count
        }
    }

    /// Walks the source of a scalar.
    fileprivate struct Cursor {
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

/// Finds places of one scalar's text in its file; for ascending offsets it reads each byte once.
///
/// Used by one thread.
package final class TextPlaces {
    private let node: Node
    /// nil before the first call, and if the node is no scalar.
    private var walk: Walk?

    /// The position of the last call, from which the next one continues.
    private struct Walk {
        let bytes: [UInt8]
        /// The position after the last non-blank character before the place.
        var cursor: Node.Cursor
        var offset = 0
        /// The number of blanks between the cursor and the place.
        var blanks = 0
    }

    package init(of node: Node) { self.node = node }

    /// The place of an offset in the text, as ``Node/location(ofTextOffset:)`` finds it.
    package func location(at textOffset: Int) -> SourceLocation {
        guard case .scalar(let text, let style) = node.content else { return node.location }
        let target = max(0, textOffset)
        var walk =
            self.walk.flatMap { $0.offset <= target ? $0 : nil }
            ?? Walk(
                bytes: Array(text.utf8),
                cursor: Node.Cursor(bytes: node.source.bytes, offset: node.contentOffset(style), style: style))
        while walk.offset < min(target, walk.bytes.count) {
            let byte = walk.bytes[walk.offset]
            walk.offset += 1
            guard byte & 0xC0 != 0x80 else { continue }
            if Node.isBlank(byte) {
                walk.blanks += 1
            } else {
                walk.cursor.skipCharacter()
                walk.blanks = 0
            }
        }
        self.walk = walk
        var cursor = walk.cursor
        if target >= walk.bytes.count || Node.isBlank(walk.bytes[target]) {
            for _ in 0..<walk.blanks { cursor.skipBlankOnLine() }
        } else {
            cursor.skipBlanks()
        }
        return node.source.location(at: cursor.offset)
    }
}
