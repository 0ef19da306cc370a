/// Writes JSON (RFC 8259) behind other bytes; it stores nothing but them.
///
/// Not copyable, so that the memory of a text can be used for the next one: see ``GrowingBytes``.
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

    /// Removes the first bytes, which are written elsewhere.
    package mutating func removeFirst(_ byteCount: Int) { output.removeFirst(byteCount) }

    /// Removes what was appended behind so many bytes; to be called between two lines.
    package mutating func truncate(to byteCount: Int) { output.truncate(to: byteCount) }

    /// Removes all bytes; memory of more than `limit` bytes is given back.
    package mutating func removeAll(keepingCapacityUpTo limit: Int) {
        output.removeAll(keepingCapacityUpTo: limit)
        needsComma = false
    }

    /// Appends the text of another writer, which is complete.
    package mutating func append(_ other: borrowing JSONText) { other.withSpan { output.append($0) } }

    /// Appends a complete value behind its key.
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

    /// Keys are constants that need no escape.
    package mutating func key(_ key: StaticString) {
        element()
        output.append(UInt8(ascii: "\""))
        output.append(key)
        output.append("\":")
    }

    /// A key that is joined with its comma; the first one of an object goes without.
    @inlinable
    @inline(__always)
    package mutating func key(_ key: borrowing JSONPiece) {
        if needsComma {
            output.append(padded: key.padded, count: key.count)
        } else {
            appendWithoutComma(key)
        }
        needsComma = true
    }

    @usableFromInline
    mutating func appendWithoutComma(_ key: borrowing JSONPiece) {
        output.append(key.padded.span.extracting(1..<key.count))
    }

    /// A piece as it is; a comma follows before the next member.
    @inlinable
    @inline(__always)
    package mutating func append(_ piece: borrowing JSONPiece) {
        output.append(padded: piece.padded, count: piece.count)
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
        number(value)
    }

    package mutating func member(_ key: StaticString, _ value: Bool) {
        self.key(key)
        flag(value)
    }

    /// With a fraction or an exponent where needed; JSON has only finite numbers.
    package mutating func member(_ key: StaticString, _ finite: Double) {
        self.key(key)
        output.append(Array(String(finite).utf8).span)
    }

    /// Text under `key`, or base64 under the other key when the bytes are no text.
    package mutating func member(_ key: StaticString, orBase64 other: StaticString, _ value: ArraySlice<UInt8>) {
        member(JSONPiece(key: key), orBase64: JSONPiece(key: other), value.span)
    }

    /// Text under `key`, or base64 under the other key when the bytes are no text.
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

    /// For keys that are not constant; escaped like any text.
    package mutating func member(named key: String, _ value: String) {
        name(key)
        string(value)
    }

    /// Text, or an object with `base64` where the bytes are no text.
    package mutating func member(named key: String, orBase64 value: [UInt8]) {
        name(key)
        stringOrBase64(value.span)
    }

    package mutating func member(named key: String, _ value: some BinaryInteger) {
        name(key)
        number(value)
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

    // The two types of nearly all numbers: a generic integer costs some hundred instructions.
    @inlinable package mutating func number(_ value: Int) {
        if value < 0 { output.append(UInt8(ascii: "-")) }
        output.append(decimal: UInt64(value.magnitude))
    }

    @inlinable package mutating func number(_ value: UInt64) { output.append(decimal: value) }

    package mutating func number(_ value: some BinaryInteger) {
        if value < 0 { output.append(UInt8(ascii: "-")) }
        output.append(decimal: UInt64(value.magnitude))
    }

    package mutating func flag(_ value: Bool) { output.append(value ? "true" : "false") }

    package mutating func string(_ value: String) {
        var value = value
        value.withUTF8 { unsafe quoted($0.span) }
    }

    /// Bytes that are valid UTF-8; escapes what JSON cannot hold, and what readers remove.
    package mutating func string(_ value: ArraySlice<UInt8>) { quoted(value.span) }

    /// Writes UTF-8 without NUL, which tools can show and a JSON reader returns unchanged, and returns true.
    ///
    /// Other bytes are not written, or in part: the caller removes what is behind its own place.
    package mutating func stringIfText(_ value: borrowing Span<UInt8>) -> Bool {
        if appendShort(value) { return true }
        output.append(UInt8(ascii: "\""))
        guard let isASCII = escape(value, acceptsNUL: false) else { return false }
        output.append(UInt8(ascii: "\""))
        if isASCII { return true }
        return unsafe value.withUnsafeBufferPointer { unsafe String(validUTF8: $0) != nil }
    }

    /// A string where the bytes are text, else an object with `base64`.
    package mutating func stringOrBase64(_ value: borrowing Span<UInt8>) {
        let begin = output.count
        if stringIfText(value) { return }
        output.truncate(to: begin)
        open("{")
        key("base64")
        base64(value)
        close("}")
    }

    /// As a string of ``Base64Text``.
    package mutating func base64(_ value: borrowing Span<UInt8>) {
        output.append(UInt8(ascii: "\""))
        Base64Text.append(value, to: &output)
        output.append(UInt8(ascii: "\""))
    }

    /// As a string of ``Base64Text``.
    package mutating func base64(_ value: ArraySlice<UInt8>) { base64(value.span) }

    private mutating func quoted(_ value: borrowing Span<UInt8>) {
        if appendShort(value) { return }
        output.append(UInt8(ascii: "\""))
        _ = escape(value, acceptsNUL: true)
        output.append(UInt8(ascii: "\""))
    }
}
