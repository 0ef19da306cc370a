package import ProctorBase
package import ProctorEvents

/// Why a trace does not satisfy an expression, for a program and for a person.
public struct NotationDiagnosis: Sendable, Equatable, CustomStringConvertible {
    package let notation: Notation
    /// The last groups that the expression accepted, without ambient events.
    package let matched: [EventGroup]
    package let hiddenGroupCount: Int
    /// The refused event; nil if the trace ended too early.
    package let got: TraceEventSymbol?
    /// The position of the event in its lane, from 1; if ``got`` is nil, the number of events.
    package let position: Int
    /// In the order of the text.
    package let wanted: [WantedEvent]
    package let endIsWanted: Bool
    package let missing: [MissingElement]
    /// The wanted event after which ``got`` would be accepted.
    package let acceptedAfter: NotationSymbol?
    /// Why nothing was judged, if the expression has too many continuations.
    package let overflow: NotationOverflow?

    /// The lines of ``lines(note:open:rules:)`` without additions.
    public var description: String { lines().joined(separator: "\n") }

    /// One line each for the matched events, the refused event, the wanted and missing ones, and the expression with
    /// carets.
    ///
    /// `note` follows the event: facts of the trace beyond the event's name. `open` are questions without an answer,
    /// and `rules` the rules that were broken at the event.
    public func lines(note: String? = nil, open: [String] = [], rules: [String] = []) -> [String] {
        if let overflow {
            let place = overflow.isAmbient ? [] : CaretText(notation.text).lines(pointingAt: [overflow.offset])
            return Self.labelled("stopped", [overflow.description]) + Self.labelled("in", place)
                + Self.labelled("open", open) + Self.labelled("rule", rules)
        }
        var result = Self.labelled("matched", [matchedText])
        result += Self.labelled("then got", [gotText + (note.map { " \($0)" } ?? "")])
        result += Self.labelled("wanted", [wantedText])
        result += Self.labelled("in", CaretText(notation.text).lines(pointingAt: wanted.flatMap(\.offsets)))
        if got == nil, !missing.isEmpty { result += Self.labelled("missing", [missingText]) }
        if let got, let acceptedAfter {
            let event = PrintableText.sanitize(got.description)
            result += Self.labelled("later", ["\(event) would be accepted after \(acceptedAfter)"])
        }
        result += Self.labelled("open", open)
        result += Self.labelled("rule", rules)
        return result
    }

    /// One sentence: `got response(401), wanted challenge(basic)`.
    public var sentence: String {
        if let overflow { return overflow.description }
        guard let got else { return "the trace ended, missing \(missingText)" }
        guard owedAmbient.isEmpty else {
            return "got \(PrintableText.sanitize(got.description)), but before it must come \(owedAmbientText)"
        }
        return "got \(PrintableText.sanitize(got.description)), wanted \(wantedText)"
    }

    private var matchedText: String {
        if matched.isEmpty { return "(nothing)" }
        let shown = matched.map { PrintableText.sanitize($0.description) }.joined(separator: " ")
        return hiddenGroupCount > 0 ? "… \(shown)" : shown
    }

    private var gotText: String {
        guard let got else {
            return "the end of the trace   [after \(Plural.count(position, "event"))]"
        }
        return "\(PrintableText.sanitize(got.description))   [event \(position)]"
    }

    /// Ambient events that must still come, if only they prevent the expression from accepting the event.
    private var owedAmbient: [MissingElement] {
        guard let got, wanted.contains(where: { $0.symbol?.matches(got) ?? true }) else { return [] }
        return missing.filter(\.isAmbient)
    }

    private var owedAmbientText: String { owedAmbient.prefix(5).map(\.description).joined(separator: ", ") }

    private var wantedText: String {
        if !owedAmbient.isEmpty { return "\(owedAmbientText) (ambient), before it" }
        var shown = wanted.prefix(6).map(\.description)
        if wanted.count > 6 { shown.append("\(wanted.count - 6) more") }
        if endIsWanted { shown.append("the end") }
        return shown.isEmpty ? "nothing" : shown.joined(separator: " or ")
    }

