package import ProctorBase

/// The wire, the callbacks and the test's acts as one text: one line for each event, and a column for each of the
/// three.
///
/// The first difference is marked, with what was wanted beside it. Runs of equal events are one line; the middle of a
/// long timeline is left out, but never the marked place.
package struct Timeline: Sendable, CustomStringConvertible {
    package let lines: [String]

    package enum Style: Sendable {
        case unicode
        case ascii
    }

    /// Characters in a line.
    package static let widths = 60...400
    /// Lines of a timeline.
    package static let lineCounts = 20...10_000

    /// Lays out one run; `verdict` must be made from the same evidence, and without it nothing is marked.
    ///
    /// `width` and `limit` are clamped to their bounds. A budget that is spent leaves one line, which names the bound.
    package init(
        _ evidence: CaseEvidence, verdict: CaseVerdict? = nil, style: Style = .unicode, width: Int = 120,
        limit: Int = 200, within budget: WorkBudget = WorkBudget(stepLimit: CaseGrader.stepLimit)
    ) {
        guard let rows = try? TimelineRows(evidence, verdict: verdict, within: budget) else {
            lines = budget.spent.map { ["there is no timeline: \($0); give a shorter trace or journal"] } ?? []
            return
        }
        let layout = TimelineLayout(
            rows: rows.rows, style: style, width: min(max(width, Self.widths.lowerBound), Self.widths.upperBound),
            limit: min(max(limit, Self.lineCounts.lowerBound), Self.lineCounts.upperBound))
        lines = layout.lines
    }

    package var description: String { lines.joined(separator: "\n") }
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
            rows.lazy.filter { $0.column.rawValue == column }.map { Self.text(of: $0, style).count }.reduce(
                Self.headings[column].count, max)
        }
        widths = Self.fit(desired, into: max(0, width - 2 - timeWidth - 3 * Self.gap.count))
    }

    var lines: [String] {
        var lines = [("  " + "ms".rightAligned(timeWidth) + Self.gap + cells(Self.headings)).withoutTrailingBlanks]
        // One line is the heading, and the wanted text may need one.
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
        if row.column == .note { return ["  \(ellipsis) \(row.text)".cut(to: width, ellipsis: ellipsis)] }
        let text = Self.text(of: row, style)
        let mark = row.wanted == nil ? "  " : style == .ascii ? "> " : "▶ "
        let head = mark + row.time.rightAligned(timeWidth) + Self.gap
        let column = row.column.rawValue
        var texts = ["", "", ""]
        texts[column] = text.cut(to: widths[column], ellipsis: ellipsis)
        guard let wanted = row.wanted.map({ "wanted: " + Self.plain($0, style) }) else {
            return [(head + cells(texts)).withoutTrailingBlanks]
        }
        // The columns beside an event are empty, so that the wanted text may use their width.
        let line = (head + cells(texts)).withoutTrailingBlanks
        if line.count + 3 + wanted.count <= width { return [line + "   " + wanted] }
        let indentation = mark + String(repeating: " ", count: timeWidth) + Self.gap
        return [line, (indentation + wanted).cut(to: width, ellipsis: ellipsis)]
    }

    private func cells(_ texts: [String]) -> String {
        zip(texts, widths).map { text, width in text.cut(to: width, ellipsis: ellipsis).leftAligned(width) }.joined(
            separator: Self.gap)
    }

    private static func text(of row: TimelineRow, _ style: Timeline.Style) -> String {
        plain(row.text, style) + (row.count == 1 ? "" : "\(style == .ascii ? "x" : "×")\(row.count)")
    }

    private static func plain(_ text: String, _ style: Timeline.Style) -> String {
        guard style == .ascii else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { $0.isASCII ? $0 : "?" }))
    }

    private var ellipsis: String { style == .ascii ? "..." : "…" }

    // MARK: Bounds

    /// Each column gets its desired width, or its share and what the others do not use.
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

    /// Keeps the beginning, the end, and the rows around the marked one.
    private static func bounded(_ rows: [TimelineRow], limit: Int) -> [Part] {
        guard rows.count > limit else { return rows.map { .row($0) } }
        // Two lines say how much is left out.
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
