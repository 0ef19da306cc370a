import ProctorEvents
package import ProctorProgram

/// What a step does at a question, one act after the other; none: it leaves the question open.
package enum PlannedAct<Answer: NamedAnswer>: Sendable, Equatable {
    /// Cancels the task.
    case cancel
    /// Gives the answer.
    case answer(Answer)
    /// Says that it can't be done, and why; an answer follows that goes on without.
    case unimplemented(String)
}

/// An answer that a trace names.
package protocol NamedAnswer: Sendable, Equatable {
    /// The argument of `answer`.
    var word: String { get }
}

extension AnswerToRedirect: NamedAnswer where Address: Equatable, Fields: Equatable {
    /// Answers are `follow`, `refuse` and `change`.
    package var plan: [PlannedAct<Self>] {
        switch self {
        case .follow, .refuse, .change: [.answer(self)]
        case .cancel: [.cancel]
        case .cancelThenFollow: [.cancel, .answer(.follow)]
        case .cancelThenRefuse: [.cancel, .answer(.refuse)]
        case .twice: [.answer(.follow), .answer(.follow)]
        case .never: []
        }
    }
}

extension AnswerToChallenge: NamedAnswer {
    /// Answers are `use`, `use-none`, `default`, `cancel` and `reject`; to challenges of TLS also `trust` and `identity`.
    package var plan: [PlannedAct<Self>] {
        switch self {
        case .use, .useNone, .performDefault, .cancel, .reject, .trust, .identity: [.answer(self)]
        case .cancelTask: [.cancel]
        case .cancelTaskThenUse(let credential): [.cancel, .answer(.use(credential))]
        case .twice(let credential): [.answer(.use(credential)), .answer(.use(credential))]
        case .never: []
        }
    }

    /// Whether it answers a question about certificates and no other.
    package var isOfTLS: Bool {
        switch self {
        case .trust, .identity: true
        default: false
        }
    }

    /// Why no URLCredential can be made for it; nil when one can, or when none is wanted.
    package var lackOfURLCredential: String? {
        #if !canImport(Darwin)
            if isOfTLS { return "onChallenge: \(word): Foundation has no URLCredential for TLS here" }
        #endif
        guard credential?.token != nil else { return nil }
        return "onChallenge: \(word): a URLCredential is made of a user and a password, and holds no token"
    }

    /// The plan of a client that answers with a URLCredential; where there can be none, it says so and does the default.
    var planOfURLCredential: [PlannedAct<Self>] {
        lackOfURLCredential.map { [.unimplemented($0), .answer(.performDefault)] } ?? plan
    }
}

extension Assignment.ResponseAnswer: NamedAnswer {
    package var word: String { rawValue }

    var plan: [PlannedAct<Self>] { self == .never ? [] : [.answer(self)] }
}

extension Assignment.BodyStreamAnswer: NamedAnswer {
    /// A fresh stream is called `stream` in a trace.
    package var word: String { self == .fresh ? "stream" : rawValue }

    var plan: [PlannedAct<Self>] { self == .never ? [] : [.answer(self)] }
}

extension Assignment.WillCacheAnswer: NamedAnswer {
    package var word: String { rawValue }
}

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

/// How often each event has come, for the moments at which a step acts.
struct MomentCounts: Sendable {
    private var counts: [EventName: Int] = [:]

    /// Counts one more; what is given back tells whether a moment is now.
    mutating func count(_ event: EventName) -> @Sendable (Assignment.Moment?) -> Bool {
        let count = counts[event, default: 0] + 1
        counts[event] = count
        return { $0 == .event(event.rawValue, count: count) }
    }
}
