public import ProctorBase

extension Node {
    /// The place in the file of byte `textOffset` of a scalar's text.
    ///
    /// YAML changes only white space and, in double quotes, escapes; so the place is found by counting the characters
    /// that are neither, in the text and in the file. It is exact for every such character and for the end of the text;
    /// within white space of a folded scalar it is the beginning of that white space.
    public func location(ofTextOffset textOffset: Int) -> SourceLocation {
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

    /// Where the text itself can begin: after the quote, or on the line after `|` and `>`.
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

        /// Over white space, line breaks, and escapes that stand for them.
        mutating func skipBlanks() {
            while let byte {
                if Node.isBlank(byte) { offset += 1 } else if isEscapedBlank { offset += 2 } else { return }
            }
        }

        /// Over one blank, if there is one before the line ends.
        mutating func skipBlankOnLine() {
            if byte == 0x20 || byte == 0x09 { offset += 1 } else if isEscapedBlank { offset += 2 }
        }

        /// `\n` `\r` `\t` `\ ` and an escaped line break.
        private var isEscapedBlank: Bool {
            guard style == .doubleQuoted, byte == 0x5C, offset + 1 < bytes.count else { return false }
            return [0x6E, 0x72, 0x74, 0x20, 0x09, 0x0A, 0x0D].contains(bytes[offset + 1])
        }

        /// Over blanks and then one character of the text.
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
