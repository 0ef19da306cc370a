/// The wire, the callbacks and what the test did as one text: one line an event, a column for each of the three.
///
/// The first place where something was otherwise than it should be is marked, with what was wanted beside it. Runs of
/// equal events are one line; of a long timeline the middle is left out, but never the marked place.
public struct Timeline: Sendable, CustomStringConvertible {
    /// The first one names the columns.
    public let lines: [String]

    /// What a timeline is written with.
    public enum Style: Sendable {
        case unicode
        /// Nothing but ASCII.
        case ascii
    }

    /// The narrowest and the widest line.
    public static let widths = 60...400
    /// The fewest and the most lines.
    public static let lineCounts = 20...10_000

    /// Lays out one sitting; `verdict` is that of the same evidence, and without it nothing is marked.
    ///
    /// `width` and `limit` are held within their bounds.
    public init(
        _ evidence: CaseEvidence, verdict: CaseVerdict? = nil, style: Style = .unicode, width: Int = 120,
        limit: Int = 200
    ) {
        let rows = TimelineRows(evidence, verdict: verdict)
        let layout = TimelineLayout(
            rows: rows.rows, style: style,
            width: min(max(width, Self.widths.lowerBound), Self.widths.upperBound),
            limit: min(max(limit, Self.lineCounts.lowerBound), Self.lineCounts.upperBound))
        lines = layout.lines
    }

    /// All lines.
    public var description: String { lines.joined(separator: "\n") }
}
