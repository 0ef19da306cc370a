import Testing

@testable import ProctorEvents
@testable import ProctorRules

/// Which events reach which load.
struct RoutingTests {
    static func lane(_ text: String, _ name: String) throws -> LaneSummary {
        try #require(report(events(text, family: .sessionData)).lanes.first { $0.lane.description == name })
    }

    @Test func `interleaved tasks are judged apart`() {
        let text = """
            task[1]:response(200) task[2]:redirect(302) task[1]:data task[3]:response(200) task[2]:response(200)
            task[1]:data task[3]:complete(ok) task[2]:data task[1]:complete(ok) task[2]:complete(ok)
            """
        let judged = report(events(text, family: .sessionData))
        #expect(judged.grammars.isEmpty)
        #expect(judged.lanes.map(\.lane.number) == [1, 2, 3])
        #expect(judged.lanes.map(\.eventCount) == [4, 4, 2])
        #expect(!judged.lanes.map(\.hasEnded).contains(false))
        let wrong = report(events(text + " task[2]:data", family: .sessionData))
        #expect(wrong.grammars.map(\.lane.number) == [2])
    }

    @Test func `an invalidation reaches every load that is not over`() throws {
        let text = "harness[1]:resume harness[2]:resume task[1]:complete(timedOut) harness:invalidate(cancel)"
        let judged = report(events(text + " task[2]:complete(cancelled)", family: .sessionData))
        #expect(judged.grammars.isEmpty)
        #expect(judged.lanes.map(\.lane.number) == [1, 2])
        #expect(!judged.lanes.map(\.hasEnded).contains(false))
        // After a cancel nothing is due from a legacy connection, so that it is over.
        let old = "task[1]:response(200) task[2]:response(200) "
        let cancelled = report(events(old + "harness:invalidate(cancel)", family: .connection))
        #expect(cancelled.lanes.map(\.hasEnded) == [true, true])
        let finishing = report(events(old + "harness:invalidate(finish)", family: .connection))
        #expect(finishing.lanes.map(\.hasEnded) == [false, false])
    }

    @Test func `an answer to a challenge of the session is no answer to the task`() throws {
        let text = "session:challenge(serverTrust) task:redirect(302) harness:answer(use):challenge"
        let lane = try Self.lane(text, "task")
        #expect(lane.openQuestions.map(\.name) == [.redirect])
        let answered = try Self.lane(text + " harness:answer(follow):redirect", "task")
        #expect(answered.openQuestions.isEmpty)
        let judged = report(
            events(text + " harness:answer(follow):redirect task:complete(timedOut)", family: .sessionData))
        #expect(!judged.broken.contains(53))
    }

    @Test func `what is done to a task reaches its objects`() throws {
        let text = "client[4]:challenge(basic) task:challenge(basic) harness:answer(use):challenge"
        #expect(try Self.lane(text, "protocolClient[4]").openQuestions.isEmpty)
        // The disposition of the task does not answer the object.
        let other = "client[4]:challenge(basic) task:response(200) harness:answer(allow):response"
        #expect(try Self.lane(other, "protocolClient[4]").openQuestions.map(\.name) == [.challenge])
        let own = "client[4]:challenge(basic) client[5]:challenge(basic) object[5]:answer(use):challenge"
        #expect(try Self.lane(own, "protocolClient[4]").openQuestions.count == 1)
        #expect(try Self.lane(own, "protocolClient[5]").openQuestions.isEmpty)
    }

    @Test func `the lanes of an object are one load, and what its class is asked is none`() {
        let text = """
            proto[2]:p.canInit proto[2]:p.canonical proto[3]:p.init proto[3]:p.start client[3]:response(200)
            client[3]:complete(ok) proto[3]:p.stop proto[3]:p.deinit
            """
        let judged = report(events(text))
        #expect(judged.lanes.map(\.lane.description) == ["protocolClient[3]"])
        #expect(judged.lanes.map(\.family) == [.urlProtocol])
        #expect(judged.grammars.isEmpty)
    }

    @Test func `each lane of an object has a grammar of its own`() throws {
        let judged = report(events("proto[3]:p.init proto[3]:p.start proto[3]:p.deinit client[3]:data"))
        #expect(judged.grammars.map(\.family) == [.urlProtocol, .proto])
        #expect(judged.grammars.map(\.lane.description) == ["protocolClient[3]", "proto[3]"])
        #expect(judged.grammars.map(\.sequence) == [4, 3])
    }

    @Test func `a family that is told late judges the events before it`() throws {
        var told = events("harness:resume wire:request(GET) task:redirect(302) task:fileReady task:complete(ok)")
        told[3].family = .sessionDownload
        let judged = report(told)
        #expect(judged.lanes.map(\.family) == [.sessionDownload])
        #expect(judged.lanes.map(\.eventCount) == [3])
        #expect(judged.grammars.isEmpty)
        // No event states the family: the first event that only one family has decides.
        #expect(report(events("task:redirect(302) task:progress task:fileReady task:complete(ok)")).grammars.isEmpty)
        #expect(
            report(events("task:redirect(302) task:response(200) task:complete(ok)")).lanes.map(\.family) == [
                .sessionData
            ])
        #expect(report(events("handler:handler(ok)")).lanes.map(\.family) == [.sessionHandler])
        #expect(report(events("task:redirect(302)"), family: .connection).lanes.map(\.family) == [.connection])
    }

    @Test func `events wait for the family up to a bound`() throws {
        let judged = report(events("task:redirect×\(LoadCheck.mostHeld + 5) task:complete(error)"))
        let lane = try #require(judged.lanes.first)
        #expect(lane.eventCount == LoadCheck.mostHeld + 6)
        #expect(lane.family == .sessionData)
    }

    @Test func `requests on the wire alone are no load`() {
        #expect(report(events("wire[7]:request(GET)×3")).lanes.isEmpty)
        #expect(report(events("harness:result harness[3]:unimplemented(x) harness:blocked")).lanes.isEmpty)
    }
}
