import ProctorBase
public import ProctorEvents

/// Why a trace does not satisfy an expression, for a program and for a person.
public struct NotationDiagnosis: Sendable, Equatable, CustomStringConvertible {
    /// The expression that was not satisfied.
    public let notation: Notation
    /// The last groups of what was taken by the expression; ambient events are left out.
    public let matched: [EventGroup]
    /// Groups before ``matched`` that are not shown.
    public let hiddenGroupCount: Int
    /// The refused event; nil when the trace ended too early.
    public let got: TraceEventSymbol?
    /// 1-based among the events of the lane; when ``got`` is nil, how many there were.
    public let position: Int
    /// In the order of the text.
    public let wanted: [WantedEvent]
    /// Whether the trace could have ended in place of ``got``.
    public let endIsWanted: Bool
    /// What must come before the trace may end.
    public let missing: [MissingPart]
    /// The wanted event after which ``got`` would be accepted.
    public let acceptedAfter: NotationSymbol?
    /// Why nothing was judged, when the expression is too wide.
    public let overflow: NotationOverflow?

    /// The ``lines(note:)`` without a note.
    public var description: String { lines().joined(separator: "\n") }

    /// One line each for what was matched, came, was wanted and is missing, and the expression with its carets.
    ///
    /// `note` is put behind the event: what the trace knows of it beyond its name. `open` are the questions that were
    /// never answered, and `rules` what else is broken there, each a text of its own.
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
            let event = PrintableText.of(got.description)
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
            return "got \(PrintableText.of(got.description)), but before it must come \(owedAmbientText)"
        }
        return "got \(PrintableText.of(got.description)), wanted \(wantedText)"
    }

    private var matchedText: String {
        if matched.isEmpty { return "(nothing)" }
        let shown = matched.map { PrintableText.of($0.description) }.joined(separator: " ")
        return hiddenGroupCount > 0 ? "… \(shown)" : shown
    }

    private var gotText: String {
        guard let got else {
            return "the end of the trace   [after \(Plural.count(position, "event"))]"
        }
        return "\(PrintableText.of(got.description))   [event \(position)]"
    }

    /// What keeps back an event that the expression itself would take: ambient events that are still owed.
    private var owedAmbient: [MissingPart] {
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
    /// What went wrong; nil while nothing was refused and the trace may end here.
    public var diagnosis: NotationDiagnosis? {
        guard !isAccepting else { return nil }
        return NotationDiagnosis(
            notation: notation, matched: matched.last, hiddenGroupCount: matched.groupCount - matched.last.count,
            got: refusal, position: eventCount, wanted: wanted, endIsWanted: mayEnd, missing: missing,
            acceptedAfter: refusal.flatMap { acceptedLater($0) }, overflow: overflow)
    }
}

extension Notation {
    /// Judges a whole trace of the lane; nil when it is accepted.
    public func diagnosis(
        of events: some Sequence<TraceEventSymbol>, ambient: Notation? = nil,
        terminals: [String] = EventVocabulary.terminalNames, ignoring: [String] = []
    ) -> NotationDiagnosis? {
        var matcher = NotationMatcher(self, ambient: ambient, terminals: terminals, ignoring: ignoring)
        for event in events where !matcher.accept(event) { break }
        return matcher.diagnosis
    }
}

/// An event that an expression would take next.
public struct WantedEvent: Sendable, Equatable, CustomStringConvertible {
    /// nil: any event, by `...`.
    public let symbol: NotationSymbol?
    /// Bytes from the beginning of the expression, one for each place that asks for it.
    public internal(set) var offsets: [Int]

    /// As the expression writes it, or `any event`.
    public var description: String { symbol?.description ?? "any event" }
}

/// A part of an expression that must still come.
public struct MissingPart: Sendable, Equatable, CustomStringConvertible {
    /// As the expression writes it, on one line.
    public let text: String
    /// Bytes from the beginning of its expression.
    public let offset: Int
    /// Whether it is a part of what may be interleaved.
    public let isAmbient: Bool
    /// How many turns of a counted repetition are missing, of `total`.
    public let turns: Int?
    /// The least number that the repetition was written with.
    public let total: Int?

    /// The part, or how much of it: `2 of 3 (response data*)`.
    public var description: String {
        guard let turns, let total else { return text }
        return "\(turns) of \(total) \(text)"
    }
}

/// An expression that has more continuations than are kept, so that nothing can be said about the trace.
public struct NotationOverflow: Error, Sendable, Equatable, CustomStringConvertible {
    /// The part that grew, as it is written.
    public let subexpression: String
    /// Bytes from the beginning of its expression.
    public let offset: Int
    /// Whether it stands in what may be interleaved.
    public let isAmbient: Bool
    /// Events up to the one that was too much.
    public let eventCount: Int

    /// One sentence that names the part and says what to change.
    public var description: String {
        """
        '\(subexpression)' has too many continuations after \(Plural.count(eventCount, "event")), \
        \(ResidualArena.largestState) are kept; let the sides of '&' name different events, or count less
        """
    }
}
