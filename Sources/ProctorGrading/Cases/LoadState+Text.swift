import ProctorEvents
import ProctorRules

extension LoadState {
    /// `redirect(302) (event 3)`, or nothing.
    var openQuestionText: String? {
        let questions = waitingQuestions
        guard !questions.isEmpty else { return nil }
        return questions.prefix(5).map { "\(EventText.of($0)), event \($0.sequence)" }.joined(separator: "; ")
    }
}
