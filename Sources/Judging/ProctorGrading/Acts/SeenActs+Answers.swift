import ProctorEvents
import ProctorProgram
import ProctorRules
import ProctorScenario

extension SeenActs {
    /// Why the answers to one kind of question are not those of the program, half a sentence; nil where they are, or
    /// where the client does not report answers.
    ///
    /// `words` has the answers to each question in turn, of which the last one stays; no word where the program gives no
    /// answer.
    func lackOfAnswers(to question: EventName, _ words: [[String]]) -> String? {
        guard tellsAnswers, let stays = words.last else { return nil }
        let given = acts(.answer).filter { $0.facts.text(.to) == question.rawValue }.map { $0.argument ?? "" }
        let asked = max(calls(question).count, words.count)
        let wanted = (0..<asked).flatMap { $0 < words.count ? words[$0] : stays }
        guard let wrong = given.indices.first(where: { $0 >= wanted.count || given[$0] != wanted[$0] }) else {
            return nil
        }
        let got = EventText.printable(given[wrong], limit: 60)
        return wrong < wanted.count
            ? "its answer to \(question.rawValue) was \(got), in place of \(wanted[wrong])"
            : "its answer to \(question.rawValue) was \(got), where the program gives none"
    }

    /// The words of the answers to challenges; without those about TLS where the client asked no such question, which many
    /// clients never do.
    var challengeWords: [[String]] {
        let answers = program.onChallenge
        let asks = grading.trace.events.contains { $0.isCallback && $0.name == .challenge && $0.isOfTLS }
        guard !asks, answers.count > 1 else { return answers.map(\.givenWords) }
        let others = answers.drop { $0 == .performDefault }.filter { $0 != .trust && !$0.isIdentity }
        return (others.isEmpty ? answers : Array(others)).map(\.givenWords)
    }

    /// Why no answer came that much later than its question, half a sentence; nil where each one did.
    func lackOfDelay(_ milliseconds: Int) -> String? {
        let answers = acts(.answer)
        for answer in answers {
            guard let question = answer.facts.text(.to),
                let asked = grading.index.events(ofTask: step).last(where: {
                    $0.isCallback && $0.name.rawValue == question && $0.sequence < answer.sequence
                })
            else { continue }
            let what = "the answer to \(question) came"
            if let lack = Self.lackOfTime(milliseconds, from: asked, to: answer, what) { return lack }
        }
        // A question in whose callback the program cancels gets no answer, nor one that a protocol's script leaves open.
        let isEnded = grading.trace.events.contains { $0.lane == .protocolClient && $0.name == .complete }
        return answers.isEmpty && !isEnded && acts(.cancel).isEmpty ? "nothing shows that an answer came late" : nil
    }
}

extension AnswerToRedirect {
    /// The words of the answers that are given to one redirect.
    var givenWords: [String] {
        switch self {
        case .follow, .refuse, .change: [word]
        case .cancel, .never: []
        case .cancelThenFollow: ["follow"]
        case .cancelThenRefuse: ["refuse"]
        case .twice: ["follow", "follow"]
        }
    }
}

extension AnswerToChallenge {
    fileprivate var isIdentity: Bool { if case .identity = self { true } else { false } }

    /// The words of the answers that are given to one challenge.
    var givenWords: [String] {
        switch self {
        case .use, .useNone, .performDefault, .cancel, .reject, .trust, .identity: [word]
        case .cancelTask, .never: []
        case .cancelTaskThenUse: ["use"]
        case .twice: ["use", "use"]
        }
    }
}
