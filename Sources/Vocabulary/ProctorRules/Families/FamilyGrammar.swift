package import ProctorEvents
package import ProctorNotation

extension CallbackFamily {
    /// The order that every lane of the family must have, on any platform and with any answers or cancels.
    package var grammar: FamilyGrammar? { FamilyGrammar.all[self] }
}

/// The order of a family's lanes.
///
/// A grammar accepts more than any legal client: the rules check what depends on answers, cancels or the wire.
package struct FamilyGrammar: Sendable {
    /// The events of the lane in their order.
    package let notation: Notation
    /// Events that may be interleaved up to the terminal event.
    package let ambient: Notation?
    package let terminals: [String]

    /// The chapters of `callback-grammars.txt`, parsed once; a test checks that every grammar can be parsed.
    static let all: [CallbackFamily: FamilyGrammar] = {
        var grammars: [CallbackFamily: FamilyGrammar] = [:]
        for texts in ChapterTexts.all(of: "callback-grammars", joinedBy: "\n") {
            guard let family = CallbackFamily(rawValue: texts.name) else { continue }
            grammars[family] = try? FamilyGrammar(of: family, texts)
        }
        return grammars
    }()

    /// `order` is left out where no event may come, and `interleaved` where none may be.
    private init(of family: CallbackFamily, _ texts: ChapterTexts) throws(NotationError) {
        let lane = texts.word("lane", Lane.init(rawValue:))
        notation =
            try texts["order"].map { text throws(NotationError) in
                try Notation(parsing: text, lane: lane)
            } ?? .nothing(in: lane)
        ambient = try texts["interleaved"].map { text throws(NotationError) in
            try Notation(parsing: text, lane: lane)
        }
        terminals = EventName.allCases.filter { family.isEnded(by: $0) }.map(\.rawValue)
        try ambient?.checkAsAmbient(terminals: terminals)
    }
}
