/// What holds between two lanes, which have no order else: an event comes only after another.
///
/// Written `wire request[1] after harness answer(follow)`; indexes count from 0, and 0 may be left out.
public struct CausalEdge: Sendable, Equatable, CustomStringConvertible {
    /// The event that has to wait.
    public let later: End
    /// What it waits for.
    public let earlier: End
    /// As it was written.
    public let text: String

    /// One event of one lane.
    public struct End: Sendable, Equatable {
        /// Where it is seen.
        public let lane: LaneID
        /// What it is.
        public let symbol: NotationSymbol
        /// Which one of those that match, from 1.
        public let count: Int
    }

    /// Takes `LANE EVENT after LANE EVENT`, each event with arguments and an index if need be.
    public init(parsing text: String) throws(NotationError) {
        var parser = CausalEdgeParser(text: text)
        later = try parser.end(before: "after")
        earlier = try parser.end(before: nil)
        self.text = text
    }

    /// The text, as it was written.
    public var description: String { text }
}
