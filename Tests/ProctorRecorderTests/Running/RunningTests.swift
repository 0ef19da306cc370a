import Foundation
import ProctorProgram
import ProctorTestSupport
import Testing

/// URLSession under assignments, in a child, because it may crash or hang.
@Suite(.limit(minutes: 5))
struct RunningTests {
    private let server: PlainServer

    init() throws { server = try PlainServer.usual() }

    private func run(
        _ path: String, _ method: String = "GET", session: SessionSetup = SessionSetup(), deadline: Int = 20_000,
        _ change: (inout Assignment.Step) -> Void = { _ in }
    ) async throws -> Report {
        defer { server.stop() }
        let one = step(server.base + path, method, change)
        return try await Adapter.urlSession.run([one], session: session, deadline: deadline)
    }

    @Test func `a get reports its callbacks, its acts and its result`() async throws {
        let report = try await run("/hello")
        #expect(report.status == 0)
        #expect(report.header?.trace == "proctor")
        #expect(report.header?.case == "it")
        #expect(report.header?.lanes == ["task", "session", "proto", "protocolClient", "handler", "harness"])
        #expect(report.lane("task") == "response(200) data complete(ok)")
        #expect(report.lane("session") == "sessionInvalid(ok)")
        #expect(report.lane("harness") == "resume answer(allow) result invalidate(finish) delegateReleased")
        #expect(report.result()?.text("body") == "hello")
        #expect(report.result()?.number("status") == 200)
        #expect(report.result()?.text("mime") == "text/plain")
        #expect(report.result()?.text("error") == nil)
        #expect(report.first("response(200)", lane: "task")?.family == "US")
        #expect(report.first("response(200)", lane: "task")?.queue == "D")
    }

    @Test func `lines are numbered, in the order of time, and every callback returns`() async throws {
        let report = try await run("/moved")
        #expect(report.lines.map(\.seq) == Array(1...report.lines.count))
        #expect(report.lines.map(\.ns) == report.lines.map(\.ns).sorted())
        let callbacks = report.lines.filter { $0.lane == "task" }
        let entered = callbacks.filter { $0.phase != "exit" }.map(\.symbol)
        #expect(entered == callbacks.filter { $0.phase == "exit" }.map(\.symbol))
        #expect(callbacks.allSatisfy { $0.thread?.hasPrefix("t") == true })
    }

    @Test func `a delegate without the method for redirects is told of none, and they are followed`() async throws {
        var session = SessionSetup()
        session.without = [.redirect]
        let report = try await run("/moved", session: session)
        #expect(report.lane("task") == "response(200) data complete(ok)")
        #expect(report.first("resume", lane: "harness")?.text("without") == "redirect")
        #expect(server.requests.map(\.target) == ["/moved", "/hello"])
    }

    @Test(arguments: [DelegateMethod.needBodyStream, .bodySent, .willCache])
    func `a delegate without another method is told of the rest`(method: DelegateMethod) async throws {
        var session = SessionSetup()
        session.without = [method]
        let report = try await run("/moved", session: session)
        #expect(report.lane("task") == "redirect(302) response(200) data complete(ok)")
    }

    @Test func `without the method for responses the content comes all the same`() async throws {
        var session = SessionSetup()
        session.without = [.response]
        let report = try await run("/hello", session: session)
        #expect(report.lane("task") == "data complete(ok)")
        #expect(report.result()?.text("body") == "hello")
    }

    @Test(arguments: [DelegateMethod.askCanAuth, .askCredStore, .shouldDecode, .destination])
    func `a method that no session's delegate has can't be taken away`(method: DelegateMethod) async throws {
        var session = SessionSetup()
        session.without = [method]
        let report = try await run("/hello", session: session)
        #expect(report.lines.map(\.ev) == ["unimplemented"])
        #expect(report.lines.first?.arg?.hasPrefix("session.without: ") == true)
    }

    @Test func `what only old delegates are asked is not asked here`() async throws {
        let changes: [(String, @Sendable (inout Assignment.Step) -> Void)] = [
            ("onCanAuthenticate", { $0.onCanAuthenticate = false }),
            ("onCredentialStorage", { $0.onCredentialStorage = true }),
            ("onShouldDecode", { $0.onShouldDecode = .leave }), ("onCanonicalize", { $0.onCanonicalize = .accept }),
        ]
        for (key, change) in changes {
            let report = try await Adapter.urlSession.run([step(server.base + "/hello", "GET", change)])
            #expect(report.lines.map(\.ev) == ["unimplemented"])
            #expect(report.lines.first?.arg?.contains(key) == true, "\(key)")
        }
        #expect(server.requests.isEmpty)
        server.stop()
    }

