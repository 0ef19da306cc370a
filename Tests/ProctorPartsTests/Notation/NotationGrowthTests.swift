import ProctorTestSupport
import Testing

@testable import ProctorEvents
@testable import ProctorNotation

/// Memory and work are bounded by the expression, never by the trace.
struct NotationGrowthTests {
    struct Row: CustomTestStringConvertible {
        let notation: String
        /// The events that the test repeats.
        let cycle: String
        let mostTerms: Int
        let mostContinuations: Int

        var testDescription: String { notation }
    }

    static let rows: [Row] = [
        Row(
            notation: "(response data*)* complete(error)", cycle: "response data×9", mostTerms: 40, mostContinuations: 4
        ),
        Row(notation: "((data*)*)*", cycle: "data", mostTerms: 20, mostContinuations: 4),
        Row(
            notation: "data* & response* & metrics*", cycle: "data response metrics", mostTerms: 40,
            mostContinuations: 2),
        Row(notation: "data{0,1000000} data{0,1000000}", cycle: "data", mostTerms: 4_200, mostContinuations: 3),
        Row(notation: "(data{0,3}){1000000}", cycle: "data", mostTerms: 4_300, mostContinuations: 12),
        Row(notation: "(data? data?){0,100000}", cycle: "data", mostTerms: 4_300, mostContinuations: 12),
        Row(notation: "data{30000,} & response+", cycle: "data response", mostTerms: 4_300, mostContinuations: 4),
        Row(notation: "... data ... response ...", cycle: "data response", mostTerms: 40, mostContinuations: 6),
        Row(notation: "(data data | data data | data data)*", cycle: "data", mostTerms: 60, mostContinuations: 3),
    ]

    @Test(
        arguments: [
            "data{0,20} & data{0,20} & data{0,20}", "(data? data?){0,30} & (data? data?){0,30}",
            "(data* response)* & (data* response)* & (data* response)*", "(data data?){0,9} & (data response?){0,9}",
        ])
    func `sides that share an event stay within the bound while they are few`(text: String) throws {
        var matcher = NotationMatcher(try Notation(parsing: text, lane: .task))
        for _ in 0..<18 { try #require(take(&matcher, TraceEventSymbol("data"))) }
        #expect(matcher.state.count < 100)
    }

    @Test(.wide, arguments: rows)
    func `30000 events leave the state as small as the expression`(row: Row) throws {
        var matcher = NotationMatcher(try Notation(parsing: row.notation, lane: .task))
        let cycle = trace(row.cycle)
        var terms = 0
        var continuations = 0
        for index in 0..<30_000 {
            try #require(take(&matcher, cycle[index % cycle.count]))
            terms = max(terms, matcher.termCount)
            continuations = max(continuations, matcher.state.count)
        }
        #expect(terms <= row.mostTerms)
        #expect(continuations <= row.mostContinuations)
    }

    @Test func `an ambient of many events grows nothing`() throws {
        var matcher = NotationMatcher(
            try Notation(parsing: "response data{1,40000} complete", lane: .task),
            ambient: try Notation(parsing: "bodySent* & metrics?", lane: .task))
        try #require(take(&matcher, TraceEventSymbol("response")))
        for _ in 0..<15_000 {
            try #require(take(&matcher, TraceEventSymbol("bodySent")))
            try #require(take(&matcher, TraceEventSymbol("data")))
        }
        #expect(matcher.termCount <= 4_300)
        #expect(matcher.state.count == 1)
        #expect(take(&matcher, TraceEventSymbol("complete")))
        #expect(matcher.isAccepting)
    }

    @Test func `a counter keeps its number across compaction`() throws {
        let notation = try Notation(parsing: "data{25000} complete", lane: .task)
        for count in [24_999, 25_000, 25_001] {
            let events = Array(repeating: TraceEventSymbol("data"), count: count) + [TraceEventSymbol("complete")]
            #expect((notation.diagnosis(of: events) == nil) == (count == 25_000))
        }
    }

    @Test func `an interleaving that grows without bound is stopped and named`() throws {
        let sides = (0..<8).map { "(data response? data?){0,\(90 + $0)}" }.joined(separator: "\n& ")
        let notation = try Notation(parsing: "created (\(sides)) complete", lane: .task)
        var matcher = NotationMatcher(notation)
        #expect(take(&matcher, TraceEventSymbol("created")))
        var accepted = 1
        let cycle = trace("data response data")
        while accepted < 3_000, take(&matcher, cycle[(accepted - 1) % cycle.count]) { accepted += 1 }
        let overflow = try #require(matcher.overflow)
        #expect(overflow.offset == 8)
        #expect(overflow.eventCount == accepted + 1)
        #expect(overflow.subexpression == "((data response? data?){0,90} & (data response? data?){0,9…")
        #expect(!matcher.isAccepting)
        #expect(matcher.diagnosis?.overflow == overflow)
        #expect(
            matcher.diagnosis?.description == """
                  stopped : \(overflow)
                  in      : created ((data response? data?){0,90}
                                    ^
                """)
        #expect(!take(&matcher, TraceEventSymbol("data")))
    }

    @Test func `a long row of optional events is stopped before it costs much`() throws {
        let optional = Array(repeating: "data?", count: 9_000).joined(separator: " ")
        var matcher = NotationMatcher(try Notation(parsing: "(\(optional))*", lane: .task))
        var count = 0
        while count < 100, take(&matcher, TraceEventSymbol("data")) { count += 1 }
        #expect(count == 0)
        let overflow = try #require(matcher.overflow)
        #expect(overflow.offset == 0)
        #expect(
            overflow.description == """
                '(data? data? data? data? data? data? data? data? data? dat…' has too many continuations after \
                1 event, 2048 are kept; let the sides of '&' name different events, or count less
                """)
    }

    @Test func `an ambient that grows is named as such`() throws {
        let sides = (0..<8).map { "(bodySent metrics? bodySent?){0,\(90 + $0)}" }.joined(separator: " & ")
        var matcher = NotationMatcher(
            try Notation(parsing: "response complete", lane: .task),
            ambient: try Notation(parsing: "created? (\(sides))", lane: .task))
        var count = 0
        let cycle = trace("bodySent metrics bodySent")
        while count < 3_000, matcher.accept(cycle[count % cycle.count]) { count += 1 }
        let overflow = try #require(matcher.overflow)
        #expect(overflow.isAmbient)
        #expect(overflow.offset == 9)
        #expect(matcher.diagnosis?.lines() == ["  stopped : \(overflow)"])
    }

    @Test func `a trace of one long sequence is followed without recursion`() throws {
        let text = Array(repeating: "data", count: 13_000).joined(separator: " ")
        let notation = try Notation(parsing: text, lane: .task)
        #expect(notation.diagnosis(of: Array(repeating: TraceEventSymbol("data"), count: 13_000)) == nil)
        let short = try #require(notation.diagnosis(of: Array(repeating: TraceEventSymbol("data"), count: 12_999)))
        #expect(short.missing.map(\.description) == ["data"])
    }
}
