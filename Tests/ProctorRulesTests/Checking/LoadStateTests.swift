import Testing

@testable import ProctorEvents
@testable import ProctorRules

/// What monitors may ask of a load stays true event by event.
struct LoadStateTests {
    static func state(_ text: String, _ family: CallbackFamily = .sessionData) -> LoadState {
        let state = LoadState(
            lane: LaneID(family == .urlProtocol ? .protocolClient : .task), family: family, platform: .neutral)
        for event in events(text) { state.apply(event) }
        return state
    }

    static func open(_ text: String, _ family: CallbackFamily = .sessionData) -> [EventName] {
        state(text, family).openQuestions.map(\.name)
    }

    @Test func `a suspended task runs again once it is resumed`() {
        #expect(!Self.state("task:created").isResumed)
        #expect(Self.state("harness:resume").isResumed)
        let suspended = Self.state("harness:resume harness:suspend")
        #expect(suspended.isSuspended && suspended.isResumed)
        #expect(!Self.state("harness:resume harness:suspend harness:resume").isSuspended)
    }

    @Test func `an answer closes the oldest question of its kind`() {
        #expect(Self.open("task:redirect(302)") == [.redirect])
        #expect(Self.open("task:redirect(302) harness:answer(follow):redirect").isEmpty)
        #expect(Self.open("task:redirect(302) harness:answer(use):challenge") == [.redirect])
        #expect(Self.open("task:redirect(302) task:challenge(basic) harness:answer(use):challenge") == [.redirect])
        #expect(Self.open("task:redirect(302) task:challenge(basic) harness:answer(use)") == [.challenge])
        let twice = Self.state("task:challenge(a) task:challenge(b) harness:answer(use):challenge")
        #expect(twice.openQuestions.map(\.argument) == ["b"])
        let answer = events("harness:answer(use):challenge")[0]
        #expect(twice.question(answeredBy: answer)?.argument == "b")
        #expect(Self.state("task:redirect(302)").question(answeredBy: answer) == nil)
        #expect(twice.openQuestion(.challenge)?.argument == "b")
        #expect(twice.openQuestion(.redirect) == nil)
    }

    @Test func `which events are questions depends on the family`() {
        #expect(Self.open("task:response(200)", .sessionData) == [.response])
        for family in [CallbackFamily.sessionDownload, .sessionHandler, .connection, .download, .webSocket] {
            #expect(Self.open("task:response(200)", family).isEmpty, "\(family)")
        }
        #expect(Self.open("task:redirect(302)", .sessionDownload) == [.redirect])
        #expect(Self.open("task:redirect(302) task:needBodyStream", .connection).isEmpty)
        #expect(Self.open("task:challenge(basic)", .connection) == [.challenge])
        #expect(Self.open("client:challenge(basic) client:response(200)", .urlProtocol) == [.challenge])
    }

    @Test func `a withdrawn challenge is no open question, and stopping an object withdraws all`() {
        #expect(Self.open("client:challenge(basic) client:challengeCancelled", .urlProtocol).isEmpty)
        #expect(Self.open("client:redirect(302) client:challengeCancelled", .urlProtocol) == [.redirect])
        #expect(Self.open("client:redirect(302) client:challenge(basic) proto:p.stop", .urlProtocol).isEmpty)
    }

    @Test func `the terminal event leaves a question open, which is the fault of the test`() {
        #expect(Self.open("task:redirect(302) task:complete(timedOut)") == [.redirect])
    }

    @Test func `open questions are kept up to a bound`() {
        #expect(Self.open("task:challenge×100").count == LoadState.mostOpenQuestions)
    }

    @Test func `what cancels is told from what does not`() {
        #expect(Self.state("harness:cancel").cancellation != nil)
        #expect(Self.state("harness:invalidate(cancel)").cancellation != nil)
        #expect(Self.state("harness:invalidate(finish)").cancellation == nil)
        #expect(Self.state("harness:invalidate(finish)").invalidation != nil)
        #expect(Self.state("task:challenge(basic) harness:answer(cancel):challenge").cancellation?.name == .answer)
        #expect(Self.state("task:challenge(basic) harness:answer(use):challenge").cancellation == nil)
        #expect(Self.state("harness:cancel harness:invalidate(cancel)").cancellation?.name == .cancel)
    }

    @Test func `the terminal event is that of the family`() {
        #expect(Self.state("task:complete(ok)").isOver)
        #expect(Self.state("task:fileReady", .connectionDownload).isOver)
        #expect(!Self.state("task:fileReady", .sessionDownload).isOver)
        #expect(Self.state("task:becameDownload", .sessionData).terminal?.name == .becameDownload)
        #expect(Self.state("task:streamsCaptured", .stream).isOver)
        #expect(Self.state("handler:handler(ok)", .sessionHandler).isOver)
        #expect(Self.state("handler:handler(ok)", .sessionHandler).terminal == nil)
        #expect(Self.state("proto:p.init proto:p.deinit", .urlProtocol).isOver)
        #expect(Self.state("task:complete(ok) task:complete(cancelled)").terminal?.argument == "ok")
    }

    @Test func `only callbacks of the lane itself are counted`() {
        let state = Self.state(
            "harness:resume wire:request(GET) task:redirect(307) exit/task:redirect task:response(204) handler:handler(ok)"
        )
        #expect(state.eventCount == 2)
        #expect(state.previous?.name == .response)
        #expect(state.redirectCount == 1)
        #expect(state.responseCount == 1)
        #expect(state.lastStatus == 204)
        #expect(state.wireRequestCount == 1)
        #expect(state.lastWireMethod == "GET")
    }
}
