/// Appends JSON (RFC 8259) to bytes; it stores nothing but the bytes.
///
/// Not copyable, so that the next text can use the memory of one: see ``GrowingBytes``.
@usableFromInline package struct JSONText: ~Copyable {
    @usableFromInline var output: GrowingBytes
    /// Whether the next member needs a comma before it.
    @usableFromInline var needsComma = false

    package init() { output = GrowingBytes() }

    /// A copy of all bytes that are written.
    package var bytes: [UInt8] { output.array }

    /// The number of bytes that are written.
    @inlinable package var byteCount: Int { output.count }

    /// Lends the written bytes for the time of a call.
    @inlinable package func withSpan<Result>(_ body: (borrowing Span<UInt8>) -> Result) -> Result {
        output.withSpan(body)
    }

    /// Removes the first bytes, which the caller has written elsewhere.
    package mutating func removeFirst(_ byteCount: Int) { output.removeFirst(byteCount) }

    /// Removes what was appended after the first `byteCount` bytes; call it only between two lines.
    package mutating func truncate(to byteCount: Int) { output.truncate(to: byteCount) }

    /// Removes all bytes; frees memory of more than `limit` bytes.
    package mutating func removeAll(keepingCapacityUpTo limit: Int) {
        output.removeAll(keepingCapacityUpTo: limit)
        needsComma = false
    }

    /// Appends the complete text of another writer.
    package mutating func append(_ other: borrowing JSONText) { other.withSpan { output.append($0) } }

    /// Appends a complete value, which was encoded before, as the value of the last key.
    package mutating func value(complete bytes: [UInt8]) {
        output.append(bytes.span)
        needsComma = true
    }

    // MARK: Structure

    /// Writes one character.
    @inlinable
    @inline(__always)
    package mutating func open(_ bracket: Unicode.Scalar) {
        output.append(UInt8(truncatingIfNeeded: bracket.value))
        needsComma = false
    }

    /// Writes one character.
    @inlinable
    @inline(__always)
    package mutating func close(_ bracket: Unicode.Scalar) {
        output.append(UInt8(truncatingIfNeeded: bracket.value))
        needsComma = true
    }

    /// Writes a comma where needed; call it before each element of a list.
    @inlinable
    @inline(__always)
    package mutating func element() {
        if needsComma { output.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    /// Appends a key, which is a constant that needs no escape.
    package mutating func key(_ key: StaticString) {
        element()
        output.append(UInt8(ascii: "\""))
        output.appendText(key)
        output.appendText("\":")
    }

    /// Appends an encoded key; the first key of an object is written without its comma.
    @inlinable
    @inline(__always)
    package mutating func key(_ key: borrowing JSONPiece) {
        if needsComma {
            output.appendPadded(key.padded, count: key.count)
        } else {
            appendWithoutComma(key)
        }
        needsComma = true
    }

    @usableFromInline
    mutating func appendWithoutComma(_ key: borrowing JSONPiece) {
        output.append(key.padded.span.extracting(1..<key.count))
    }

    /// Appends a piece unchanged; the next member begins with a comma.
    @inlinable
    @inline(__always)
    package mutating func append(_ piece: borrowing JSONPiece) {
        output.appendPadded(piece.padded, count: piece.count)
        needsComma = true
    }

    package mutating func element(_ value: String) {
        element()
        string(value)
    }

    package mutating func list<Element>(_ elements: [Element], _ write: (Element, inout JSONText) -> Void) {
        open("[")
        for element in elements {
            self.element()
            write(element, &self)
        }
        close("]")
    }

    package mutating func lineEnd() {
        output.append(0x0A)
        needsComma = false
    }

    // MARK: Members

    package mutating func member(_ key: StaticString, _ value: String) {
        self.key(key)
        string(value)
    }

    package mutating func member(_ key: StaticString, _ value: Int) {
        self.key(key)
        number(value)
    }

    package mutating func member(_ key: StaticString, _ value: UInt64) {
        self.key(key)
        number(value)
    }

    package mutating func member(_ key: StaticString, _ value: some BinaryInteger) {
        self.key(key)
        integer(value)
    }

    package mutating func member(_ key: StaticString, _ value: Bool) {
        self.key(key)
        flag(value)
    }

    /// Appends a number, with a fraction or an exponent if needed; JSON has only finite numbers.
    package mutating func member(_ key: StaticString, _ finite: Double) {
        self.key(key)
        output.append(Array(String(finite).utf8).span)
    }

    /// Appends text under `key`, or base64 under the other key if the bytes are not UTF-8.
    package mutating func member(_ key: StaticString, orBase64 other: StaticString, _ value: ArraySlice<UInt8>) {
        member(JSONPiece(key: key), orBase64: JSONPiece(key: other), value.span)
    }

    /// Appends text under `key`, or base64 under the other key if the bytes are not UTF-8.
    package mutating func member(
        _ key: borrowing JSONPiece, orBase64 other: borrowing JSONPiece, _ value: borrowing Span<UInt8>
    ) {
        let (begin, hadComma) = (output.count, needsComma)
        self.key(key)
        if stringIfText(value) { return }
        output.truncate(to: begin)
        needsComma = hadComma
        self.key(other)
        base64(value)
    }

    /// Appends a member whose key is not constant; the key is escaped like any text.
    package mutating func member(named key: String, _ value: String) {
        name(key)
        string(value)
    }

    /// Appends text, or an object with `base64` if the bytes are not UTF-8.
    package mutating func member(named key: String, orBase64 value: [UInt8]) {
        name(key)
        stringOrBase64(value.span)
    }

    package mutating func member(named key: String, _ value: some BinaryInteger) {
        name(key)
        integer(value)
    }

    package mutating func member(named key: String, _ value: Bool) {
        name(key)
        flag(value)
    }

    private mutating func name(_ key: String) {
        element(key)
        output.append(UInt8(ascii: ":"))
    }

    // MARK: Values

    // Nearly all numbers have one of these two types; the generic function takes some hundred instructions more.
    @inlinable package mutating func number(_ value: Int) {
        if value < 0 { output.append(UInt8(ascii: "-")) }
        output.appendDecimal(UInt64(value.magnitude))
    }

    @inlinable package mutating func number(_ value: UInt64) { output.appendDecimal(value) }

    package mutating func integer(_ value: some BinaryInteger) {
        if value < 0 { output.append(UInt8(ascii: "-")) }
        output.appendDecimal(UInt64(value.magnitude))
    }

    package mutating func flag(_ value: Bool) { output.appendText(value ? "true" : "false") }

    package mutating func string(_ value: String) {
        var value = value
        value.withUTF8 { unsafe quoted($0.span) }
    }

    /// Appends a string from valid UTF-8; escapes what JSON does not permit, and what readers remove.
    package mutating func string(_ value: ArraySlice<UInt8>) { quoted(value.span) }

    /// Appends UTF-8 without NUL, which tools can show and a JSON reader returns unchanged, and returns true.
    ///
    /// For other bytes it returns false; it may have appended some of them, which the caller removes.
    package mutating func stringIfText(_ value: borrowing Span<UInt8>) -> Bool {
        if appendShort(value) { return true }
        output.append(UInt8(ascii: "\""))
        guard let isASCII = escape(value, acceptsNUL: false) else { return false }
        output.append(UInt8(ascii: "\""))
        if isASCII { return true }
        return unsafe value.withUnsafeBufferPointer { unsafe String(validUTF8: $0) != nil }
    }

    /// Appends a string if the bytes are such text, else an object with `base64`.
    package mutating func stringOrBase64(_ value: borrowing Span<UInt8>) {
        let begin = output.count
        if stringIfText(value) { return }
        output.truncate(to: begin)
        open("{")
        key("base64")
        base64(value)
        close("}")
    }

    /// Appends a string of ``Base64Text``.
    package mutating func base64(_ value: borrowing Span<UInt8>) {
        output.append(UInt8(ascii: "\""))
        Base64Text.append(value, to: &output)
        output.append(UInt8(ascii: "\""))
    }

    private mutating func quoted(_ value: borrowing Span<UInt8>) {
        if appendShort(value) { return }
        output.append(UInt8(ascii: "\""))
        _ = escape(value, acceptsNUL: true)
        output.append(UInt8(ascii: "\""))
    }
}

// Whole values.
extension JSONText {
    package mutating func object(_ write: (inout JSONText) -> Void) {
        open("{")
        write(&self)
        close("}")
    }

    package mutating func object(_ key: StaticString, _ write: (inout JSONText) -> Void) {
        self.key(key)
        object(write)
    }

    package mutating func objects<Element>(
        _ key: StaticString, of elements: some Sequence<Element>, _ write: (inout JSONText, Element) -> Void
    ) {
        self.key(key)
        open("[")
        for element in elements {
            self.element()
            object { write(&$0, element) }
        }
        close("]")
    }

    package mutating func texts(_ key: StaticString, _ texts: [String]) {
        self.key(key)
        open("[")
        for text in texts { element(text) }
        close("]")
    }
}
