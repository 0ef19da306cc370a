import ProctorHTTP

/// Header fields as a trace has them: lines `name: value`.
enum FieldLines {
    /// Lines without a colon are passed over.
    static func parsed(_ text: String) -> [HTTPField] {
        text.split(separator: "\n").compactMap { line in
            guard let colon = line.firstIndex(of: ":") else { return nil }
            return HTTPField(String(line[..<colon]), trimmed(line[line.index(after: colon)...]))
        }
    }

    /// Without blanks at either end, which are no part of a value (RFC 9110 §5.5).
    static func trimmed(_ text: some StringProtocol) -> String {
        let blanks: Set<Character> = [" ", "\t"]
        return String(text.drop { blanks.contains($0) }.reversed().drop { blanks.contains($0) }.reversed())
    }
}
