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
