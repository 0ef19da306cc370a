package import ProctorBase

/// The wire, the callbacks and the test's acts as text: one line for each event, and a column for each of the three.
///
/// The first difference is marked, with the wanted value beside it. Equal adjacent events share one line; the middle of
/// a long timeline is left out, but never the marked place.
package struct Timeline: Sendable, CustomStringConvertible {
    package let lines: [String]

    /// The permitted widths of a line, in characters.
    package static let widths = 60...400
    /// The permitted numbers of lines.
    package static let lineCounts = 20...10_000

    /// Lays out one run; `verdict` must be made from the same evidence, and without a verdict nothing is marked.
    ///
    /// `width` and `limit` are limited to their permitted values. When the budget is spent, the text is one line that
    /// names the bound.
    package init(
        _ evidence: CaseEvidence, verdict: CaseVerdict? = nil, width: Int = 120,
        limit: Int = 200, within budget: WorkBudget = WorkBudget(stepLimit: CaseGrader.stepLimit)
    ) {
        guard let rows = try? TimelineRows(evidence, verdict: verdict, within: budget) else {
            lines = budget.spent.map { ["there is no timeline: \($0); give a shorter trace or journal"] } ?? []
            return
        }
        let layout = TimelineLayout(
            rows: rows.rows, width: min(max(width, Self.widths.lowerBound), Self.widths.upperBound),
            limit: min(max(limit, Self.lineCounts.lowerBound), Self.lineCounts.upperBound))
        lines = layout.lines
    }

    package var description: String { lines.joined(separator: "\n") }
}

/// Lays rows out in columns of a limited width, and limits their number.
struct TimelineLayout {
    private static let headings = ["wire", "callbacks", "harness"]
    /// The shares of the columns, in percent, when the width is too small for all of them.
    private static let shares = [45, 35, 20]
    private static let gap = "  "
    private let rows: [TimelineRow]
    private let width: Int
    private let limit: Int
    private let timeWidth: Int
    /// The columns that have a row; a client that tells no callbacks leaves theirs out.
    private let columns: [Int]
    private let widths: [Int]

    init(rows: [TimelineRow], width: Int, limit: Int) {
        (self.rows, self.width, self.limit) = (rows, width, limit)
        timeWidth = max(5, rows.map(\.time.count).max() ?? 0)
        columns = Self.headings.indices.filter { column in rows.contains { $0.column.rawValue == column } }
        let desired = columns.map { column in
            rows.lazy.filter { $0.column.rawValue == column }.map { Self.text(of: $0).count }.reduce(
                Self.headings[column].count, max)
        }
        widths = Self.fit(
            desired, sharing: columns.map { Self.shares[$0] },
            into: max(0, width - 2 - timeWidth - columns.count * Self.gap.count))
    }

    var lines: [String] {
        let headings = cells(columns.map { Self.headings[$0] })
        let heading = ("  " + "ms".rightAligned(timeWidth) + Self.gap + headings).withoutTrailingBlanks
        var lines = columns.isEmpty ? [] : [heading]
        // One line is the heading, and one may be the wanted value.
        for (hidden, row) in Self.bounded(rows, limit: limit - 2) {
            if hidden > 0 { lines.append("  … \(Plural.count(hidden, "line")) left out") }
            lines += self.lines(of: row)
        }
        return lines
    }

    // MARK: Lines

    private func lines(of row: TimelineRow) -> [String] {
        if row.column == .note { return ["  … \(row.text)".cut(to: width)] }
        let text = Self.text(of: row)
        let mark = row.wanted == nil ? "  " : "▶ "
        let head = mark + row.time.rightAligned(timeWidth) + Self.gap
        let texts = columns.map { $0 == row.column.rawValue ? text : "" }
        guard let wanted = row.wanted.flatMap({ $0.isEmpty ? nil : "wanted: " + $0 }) else {
            return [(head + cells(texts)).withoutTrailingBlanks]
        }
        // The columns beside an event are empty, so the wanted value may use their width.
        let line = (head + cells(texts)).withoutTrailingBlanks
        if line.count + 3 + wanted.count <= width { return [line + "   " + wanted] }
        let indentation = mark + String(repeating: " ", count: timeWidth) + Self.gap
        return [line, (indentation + wanted).cut(to: width)]
    }

    private func cells(_ texts: [String]) -> String {
        zip(texts, widths).map { text, width in text.cut(to: width).leftAligned(width) }.joined(
            separator: Self.gap)
    }

    private static func text(of row: TimelineRow) -> String { row.text + (row.count == 1 ? "" : "×\(row.count)") }

    // MARK: Bounds

    /// The width of each column: its desired width, or its share and the width that other columns do not use.
    private static func fit(_ desired: [Int], sharing shares: [Int], into available: Int) -> [Int] {
        guard desired.reduce(0, +) > available else { return desired }
        let all = shares.reduce(0, +)
        var widths = zip(desired, shares).map { min($0, available * $1 / all) }
        var rest = available - widths.reduce(0, +)
        for column in widths.indices {
            let more = min(rest, desired[column] - widths[column])
            widths[column] += more
            rest -= more
        }
        return widths
    }

    /// Keeps the beginning, the end, and the rows around the marked one.
    private static func bounded(_ rows: [TimelineRow], limit: Int) -> [(hidden: Int, element: TimelineRow)] {
        guard rows.count > limit else { return rows.map { (0, $0) } }
        // Two lines say how many rows are left out.
        let third = (limit - 2) / 3
        var kept = Set(0..<third).union(max(0, rows.count - third)..<rows.count)
        let marked = rows.firstIndex { $0.wanted != nil } ?? third
        let start = max(0, min(marked - third / 2, rows.count - third))
        kept.formUnion(start..<min(rows.count, start + third))
        return rows.elided(keeping: kept)
    }
}
