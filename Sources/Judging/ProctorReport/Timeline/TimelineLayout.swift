import ProctorGrading

/// The positions of a timeline's events in its drawing.
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
        /// The index in the list of events.
        let index: Int
        let column: Column
        /// The y position of its time, in pixels.
        let timeY: Int
        /// The y position of its text, at or below that of its time, in pixels.
        let textY: Int
    }

    /// A connection as a bar from its first event to its last; the bar of an HTTP/2 stream is beside that of its
    /// connection.
    struct Bar: Sendable {
        let connection: Int
        /// The stream; nil for the connection itself.
        let stream: Int?
        let x: Int
        var from: Int
        var to: Int
        var ticks: [Int]

        var lane: Lane { Lane(connection: connection, stream: stream) }
        /// The label: `c0`, or `s1` for a stream.
        var name: String { stream.map { "s\($0)" } ?? "c\(connection)" }
    }

    /// The width of the time axis, in pixels.
    static let axisWidth = 96
    static let barDistance = 20
    static let top = 40
    static let lineHeight = 17
    static let characterWidth = 7.25
    static let width = 1_040
    private static let columnGap = 14
    /// The shares of the columns, in percent.
    private static let shares = [46, 34, 20]
    /// The most bars; further connections and streams are drawn without one.
    static let barBound = 10

    let moments: [Moment]
    let bars: [Bar]
    let scale: TimelineScale
    private(set) var columns: [(column: Column, x: Int, width: Int)] = []
    let height: Int
    /// The number of connections and streams without a bar.
    let undrawnConnectionCount: Int
    let undrawnStreamCount: Int

    init(_ events: [EventRecord]) {
        let times = Self.times(of: events)
        scale = TimelineScale(times, room: min(1_400, max(100, 13 * events.count)))
        let used = Column.allCases.filter { column in events.contains { Self.column(of: $0) == column } }
        let lanes = Lane.all(of: events)
        undrawnConnectionCount = lanes.undrawn.count { $0.stream == nil }
        undrawnStreamCount = lanes.undrawn.count - undrawnConnectionCount
        var bars = lanes.drawn.enumerated().map { place, lane in
            Bar(
                connection: lane.connection, stream: lane.stream,
                x: Self.axisWidth + 12 + place * Self.barDistance, from: .max, to: 0, ticks: [])
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
            guard let lane = Lane(of: event) else { continue }
            // A connection's bar is as long as those of its streams.
            for index in bars.indices where bars[index].connection == lane.connection {
                guard bars[index].stream == nil || bars[index].lane == lane else { continue }
                bars[index].from = min(bars[index].from, timeY)
                bars[index].to = max(bars[index].to, timeY)
                if bars[index].lane == lane { bars[index].ticks.append(timeY) }
            }
        }
        (self.moments, self.bars) = (moments, bars)
        height = max(Self.top + scale.height, free.max() ?? 0) + 12
    }

    /// A connection or a stream with a bar.
    struct Lane: Hashable, Comparable, Sendable {
        let connection: Int
        let stream: Int?

        init(connection: Int, stream: Int?) { (self.connection, self.stream) = (connection, stream) }

        /// nil for an event without a connection.
        init?(of event: EventRecord) {
            guard let connection = event.connection else { return nil }
            self.init(connection: connection, stream: event.stream)
        }

        /// A connection precedes its streams.
        static func < (left: Lane, right: Lane) -> Bool {
            (left.connection, left.stream ?? -1) < (right.connection, right.stream ?? -1)
        }

        /// The lanes with and without a bar: connections first, then the streams of the first connections.
        static func all(of events: [EventRecord]) -> (drawn: [Lane], undrawn: [Lane]) {
            let own = Set(events.compactMap(Lane.init))
            let connections = Set(own.map { Lane(connection: $0.connection, stream: nil) }).sorted()
            let streams = own.filter { $0.stream != nil }.sorted()
            let ranked = connections + streams
            return (ranked.prefix(barBound).sorted(), Array(ranked.dropFirst(barBound)))
        }
    }

    /// The times of events; an event without a time has that of the event before it.
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
