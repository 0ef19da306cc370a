import Testing

@testable import ProctorHTTP2

@Suite struct FloodTests {
    /// One kind of flood: the frames that repeat, and how many of them are within the bound.
    struct Flood: Sendable, CustomTestStringConvertible {
        let kind: HTTP2Violation.Kind
        let before: [Row.Step]
        let most: Int
        let step: @Sendable (Int) -> [Row.Step]
        var testDescription: String { kind.rawValue }
    }

    static let floods: [Flood] = [
        Flood(kind: .pingFlood, before: [], most: 200) { _ in [.peer(.ping([0, 0, 0, 0, 0, 0, 0, 0]))] },
        Flood(kind: .settingsFlood, before: [], most: 99) { _ in [.peer(.settings([]))] },
        Flood(kind: .resetFlood, before: [], most: 200) {
            [.head(UInt32(2 * $0 + 1), ends: false), .reset(UInt32(2 * $0 + 1))]
        },
        // Streams that we must reset count as those that the peer resets.
        Flood(kind: .resetFlood, before: [.head(1)], most: 200) { _ in [.data(1, 0)] },
        Flood(kind: .emptyFrameFlood, before: [.head(1, ends: false)], most: 1_000) { _ in [.data(1, 0)] },
        Flood(kind: .emptyFrameFlood, before: [], most: 1_000) { _ in [.frame(0x77)] },
        Flood(kind: .windowUpdateFlood, before: [], most: 10_000) { _ in [.window(1)] },
        Flood(kind: .priorityFlood, before: [], most: 1_000) { _ in [.peer(.priority(StreamDependency(on: 0), on: 3))]
        },
        Flood(kind: .continuationFlood, before: [.head(1, endsHeaders: false)], most: 99) { _ in
            [.peer(.continuation([0x82], on: 1, endsHeaders: false))]
        },
    ]

    @Test(arguments: floods) func `a flood is refused one frame above its bound`(_ flood: Flood) throws {
        let within = Row("", .server, flood.before + (0..<flood.most).flatMap(flood.step))
        #expect(try within.events().violations.allSatisfy { $0.kind != flood.kind })
        let above = Row("", .server, flood.before + (0...flood.most).flatMap(flood.step))
        let found = try above.events().violations.filter { $0.kind == flood.kind }
        try #require(found.count == 1)
        #expect(found[0].errorCode == .enhanceYourCalm && found[0].scope == .connection)
        #expect(found[0].sentence.contains("more than"))
    }

    @Test func `a field block is bounded in bytes`() throws {
        let piece = Row.Step.peer(.continuation([UInt8](repeating: 0x82, count: 16_384), on: 1, endsHeaders: false))
        let row = Row("", .server, [.head(1, endsHeaders: false)] + Array(repeating: piece, count: 20))
        #expect(try row.events().violations.map(\.summary) == ["continuation-flood CALM connection 9113 §10.5"])
    }

    @Test func `useful frames between others are no flood`() throws {
        let pairs: [Row.Step] = (0..<1_000).flatMap { _ -> [Row.Step] in
            [.data(1, 1), .peer(.ping([0, 0, 0, 0, 0, 0, 0, 0]))]
        }
        #expect(try Row("", .server, [.head(1, ends: false)] + pairs).events().violations.isEmpty)
    }

    @Test func `a new interval begins at nothing`() throws {
        var state = try ConnectionState.make(.server)
        var events: [ConnectionEvent] = []
        state.receive(try Verifier.frame(Frame.settings([]).bytes), into: &events)
        let ping = try Verifier.frame(Frame.ping([0, 0, 0, 0, 0, 0, 0, 0]).bytes)
        for index in 0..<1_000 {
            if index % 200 == 0 { state.clearFloods() }
            state.receive(ping, into: &events)
        }
        #expect(events.violations.isEmpty)
    }
}
