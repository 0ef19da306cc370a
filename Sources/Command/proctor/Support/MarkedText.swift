internal import ProctorBase

/// An argument of a command with marks: words in double braces, as `{{base}}`.
///
/// `{{{{` is `{{` itself. What is no word, as `{{.Name}}` or `{{json .}}`, belongs to the command.
struct MarkedText {
    enum Part {
        case text(String)
        /// The word between the braces.
        case mark(String)
    }

    let parts: [Part]

    init(_ argument: String) {
        var parts: [Part] = []
        var text = ""
        var rest = argument[...]
        while let open = rest.firstRange(ofText: "{{") {
            text += rest[..<open.lowerBound]
            rest = rest[open.upperBound...]
            if rest.hasPrefix("{{") {
                text += "{{"
                rest = rest.dropFirst(2)
            } else if let close = rest.firstRange(ofText: "}}"), Self.isWord(rest[..<close.lowerBound]) {
                parts += [.text(text), .mark(String(rest[..<close.lowerBound]))]
                text = ""
                rest = rest[close.upperBound...]
            } else {
                text += "{{"
            }
        }
        self.parts = parts + [.text(text + rest)]
    }

    /// The text with a value for each mark; a mark without one stays as it is.
    func filled(_ value: (_ mark: String) -> String?) -> String {
        parts.map { part in
            switch part {
            case .text(let text): text
            case .mark(let mark): value(mark) ?? "{{\(mark)}}"
            }
        }.joined()
    }

    /// A letter, then letters, digits, `-`, `_` and `.`.
    private static func isWord(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, first.isASCIILetter else { return false }
        return text.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || "-_.".utf8.contains($0) }
    }
}
