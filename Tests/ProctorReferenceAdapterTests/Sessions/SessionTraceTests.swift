import ProctorProgram
import ProctorRecorder
import ProctorReferenceAdapter
import ProctorTestSupport
import Testing

@testable import ProctorEvents

/// What the adapter writes of each step, held against every rule.
@Suite(.limit(minutes: 10))
struct SessionTraceTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let change: @Sendable (inout Assignment.Step) -> Void
        let calls: String
        var body: String?

        init(
            _ description: String, _ calls: String, body: String? = "page",
            _ change: @escaping @Sendable (inout Assignment.Step) -> Void = { _ in }
        ) {
            testDescription = description
            self.calls = calls
            self.body = body
            self.change = change
        }
    }

    static let rows: [Row] = [
        Row("plain", "response(200) data complete(ok)"),
        Row("interim", "informational(103) response(200) data complete(ok)") { $0.url = "/interim" },
        Row("follow", "redirect(302) response(200) data complete(ok)") { $0.url = "/moved" },
        Row("refuse", "redirect(302) response(302) data complete(ok)", body: "elsewhere") {
            $0.url = "/moved"
            $0.onRedirect = [.refuse]
        },
        Row("change", "redirect(302) response(200) data complete(ok)") {
            $0.url = "/moved"
            $0.onRedirect = [.change(method: "PUT", url: "page", headers: [])]
        },
        Row("cancel in a redirect", "redirect(302) complete(cancelled)", body: "") {
            $0.url = "/moved"
            $0.onRedirect = [.cancel]
        },
        Row("cancel, then follow", "redirect(302) complete(cancelled)", body: "") {
            $0.url = "/moved"
            $0.onRedirect = [.cancelThenFollow]
        },
        Row("cancel, then refuse later", "redirect(302) complete(cancelled)", body: "") {
            $0.url = "/moved"
            $0.onRedirect = [.cancelThenRefuse]
            $0.answerAfter = 50
        },
        Row("an answer from elsewhere", "redirect(302) response(200) data complete(ok)") {
            $0.url = "/moved"
            $0.answerAfter = 50
        },
        Row("never, until the time is over", "redirect(302) complete(cancelled)", body: "") {
            $0.url = "/moved"
            $0.onRedirect = [.never]
            $0.cancelAt = .init("redirect")
        },
        Row("use", "challenge(basic) response(200) data complete(ok)", body: "welcome") {
            $0.url = "/secret"
            $0.onChallenge = [.use(Assignment.Credential(user: "user", password: "pass"))]
        },
        Row("wrong twice, then right", "challenge(basic) response(200) data complete(ok)", body: "welcome") {
            $0.url = "/secret"
            let wrong = Assignment.ChallengeAnswer.use(Assignment.Credential(user: "user", password: "wrong"))
            $0.onChallenge = [wrong, wrong, .use(Assignment.Credential(user: "user", password: "pass"))]
        },
        Row("default", "challenge(basic) response(401) data complete(ok)", body: "denied") {
            $0.url = "/secret"
            $0.onChallenge = [.performDefault]
        },
        Row("use none", "challenge(basic) response(401) data complete(ok)", body: "denied") {
            $0.url = "/secret"
            $0.onChallenge = [.useNone]
        },
        Row("reject", "challenge(basic) response(401) data complete(ok)", body: "denied") {
            $0.url = "/secret"
            $0.onChallenge = [.reject]
        },
        Row("cancel a challenge", "challenge(basic) complete(cancelled)", body: "") {
            $0.url = "/secret"
            $0.onChallenge = [.cancel]
        },
        Row("cancel the task in a challenge", "challenge(basic) complete(cancelled)", body: "") {
            $0.url = "/secret"
            $0.onChallenge = [.cancelTaskThenUse(Assignment.Credential(user: "user", password: "pass"))]
        },
        Row("nobody asks", "response(401) data complete(ok)", body: "denied") { $0.url = "/secret" },
        Row("no response wanted", "response(200) complete(cancelled)", body: "") { $0.onResponse = .cancel },
        Row("upload", "response(200) data complete(ok)") { $0.send(as: .data) },
        Row("upload from a file", "response(200) data complete(ok)") { $0.send(as: .file) },
        Row("upload from a stream", "needBodyStream response(200) data complete(ok)") { $0.send(as: .stream) },
        Row("upload that is redirected", "redirect(307) response(200) data complete(ok)") {
            $0.send(as: .data)
            $0.url = "/kept"
        },
        Row(
            "stream that is redirected", "needBodyStream redirect(307) needBodyStream response(200) data complete(ok)"
        ) {
            $0.send(as: .stream)
            $0.url = "/kept"
        },
        Row(
            "stream that is challenged",
            "needBodyStream challenge(basic) needBodyStream response(200) data complete(ok)", body: "welcome"
        ) {
            $0.send(as: .stream)
            $0.url = "/secret"
            $0.onChallenge = [.use(Assignment.Credential(user: "user", password: "pass"))]
        },
        Row(
            "a stream with the request that is redirected",
            "redirect(307) needBodyStream response(200) data complete(ok)"
        ) {
            $0.send(as: .requestStream)
            $0.task = .data
            $0.url = "/kept"
        },
        Row("no stream", "needBodyStream complete(requestBodyStreamExhausted)", body: "") {
            $0.send(as: .stream)
            $0.onBodyStream = .none
        },
        Row("download", "progress fileReady complete(ok)") { $0.task = .download },
        Row("download that is redirected", "redirect(302) progress fileReady complete(ok)") {
            $0.task = .download
            $0.url = "/moved"
        },
        Row("download that breaks off", "progress complete(connectionLost)", body: "") {
            $0.task = .download
            $0.url = "/broken"
        },
        Row("break off", "response(200) data complete(connectionLost)", body: "short") { $0.url = "/broken" },
        Row("cancel before", "complete(cancelled)", body: "") { $0.cancelAt = .init("before-resume") },
        Row("suspend and resume", "response(200) data complete(ok)") {
            $0.suspendAt = .init("response")
            $0.suspendFor = 50
        },
        Row("cancel at the end", "response(200) data complete(ok)") { $0.cancelAt = .init("complete") },
    ]

    @Test(arguments: rows)
    func `a step is recorded in order and breaks no rule`(row: Row) async throws {
        for delegates in [SessionSetup.Delegates.session, .task, .both] {
            let trace = try await SessionServer.trace(session: { $0.delegates = delegates }, [row.change])
            #expect(trace.ending == .finished)
            #expect(trace.plainCalls() == row.calls)
            if let body = row.body { #expect(trace.result?.text(.body) == body) }
            let who = Set(
                trace.events.filter { $0.lane == .task && $0.name != .created }.compactMap { $0.facts.text(.who) })
            #expect(who == [delegates == .session ? "session" : "task"])
            #expect(trace.first(.sessionInvalid) != nil || delegates == .task)
            trace.expectRulesKept("\(row.testDescription), \(delegates)")
        }
    }

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

    @Test func `a cancelled download resumes in another step`() async throws {
        let trace = try await SessionServer.trace([
            {
                $0.url = "/file"
                $0.task = .download
                $0.cancelAt = .init("progress")
                $0.producesResumeData = true
            },
            {
                $0.url = "/file"
                $0.task = .download
                $0.resume = 0
            },
        ])
        #expect(trace.ending == .finished)
        #expect(trace.plainCalls() == "progress complete(cancelled)")
        #expect(trace.handled == "handler(ok)")
        #expect(trace.plainCalls(of: 1) == "downloadResumed(10) progress fileReady complete(ok)")
        #expect(trace.result(of: 1)?.text(.body) == "0123456789abcdefghij")
        trace.expectRulesKept()
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

    @Test(arguments: SessionSetup.Delegates.allCases, [Assignment.TaskKind.handler, .async])
    func `a handler and await stand for the callbacks`(delegates: SessionSetup.Delegates, task: Assignment.TaskKind)
        async throws
    {
        let trace = try await SessionServer.trace(
            session: { $0.delegates = delegates },
            [
                {
                    $0.url = "/moved"
                    $0.task = task
                }
            ])
        #expect(trace.ending == .finished)
        #expect(trace.handled == (task == .handler ? "handler(ok)" : "awaited(ok)"))
        #expect(trace.plainCalls() == (delegates == .none ? "" : "redirect(302)"))
        #expect(trace.result?.text(.body) == "page")
        trace.expectRulesKept()
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

    @Test(arguments: ["before-resume", "after-resume"], [Assignment.TaskKind.handler, .async])
    func `a handler and await hear of a cancel`(moment: String, task: Assignment.TaskKind) async throws {
        let trace = try await SessionServer.trace([
            {
                $0.url = "/file"
                $0.task = task
                $0.cancelAt = .init(moment)
            }
        ])
        #expect(trace.handled == (task == .handler ? "handler(cancelled)" : "awaited(cancelled)"))
        trace.expectRulesKept()
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

    @Test func `a data task that becomes a download keeps its number`() async throws {
        let trace = try await SessionServer.trace([{ $0.onResponse = .becomeDownload }])
        #expect(trace.ending == .finished)
        #expect(trace.plainCalls() == "response(200) becameDownload progress fileReady complete(ok)")
        #expect(trace.answers == "becomeDownload to response")
        #expect(trace.result?.text(.body) == "page")
    }

    @Test func `a cache that is asked for makes the session ask`() async throws {
        let trace = try await SessionServer.trace(session: { $0.cache = 1000 }, [{ $0.onWillCache = .none }])
        #expect(trace.plainCalls() == "response(200) data willCache complete(ok)")
        #expect(trace.first(.willCache)?.facts.integer(.bytes) == 4)
        #expect(trace.answers == "allow to response, none to willCache")
        trace.expectRulesKept()
    }

    @Test func `the time of a session ends a step`() async throws {
        let trace = try await SessionServer.trace(session: { $0.requestTimeout = 200 }, [{ $0.url = "/file" }])
        #expect(trace.plainCalls() == "response(200) data complete(timedOut)")
        #expect(trace.result?.text(.error) == "timedOut")
        trace.expectRulesKept()
    }

    @Test func `steps follow one another in one session`() async throws {
        let trace = try await SessionServer.trace([{ _ in }, { $0.task = .download }, { $0.task = .handler }])
        #expect((0...2).map { trace.result(of: $0)?.text(.body) } == ["page", "page", "page"])
        #expect(trace.all(.sessionInvalid).count == 1)
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
