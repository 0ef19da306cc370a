public import ProctorTrace

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
