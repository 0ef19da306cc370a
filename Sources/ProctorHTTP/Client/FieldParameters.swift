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

    /// By a name in lower case.
    subscript(name: String) -> [UInt8]? { values.first { $0.name == name }?.value }
}
