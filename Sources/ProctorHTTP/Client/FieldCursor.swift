/// Walks a field value by the grammar that most structured values share (RFC 9110 §5.6).
struct FieldCursor {
    let bytes: [UInt8]
    var index = 0

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    var isAtEnd: Bool { index >= bytes.count }

    /// The byte at the cursor.
    var current: UInt8? { index < bytes.count ? bytes[index] : nil }

    /// Moves past a byte if it is that one.
    mutating func take(_ byte: UInt8) -> Bool {
        guard current == byte else { return false }
        index += 1
        return true
    }

    mutating func skipBlanks() {
        while let byte = current, byte.isBlank { index += 1 }
    }

    /// The bytes of this kind at the cursor, possibly none.
    mutating func take(while belongs: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let start = index
        while let byte = current, belongs(byte) { index += 1 }
        return bytes[start..<index]
    }

    /// A token (§5.6.2); nil where none stands.
    mutating func takeToken() -> ArraySlice<UInt8>? {
        let token = take(while: \.isTokenByte)
        return token.isEmpty ? nil : token
    }

    /// A quoted string (§5.6.4) with its escapes undone; one that never ends is read to the end of the value.
    ///
    /// Nil where none begins.
    mutating func takeQuotedString() -> (content: [UInt8], isTerminated: Bool)? {
        guard take(UInt8(ascii: "\"")) else { return nil }
        // Most strings have no escape, and are copied in one piece.
        let plain = take { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
        if take(UInt8(ascii: "\"")) { return (Array(plain), true) }
        var content = Array(plain)
        while let byte = current {
            index += 1
            if byte == UInt8(ascii: "\"") { return (content, true) }
            if byte == UInt8(ascii: "\\"), let escaped = current {
                index += 1
                content.append(escaped)
            } else {
                content.append(byte)
            }
        }
        return (content, false)
    }

    /// Moves to the next such byte that is not within a quoted string, or to the end.
    mutating func skip(to byte: UInt8) {
        while let found = current, found != byte {
            if takeQuotedString() == nil { index += 1 }
        }
    }
}
