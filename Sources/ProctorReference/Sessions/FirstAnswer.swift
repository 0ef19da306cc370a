internal import ProctorBase

/// Hands an answer on, but only the first: a question is answered once, whatever a delegate does (R53).
final class FirstAnswer<Answer: Sendable>: Sendable {
    private let give: Locked<(@Sendable (Answer) -> Void)?>

    init(_ give: @escaping @Sendable (Answer) -> Void) { self.give = Locked(give) }

    /// From any thread.
    func callAsFunction(_ answer: Answer) {
        let give = give.withLock { give in
            defer { give = nil }
            return give
        }
        give?(answer)
    }
}
