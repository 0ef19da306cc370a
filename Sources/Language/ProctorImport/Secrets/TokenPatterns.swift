import ProctorBase

/// Texts that are secrets by their form, wherever they stand.
enum TokenPatterns {
    /// A row of `CFiles/Tables/token-forms.tsv`.
    private struct Pattern: Sendable {
        let prefix: String
        /// Characters behind the prefix, at least.
        let least: Int
        /// How many parts a token has, with points between them.
        let parts: Int
        let kind: String
    }

    private static let patterns = TableCells.rows(of: "token-forms").map { row in
        Pattern(
            prefix: row["prefix"], least: row.value("least") { Int($0) }, parts: row.value("parts") { Int($0) },
            kind: row["subject"])
    }

    /// Whether some prefix begins with the byte that an index stands for; most bytes begin none.
    private static let begins: [Bool] = {
        var begins = [Bool](repeating: false, count: 256)
        for pattern in patterns { if let first = pattern.prefix.utf8.first { begins[Int(first)] = true } }
        return begins
    }()

    /// The secrets in a text in order, each with what it is.
    static func matches(in text: ArraySlice<UInt8>) -> [(range: Range<Int>, kind: String)] {
        var matches: [(range: Range<Int>, kind: String)] = []
        var index = text.startIndex
        let begins = begins
        while index < text.endIndex {
            guard begins[Int(text[index])] else {
                index += 1
                continue
            }
            let isInside = index > text.startIndex && isTokenByte(text[index - 1])
            if !isInside, let token = match(text, at: index) {
                matches.append(token)
                index = token.range.upperBound
            } else {
                index += 1
            }
        }
        return matches
    }

    private static func match(_ text: ArraySlice<UInt8>, at start: Int) -> (range: Range<Int>, kind: String)? {
        for pattern in patterns where text[start...].starts(with: pattern.prefix.utf8) {
            var end = start + pattern.prefix.utf8.count
            let body = text[end...].prefix(while: isTokenByte)
            guard body.count >= pattern.least else { continue }
            end = body.endIndex
            var count = 1
            while count < pattern.parts, end < text.endIndex, text[end] == UInt8(ascii: ".") {
                end = text[(end + 1)...].prefix(while: isTokenByte).endIndex
                count += 1
            }
            guard count == pattern.parts else { continue }
            return (start..<end, pattern.kind)
        }
        return nil
    }

    private static func isTokenByte(_ byte: UInt8) -> Bool {
        byte.isASCIILetter || byte.isASCIIDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }
}
