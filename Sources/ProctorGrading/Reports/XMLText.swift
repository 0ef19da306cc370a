/// Text in XML 1.0; a character that XML cannot hold even as a reference becomes `\xHH`.
package enum XMLText {
    package static func content(_ text: String) -> String { escaped(text, keepsLines: true) }

    /// Text between double quotes; line feeds and tabs become references, because a reader turns plain ones into
    /// spaces.
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
                // Char of XML 1.0 §2.2; C1 controls are permitted there, but useless.
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
