import ProctorProgram
import ProctorReferenceAdapter
import ProctorTestSupport
import Testing

@testable import ProctorEvents

/// What synchronous and queued requests show, and in which order.
@Suite(.limit(minutes: 10))
struct RequestTraceTests {
    struct Refusal: Sendable, CustomTestStringConvertible {
        let key: String
        let change: @Sendable (inout Assignment.Step) -> Void
        var testDescription: String { key }
    }

    @Test(arguments: [
        Refusal(key: "steps[0].task") { $0.task = .data },
        Refusal(key: "steps[0].cancelAt") { $0.cancelAt = .event("response", count: 1) },
        Refusal(key: "steps[0].onRedirect") { $0.onRedirect = [.refuse] },
        Refusal(key: "steps[0].onChallenge") { $0.onChallenge = [.reject] },
        Refusal(key: "steps[0].schedule") { $0.schedule = .init() },
    ])
    func `what a request without a delegate cannot do is said`(row: Refusal) async throws {
        let trace = try await LegacyServer.trace(as: .connectionQueued, LegacyScenes.page) { step in
            step.task = .queued
            row.change(&step)
        }
        #expect(trace.first(.unimplemented)?.argument?.hasPrefix(row.key) == true)
    }
}

/// Where and when a connection with a schedule calls back (R47).
@Suite(.limit(minutes: 10))
struct ScheduleTraceTests {
    @Test func `a thread without a run loop gets no callback`() async throws {
        let trace = try await LegacyServer.trace(as: .connection, LegacyScenes.page) {
            $0.schedule = .init()
            $0.schedule?.place = .noLoop
        }
        #expect(trace.calls == "" && trace.first(.cancel) != nil)
        trace.expectNoHit()
    }
}
