import Testing

@testable import ProctorEvents
@testable import ProctorRules

/// A checker that runs on line holds no more than its bounds, whatever the trace brings.
struct BoundsTests {
    static func load(_ task: Int, end: String = "task[N]:complete(ok)") -> [TraceEvent] {
        let text = "harness[N]:resume task[N]:redirect(302) harness[N]:answer(follow):redirect task[N]:response(200) "
        return events(
            (text + "harness[N]:answer(allow):response task[N]:data×3 " + end)
                .replacing("N", with: "\(task)"), family: .sessionData)
    }

    @Test func `of loads that have ended only the last are remembered`() {
        var checker = TraceChecker(platform: .neutral, family: nil, mostEnded: 8, mostOpen: 100)
        for task in 0..<500 {
            for event in Self.load(task) { checker.observe(event) }
            #expect(checker.rememberedLoadCount <= 8)
        }
        let report = checker.finish()
        #expect(report.lanes.map(\.lane.number) == Array(492..<500))
        #expect(report.forgottenLoadCount == 492)
        #expect(report.hitCount == 0)
        #expect(report.grammarCount == 0)
        #expect(report.bound == nil)
    }

    @Test func `a million events of one task leave the state as it is`() {
        var checker = TraceChecker(family: .sessionData)
        for event in events("harness:resume task:response(200) harness:answer(allow):response") {
            checker.observe(event)
        }
        for sequence in 0..<100_000 {
            checker.observe(TraceEvent(sequence: sequence, lane: .task, name: .data))
        }
        #expect(checker.rememberedLoadCount == 1)
        for event in events("task:complete(ok)") { checker.observe(event) }
        let report = checker.finish()
        #expect(report.hitCount == 0)
        #expect(report.lanes.map(\.eventCount) == [100_002])
    }

    @Test func `an event behind the end is a hit while the load is remembered and after it is forgotten`() {
        for late in [499, 0] {
            var checker = TraceChecker(platform: .neutral, family: nil, mostEnded: 8, mostOpen: 100)
            for task in 0..<500 { for event in Self.load(task) { checker.observe(event) } }
            for event in events(
                "task[\(late)]:data harness[\(late)]:cancel wire[\(late)]:request", family: .sessionData)
            {
                checker.observe(event)
            }
            #expect(checker.rememberedLoadCount == 8)
            let report = checker.finish()
            #expect(report.broken == [40], "\(late)")
            #expect(report.hits.allSatisfy { $0.lane == LaneID(.task, late) })
            #expect(checker.rememberedLoadCount == 0)
        }
    }

    @Test func `loads that never end are bounded and the report says so`() throws {
        var checker = TraceChecker(platform: .neutral, family: .sessionData, mostEnded: 8, mostOpen: 100)
        for task in 0..<150 { checker.observe(events("task[\(task)]:response(200)")[0]) }
        #expect(checker.rememberedLoadCount == 100)
        let report = checker.finish()
        let bound = try #require(report.bound)
        #expect(
            bound.description == """
                more than 100 loads were open at once at event 1; task[100] and other new loads were not judged until \
                others had ended
                """)
        #expect(report.lanes.count == 100)
    }

    @Test func `hits and refusals are counted without end and kept up to a bound`() {
        var checker = TraceChecker(family: .sessionData)
        for task in 0..<3_000 {
            for event in Self.load(task, end: "task[N]:complete(ok) task[N]:data") { checker.observe(event) }
        }
        let report = checker.finish()
        #expect(report.hits.filter { $0.weight == .failure }.count == HitList.mostKept)
        #expect(report.hitCount >= 3_000)
        #expect(report.grammars.count == TraceChecker.mostRefusals)
        #expect(report.grammarCount == 3_000)
    }

    @Test func `a failure behind many observations is kept`() {
        let rule = RuleNumber(40)
        var list = HitList(platform: .neutral)
        for _ in 0..<2_000 { list.report(rule, "noted", at: nil, in: LaneID(.task), isInferred: true) }
        list.report(rule, "broken", at: nil, in: LaneID(.task))
        #expect(list.count == 2_001)
        #expect(list.hits.count == HitList.mostKept + 1)
        #expect(list.hits.last?.weight == .failure)
    }

    @Test func `forgotten numbers are few ranges`() {
        var lanes = ForgottenLanes()
        for number in [5, 3, 4, 9, 7, 8, 5] { lanes.insert(number) }
        #expect((0..<12).filter { lanes.contains($0) } == [3, 4, 5, 7, 8, 9])
        lanes.insert(6)
        #expect((0..<12).filter { lanes.contains($0) } == Array(3...9))
        lanes.insert(.max)
        lanes.insert(.min)
        #expect(lanes.contains(.max) && lanes.contains(.min) && !lanes.contains(10))
        var sparse = ForgottenLanes()
        for number in 0..<10_000 { sparse.insert(number * 2) }
        #expect((5_000..<10_000).allSatisfy { sparse.contains($0 * 2) })
        #expect(!sparse.contains(19_997))
    }
}
