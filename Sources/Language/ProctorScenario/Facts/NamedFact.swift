import ProctorBase

/// A fact within its group, by the name of its row: `headers.Host` is `headers.NAME` with `Host`.
///
/// In code, a literal is a name without a number and without a word: `"body.length"`.
package struct NamedFact: Sendable, Hashable, ExpressibleByStringLiteral {
    /// The name of the row: `parts[N].type`.
    package let row: String
    /// What stands in the place of `N`.
    package let number: Int?
    /// What stands in the place of `NAME`.
    package let word: String?

    init(_ row: String, number: Int? = nil, word: String? = nil) {
        (self.row, self.number, self.word) = (row, number, word)
    }

    package init(stringLiteral name: String) { self.init(name) }

    /// As fixtures write it, below its group.
    package var text: String {
        var text = row
        if let number { text = text.replacing(text: "[N]", with: "[\(number)]") }
        guard let word else { return text }
        return text.dropLast(FactRow.word.count) + word
    }
}
