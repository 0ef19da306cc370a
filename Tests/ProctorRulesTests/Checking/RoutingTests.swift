import Testing

@testable import ProctorEvents
@testable import ProctorRules

/// How long events wait for the family of their load; which events reach which load is in `Tests/Data/verdicts/rules/loads.md`.
struct RoutingTests {
    @Test func `events wait for the family up to a bound`() throws {
        let judged = report(events("task:redirect×\(LoadCheck.mostHeld + 5) task:complete(error)"))
        let lane = try #require(judged.lanes.first)
        #expect(lane.eventCount == LoadCheck.mostHeld + 6)
        #expect(lane.family == .sessionData)
    }
}
