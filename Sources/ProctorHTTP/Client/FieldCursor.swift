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

/// `;name=value` parameters behind a value (RFC 9110 §5.6.6).
struct FieldParameters {
    /// Names in lower case, values without quotes; the first of a name counts.
    private(set) var values: [(name: String, value: [UInt8])] = []

    /// Reads to the end of the value; what is no parameter is passed over, as real servers leave no choice.
    init(_ cursor: inout FieldCursor) {
        while true {
            cursor.skip(to: UInt8(ascii: ";"))
            guard cursor.take(UInt8(ascii: ";")) else { return }
            cursor.skipBlanks()
            guard let name = cursor.takeToken() else { continue }
            cursor.skipBlanks()
            guard cursor.take(UInt8(ascii: "=")) else { continue }
            cursor.skipBlanks()
            let value: [UInt8]
            if let quoted = cursor.takeQuotedString() {
                value = quoted.content
            } else {
                // Spaces and bytes outside a token stand unquoted in what many servers send; they end at the semicolon.
                var raw = cursor.take { $0 != UInt8(ascii: ";") }
                while let last = raw.last, last.isBlank { raw.removeLast() }
                value = Array(raw)
            }
            let lowered = FieldText.decode(name).lowercased()
            if self[lowered] == nil { values.append((lowered, value)) }
        }
    }

    /// The value of the first parameter of a name, which is in lower case.
    subscript(name: String) -> [UInt8]? { values.first { $0.name == name }?.value }
}

/// Bytes of a field as text.
enum FieldText {
    /// UTF-8 where the bytes are that, else one character for each byte (Latin-1), which loses nothing either.
    static func decode(_ bytes: some Collection<UInt8>) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        return latin1(bytes)
    }

    static func latin1(_ bytes: some Collection<UInt8>) -> String {
        var text = String.UnicodeScalarView()
        for byte in bytes { text.append(Unicode.Scalar(byte)) }
        return String(text)
    }

    /// One byte for each character; nil where one has none in Latin-1.
    static func latin1Bytes(of text: String) -> [UInt8]? {
        var bytes: [UInt8] = []
        for scalar in text.unicodeScalars {
            guard let byte = UInt8(exactly: scalar.value) else { return nil }
            bytes.append(byte)
        }
        return bytes
    }
}

extension String.UTF8View {
    /// Whether it is a token (RFC 9110 §5.6.2).
    var isToken: Bool {
        for byte in self where !byte.isTokenByte { return false }
        return !isEmpty
    }
}
