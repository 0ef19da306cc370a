import ProctorBase
package import ProctorEvents
public import ProctorScenario

/// A claim of a case with its state after one run.
public struct JudgedClaim: Sendable, Equatable {
    /// The claim as the case states it.
    public let claim: Claim
    /// The state of the claim, with the reason when it was not judged.
    public let state: State

    /// The states of a claim.
    public enum State: Sendable, Equatable {
        /// The claim was checked and is true.
        case held
        /// The claim was checked, and a finding says what is wrong.
        case broken
        /// The claim could not be judged; the reason is half a sentence.
        case notJudged(String)
        /// The client declares that it lacks the subject of the claim; the claim does not count.
        case leftOut(String)

        /// The JSON word of the state: `held`, `broken`, `not-judged` or `left-out`.
        public var word: String {
            switch self {
            case .held: "held"
            case .broken: "broken"
            case .notJudged: "not-judged"
            case .leftOut: "left-out"
            }
        }

        /// Why the claim was not judged or does not count, half a sentence; nil when it was judged.
        public var reason: String? {
            switch self {
            case .held, .broken: nil
            case .notJudged(let reason), .leftOut(let reason): reason
            }
        }
    }

    /// Whether the claim was checked: its state is held or broken.
    public var isJudged: Bool { state == .held || state == .broken }

    /// Whether the claim counts for a verdict: every claim that is not left out.
    public var counts: Bool { if case .leftOut = state { false } else { true } }
}

extension [JudgedClaim] {
    /// How much of a case was judged, when everything judged was right.
    enum Extent: Equatable {
        case whole
        case partial
        case nothing
        case notOfThisClient
    }

    /// How much was judged; in a case without claims, only the rules for every case are judged.
    var extent: Extent {
        let counting = filter(\.counts)
        if counting.isEmpty { return isEmpty ? .whole : .notOfThisClient }
        let judgedCount = counting.count(where: \.isJudged)
        if judgedCount == counting.count { return .whole }
        return judgedCount == 0 ? .nothing : .partial
    }
}

extension JSONText {
    /// Appends the member `claims`; nothing for a case without claims.
    package mutating func claims(_ claims: [JudgedClaim]) {
        guard !claims.isEmpty else { return }
        key("claims")
        list(claims) { judged, json in
            json.open("{")
            json.member("about", judged.claim.subject.rawValue)
            json.member("claim", judged.claim.description)
            json.member("state", judged.state.word)
            if let reason = judged.state.reason { json.member("reason", reason) }
            json.close("}")
        }
    }
}

/// The abilities of a client: those in its trace header and those of its lanes, without those that its platform lacks.
package struct ClientAbilities: Sendable, Equatable {
    private let has: Set<Ability>

    /// `declared` nil means all abilities except Fetch's rules; Foundation's rules then apply to a client that reports
    /// callbacks.
    ///
    /// `reportedFacts` are the facts that its results can have; nil means all.
    package init(
        declared: Set<Ability>?, reportsCallbacks: Bool, reportedFacts: Set<FactKey>? = nil, lacks: Set<Ability> = []
    ) {
        var has = declared ?? Set(Ability.allCases).subtracting(Ability.declaredAlone)
        if declared == nil, reportsCallbacks { has.insert(.foundation) }
        if reportsCallbacks { has.insert(.callbacks) } else { has.remove(.callbacks) }
        for (fact, ability) in Ability.byFact {
            if reportedFacts?.contains(fact) ?? true { has.insert(ability) } else { has.remove(ability) }
        }
        self.has = has.subtracting(lacks)
    }

    package func include(_ ability: Ability) -> Bool { has.contains(ability) }

    /// The first needed ability that is missing, in the order of the vocabulary; nil when none is missing.
    ///
    /// One of the abilities in `oneOf`, which are standards, is enough.
    package func firstMissing(of needs: Set<Ability>, oneOf standards: Set<Ability>) -> Ability? {
        if let missing = Ability.allCases.first(where: { needs.contains($0) && !has.contains($0) }) { return missing }
        guard !standards.isEmpty, has.isDisjoint(with: standards) else { return nil }
        return Ability.allCases.first(where: standards.contains)
    }
}
