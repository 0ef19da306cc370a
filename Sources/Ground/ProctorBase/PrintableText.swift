/// Text from outside, made safe for one printed line.
package enum PrintableText {
    /// Replaces characters that move the cursor or change the direction by `?`; writes `…` after `limit` scalars.
    package static func sanitize(_ text: String, limit: Int = .max) -> String {
        var result = ""
        var count = 0
        for scalar in text.unicodeScalars {
            count += 1
            guard count <= limit else { return result + "…" }
            let isPrintable =
                switch scalar.properties.generalCategory {
                // A right-to-left override (category Cf) would reverse the rest of the line.
                case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: false
                default: true
                }
            result.unicodeScalars.append(isPrintable ? scalar : "?")
        }
        return result
    }
}

/// Bytes from a peer as printable text: bytes other than printable ASCII are written as `\xHH`.
package enum EscapedText {
    /// Shows at most `limit` bytes and the number of the rest.
    package static func escape(_ bytes: some Sequence<UInt8>, limit: Int = 200) -> String {
        // An array first, since each step through a sequence of an unknown type is a call.
        let all = Array(bytes)
        var text: [UInt8] = []
        text.reserveCapacity(min(all.count, limit))
        for byte in all.prefix(limit) {
            switch byte {
            case 0x0D: text += "\\r".utf8
            case 0x0A: text += "\\n".utf8
            case 0x09: text += "\\t".utf8
            case 0x20...0x7E: text.append(byte)
            default: text += "\\x\(byte.hexadecimal(uppercase: true))".utf8
            }
        }
        let shown = String(decoding: text, as: UTF8.self)
        return all.count > limit ? "\(shown)… (\(all.count - limit) more bytes)" : shown
    }
}

package enum QuotedText {
    /// Adds double quotes, or single quotes if the value contains a double one, as an entity-tag does.
    package static func quote(_ text: String) -> String {
        text.contains("\"") ? "'\(text)'" : "\"\(text)\""
    }
}

package enum Plural {
    /// `1 request`, `2 requests`; `plural` is for nouns that need more than an `s`.
    package static func count(_ number: Int, _ noun: String, plural: String? = nil) -> String {
        "\(number) \(number == 1 ? noun : plural ?? noun + "s")"
    }
}
