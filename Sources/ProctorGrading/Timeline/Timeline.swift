import ProctorBase

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

/// Lays rows out in columns of a bounded width, and bounds their number.
struct TimelineLayout {
    private static let headings = ["wire", "callbacks", "harness"]
    /// How the columns share a width that is too small for them, in percent.
    private static let shares = [45, 35, 20]
    private static let gap = "  "
    private let rows: [TimelineRow]
    private let style: Timeline.Style
    private let width: Int
    private let limit: Int
    private let timeWidth: Int
    private let widths: [Int]

    init(rows: [TimelineRow], style: Timeline.Style, width: Int, limit: Int) {
        self.rows = rows
        self.style = style
        self.width = width
        self.limit = limit
        timeWidth = max(5, rows.map(\.time.count).max() ?? 0)
        let desired = Self.headings.indices.map { column in
            rows.lazy.filter { $0.column.rawValue == column }.map { Self.text(of: $0, style).count }
                .reduce(Self.headings[column].count, max)
        }
        widths = Self.fit(desired, into: max(0, width - 2 - timeWidth - 3 * Self.gap.count))
    }

    /// The first one names the columns.
    var lines: [String] {
        var lines = [Self.trimmed("  " + Self.left("ms", timeWidth) + Self.gap + cells(Self.headings))]
        // One line is the heading, one may be needed for what was wanted.
        for part in Self.bounded(rows, limit: limit - 2) {
            switch part {
            case .row(let row): lines += self.lines(of: row)
            case .gap(let count): lines.append("  \(ellipsis) \(Plural.count(count, "line")) left out")
            }
        }
        return lines
    }

    // MARK: Lines

    private func lines(of row: TimelineRow) -> [String] {
        if row.column == .note { return [cut("  \(ellipsis) \(row.text)", to: width)] }
        let text = Self.text(of: row, style)
        let mark = row.wanted == nil ? "  " : style == .ascii ? "> " : "▶ "
        let head = mark + Self.left(row.time, timeWidth) + Self.gap
        let column = row.column.rawValue
        var texts = ["", "", ""]
        texts[column] = cut(text, to: widths[column])
        guard let wanted = row.wanted.map({ "wanted: " + Self.plain($0, style) }) else {
            return [Self.trimmed(head + cells(texts))]
        }
        // Whatever stands beside an event is empty, and what was wanted is worth the room.
        let line = Self.trimmed(head + cells(texts))
        if line.count + 3 + wanted.count <= width { return [line + "   " + wanted] }
        let indentation = mark + String(repeating: " ", count: timeWidth) + Self.gap
        return [line, cut(indentation + wanted, to: width)]
    }

    private func cells(_ texts: [String]) -> String {
        zip(texts, widths).map { text, width in
            cut(text, to: width) + String(repeating: " ", count: max(0, width - text.count))
        }.joined(separator: Self.gap)
    }

    private static func text(of row: TimelineRow, _ style: Timeline.Style) -> String {
        plain(row.text, style) + (row.count == 1 ? "" : "\(style == .ascii ? "x" : "×")\(row.count)")
    }

    /// What is not ASCII is shown as `?` where only ASCII may stand.
    private static func plain(_ text: String, _ style: Timeline.Style) -> String {
        guard style == .ascii else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { $0.isASCII ? $0 : "?" }))
    }

    private var ellipsis: String { style == .ascii ? "..." : "…" }

    private func cut(_ text: String, to width: Int) -> String {
        guard text.count > width else { return text }
        return text.prefix(max(0, width - ellipsis.count)) + ellipsis
    }

    private static func left(_ text: String, _ width: Int) -> String {
        String(repeating: " ", count: max(0, width - text.count)) + text
    }

    private static func trimmed(_ text: String) -> String {
        var text = text
        while text.last == " " { text.removeLast() }
        return text
    }

    // MARK: Bounds

    /// Columns get what they want, or their share and what others leave over.
    private static func fit(_ desired: [Int], into available: Int) -> [Int] {
        guard desired.reduce(0, +) > available else { return desired }
        var widths = zip(desired, shares).map { min($0, available * $1 / 100) }
        var rest = available - widths.reduce(0, +)
        for column in widths.indices {
            let more = min(rest, desired[column] - widths[column])
            widths[column] += more
            rest -= more
        }
        return widths
    }

    private enum Part {
        case row(TimelineRow)
        case gap(Int)
    }

    /// The beginning, the end, and what is around the marked row.
    private static func bounded(_ rows: [TimelineRow], limit: Int) -> [Part] {
        guard rows.count > limit else { return rows.map { .row($0) } }
        // Two lines say what is left out.
        let third = (limit - 2) / 3
        var kept = Set(0..<third).union(max(0, rows.count - third)..<rows.count)
        let marked = rows.firstIndex { $0.wanted != nil } ?? third
        let start = max(0, min(marked - third / 2, rows.count - third))
        kept.formUnion(start..<min(rows.count, start + third))
        var parts: [Part] = []
        var hidden = 0
        for (index, row) in rows.enumerated() {
            guard kept.contains(index) else {
                hidden += 1
                continue
            }
            if hidden > 0 { parts.append(.gap(hidden)) }
            hidden = 0
            parts.append(.row(row))
        }
        return parts
    }
}
