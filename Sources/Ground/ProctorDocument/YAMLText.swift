internal import ProctorBase

/// Text as scalars of YAML 1.2.
package enum YAMLText {
    /// The text plain where YAML permits it, else in double quotes with escapes.
    package static func scalar(_ text: String) -> String {
        let bytes = Array(text.utf8)
        let isPlain =
            bytes.allSatisfy { 0x20...0x7E ~= $0 } && (bytes.first?.isASCIILetterOrParenthesis ?? false)
            && bytes.last != 0x20 && bytes.last != UInt8(ascii: ":") && !text.contains(text: ": ")
            && !text.contains(text: " #") && !words.contains(text)
        return isPlain ? text : quoted(text)
    }

    /// Plain, these are no texts (YAML 1.2.2 §10.3.2).
    private static let words: Set<String> = [
        "null", "Null", "NULL", "true", "True", "TRUE", "false", "False", "FALSE",
    ]

    /// The text in double quotes, with escapes.
    package static func quoted(_ text: String) -> String {
        text.literal { scalar in
            if scalar.value < 0x20 || 0x7F..<0xA0 ~= scalar.value {
                return "\\x" + String(scalar.value + 0x100, radix: 16).dropFirst()
            }
            // Separators of lines and paragraphs, and the byte order mark.
            guard [0x2028, 0x2029, 0xFEFF].contains(scalar.value) else { return nil }
            return "\\u" + String(scalar.value + 0x10000, radix: 16).dropFirst()
        }
    }
}

extension String {
    /// The text in double quotes, with the escapes that YAML, Python, JavaScript and Go share; `escape` returns those
    /// of other scalars.
    package func literal(_ escape: (Unicode.Scalar) -> String?) -> String {
        var literal = "\""
        for scalar in unicodeScalars {
            switch scalar {
            case "\"": literal += "\\\""
            case "\\": literal += "\\\\"
            case "\n": literal += "\\n"
            case "\r": literal += "\\r"
            case "\t": literal += "\\t"
            default:
                if let text = escape(scalar) { literal += text } else { literal.unicodeScalars.append(scalar) }
            }
        }
        return literal + "\""
    }
}

extension UInt8 {
    fileprivate var isASCIILetterOrParenthesis: Bool { (self | 0x20) &- 0x61 < 26 || self == UInt8(ascii: "(") }
}
