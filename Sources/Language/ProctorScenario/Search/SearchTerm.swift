import ProctorBase

/// A word of a search, with the synonyms that fixtures use.
package struct SearchTerm: Sendable, Equatable {
    /// The word in lower case; several words when the table of synonyms lists them together.
    package let word: String
    package let others: [String]

    /// The terms of a text, in its order of words, phrases before single words.
    ///
    /// Words that say nothing, as `my`, are left out where others stand beside them.
    package static func terms(of text: String) -> [SearchTerm] {
        let marks: Set<Character> = ["?", "!", ",", ";"]
        var words = text.lowercased().split { $0.isWhitespace || marks.contains($0) }.map(String.init)[...]
        var terms: [SearchTerm] = []
        while !words.isEmpty {
            let count = [3, 2].first { $0 <= words.count && synonyms[phrase(words.prefix($0))] != nil } ?? 1
            let word = phrase(words.prefix(count))
            words.removeFirst(count)
            terms.append(SearchTerm(word: word, others: synonyms[word] ?? []))
        }
        let telling = terms.filter { !empty.contains($0.word) }
        return telling.isEmpty ? terms : telling
    }

    private static func phrase(_ words: ArraySlice<String>) -> String { words.joined(separator: " ") }

    /// Words that say nothing beside others.
    package static let empty: Set<String> = [
        "a", "an", "the", "my", "i", "is", "are", "it", "its", "be", "of", "to", "in", "on", "for", "and", "or", "with",
        "when",
        "how", "do", "does", "why", "what", "not", "no", "never", "client",
    ]

    /// Words that people look for, and what scenarios say instead: `CFiles/Tables/search-words.tsv`.
    package static let synonyms: [String: [String]] = {
        var table: [String: [String]] = [:]
        for row in TableCells.rows(of: "search-words") {
            let others = listed(row["others"])
            for word in listed(row["words"]) { table[word, default: []] += others }
        }
        return table
    }()

    /// The words of a cell, between which stand a comma and a space.
    private static func listed(_ cell: some StringProtocol) -> [String] {
        cell.split(separator: ",").map { String($0.drop { $0 == " " }) }
    }
}
