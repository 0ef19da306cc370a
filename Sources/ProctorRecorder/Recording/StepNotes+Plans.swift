package import ProctorTrace

/// What a program plans at a question, done one act after the other.
extension StepNotes {
    /// `cancel` writes its own note; `give` gives the answer of that name, now or `delay` milliseconds later from
    /// another thread.
    package func carryOut(
        _ plan: [PlannedAct], to question: EventName, after delay: Int?, cancel: () -> Void,
        _ give: @escaping @Sendable (_ word: String) -> Void
    ) {
        for act in plan {
            switch act {
            case .cancel: cancel()
            case .unimplemented(let what): unimplemented(what)
            case .answer(let word): answer(word, to: question, after: delay) { give(word) }
            }
        }
    }
}
