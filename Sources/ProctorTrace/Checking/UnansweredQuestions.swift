/// Rules about the time between a question and its answer, which nobody can judge in a trace without answers.
struct UnansweredQuestions {
    /// The families that asked, by the kind of the question.
    private var asked: [EventName: Set<CallbackFamily>] = [:]

    /// Takes note of what is open when a load is over or forgotten.
    mutating func note(_ load: LoadState) {
        for question in load.openQuestions { asked[question.name, default: []].insert(load.family) }
    }

    /// A sentence for each kind of question that came.
    var sentences: [String] {
        Self.rules.compactMap { kind, rules in
            guard let families = asked[kind] else { return nil }
            let judging = rules.map { RuleNumber($0) }.filter { number in
                Rules.rule(number).map { !families.isDisjoint(with: $0.families) } ?? false
            }
            guard !judging.isEmpty else { return nil }
            return
                "\(judging.map(\.description).joined(separator: ", ")): the trace has no answers, and \(kind.rawValue) "
                + "asks for one"
        }
    }

    private static let rules: [(kind: EventName, rules: [Int])] = [
        (.redirect, [5, 8]), (.challenge, [10, 11, 13, 14, 15]), (.response, [28, 29]),
    ]
}
