/// Reads a field value by the grammar that most structured values share (RFC 9110 §5.6).
package struct FieldCursor {
    package let bytes: [UInt8]
    package var index = 0

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    package var isAtEnd: Bool { index >= bytes.count }

    package var current: UInt8? { index < bytes.count ? bytes[index] : nil }

    package mutating func consume(_ byte: UInt8) -> Bool {
        guard current == byte else { return false }
        index += 1
        return true
    }

    package mutating func skipBlanks() {
        while let byte = current, byte.isBlank { index += 1 }
    }

    package mutating func consume(while belongs: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let start = index
        while let byte = current, belongs(byte) { index += 1 }
        return bytes[start..<index]
    }

    /// Reads a token (§5.6.2); nil if none begins here.
    package mutating func takeToken() -> ArraySlice<UInt8>? {
        let token = consume(while: \.isTokenByte)
        return token.isEmpty ? nil : token
    }

    /// Reads a quoted string (§5.6.4) and removes its escapes; nil if none begins here.
    ///
    /// An unterminated one is read to the end of the value.
    package mutating func takeQuotedString() -> (content: [UInt8], isTerminated: Bool)? {
        guard consume(UInt8(ascii: "\"")) else { return nil }
        // A string without escapes is copied as a whole.
        let plain = consume { $0 != UInt8(ascii: "\"") && $0 != UInt8(ascii: "\\") }
        if consume(UInt8(ascii: "\"")) { return (Array(plain), true) }
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

    /// Moves to the next such byte outside a quoted string, or to the end.
    mutating func skip(to byte: UInt8) {
        while let next = current, next != byte {
            if takeQuotedString() == nil { index += 1 }
        }
    }
}

/// `;name=value` parameters behind a value (RFC 9110 §5.6.6).
package struct FieldParameters {
    /// Names in lower case, values without quotes; of several with the same name only the first.
    private(set) var values: [(name: String, value: [UInt8])] = []

    /// Reads to the end of the value, and skips malformed parameters, which servers send in practice.
    package init(_ cursor: inout FieldCursor) {
        while true {
            cursor.skip(to: UInt8(ascii: ";"))
            guard cursor.consume(UInt8(ascii: ";")) else { return }
            cursor.skipBlanks()
            guard let name = cursor.takeToken() else { continue }
            cursor.skipBlanks()
            guard cursor.consume(UInt8(ascii: "=")) else { continue }
            cursor.skipBlanks()
            let value: [UInt8]
            if let quoted = cursor.takeQuotedString() {
                value = quoted.content
            } else {
                // Many servers send spaces and other bytes in unquoted values; such a value ends at the semicolon.
                var raw = cursor.consume { $0 != UInt8(ascii: ";") }
                while let last = raw.last, last.isBlank { raw.removeLast() }
                value = Array(raw)
            }
            let lowered = FieldText.decode(name).lowercased()
            if self[lowered] == nil { values.append((lowered, value)) }
        }
    }

    package subscript(name: String) -> [UInt8]? { values.first { $0.name == name }?.value }
}

package enum FieldText {
    /// Decodes UTF-8, or else Latin-1, which has a character for each byte, so that no byte is lost.
    package static func decode(_ bytes: some Collection<UInt8>) -> String {
        if let text = String(validating: bytes, as: UTF8.self) { return text }
        return latin1(bytes)
    }

    package static func latin1(_ bytes: some Collection<UInt8>) -> String {
        var text = String.UnicodeScalarView()
        for byte in bytes { text.append(Unicode.Scalar(byte)) }
        return String(text)
    }

    /// One byte for each character; nil if a character is not in Latin-1.
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
    var isToken: Bool {
        for byte in self where !byte.isTokenByte { return false }
        return !isEmpty
    }
}
