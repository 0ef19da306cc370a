import ProctorBase

extension MutantResult {
    /// The fixture of a mutant that divides clients, with what each did as a comment; nil without a mutant.
    package func fixture(head: String, seed: UInt64) -> String? {
        guard let mutant else { return nil }
        var comments = [
            "Mutant \(number) of seed \(seed): \(mutant.source.id)#\(mutant.caseName), in which"
        ]
        comments += mutant.mutations.map { "- \(PrintableText.sanitize($0.text, limit: Self.lineLimit))" }
        comments.append("What the clients did:")
        comments += answers.map { "- \($0.client): \(PrintableText.sanitize($0.sentence, limit: Self.lineLimit))" }
        if let disagreement { comments.append("They disagree about \(disagreement.text)") }
        return mutant.text(head: head, comments: comments)
    }

    private static let lineLimit = 400
}
