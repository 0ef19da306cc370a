/// How pages show an outcome: a colour, a sign beside it, and a letter in compact data.
struct OutcomeLook: Sendable {
    /// One of `CaseVerdict.Outcome.words`.
    let word: String
    /// One character, or a word where no common font has one; different for each outcome, so that an outcome is not shown
    /// by a colour alone.
    let sign: String
    /// The class of its colours in the style sheet.
    let tone: Tone
    let letter: Character
    let meaning: String

    enum Tone: String, Sendable {
        case good
        case bad
        /// The client or its adapter did not end regularly.
        case broken
        /// Failed, as the client's ledger lists.
        case listed
        /// A part was not judged.
        case half
        /// Neither a pass nor a failure.
        case none
    }

    /// All outcomes, in the order in which tables list them.
    static let all = [
        OutcomeLook("pass", "✓", .good, "p", "every claim was judged and held"),
        OutcomeLook("fail", "✗", .bad, "f", "a claim or a rule broke"),
        OutcomeLook("hang", "hang", .broken, "h", "the client did not come to its end"),
        OutcomeLook("crash", "‼", .broken, "c", "the client died"),
        OutcomeLook("known", "≈", .listed, "k", "failed as the client's ledger says"),
        OutcomeLook("fixed", "↑", .listed, "x", "what the ledger lists no longer happens"),
        OutcomeLook("observed", "○", .none, "o", "the case asks for nothing; the page says what was seen"),
        OutcomeLook("partly", "◐", .half, "q", "what was judged held, and some was not judged"),
        OutcomeLook("not-judged", "?", .half, "j", "no claim could be judged"),
        OutcomeLook("lacks", "–", .none, "l", "the client does not have what the case needs"),
        OutcomeLook("not-in-this-adapter", "∅", .none, "a", "the adapter can't have its client do it"),
        OutcomeLook("skipped", "»", .none, "s", "the case can't be asked here"),
        OutcomeLook("setup-failed", "!", .broken, "e", "the test itself failed; nothing is said of the client"),
        OutcomeLook("adapter-error", "⚠", .broken, "d", "the adapter broke the rules of traces"),
    ]

    /// For a client whose exam does not contain the case.
    static let absent = OutcomeLook("not asked", "·", .none, ".", "the client's exam does not have the case")
    private static let byWord = Dictionary(uniqueKeysWithValues: all.map { ($0.word, $0) })

    static func named(_ word: String?) -> OutcomeLook {
        guard let word else { return absent }
        return byWord[word] ?? OutcomeLook(word, "?", .half, "?", "an outcome that this version does not know")
    }

    /// The sign and the word: `✓ pass`, `hang`.
    var label: String { sign == word ? word : "\(sign) \(word)" }

    private init(_ word: String, _ sign: String, _ tone: Tone, _ letter: Character, _ meaning: String) {
        (self.word, self.sign, self.tone, self.letter, self.meaning) = (word, sign, tone, letter, meaning)
    }
}
