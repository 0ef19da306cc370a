import Testing

@testable import ProctorHTTP2

@Suite struct SequenceTests {
    static let rows = FrameRows.rows + StreamRows.rows + MessageRows.rows

    @Test(arguments: rows) func `a sequence has its violations and no others`(_ row: Row) throws {
        #expect(try row.events().violations.map(\.summary) == row.expected)
    }

    @Test func `the table has two hundred wrong or border-line sequences`() {
        #expect(Self.rows.count >= 200)
        #expect(Set(Self.rows.map(\.testDescription)).count == Self.rows.count)
    }

    @Test func `every kind is in the table, or is a flood, a preface or a timeout`() throws {
        var found: Set<HTTP2Violation.Kind> = [
            .badPreface, .settingsNotAcknowledged, .resetFlood, .settingsFlood, .pingFlood, .emptyFrameFlood,
            .continuationFlood, .windowUpdateFlood, .priorityFlood,
        ]
        for row in Self.rows { for violation in try row.events().violations { found.insert(violation.kind) } }
        #expect(Set(HTTP2Violation.Kind.allCases).subtracting(found).map(\.rawValue) == [])
    }

    @Test func `every violation says its section, place and what is right`() throws {
        for row in Self.rows {
            for violation in try row.events().violations {
                #expect(violation.section.hasPrefix("RFC ") && violation.offset >= 0)
                #expect(violation.sentence.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F })
                #expect(violation.description.contains("at byte \(violation.offset)"))
            }
        }
    }

    @Test func `a request becomes its events`() throws {
        let row = Row(
            "", .server,
            [
                .head(1, ends: false), .data(1, 5, padding: 3), .head(1, "x=y"), .window(7, 1),
                .peer(.ping([8, 7, 6, 5, 4, 3, 2, 1])),
            ])
        let events = try row.events()
        try #require(events.count == 6)
        #expect(events[0] == .settings([]))
        guard case .head(1, let head) = events[1], case .trailers(1, let trailers) = events[3] else {
            Issue.record("no head or trailers in \(events)")
            return
        }
        #expect(head.check.path == Array("/".utf8) && !head.endsStream && head.frameCount == 1)
        #expect(events[2] == .data(stream: 1, 1..<6, flowByteCount: 9, endsStream: false))
        #expect(trailers.section.fields == [HeaderField("x", "y")] && trailers.endsStream)
        #expect(events[4] == .window(stream: 1, increment: 7))
        #expect(events[5] == .ping([8, 7, 6, 5, 4, 3, 2, 1]))
    }

    @Test func `windows follow both ends`() throws {
        var state = try ConnectionState.make(.client)
        var events: [ConnectionEvent] = []
        func take(_ frame: Frame) throws { state.receive(try Verifier.frame(frame.bytes), into: &events) }
        try take(.settings([Setting(.initialWindowSize, 10)]))
        state.willSend(.headers(block(Row.Step.request), on: 1))
        #expect(state.sendWindow(of: 1)?.size == 10 && state.sendWindow.size == 65_535)
        state.willSend(.data([1, 2, 3, 4, 5, 6], on: 1))
        #expect(state.sendWindow(of: 1)?.size == 4 && state.sendWindow.size == 65_529)
        try take(.settings([Setting(.initialWindowSize, 5)]))
        #expect(state.sendWindow(of: 1)?.size == -1)
        try take(.windowUpdate(3, on: 1))
        #expect(state.sendWindow(of: 1)?.size == 2)
        try take(.headers(block(":status=200"), on: 1))
        try take(.data([1, 2], on: 1, padding: 1))
        #expect(state.receiveWindow(of: 1)?.size == 65_531 && state.receiveWindow.size == 65_531)
        #expect(events.violations.isEmpty)
    }
}
