import Foundation
import ProctorTrace
import Testing

/// URLSession under assignments, in a child, because it may crash or hang.
@Suite(.timeLimit(.minutes(5)))
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
        #expect(report.lane("harness") == "resume answer(allow) result invalidate(finish)")
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

    @Test func `a redirect is followed`() async throws {
        let report = try await run("/moved")
        #expect(report.lane("task") == "redirect(302) response(200) data complete(ok)")
        #expect(report.first("answer(follow)", lane: "harness")?.text("to") == "redirect")
        #expect(report.first("redirect(302)", lane: "task")?.text("proposed") == "GET \(server.base)/hello")
        #expect(server.requests.map(\.target) == ["/moved", "/hello"])
    }

    @Test func `a refused redirect is delivered`() async throws {
        let report = try await run("/moved") { $0.onRedirect = [Assignment.RedirectAnswer("refuse")] }
        #expect(report.lane("task") == "redirect(302) response(302) data complete(ok)")
        #expect(report.result()?.text("body") == "moved")
    }

    @Test func `a changed redirect is sent as changed`() async throws {
        let base = server.base
        let report = try await run("/moved") {
            $0.onRedirect = [
                Assignment.RedirectAnswer("change", method: "PUT", url: "\(base)/echo", headers: [["X-New", "1"]])
            ]
        }
        #expect(report.lane("harness").contains("answer(change)"))
        #expect(server.requests.last?.method == "PUT")
        #expect(server.requests.last?.target == "/echo")
        #expect(server.requests.last?.headers["x-new"] == "1")
    }

    @Test func `a redirect that cancels the task has no answer`() async throws {
        let report = try await run("/moved") { $0.onRedirect = [Assignment.RedirectAnswer("cancel")] }
        #expect(report.lane("task") == "redirect(302) complete(cancelled)")
        #expect(report.lane("harness") == "resume cancel result invalidate(finish)")
        #expect(report.result()?.text("error") == "cancelled")
    }

    @Test func `each redirect gets its own answer and the last one stays`() async throws {
        let server = try PlainServer { request in
            let number = Int(request.target.dropFirst()) ?? 0
            return PlainServer.reply(302, "", "Location: /\(number + 1)")
        }
        defer { server.stop() }
        let answers = ["follow", "follow", "refuse"].map { Assignment.RedirectAnswer($0) }
        let report = try await Adapter.urlSession.run([step("\(server.base)/0") { $0.onRedirect = answers }])
        #expect(server.requests.map(\.target) == ["/0", "/1", "/2"])
        #expect(report.result()?.number("status") == 302)
    }

    @Test func `a late answer comes from another thread after its time`() async throws {
        let report = try await run("/moved") { $0.answerAfter = 150 }
        let question = try #require(report.first("redirect(302)", lane: "task"))
        let answer = try #require(report.first("answer(follow)", lane: "harness"))
        #expect(answer.ns - question.ns >= 150_000_000)
        #expect(answer.thread != nil)
        #expect(report.lines.contains { $0.ev == "redirect" && $0.phase == "exit" && $0.seq < answer.seq })
    }

    @Test func `a challenge is answered with the credential`() async throws {
        let report = try await run("/secret") {
            $0.onChallenge = [Assignment.ChallengeAnswer("use", user: "u", password: "p")]
        }
        let challenge = try #require(report.first("challenge(basic)", lane: "task"))
        #expect(challenge.text("realm") == "it")
        #expect(challenge.text("scope") == "task")
        #expect(challenge.number("failures") == 0)
        #expect(report.lane("harness").contains("answer(use)"))
        #expect(server.requests.last?.headers["authorization"] == "Basic dTpw")
        #expect(report.result()?.text("body") == "hello")
    }

    @Test func `two steps are two tasks of one session`() async throws {
        defer { server.stop() }
        let report = try await Adapter.urlSession.run([step("\(server.base)/hello"), step("\(server.base)/moved")])
        #expect(report.lane("task", task: 0) == "response(200) data complete(ok)")
        #expect(report.lane("task", task: 1) == "redirect(302) response(200) data complete(ok)")
        #expect(report.result(of: 1)?.text("body") == "hello")
        #expect(report.lines.filter { $0.ev == "invalidate" }.count == 1)
    }

    @Test func `the queue of the program is used`() async throws {
        var session = SessionSetup()
        session.queue = "main"
        let report = try await run("/hello", session: session)
        #expect(report.first("complete(ok)", lane: "task")?.queue == "main")
    }

    @Test func `the session ends at its moment and only once`() async throws {
        var session = SessionSetup()
        session.end = "finish"
        session.endAt = Assignment.Moment("response")
        let report = try await run("/hello", session: session)
        let response = try #require(report.first("response(200)", lane: "task"))
        let end = try #require(report.first("invalidate(finish)", lane: "harness"))
        #expect(end.seq == response.seq + 1)
        #expect(report.lines.filter { $0.ev == "invalidate" }.count == 1)
        #expect(report.lane("session") == "sessionInvalid(ok)")
    }
}
