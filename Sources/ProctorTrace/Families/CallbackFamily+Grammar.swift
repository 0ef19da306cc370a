extension CallbackFamily {
    /// What every lane of the family must satisfy, whatever the platform and whatever was answered or cancelled.
    public var grammar: FamilyGrammar? { FamilyGrammar.all[self] }
}

/// The order that a family's lanes have by their nature.
///
/// It is wider than any legal client: what depends on answers, cancelling or the wire is left to the rules.
public struct FamilyGrammar: Sendable {
    /// What must come.
    public let notation: Notation
    /// What may be interleaved up to the terminal event.
    public let ambient: Notation?
    /// The events that end a lane.
    public let terminals: [String]

    /// Parsed once; a grammar that does not parse is missing, and a test looks that none is.
    static let all: [CallbackFamily: FamilyGrammar] = {
        var grammars: [CallbackFamily: FamilyGrammar] = [:]
        for family in CallbackFamily.allCases { grammars[family] = try? FamilyGrammar(of: family) }
        return grammars
    }()

    private init(of family: CallbackFamily) throws(NotationError) {
        notation = try Notation(parsing: family.order, lane: family.ownLane)
        ambient = try family.mayBeInterleaved.map { text throws(NotationError) in
            try Notation(parsing: text, lane: family.ownLane)
        }
        terminals = EventName.allCases.filter { family.isEnded(by: $0) }.map(\.rawValue)
        try ambient?.checkAsAmbient(terminals: terminals)
    }
}
