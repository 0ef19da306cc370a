import ProctorProgram
import ProctorReferenceAdapter
import ProctorTestSupport
import Testing

@testable import ProctorEvents

/// What synchronous and queued requests show, and in which order.
@Suite(.limit(minutes: 10))
struct RequestTraceTests {
    @Test func `a synchronous request has its result when the call has returned`() async throws {
        let trace = try await LegacyServer.trace(as: .connectionSync, LegacyScenes.page) { $0.task = .synchronous }
        #expect(trace.calls == "")
        let result = try #require(trace.first(.awaited))
        #expect(result.family == .connectionSync && result.argument == "ok" && result.queue == nil)
        #expect(result.facts.flag(.hasData) == true && result.facts.flag(.hasError) == false)
        #expect(result.thread == trace.first(.resume)?.thread)
        let returned = try #require(trace.first(.returned))
        #expect(returned.sequence < result.sequence)
        #expect(trace.result?.text(.body) == "hello")
        trace.expectNoHit()
    }

    @Test func `the block of a queued request runs on the queue that was named`() async throws {
        let trace = try await LegacyServer.trace(as: .connectionQueued, LegacyScenes.page) { $0.task = .queued }
        #expect(trace.calls == "")
        let block = try #require(trace.first(.handler))
        #expect(block.family == .connectionQueued && block.argument == "ok")
        #expect(block.queue == trace.first(.schedule)?.facts.text(.place) && block.queue != nil)
        #expect(trace.result?.text(.body) == "hello")
        trace.expectNoHit()
    }

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
    @Test(arguments: [
        Assignment.Schedule.Place.starter, .main, .thread, .queue,
    ])
    func `callbacks come where the connection is scheduled`(place: Assignment.Schedule.Place) async throws {
        let trace = try await LegacyServer.trace(as: .connection, LegacyScenes.page) {
            $0.schedule = .init()
            $0.schedule?.start = .later
            $0.schedule?.place = place
        }
        let schedule = try #require(trace.first(.schedule))
        let response = try #require(trace.first(.response))
        #expect(schedule.argument == place.rawValue)
        #expect(response.queue == schedule.facts.text(.place))
        if place != .queue { #expect(response.thread == schedule.thread) }
        if place == .thread { #expect(response.thread != trace.first(.resume)?.thread) }
        trace.expectNoHit()
    }

    @Test func `callbacks wait for the mode of the run loop`() async throws {
        let trace = try await LegacyServer.trace(as: .connection, LegacyScenes.page) {
            $0.schedule = .init()
            $0.schedule?.start = .later
            $0.schedule?.mode = .other
        }
        let mode = try #require(trace.first(.mode))
        let first = try #require(trace.first(.askCredStore))
        #expect(mode.sequence < first.sequence)
        trace.expectNoHit()
    }

    @Test func `a thread without a run loop gets no callback`() async throws {
        let trace = try await LegacyServer.trace(as: .connection, LegacyScenes.page) {
            $0.schedule = .init()
            $0.schedule?.place = .noLoop
        }
        #expect(trace.calls == "" && trace.first(.cancel) != nil)
        trace.expectNoHit()
    }
}
