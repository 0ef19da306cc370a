/// A checked expression of what a lane must bring, in which order.
///
/// From strongest to weakest binding: a count (`? * + {n} {n,} {n,m}`), a sequence (`a b`), then either alternatives
/// (`a | b`) or an interleaving (`a & b`). Matching is the business of ``NotationMatcher``.
public struct Notation: Sendable, Equatable, CustomStringConvertible {
    /// As it was written.
    public let text: String
    /// Whose events it speaks of.
    public let lane: Lane
    let syntax: NotationSyntax

    /// Bytes of text; a longer expression is refused.
    public static let longestText = 65_536
    /// Parentheses within parentheses.
    public static let deepestNesting = 64
    /// The largest number between braces.
    public static let largestCount = 1_000_000
    /// Sides of one `&`.
    public static let widestInterleaving = 64

    /// Parses and checks `text`; every event must be one of the lane's.
    public init(parsing text: String, lane: Lane) throws(NotationError) {
        var parser = NotationParser(text: text, lane: lane)
        syntax = try parser.parse()
        self.text = text
        self.lane = lane
    }

    /// With a tree that is not quite that of the text.
    init(text: String, lane: Lane, syntax: NotationSyntax) {
        self.text = text
        self.lane = lane
        self.syntax = syntax
    }

    /// The names that are written in it.
    public var eventNames: Set<String> { Set(syntax.symbols.map(\.name)) }

    /// The events that are written in it, each once.
    package var symbols: [NotationSymbol] { syntax.symbols }

    /// The text, as it was written.
    public var description: String { text }

    /// Two expressions are equal when they are written alike for the same lane.
    public static func == (left: Notation, right: Notation) -> Bool {
        left.lane == right.lane && left.text == right.text
    }
}
