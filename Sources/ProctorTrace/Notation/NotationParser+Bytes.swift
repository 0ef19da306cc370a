import ProctorBase

/// What the parser reads with, and how it quotes the text in messages.
extension NotationParser {
    var peek: UInt8? { offset < bytes.count ? bytes[offset] : nil }

    /// Spaces, line ends and comments.
    mutating func skipSpace() {
        while let byte = peek {
            switch byte {
            case 0x20, 0x09, 0x0A, 0x0D: offset += 1
            case UInt8(ascii: "#"):
                while let byte = peek, byte != 0x0A { offset += 1 }
            default: return
            }
        }
    }

    /// Spaces and tabs.
    mutating func skipBlanks() {
        while let byte = peek, byte == 0x20 || byte == 0x09 { offset += 1 }
    }

    static func isNameByte(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte.isASCIIDigit || byte == UInt8(ascii: ".") || byte == UInt8(ascii: "_")
            || byte == UInt8(ascii: "-")
    }

    static func endsSequence(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "|") || byte == UInt8(ascii: "&") || byte == UInt8(ascii: ")")
    }

    static func beginsCount(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: "?") || byte == UInt8(ascii: "*") || byte == UInt8(ascii: "+")
            || byte == UInt8(ascii: "{")
    }

    /// The character at the offset, whole and in quotes.
    func quotedCharacter() -> String {
        let rest = String(decoding: bytes[offset...].prefix(16), as: UTF8.self)
        guard let character = rest.first else { return "the end" }
        switch character {
        case "\n", "\r", "\r\n": return "a line end"
        case "'": return "\"'\""
        case _ where character.unicodeScalars.contains { $0.properties.generalCategory == .control }:
            return "the byte \(EscapedText.of(character.utf8))"
        default: return "'\(character)'"
        }
    }

    /// Part of the text for a message, on one line and not longer than 40 bytes.
    func excerpt(_ range: Range<Int>) -> String {
        Notation.excerpt(of: bytes[range])
    }

    func error(at place: Int, _ sentence: String) -> NotationError {
        NotationError(text: text, offset: place, sentence: sentence)
    }
}

extension Notation {
    /// A piece of an expression for a message, 60 bytes at most; runs of white space and controls become one space.
    static func excerpt(of bytes: ArraySlice<UInt8>) -> String {
        var shown: [UInt8] = []
        for byte in bytes {
            let isSpace = byte <= 0x20 || byte == 0x7F
            if isSpace, shown.last == 0x20 { continue }
            shown.append(isSpace ? 0x20 : byte)
            if shown.count > 60 { break }
        }
        guard shown.count > 60 else { return String(decoding: shown, as: UTF8.self) }
        shown.removeLast(3)
        while let last = shown.last, last & 0xC0 == 0x80 { shown.removeLast() }
        if let last = shown.last, last >= 0xC0 { shown.removeLast() }
        return String(decoding: shown, as: UTF8.self) + "…"
    }
}
