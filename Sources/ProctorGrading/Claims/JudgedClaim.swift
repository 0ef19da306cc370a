public import ProctorScenario

/// A claim of a case, and what one sitting says of it.
public struct JudgedClaim: Sendable, Equatable {
    /// What the case says.
    public let claim: Claim
    /// What came of it.
    public let state: State

    /// What can come of a claim.
    public enum State: Sendable, Equatable {
        /// It was looked at, and it is true.
        case held
        /// It was looked at, and a finding says what is wrong.
        case broken
        /// Nobody could tell; the reason is half a sentence.
        case notJudged(String)
        /// The client has none of what the claim is about, as it declares; the claim does not count.
        case leftOut(String)

        /// As JSON names it.
        public var word: String {
            switch self {
            case .held: "held"
            case .broken: "broken"
            case .notJudged: "not-judged"
            case .leftOut: "left-out"
            }
        }

        /// Why it was not judged, or does not count; nil where it was judged.
        public var reason: String? {
            switch self {
            case .held, .broken: nil
            case .notJudged(let reason), .leftOut(let reason): reason
            }
        }
    }

    /// Whether it was looked at.
    public var isJudged: Bool { state == .held || state == .broken }

    /// Whether it belongs to what a verdict rests on.
    public var counts: Bool {
        if case .leftOut = state { false } else { true }
    }
}

extension [JudgedClaim] {
    /// How much of the case was seen, where nothing that was seen is wrong.
    enum Extent: Equatable {
        /// Every claim that counts was judged.
        case whole
        /// Some were, and some were not.
        case partial
        /// No claim was judged.
        case nothing
        /// Every claim is about something that the client does not have.
        case notOfThisClient
    }

    /// A case without claims asks for nothing but the rules that always hold.
    var extent: Extent {
        let counting = filter(\.counts)
        if counting.isEmpty { return isEmpty ? .whole : .notOfThisClient }
        let judgedCount = counting.count(where: \.isJudged)
        if judgedCount == counting.count { return .whole }
        return judgedCount == 0 ? .nothing : .partial
    }
}