    private var missingText: String {
        let shown = missing.prefix(5).map { $0.isAmbient ? "\($0) (ambient)" : $0.description }
        return shown.joined(separator: ", ") + (missing.count > 5 ? " and \(missing.count - 5) more" : "")
    }

    private static func labelled(_ label: String, _ lines: [String]) -> [String] {
        lines.enumerated().map { index, line in
            let head = index == 0 ? label : ""
            return "  \(head)\(String(repeating: " ", count: max(0, 8 - head.count)))\(index == 0 ? ": " : "  ")\(line)"
        }
    }
}

extension NotationMatcher {
    /// nil while no event was refused and the trace may end here.
    package var diagnosis: NotationDiagnosis? {
        guard !isAccepting else { return nil }
        return NotationDiagnosis(
            notation: notation, matched: matched.last, hiddenGroupCount: matched.groupCount - matched.last.count,
            got: refusal, position: eventCount, wanted: wanted, endIsWanted: mayEnd, missing: missing,
            acceptedAfter: refusal.flatMap { acceptedLater($0) }, overflow: overflow)
    }
}

extension Notation {
    /// Judges a whole trace of the lane; nil if it is accepted.
    package func diagnosis(
        of events: some Sequence<TraceEventSymbol>, ambient: Notation? = nil,
        terminals: [String] = EventVocabulary.terminalNames, ignoring: [String] = []
    ) -> NotationDiagnosis? {
        // A budget without bounds never throws.
        try? diagnosis(
            of: events, ambient: ambient, terminals: terminals, ignoring: ignoring, within: WorkBudget())
    }

    /// Judges a whole trace within a budget: each event, and each term that is derived for it, is a step.
    package func diagnosis(
        of events: some Sequence<TraceEventSymbol>, ambient: Notation? = nil,
        terminals: [String] = EventVocabulary.terminalNames, ignoring: [String] = [], within budget: WorkBudget
    ) throws(SpentBudget) -> NotationDiagnosis? {
        var matcher = NotationMatcher(self, ambient: ambient, terminals: terminals, ignoring: ignoring)
        var derivedCount = 0
        for event in events {
            let isAccepted = matcher.accept(event)
            try budget.spend(1 + matcher.derivedTermCount - derivedCount)
            derivedCount = matcher.derivedTermCount
            if !isAccepted { break }
        }
        return matcher.diagnosis
    }
}

package struct WantedEvent: Sendable, Equatable, CustomStringConvertible {
    /// nil means any event, by `...`.
    package let symbol: NotationSymbol?
    /// Bytes from the beginning of the expression, one for each place at which the event is wanted.
    package internal(set) var offsets: [Int]

    /// The symbol as in the expression, or `any event`.
    package var description: String { symbol?.description ?? "any event" }
}

package struct MissingElement: Sendable, Equatable, CustomStringConvertible {
    package let text: String
    /// Bytes from the beginning of its expression.
    package let offset: Int
    package let isAmbient: Bool
    /// How many of the `total` iterations of a counted repetition are missing.
    package let turns: Int?
    /// The minimum number of iterations in the expression.
    package let total: Int?

    /// The part, or how many iterations of it: `2 of 3 (response data*)`.
    package var description: String {
        guard let turns, let total else { return text }
        return "\(turns) of \(total) \(text)"
    }
}

/// An expression with more continuations than the bound, so that the trace cannot be judged.
package struct NotationOverflow: Error, Sendable, Equatable, CustomStringConvertible {
    package let subexpression: String
    /// Bytes from the beginning of its expression.
    package let offset: Int
    package let isAmbient: Bool
    package let eventCount: Int

    package var description: String {
        """
        '\(subexpression)' has too many continuations after \(Plural.count(eventCount, "event")), \
        \(ResidualArena.largestState) are kept; let the sides of '&' name different events, or count less
        """
    }
}
