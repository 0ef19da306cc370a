import ProctorBase
import ProctorHTTP

extension ByteText {
    /// Bytes within a line: `-` for none, and `""` for an empty text.
    static func optional(_ bytes: (some Sequence<UInt8>)?) -> String {
        guard let bytes else { return "-" }
        let text = inLine(bytes)
        return text.isEmpty ? "\"\"" : text
    }

    static func optional(_ text: String?) -> String { optional(text.map { Array($0.utf8) }) }
}
