import ProctorProgram
import ProctorRecorder
import ProctorReferenceAdapter
import ProctorTestSupport
import Testing

@testable import ProctorEvents

/// What the adapter writes of each step, held against every rule.
@Suite(.limit(minutes: 10))
struct SessionTraceTests {
    @Test func `facts are those of URLSession`() async throws {
        let trace = try await SessionServer.trace([{ $0.url = "/moved" }])
        let response = try #require(trace.first(.response))
        #expect(response.facts.text(.mime) == "text/plain")
        #expect(response.facts.integer(.expectedLength) == 4)
        #expect(response.facts.integer(.status) == 200)
        #expect(response.facts.text(.sel) == "urlSession(_:dataTask:didReceive:completionHandler:)")
        #expect(response.queue == "D")
        #expect(response.family == .sessionData)
        #expect(trace.first(.created)?.queue == nil)
        #expect(trace.first(.metrics)?.facts.integer(.transactions) == 2)
        #expect(trace.answers == "follow to redirect, allow to response")
        #expect(trace.result?.text(.suggestedName) == "page.txt")
        #expect(trace.result?.text(.url)?.hasSuffix("/page") == true)
        #expect(trace.result?.integer(.status) == 200)
    }

    @Test func `a step without anything to resume is not done`() async throws {
        let trace = try await SessionServer.trace([
            { $0.task = .download },
            {
                $0.task = .download
                $0.resume = 0
            },
        ])
        #expect(trace.ending == .unimplemented)
        #expect(trace.first(.unimplemented)?.argument == "steps[1].resume: step 0 left no resume data")
    }

    @Test(arguments: [
        (Assignment.TaskKind.handler, Assignment.BodyForm.data, "dataTask(with:completionHandler:)"),
        (.handler, .file, "uploadTask(with:fromFile:completionHandler:)"),
        (.async, .data, "data(for:delegate:)"), (.async, .file, "upload(for:fromFile:delegate:)"),
    ])
    func `a handler and await are recorded under the method that was called`(
        task: Assignment.TaskKind, form: Assignment.BodyForm, method: String
    ) async throws {
        let trace = try await SessionServer.trace([
            {
                $0.send(as: form)
                $0.task = task
            }
        ])
        let calls = trace.events.filter { $0.lane == .handler && $0.phase == .enter }
        #expect(calls.map { $0.facts.text(.sel) } == [method])
        #expect(trace.result?.text(.body) == "page")
    }

    @Test(
        arguments: ["before-resume", "after-resume", "response", "data", "complete"],
        [SessionSetup.End.finish, .invalidate])
    func `a session that ends in the middle says so last`(moment: String, end: SessionSetup.End) async throws {
        let trace = try await SessionServer.trace(
            session: {
                $0.end = end
                $0.endAt = .init(moment)
            }, [{ $0.url = "/page" }])
        #expect(trace.ending == .finished)
        #expect(trace.all(.sessionInvalid).count == 1)
        #expect(trace.events.last { $0.lane == .task || $0.lane == .session }?.name == .sessionInvalid)
        if moment == "before-resume", end == .invalidate { #expect(trace.plainCalls() == "complete(cancelled)") }
        if end == .finish { #expect(trace.plainCalls() == "response(200) data complete(ok)") }
        trace.expectRulesKept()
    }

    @Test(arguments: [
        ("queue", "session.queue: main; this client calls back on threads of its own"),
        (
            "delegates",
            "steps[0].task: a data task shows nothing to a session without a delegate; only handler and async do"
        ),
        ("stream", "steps[0].onResponse: becomeStream; this client has no stream tasks"),
        ("cache", "steps[0].cachePolicy: sometimes"),
        ("suspend", "steps[0].suspendAt: an async method can't be suspended"),
        ("body", "steps[0].bodyForm: a handler task takes no streamed request"),
    ])
    func `what this client can't do is said before anything is done`(what: String, reason: String) async throws {
        let trace = try await SessionServer.trace(
            session: {
                if what == "queue" { $0.queue = .main }
                if what == "delegates" { $0.delegates = .none }
            },
            [
                {
                    if what == "stream" { $0.onResponse = .becomeStream }
                    if what == "cache" { $0.unknownWords = [.init(key: "cachePolicy", word: "sometimes")] }
                    if what == "suspend" {
                        $0.task = .async
                        $0.suspendAt = .init("after-resume")
                    }
                    if what == "body" {
                        $0.task = .handler
                        $0.bodyForm = .stream
                    }
                }
            ])
        #expect(trace.ending == .unimplemented)
        #expect(trace.events.map(\.name) == [.unimplemented])
        #expect(trace.first(.unimplemented)?.argument == reason)
    }
}

extension Assignment.Step {
    fileprivate mutating func send(as form: Assignment.BodyForm) {
        method = "POST"
        task = .upload
        bodyForm = form
        body = .init(text: "the body")
    }
}
