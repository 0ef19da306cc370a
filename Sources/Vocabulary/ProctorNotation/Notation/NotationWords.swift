internal import ProctorEvents

/// A part of an expression in words, with its parts.
package struct NotationWords: Sendable, Equatable {
    /// Half a sentence; ends with a colon if parts follow.
    package let text: String
    package let parts: [NotationWords]
    /// Whether the parts come one after the other.
    package let isOrdered: Bool

    init(_ text: String, _ parts: [NotationWords] = [], isOrdered: Bool = false) {
        (self.text, self.parts, self.isOrdered) = (text, parts, isOrdered)
    }
}

extension Notation {
    /// What must come, in order, for readers who do not know the notation.
    package var inWords: [NotationWords] {
        guard let whole = syntax.values(Self.words(in: syntax)).last else { return [] }
        if case .sequence = syntax.nodes[syntax.root].kind { return whole.parts }
        return [whole]
    }

    private static func words(in syntax: NotationSyntax) -> (NotationSyntax.Node, [NotationWords]) -> NotationWords {
        { node, parts in
            switch node.kind {
            case .symbol(let index): NotationWords(syntax.symbols[index].words)
            case .anything: NotationWords("anything")
            case .sequence: NotationWords("in this order:", parts, isOrdered: true)
            case .choice: NotationWords("one of these:", parts)
            case .shuffle: NotationWords("all of these, among one another as they like:", parts)
            case .repeated(_, let minimum, let maximum):
                repeated(parts[0], count(from: minimum, to: maximum))
            }
        }
    }

    private static func repeated(_ part: NotationWords, _ count: String) -> NotationWords {
        part.parts.isEmpty
            ? NotationWords("\(part.text), \(count)")
            : NotationWords("\(count), \(part.text)", part.parts, isOrdered: part.isOrdered)
    }

    private static func count(from minimum: Int, to maximum: Int?) -> String {
        switch (minimum, maximum) {
        case (0, nil): "any number of times or not at all"
        case (1, nil): "once or more"
        case (0, 1): "or not"
        case (0, let maximum?): "at most \(times(maximum))"
        case (let minimum, nil): "at least \(times(minimum))"
        case (let minimum, let maximum?) where minimum == maximum: times(minimum)
        case (let minimum, let maximum?): "\(minimum) to \(times(maximum))"
        }
    }

    private static func times(_ count: Int) -> String {
        switch count {
        case 1: "once"
        case 2: "twice"
        default: "\(count) times"
        }
    }
}

extension NotationSymbol {
    /// The event in words: `a redirect with status 302`.
    package var words: String {
        guard let kind = EventVocabulary.kind(named: name) else { return description }
        let words = kind.event.words
        guard !arguments.isEmpty else { return words }
        return words + Self.link(kind) + arguments.map { $0.words(kind.argument) }.joined(separator: " or ")
    }

    /// The words between an event and its argument.
    private static func link(_ kind: EventKind) -> String {
        switch kind.argument {
        case .none, .request: " "
        case .status: " with status "
        case .outcome: " "
        case .text: kind.event == .closed ? " by the " : ": "
        }
    }
}

extension NotationSymbol.ArgumentPattern {
    fileprivate func words(_ argument: EventKind.Argument) -> String {
        switch (self, argument) {
        case (.exact("ok"), .outcome): "without an error"
        case (.anyError, _): "with an error"
        case (.exact(let error), .outcome): "with the error \(error)"
        case (.prefix(let start), .outcome): "with an error whose name begins with \(start)"
        case (.exact(let text), _): text
        case (.prefix(let start), .status):
            // One digit is a class of status codes (RFC 9110 §15).
            start.utf8.count == 1 ? "\(start)xx" : "\(start)x"
        case (.prefix(let start), _): "\(start)…"
        }
    }
}

extension CausalEdge {
    /// The order in words: `the request GET /b comes only after the test's answer: follow`.
    package var inWords: String { "\(later.words) comes only after \(earlier.words)" }
}

extension CausalEdge.End {
    fileprivate var words: String {
        let which = count == 1 ? "" : ", number \(count) of them,"
        let lane = lane.number == 0 ? "" : " of step \(lane.number + 1)"
        return symbol.words + lane + which
    }
}
