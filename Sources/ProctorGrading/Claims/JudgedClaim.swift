import ProctorBase
public import ProctorEvents
public import ProctorScenario

/// A claim of a case, and what one sitting says of it.
public struct JudgedClaim: Sendable, Equatable {
    /// What the case says.
    public let claim: Claim
    /// What came of it.
    public let state: State

    /// What can come of a claim.
    public enum State: Sendable, Equatable {
        /// The claim was looked at, and it is true.
        case held
        /// The claim was looked at, and a finding says what is wrong.
        case broken
        /// The claim could not be judged; the reason is half a sentence.
        case notJudged(String)
        /// The client has none of what the claim is about, as it declares; the claim does not count.
        case leftOut(String)

        /// The word for it in JSON.
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

extension JSONText {
    /// The member `claims`, as `--json` and the control API have it; nothing of a case without claims.
    package mutating func claims(_ claims: [JudgedClaim]) {
        guard !claims.isEmpty else { return }
        key("claims")
        open("[")
        for judged in claims {
            element()
            open("{")
            member("about", judged.claim.subject.rawValue)
            member("claim", judged.claim.description)
            member("state", judged.state.word)
            if let reason = judged.state.reason { member("reason", reason) }
            close("}")
        }
        close("]")
    }
}

/// What a client has: what the header of its trace declares, its lanes, and what its platform is known to lack.
public struct ClientAbilities: Sendable, Equatable {
    private let has: Set<Ability>

    /// Of `declared` nil, everything but Fetch's rules; Foundation's then bind a client that reports callbacks.
    public init(declared: Set<Ability>?, reportsCallbacks: Bool, lacks: Set<Ability> = []) {
        var has = declared ?? Set(Ability.allCases).subtracting(Ability.ofStandards)
        if declared == nil, reportsCallbacks { has.insert(.foundation) }
        if reportsCallbacks { has.insert(.callbacks) } else { has.remove(.callbacks) }
        self.has = has.subtracting(lacks)
    }

    /// Whether it has that one.
    public func include(_ ability: Ability) -> Bool { has.contains(ability) }

    /// The first that is needed and missing, in the order of the vocabulary; nil when nothing is.
    ///
    /// `oneOf` are standards, of which one is enough.
    func firstMissing(of needs: Set<Ability>, oneOf standards: Set<Ability>) -> Ability? {
        if let missing = Ability.allCases.first(where: { needs.contains($0) && !has.contains($0) }) { return missing }
        guard !standards.isEmpty, has.isDisjoint(with: standards) else { return nil }
        return Ability.allCases.first(where: standards.contains)
    }
}
