/// Answers of a step: one for each question in turn, the last stays.
package struct AnswersInTurn<Answer: Sendable>: Sendable {
    private let answers: [Answer]
    private var next = 0

    /// None at all answer nothing.
    package init(_ answers: [Answer]) { self.answers = answers }

    /// To the question that is asked now; nil where the step has no say.
    package mutating func take() -> Answer? {
        guard next < answers.count else { return answers.last }
        defer { next += 1 }
        return answers[next]
    }
}
