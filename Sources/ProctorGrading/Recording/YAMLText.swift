internal import ProctorBase

enum YAMLText {
    /// Plain where YAML allows it, else in double quotes with escapes.
    static func scalar(_ text: String) -> String {
        let bytes = Array(text.utf8)
        let isPlain =
            bytes.allSatisfy { 0x20...0x7E ~= $0 } && (bytes.first?.isASCIILetterOrParenthesis ?? false)
            && bytes.last != 0x20 && bytes.last != UInt8(ascii: ":") && !text.contains(text: ": ")
            && !text.contains(text: " #")
        return isPlain ? text : quoted(text)
    }

    /// In double quotes, with escapes.
    static func quoted(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\r": result += "\\r"
            case "\t": result += "\\t"
            default:
                if scalar.value < 0x20 || 0x7F..<0xA0 ~= scalar.value {
                    result += "\\x" + String(scalar.value + 0x100, radix: 16).dropFirst()
                } else if scalar.properties.generalCategory == .lineSeparator
                    || scalar.properties.generalCategory == .paragraphSeparator || scalar.value == 0xFEFF
                {
                    result += "\\u" + String(scalar.value + 0x10000, radix: 16).dropFirst()
                } else {
                    result.unicodeScalars.append(scalar)
                }
            }
        }
        return result + "\""
    }
}

extension UInt8 {
    fileprivate var isASCIILetterOrParenthesis: Bool { (self | 0x20) &- 0x61 < 26 || self == UInt8(ascii: "(") }
}
