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
        '\(subexpression)' has too many continuations after \(eventCount) event\(eventCount == 1 ? "" : "s"), \
        \(ResidualArena.largestState) are kept; let the sides of '&' name different events, or count less
        """
    }
}
