import Testing

@testable import ProctorEvents
@testable import ProctorRules

/// What a person reads of a graded trace.
struct TraceReportTests {
    static func hit(_ rule: Int, _ weight: RuleWeight, _ sequence: Int?) -> RuleHit {
        RuleHit(
            rule: RuleNumber(rule), weight: weight, lane: LaneID(.task, 1), sequence: sequence,
            event: sequence == nil ? nil : TraceEventSymbol("response", "401"), sentence: "it is wrong")
    }

    static func report(
        hits: [RuleHit] = [], hitCount: Int? = nil, lanes: [LaneSummary] = [], forgotten: Int = 0,
        bound: TraceBound? = nil
    ) -> TraceReport {
        TraceReport(
            eventCount: 12, hits: hits, hitCount: hitCount ?? hits.count, grammars: [], grammarCount: 0, lanes: lanes,
            forgottenLoadCount: forgotten, notJudged: [], bound: bound)
    }

    @Test func `a hit is one line`() {
        #expect(Self.hit(12, .failure, 7).line == "R12  task[1]  event 7  response(401): it is wrong")
        #expect(Self.hit(12, .failure, nil).line == "R12  task[1]  at the end: it is wrong")
        let odd = RuleHit(
            rule: RuleNumber(1), weight: .failure, lane: LaneID(.task), sequence: 1,
            event: TraceEventSymbol("challenge", "a\u{1B}b"), sentence: "x\ny")
        #expect(odd.line == "R1  task  event 1  challenge(a?b): x?y")
    }

    @Test func `hits stand by rule, failures first, each with its count`() {
        let text = Self.report(
            hits: [
                Self.hit(97, .observation, 1), Self.hit(99, .failure, 2), Self.hit(98, .harnessFault, 3),
                Self.hit(99, .failure, 4),
            ],
            hitCount: 6
        ).text
        #expect(
            text == """
                12 events, 0 loads, 6 rule hits, 0 lanes refused by a grammar
                R99 (failure, 2 times)
                  R99  task[1]  event 2  response(401): it is wrong
                  R99  task[1]  event 4  response(401): it is wrong
                R98 (fault of the test, 1 time)
                  R98  task[1]  event 3  response(401): it is wrong
                R97 (observation, 1 time)
                  R97  task[1]  event 1  response(401): it is wrong
                … and 2 more rule hits that were only counted
                """)
    }

    @Test func `what was not judged is said`() {
        let bound = TraceBound(mostOpenLoads: 10, lane: LaneID(.task, 11), sequence: 40)
        #expect(
            Self.report(bound: bound).text.contains("\nnot judged: more than 10 loads were open at once at event 40"))
        #expect(Self.report(forgotten: 3).text == "12 events, 3 loads, 0 rule hits, 0 lanes refused by a grammar")
    }

    @Test func `a long list of one rule is cut`() {
        let text = Self.report(hits: (0..<30).map { Self.hit(99, .failure, $0) }).text
        #expect(text.contains("\n  … and 10 more"))
        #expect(text.split(separator: "\n").count == 23)
    }
}