    @Test func `a redirect that cancels the task has no answer`() async throws {
        let report = try await run("/moved") { $0.onRedirect = [Assignment.RedirectAnswer.cancel] }
        #expect(report.lane("task") == "redirect(302) complete(cancelled)")
        #expect(report.lane("harness") == "resume cancel result invalidate(finish) delegateReleased")
        #expect(report.result()?.text("error") == "cancelled")
    }

    @Test func `a late answer comes from another thread after its time`() async throws {
        let report = try await run("/moved") { $0.answerAfter = 150 }
        let question = try #require(report.first("redirect(302)", lane: "task"))
        let answer = try #require(report.first("answer(follow)", lane: "harness"))
        #expect(answer.ns - question.ns >= 150_000_000)
        #expect(answer.thread != nil)
        #expect(report.lines.contains { $0.ev == "redirect" && $0.phase == "exit" && $0.seq < answer.seq })
    }

    @Test func `the queue of the program is used`() async throws {
        var session = SessionSetup()
        session.queue = .main
        let report = try await run("/hello", session: session)
        #expect(report.first("complete(ok)", lane: "task")?.queue == "main")
    }

    @Test func `the session ends at its moment and only once`() async throws {
        var session = SessionSetup()
        session.end = .finish
        session.endAt = Assignment.Moment("response")
        let report = try await run("/hello", session: session)
        let response = try #require(report.first("response(200)", lane: "task"))
        let end = try #require(report.first("invalidate(finish)", lane: "harness"))
        #expect(end.seq == response.seq + 1)
        #expect(report.lines.filter { $0.ev == "invalidate" }.count == 1)
        #expect(report.lane("session") == "sessionInvalid(ok)")
    }
}

/// The kinds of tasks and of bodies.
@Suite(.limit(minutes: 5))
struct RunningTaskKindTests {
    private let server: PlainServer

    init() throws { server = try PlainServer.usual() }

    private func run(
        _ path: String, _ method: String = "GET", session: SessionSetup = SessionSetup(),
        _ change: (inout Assignment.Step) -> Void
    ) async throws -> Report {
        defer { server.stop() }
        return try await Adapter.urlSession.run([step(server.base + path, method, change)], session: session)
    }

    @Test func `a handler is called instead of callbacks`() async throws {
        let report = try await run("/moved") { $0.task = .handler }
        #expect(report.lane("handler") == "handler(ok)")
        #expect(report.lane("task") == "redirect(302)")
        #expect(report.first("handler(ok)", lane: "handler")?.family == "HT")
        #expect(report.result()?.text("body") == "hello")
    }

    @Test func `a handler is told of an error`() async throws {
        server.stop()
        let closed = try PlainServer { _ in nil }
        defer { closed.stop() }
        let report = try await Adapter.urlSession.run([step("\(closed.base)/x") { $0.task = .handler }])
        let handler = try #require(report.lines.first { $0.lane == "handler" })
        #expect(handler.ev == "handler")
        #expect(handler.arg != "ok")
        #expect(handler.text("domain") == "NSURLErrorDomain")
        #expect(report.result()?.text("error") == handler.arg)
    }

    @Test func `what is no text is told as base64`() async throws {
        server.stop()
        let binary = try PlainServer { _ in PlainServer.reply(200, "a\0b") }
        defer { binary.stop() }
        let report = try await Adapter.urlSession.run([step(binary.base)])
        #expect(report.result()?.text("bodyBase64") == "YQBi")
        #expect(report.result()?.text("body") == nil)
        #expect(report.result()?.number("bytes") == 3)
    }

    @Test func `task delegates and the session's share one lane and say who they are`() async throws {
        var session = SessionSetup()
        session.delegates = .both
        let report = try await run("/moved", session: session) { _ in }
        let callbacks = report.lines.filter { $0.lane == "task" && $0.phase != "exit" }
        #expect(report.lane("task") == "redirect(302) response(200) data complete(ok)")
        #expect(callbacks.first?.text("who") == "task")
        #expect(Set(callbacks.compactMap { $0.text("who") }) == ["task", "session"])
        #expect(report.first("resume", lane: "harness")?.text("who") == "task")
    }

    @Test func `a scripted protocol loads instead of the wire`() async throws {
        let report = try await run("/hello") {
            $0.protocolScript = [
                Assignment.ProtocolCall("response", "200"), Assignment.ProtocolCall("data", "from a script"),
                Assignment.ProtocolCall("finish"),
            ]
        }
        #expect(server.requests.isEmpty)
        #expect(report.lane("protocolClient") == "response(200) data complete(ok)")
        #expect(report.lane("proto").contains("p.start"))
        #expect(report.result()?.text("body") == "from a script")
    }
}
