import ProctorGrading

/// Where each event of a timeline stands in its drawing.
struct TimelineLayout: Sendable {
    enum Column: Int, CaseIterable, Sendable {
        case wire, callbacks, harness

        var title: String {
            switch self {
            case .wire: "wire"
            case .callbacks: "callbacks"
            case .harness: "harness"
            }
        }
    }

    struct Moment: Sendable {
        /// In the list of events.
        let index: Int
        let column: Column
        /// The pixel of its time.
        let timeY: Int
        /// The pixel of its text, at or below that of its time.
        let textY: Int
    }

    /// A connection as a bar from its first event to its last.
    struct Bar: Sendable {
        let connection: Int
        let x: Int
        var from: Int
        var to: Int
        var ticks: [Int]
    }

    /// In pixels.
    static let axisWidth = 96
    static let barDistance = 20
    static let top = 40
    static let lineHeight = 17
    static let characterWidth = 7.25
    static let width = 1_040
    private static let columnGap = 14
    /// How columns share the width, in percent.
    private static let shares = [46, 34, 20]
    /// More connections than this are drawn without a lane.
    static let barBound = 10

    let moments: [Moment]
    let bars: [Bar]
    let scale: TimelineScale
    private(set) var columns: [(column: Column, x: Int, width: Int)] = []
    let height: Int
    /// Connections without a lane.
    let undrawnConnectionCount: Int

    init(_ events: [EventRecord]) {
        let times = Self.times(of: events)
        scale = TimelineScale(times, room: min(1_400, max(100, 13 * events.count)))
        let used = Column.allCases.filter { column in events.contains { Self.column(of: $0) == column } }
        let connections = Set(events.compactMap(\.connection)).sorted()
        undrawnConnectionCount = max(0, connections.count - Self.barBound)
        var bars = connections.prefix(Self.barBound).enumerated().map { place, connection in
            Bar(
                connection: connection, x: Self.axisWidth + 12 + place * Self.barDistance, from: .max, to: 0, ticks: [])
        }
        let left = Self.axisWidth + bars.count * Self.barDistance + 16
        var x = left
        let whole = used.reduce(0) { $0 + Self.shares[$1.rawValue] }
        for column in used {
            let width = (Self.width - left) * Self.shares[column.rawValue] / max(1, whole)
            columns.append((column, x, width - Self.columnGap))
            x += width
        }
        var free = [Int](repeating: 0, count: Column.allCases.count)
        var moments: [Moment] = []
        for (index, event) in events.enumerated() {
            let column = Self.column(of: event)
            let timeY = Self.top + scale.y(of: times[index])
            let textY = max(timeY, free[column.rawValue])
            free[column.rawValue] = textY + Self.lineHeight * (event.wanted == nil ? 1 : 2)
            moments.append(Moment(index: index, column: column, timeY: timeY, textY: textY))
            if let connection = event.connection, let bar = bars.firstIndex(where: { $0.connection == connection }) {
                bars[bar].from = min(bars[bar].from, timeY)
                bars[bar].to = max(bars[bar].to, timeY)
                bars[bar].ticks.append(timeY)
            }
        }
        self.moments = moments
        self.bars = bars
        height = max(Self.top + scale.height, free.max() ?? 0) + 12
    }

    /// An event without a time stands at that of the event before it.
    private static func times(of events: [EventRecord]) -> [Int] {
        var last = events.lazy.compactMap(\.nanoseconds).first ?? 0
        return events.map { event in
            last = event.nanoseconds ?? last
            return last
        }
    }

    private static func column(of event: EventRecord) -> Column {
        switch event.lane {
        case "wire", "note": .wire
        case "harness": .harness
        default: .callbacks
        }
    }
}
