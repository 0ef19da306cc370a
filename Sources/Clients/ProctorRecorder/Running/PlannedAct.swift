import ProctorEvents
package import ProctorProgram

/// The acts of a step at a question, in order; an empty plan gives no answer.
package enum PlannedAct<Answer: NamedAnswer>: Sendable, Equatable {
    case cancel
    case answer(Answer)
    /// Records that an answer is impossible, and why; the next act answers in another way.
    case unimplemented(String)
}

/// An answer with a word for traces.
package protocol NamedAnswer: Sendable, Equatable {
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
    /// Answers are `use`, `use-none`, `default`, `cancel` and `reject`; to challenges of TLS also `trust` and
    /// `identity`.
    package var plan: [PlannedAct<Self>] {
        switch self {
        case .use, .useNone, .performDefault, .cancel, .reject, .trust, .identity: [.answer(self)]
        case .cancelTask: [.cancel]
        case .cancelTaskThenUse(let credential): [.cancel, .answer(.use(credential))]
        case .twice(let credential): [.answer(.use(credential)), .answer(.use(credential))]
        case .never: []
        }
    }

    /// Whether the answer is only for challenges about certificates.
    package var isOfTLS: Bool {
        switch self {
        case .trust, .identity: true
        default: false
        }
    }

    /// Why the answer can't be a URLCredential; nil when it can, or when it needs none.
    package var lackOfURLCredential: String? {
        #if !canImport(Darwin)
            if isOfTLS { return "onChallenge: \(word): Foundation has no URLCredential for TLS here" }
        #endif
        guard credential?.token != nil else { return nil }
        return "onChallenge: \(word): a URLCredential is made of a user and a password, and holds no token"
    }

    /// The plan of a client that answers with a URLCredential; when that is impossible, default handling with the
    /// reason.
    package var planOfURLCredential: [PlannedAct<Self>] {
        lackOfURLCredential.map { [.unimplemented($0), .answer(.performDefault)] } ?? plan
    }
}

extension Assignment.Step {
    /// The answers to challenges that URLSession makes on this platform; on Linux it never asks about certificates.
    package var challengeAnswers: [Assignment.ChallengeAnswer] {
        #if canImport(Darwin)
            onChallenge
        #else
            answersToCredentialQuestions
        #endif
    }

    /// The answers for a loader that asks for credentials but never about certificates.
    ///
    /// Answers to challenges about certificates are left out, and so is the `default` for such a challenge at the
    /// beginning of a load over https. When no other answers are given, all are returned.
    package var answersToCredentialQuestions: [Assignment.ChallengeAnswer] {
        let others = onChallenge.filter { !$0.isOfTLS }
        guard !others.isEmpty else { return onChallenge }
        let asksFirst = url.lowercased().hasPrefix("https:") && onChallenge.first == .performDefault
        return asksFirst && others.count > 1 ? Array(others.dropFirst()) : others
    }
}

extension Assignment.ResponseAnswer: NamedAnswer {
    package var word: String { rawValue }

    var plan: [PlannedAct<Self>] { self == .never ? [] : [.answer(self)] }
}

extension Assignment.BodyStreamAnswer: NamedAnswer {
    /// The word in a trace; a new stream is called `stream`.
    package var word: String { self == .fresh ? "stream" : rawValue }

    var plan: [PlannedAct<Self>] { self == .never ? [] : [.answer(self)] }
}

extension Assignment.WillCacheAnswer: NamedAnswer {}

extension AnswerToRewriting: NamedAnswer where Address: Equatable, Fields: Equatable {}

/// The answers of a step: one for each question in order, the last one repeats.
package struct AnswersInTurn<Answer: Sendable>: Sendable {
    private let answers: [Answer]
    private var next = 0

    package init(_ answers: [Answer]) { self.answers = answers }

    /// The answer to the current question; nil when the step has no answers.
    package mutating func nextAnswer() -> Answer? {
        guard next < answers.count else { return answers.last }
        defer { next += 1 }
        return answers[next]
    }
}

/// How often each event has come, for the moments at which a step acts.
struct MomentCounts: Sendable {
    private var counts: [EventName: Int] = [:]

    /// Counts an event; the result is a function that says whether a moment is at this event.
    mutating func count(_ event: EventName) -> @Sendable (Assignment.Moment?) -> Bool {
        let count = counts[event, default: 0] + 1
        counts[event] = count
        return { $0 == .event(event.rawValue, count: count) }
    }
}
