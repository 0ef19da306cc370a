/// Writes JSON (RFC 8259) by appending to bytes; it stores nothing else.
package struct JSONText {
    package private(set) var bytes: [UInt8]
    /// Whether the next member needs a comma before it.
    private var needsComma = false

    package init() {
        bytes = []
    }

    /// Takes the bytes; read them again when the text is complete.
    package init(appendingTo bytes: consuming [UInt8]) {
        self.bytes = bytes
    }

    // MARK: Structure

    package mutating func open(_ bracket: StaticString) {
        raw(bracket)
        needsComma = false
    }

    package mutating func close(_ bracket: StaticString) {
        raw(bracket)
        needsComma = true
    }

    /// Writes a comma where needed; call it before each element of a list.
    package mutating func element() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    /// Keys are constants that need no escape.
    package mutating func key(_ key: StaticString) {
        element()
        bytes.append(UInt8(ascii: "\""))
        raw(key)
        raw("\":")
    }

    package mutating func element(_ value: String) {
        element()
        string(Array(value.utf8)[...])
    }

    package mutating func list<Element>(_ elements: [Element], _ write: (Element, inout JSONText) -> Void) {
        open("[")
        for element in elements {
            self.element()
            write(element, &self)
        }
        close("]")
    }

    // MARK: Members

    package mutating func member(_ key: StaticString, _ value: String) {
        self.key(key)
        string(Array(value.utf8)[...])
    }

    package mutating func member(_ key: StaticString, _ value: some BinaryInteger) {
        self.key(key)
        number(value)
    }

    package mutating func member(_ key: StaticString, _ value: Bool) {
        self.key(key)
        raw(value ? "true" : "false")
    }

    /// With a fraction or an exponent where needed; JSON has only finite numbers.
    package mutating func member(_ key: StaticString, _ finite: Double) {
        self.key(key)
        bytes += String(finite).utf8
    }

    /// Text under `key`, or base64 under the other key when the bytes are no text.
    package mutating func member(_ key: StaticString, orBase64 other: StaticString, _ value: ArraySlice<UInt8>) {
        if Self.isText(value) {
            self.key(key)
            string(value)
        } else {
            self.key(other)
            base64(value)
        }
    }

    /// For keys that are not constant; escaped like any text.
    package mutating func member(named key: String, _ value: String) {
        element(key)
        bytes.append(UInt8(ascii: ":"))
        string(Array(value.utf8)[...])
    }

    package mutating func member(named key: String, _ value: some BinaryInteger) {
        element(key)
        bytes.append(UInt8(ascii: ":"))
        number(value)
    }

    package mutating func member(named key: String, _ value: Bool) {
        element(key)
        bytes.append(UInt8(ascii: ":"))
        raw(value ? "true" : "false")
    }

    // MARK: Values

    package mutating func number(_ value: some BinaryInteger) {
        bytes += String(value).utf8
    }

    /// Bytes that are valid UTF-8; escapes what JSON cannot hold, and what readers remove.
    package mutating func string(_ value: ArraySlice<UInt8>) {
        bytes.append(UInt8(ascii: "\""))
        var rest = value
        // Foundation's reader drops a byte order mark at the start of any text.
        if rest.starts(with: Self.byteOrderMark) {
            raw("\\ufeff")
            rest = rest.dropFirst(Self.byteOrderMark.count)
        }
        // What needs no escape is appended in one piece.
        var begin = rest.startIndex
        for index in rest.indices {
            let byte = rest[index]
            guard byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") || byte == 0x7F else {
                continue
            }
            bytes += rest[begin..<index]
            begin = index + 1
            switch byte {
            case UInt8(ascii: "\""): raw("\\\"")
            case UInt8(ascii: "\\"): raw("\\\\")
            case 0x0A: raw("\\n")
            case 0x0D: raw("\\r")
            case 0x09: raw("\\t")
            default:
                raw("\\u00")
                bytes.append(Self.digit(byte >> 4))
                bytes.append(Self.digit(byte & 15))
            }
        }
        bytes += rest[begin...]
        bytes.append(UInt8(ascii: "\""))
    }

    /// As a string of ``Base64Text``.
    package mutating func base64(_ value: ArraySlice<UInt8>) {
        bytes.append(UInt8(ascii: "\""))
        Base64Text.append(value, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
    }

    package mutating func lineEnd() {
        bytes.append(0x0A)
        needsComma = false
    }

    // MARK: Bytes

    private static let byteOrderMark: [UInt8] = [0xEF, 0xBB, 0xBF]

    /// UTF-8 without NUL, which tools can show and a JSON reader returns unchanged.
    package static func isText(_ value: ArraySlice<UInt8>) -> Bool {
        var isASCII = true
        for byte in value {
            if byte == 0 { return false }
            if byte >= 0x80 { isASCII = false }
        }
        return isASCII || String(validating: value, as: UTF8.self) != nil
    }

    private mutating func raw(_ text: StaticString) {
        text.withUTF8Buffer { unsafe bytes.append(contentsOf: $0) }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}
