/// Text from outside in a line for a person.
package enum PrintableText {
    /// What would move the cursor or turn the line around shows as `?`; behind `limit` scalars stands `…`.
    package static func of(_ text: String, limit: Int = .max) -> String {
        var result = ""
        var count = 0
        for scalar in text.unicodeScalars {
            count += 1
            guard count <= limit else { return result + "…" }
            let isPrintable =
                switch scalar.properties.generalCategory {
                // A right-to-left override would turn the line around (category Cf).
                case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: false
                default: true
                }
            result.unicodeScalars.append(isPrintable ? scalar : "?")
        }
        return result
    }
}

/// Bytes of a peer as text that is safe to print: what is not printable ASCII is written `\xHH`.
public enum EscapedText {
    /// At most `limit` bytes are shown; what is cut is counted at the end.
    public static func of(_ bytes: some Sequence<UInt8>, limit: Int = 200) -> String {
        var text = ""
        var count = 0
        for byte in bytes {
            count += 1
            guard count <= limit else { continue }
            switch byte {
            case 0x0D: text += "\\r"
            case 0x0A: text += "\\n"
            case 0x09: text += "\\t"
            case 0x20...0x7E: text.unicodeScalars.append(Unicode.Scalar(byte))
            default: text += "\\x" + hexadecimal(byte)
            }
        }
        return count > limit ? text + "… (\(count - limit) more bytes)" : text
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        let digits = String(byte, radix: 16, uppercase: true)
        return digits.count == 1 ? "0" + digits : digits
    }
}

/// A value between quotes, for a sentence.
public enum QuotedText {
    /// In double quotes, or in single ones where it holds a double one itself, as an entity-tag does.
    public static func of(_ text: String) -> String {
        text.contains("\"") ? "'\(text)'" : "\"\(text)\""
    }
}

/// Numbers with what they count, for a person.
package enum Plural {
    /// `1 request`, `2 requests`; `plural` is for nouns that need more than an `s`.
    package static func count(_ number: Int, _ noun: String, plural: String? = nil) -> String {
        "\(number) \(number == 1 ? noun : plural ?? noun + "s")"
    }
}
