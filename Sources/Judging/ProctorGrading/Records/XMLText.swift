/// Text in XML 1.0; a character that XML does not permit, even as a reference, becomes `\xHH`.
package enum XMLText {
    package static func content(_ text: String) -> String { escaped(text, keepsLines: true) }

    /// Text for an attribute in double quotes; line feeds and tabs become references, since readers turn plain ones
    /// into spaces.
    package static func attribute(_ text: String) -> String { escaped(text, keepsLines: false) }

    private static func escaped(_ text: String, keepsLines: Bool) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\n" where keepsLines, "\t" where keepsLines: result.unicodeScalars.append(scalar)
            case "\n", "\t", "\r": result += "&#\(scalar.value);"
            default:
                // XML 1.0 §2.2 permits the characters of Char; C1 controls are among them, but are escaped too.
                if scalar.value < 0x20 || 0x7F..<0xA0 ~= scalar.value || scalar.value & 0xFFFE == 0xFFFE {
                    result += "\\x" + String(scalar.value, radix: 16, uppercase: true)
                } else {
                    result.unicodeScalars.append(scalar)
                }
            }
        }
        return result
    }
}
