import Testing

@testable import ProctorGrading
@testable import ProctorReport

/// Times in a drawing: to scale, but for long pauses.
struct TimelineScaleTests {
    @Test func `times without a long pause stand to scale`() {
        let scale = TimelineScale([0, 1_000_000, 2_000_000, 4_000_000], room: 400)
        #expect(scale.folds.isEmpty)
        #expect([0, 1_000_000, 2_000_000, 4_000_000].map(scale.y) == [0, 100, 200, 400])
        #expect(scale.height == 400)
    }

    @Test func `a long pause is folded, and the rest uses the room`() throws {
        let scale = TimelineScale([0, 1_000_000, 2_000_000, 502_000_000, 503_000_000, 504_000_000], room: 400)
        let fold = try #require(scale.folds.first)
        #expect(scale.folds.count == 1)
        #expect(fold == TimelineScale.Fold(start: 2_000_000, end: 502_000_000, y: 200))
        #expect(scale.y(of: 502_000_000) == 200 + TimelineScale.foldHeight)
        #expect(scale.height == 400 + TimelineScale.foldHeight)
    }

    @Test(arguments: [[], [5], [5, 5], [0, 3_000_000_000]])
    func `few times have places too`(times: [Int]) {
        let scale = TimelineScale(times, room: 100)
        #expect(times.map(scale.y).allSatisfy { 0...scale.height ~= $0 })
        #expect(scale.ticks.count <= 20)
    }

    @Test func `later times never stand above earlier ones`() {
        var generator = SystemRandomNumberGenerator()
        for _ in 0..<200 {
            let times = (0..<40).map { _ in Int.random(in: 0...2_000_000_000, using: &generator) }.sorted()
            let scale = TimelineScale(times, room: 500)
            let places = times.map(scale.y)
            #expect(places == places.sorted(), "\(times)")
            #expect((places.last ?? 0) <= scale.height, "\(times)")
        }
    }

    @Test func `ticks are round and far enough apart`() {
        let ticks = TimelineScale([0, 7_300_000], room: 300).ticks
        #expect(ticks.map(\.nanoseconds) == [0, 2_000_000, 4_000_000, 6_000_000])
        #expect(zip(ticks, ticks.dropFirst()).allSatisfy { $1.y - $0.y >= 48 })
    }

    @Test func `what another clock measured is drawn apart`() {
        func event(_ lane: String, _ nanoseconds: Int?) -> EventRecord {
            var event = EventRecord(lane: lane, text: "x")
            event.nanoseconds = nanoseconds
            return event
        }
        let trace = [event("task", 5), event("harness", 9)]
        let wire = [event("note", nil), event("note", nil), event("wire", 0), event("wire", 3)]
        #expect(TimelineParts.ranges(of: trace + wire) == [0..<2, 2..<6])
        #expect(TimelineParts.ranges(of: trace + [event("note", nil), event("wire", 9)]) == [0..<4])
        #expect(TimelineParts.ranges(of: [event("task", 5), event("task", 4)]) == [0..<2])
        #expect(TimelineParts.ranges(of: []).isEmpty)
    }

    @Test func `texts of one lane do not overlap, and no text stands above its time`() {
        let events = (0..<30).map { index in
            var event = EventRecord(lane: index % 3 == 0 ? "wire" : "task", text: "event \(index)")
            event.nanoseconds = index / 10 * 1_000_000
            event.connection = index % 3 == 0 ? index % 4 : nil
            event.wanted = index == 17 ? "another" : nil
            return event
        }
        let layout = TimelineLayout(events)
        for column in TimelineLayout.Column.allCases {
            let places = layout.moments.filter { $0.column == column }.map(\.textY)
            #expect(zip(places, places.dropFirst()).allSatisfy { $1 - $0 >= TimelineLayout.lineHeight })
        }
        #expect(layout.moments.allSatisfy { $0.textY >= $0.timeY && $0.textY < layout.height })
    }

    @Test func `streams have bars beside their connection, as far as there is room`() {
        func event(_ connection: Int, _ stream: Int? = nil) -> EventRecord {
            var event = EventRecord(lane: "wire", text: "x")
            (event.nanoseconds, event.connection, event.stream) = (connection, connection, stream)
            return event
        }
        let few = TimelineLayout([event(0), event(1), event(0, 3), event(0, 1), event(1, 1), event(0, 3)])
        #expect(few.bars.map(\.name) == ["c0", "s1", "s3", "c1", "s1"])
        #expect(few.bars.map(\.ticks.count) == [1, 1, 2, 1, 1])
        #expect(few.undrawnConnectionCount == 0 && few.undrawnStreamCount == 0)
        // Connections come first, and the streams of the first of them.
        let many = TimelineLayout((0..<8).map { event($0) } + (0..<6).map { event(1, 2 * $0 + 1) } + [event(0, 1)])
        #expect(many.bars.map(\.name) == ["c0", "s1", "c1", "s1", "c2", "c3", "c4", "c5", "c6", "c7"])
        #expect(many.undrawnConnectionCount == 0 && many.undrawnStreamCount == 5)
        let connections = TimelineLayout((0..<12).map { event($0) } + [event(0, 1)])
        #expect(connections.bars.count == 10)
        #expect(connections.undrawnConnectionCount == 2 && connections.undrawnStreamCount == 1)
        // A stream of a connection without an event of its own has a bar for that too.
        #expect(TimelineLayout([event(4, 7)]).bars.map(\.name) == ["c4", "s7"])
    }
}
