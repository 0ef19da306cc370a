import ProctorTestSupport
import ProctorTestWire
import Testing

@testable import ProctorEvents
@testable import ProctorJournal
@testable import ProctorProgram
@testable import ProctorReplies
@testable import ProctorScenario
@testable import ProctorServer
@testable import ProctorServing

/// Bounds of what clients report; how replies wait for it stands in Tests/Data/conversations/pauses.
@Suite(.limit(minutes: 5))
struct SyncPointTests {
    /// `ab`, with an effect between the two bytes.
    private func reply(_ action: String, more: String = "") -> String {
        always("{ status: 200, body: ab, effects: [ { at: body 1, do: \(action) }\(more) ] }")
    }

    /// One reply, on a connection that stays open, since a FIN counts as leaving.
    private static func ask(_ base: String) throws -> String {
        let wire = try Wire(to: base)
        defer { wire.close() }
        try wire.send(.request("GET /"))
        return try wire.readReply()
    }

    private func passings(_ lines: [String]) -> [String] {
        lines.filter { $0.contains(" sync ") }.map { String($0.drop { $0 != "s" }) }
    }

    @Test func `a report that comes too late for its epoch is none`() {
        let reports = ClientReports()
        reports.record("response", task: 0, count: 1, epoch: 0)
        reports.reset(epoch: 1)
        reports.record("response", task: 0, count: 1, epoch: 0)
        let point = SyncPoint(event: "response", task: nil, count: 1, limit: .seconds(60))
        let bounds = ClientReports.Bounds(reported: 10_000_000_000, unreported: 100_000_000)
        #expect(reports.nextStep(at: point, waited: .max, bounds) == .pass(.unreported))
        reports.record("response", task: 0, count: 1, epoch: 1)
        #expect(reports.nextStep(at: point, waited: .max, bounds) == .pass(.reached))
    }

    @Test func `so many reports that they would fill the journal are counted and not written down`() async throws {
        try await withRun(reply("{ await: data, count: 20000, within: 60s }")) { run in
            for _ in 0..<20_000 { run.reached(event: .data) }
            let text = try await onThread { try Self.ask(run.base) }
            #expect(text.hasSuffix("ab"))
            let snapshot = run.journal.snapshot()
            #expect(snapshot.droppedCount == 0)
            #expect(run.journal.lines.count { $0 == "reached data of task 0" } == 1_000)
            #expect(passings(run.journal.lines) == ["sync data: reached"])
        }
    }
}
