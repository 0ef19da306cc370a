import ProctorBase
import ProctorEvents
import ProctorJournal
import ProctorScenario
import ProctorTestSupport
import Testing

@testable import ProctorGrading
@testable import ProctorProgram

/// What judging costs, in steps of its budget, and how it ends when the budget is spent.
@Suite(.limit(minutes: 5))
struct JudgingBudgetTests {
    struct Shape: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let make: @Sendable (_ count: Int) throws -> (item: Case, trace: String, journal: [JournalEntry]?)
    }

    private static func many(_ count: Int, _ text: (Int) -> String) -> String {
        (0..<count).map(text).joined(separator: " ")
    }

    private static func requests(_ count: Int) throws -> [JournalEntry] {
        var script = JournalScript.opened()
        for number in 0..<count { try script.exchange("GET /\(number)", 200) }
        return script.entries
    }

    static let shapes = [
        Shape(testDescription: "one lane of data") { count in
            let trace = "resume response(200) answer(allow) \(many(count) { _ in "data" }) complete(ok)"
            return (try makeCase(lanes: ["task": "response(200) data+ complete(ok)"]), trace, nil)
        },
        Shape(testDescription: "a lane that is refused at its end") { count in
            let trace = "resume response(200) answer(allow) \(many(count) { _ in "data" }) redirect(302) complete(ok)"
            return (try makeCase(lanes: ["task": "response(200) data+ complete(ok)"]), trace, nil)
        },
        Shape(testDescription: "many tasks that never end") { count in
            (
                try makeCase(lanes: ["task": "response(200) complete(ok)"]),
                many(count) { "[\($0)]resume [\($0)]data" }, nil
            )
        },
        Shape(testDescription: "redirects and challenges with their answers") { count in
            let pairs = many(count) { _ in
                "redirect(302){proposed=GET␣http://h/b} answer(follow){to=redirect} challenge(basic){failures=0} "
                    + "answer(cancel){to=challenge}"
            }
            return (try makeCase(lanes: ["task": "redirect(302)* complete(ok)"]), "resume \(pairs) complete(ok)", nil)
        },
        Shape(testDescription: "edges") { count in
            let trace = "resume response(200) answer(allow) \(many(count) { _ in "data" }) complete(ok)"
            let edges = ["task complete after task response", "task data[7] after harness answer(allow)"]
            return (try makeCase(edges: edges), trace, nil)
        },
        Shape(testDescription: "requests that nothing answers for, beside a short trace") { count in
            let item = try makeCase(wire: "request(GET /a)", lanes: ["task": "complete(ok)"])
            return (item, "resume response(200) answer(allow) data complete(ok)", try requests(count))
        },
        Shape(testDescription: "requests, each with callbacks") { count in
            let trace = many(count) { "[\($0)]resume [\($0)]response(200) [\($0)]answer(allow) [\($0)]complete(ok)" }
            return (try makeCase(lanes: ["task": "response(200) complete(ok)"]), trace, try requests(count))
        },
    ]

    /// The steps of one judgement.
    private func stepCount(_ shape: Shape, _ count: Int) throws -> Int {
        let (item, trace, journal) = try shape.make(count)
        let budget = WorkBudget()
        let evidence = CaseEvidence(events: try TraceScript.events(trace), journal: journal)
        _ = CaseGrader(item, scenario: "redirect/302").grade(evidence, within: budget)
        return budget.stepCount
    }

    @Test(.wide, arguments: shapes)
    func `twice as much takes at most twice the steps`(shape: Shape) throws {
        let (one, two, four) = (
            try stepCount(shape, 200), try stepCount(shape, 400), try stepCount(shape, 800)
        )
        #expect(two > one && two <= 2 * one + 64 && four <= 2 * two + 64, "\(one), \(two), \(four)")
    }

    @Test func `a spent budget gives no verdict on the client, and says which bound was reached`() throws {
        let item = try makeCase(lanes: ["task": "response(200) data+ complete(ok)"])
        let evidence = CaseEvidence(events: try TraceScript.events("resume response(404) complete(ok)"))
        let grader = CaseGrader(item, scenario: "redirect/302")
        #expect(grader.grade(evidence).outcome == .fail)
        let verdict = grader.grade(evidence, within: WorkBudget(stepLimit: 5))
        let reason =
            "judging was not finished: it takes more than 5 steps, which is the bound; give a shorter trace, or a journal "
            + "with fewer entries"
        #expect(verdict.outcome == .setupFailed(reason))
        #expect(verdict.description == "setup-failed: redirect/302#follow: \(reason)")
        #expect(String(decoding: verdict.json, as: UTF8.self).contains("more than 5 steps"))
    }

    @Test func `a timeline that costs more than its budget says so in one line`() throws {
        let evidence = CaseEvidence(
            events: try TraceScript.events("resume response(200) complete(ok)"), journal: try Self.requests(3))
        #expect(
            Timeline(evidence, within: WorkBudget(stepLimit: 10)).lines
                == [
                    "there is no timeline: it takes more than 10 steps, which is the bound; give a shorter trace or journal"
                ])
        let budget = WorkBudget()
        #expect(Timeline(evidence, within: budget).lines == Timeline(evidence).lines)
        #expect(budget.stepCount > 10)
    }

    @Test func `a flag ends a judgement that would take minutes`() throws {
        // Each event leads to a state that was not met before, of some thousand terms.
        let tail = Array(repeating: "(data | progress)", count: 1_000).joined(separator: " ")
        let item = try makeCase(lanes: ["task": "(data | progress)* data \(tail) complete(ok)"])
        var generator = SeededGenerator(seed: 7)
        let events = (1...20_000).map { number in
            TraceEvent(
                sequence: number, lane: .task, name: Bool.random(using: &generator) ? .data : .progress)
        }
        let flag = CancelFlag()
        let thread = try #require(WorkerThread { flag.set() })
        let verdict = CaseGrader(item, scenario: "redirect/302").grade(
            CaseEvidence(events: events), within: WorkBudget(flag: flag))
        thread.join()
        #expect(verdict.outcome.word == "setup-failed" && verdict.reason.contains("it was cancelled"))
    }
}

/// A short sequence that is the same every time.
private struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state
    }
}
