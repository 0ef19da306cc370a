import ProctorBase

/// What a search finds something by; all searches weigh alike.
package struct SearchedText: Sendable {
    // All in lower case.
    private let name: String
    private let title: String
    private let text: String

    package init(name: String, title: String, text: String) {
        self.name = name.lowercased()
        self.title = title.lowercased()
        self.text = text.lowercased()
    }

    /// Name, title and text, for a search elsewhere.
    package var parts: [String] { [name, title, text] }

    /// nil where a term does not occur.
    package func weight(of terms: [SearchTerm]) -> Int? {
        let weights = weights(of: terms)
        return weights.contains(0) ? nil : weights.reduce(0, +)
    }

    /// One for each term: 0 where it does not occur.
    package func weights(of terms: [SearchTerm]) -> [Int] {
        terms.map { term in
            // Another word for the same is worth less than the word itself, and the later it stands the less.
            let own = weight(of: term.word)
            return term.others.enumerated().reduce(own) { most, other in
                max(most, otherWeight(of: other.element, at: other.offset, beside: own))
            }
        }
    }

    private func weight(of word: String) -> Int {
        if name.hasWord(word) { return 32 }
        if title.hasWord(word) { return 24 }
        // What speaks of it often is more about it.
        let count = text.wordCount(word, upTo: 5)
        return count == 0 ? 0 : 8 + count / 2 * 4
    }

    /// A family, as `ws/`, is about the word whatever its scenarios are called; those that have it themselves come first.
    private func otherWeight(of word: String, at index: Int, beside own: Int) -> Int {
        if word.utf8.last == UInt8(ascii: "/"), name.hasPrefix(word) { return 36 + own / 8 }
        return weight(of: word) - 4 - min(index, 2)
    }
}

extension String {
    fileprivate func hasWord(_ word: String) -> Bool { wordCount(word, upTo: 1) > 0 }

    /// How often words begin with `word`, counted up to a limit.
    fileprivate func wordCount(_ word: String, upTo limit: Int) -> Int {
        var count = 0
        var rest = utf8[...]
        let isInner = { (byte: UInt8) in byte.isASCIILetter || byte.isASCIIDigit }
        let beginsAnywhere = word.utf8.first.map { !isInner($0) } ?? true
        while count < limit, let range = rest.firstRange(ofBytes: word.utf8) {
            let isBegin = range.lowerBound == utf8.startIndex || !isInner(utf8[utf8.index(before: range.lowerBound)])
            if isBegin || beginsAnywhere { count += 1 }
            rest = rest[range.upperBound...]
        }
        return count
    }
}
