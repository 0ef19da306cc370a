import Foundation
import ProctorTrace
import Testing

/// The kinds of tasks and of bodies.
@Suite(.timeLimit(.minutes(5)))
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
        let report = try await run("/moved") { $0.task = "handler" }
        #expect(report.lane("handler") == "handler(ok)")
        #expect(report.lane("task") == "redirect(302)")
        #expect(report.first("handler(ok)", lane: "handler")?.family == "HT")
        #expect(report.result()?.text("body") == "hello")
    }

    @Test func `an async method returns`() async throws {
        let report = try await run("/hello") { $0.task = "async" }
        #expect(report.lane("handler") == "awaited(ok)")
        #expect(report.lane("harness") == "resume result invalidate(finish)")
        #expect(report.result()?.text("body") == "hello")
    }

    @Test func `a handler is told of an error`() async throws {
        server.stop()
        let closed = try PlainServer { _ in nil }
        defer { closed.stop() }
        let report = try await Adapter.urlSession.run([step("\(closed.base)/x") { $0.task = "handler" }])
        let handler = try #require(report.lines.first { $0.lane == "handler" })
        #expect(handler.ev == "handler")
        #expect(handler.arg != "ok")
        #expect(handler.text("domain") == "NSURLErrorDomain")
        #expect(report.result()?.text("error") == handler.arg)
    }

    @Test(arguments: ["data", "file", "stream", "http-body-stream"])
    func `an uploaded body arrives whatever its form`(form: String) async throws {
        let report = try await run("/echo", "POST") {
            $0.task = "upload"
            $0.bodyForm = form
            $0.body = Assignment.Bytes(text: "ab", count: 5)
        }
        #expect(server.requests.map(\.body) == ["ababa"])
        #expect(report.result()?.text("body") == "POST ababa")
        #expect(report.lane("task").contains("needBodyStream") == (form == "stream"))
        #expect(report.lane("harness").contains("answer(stream)") == (form == "stream"))
    }

    @Test func `a body of a data task goes with its request`() async throws {
        let report = try await run("/echo", "PUT") { $0.body = Assignment.Bytes(base64: "4pyT") }
        #expect(report.result()?.text("body") == "PUT ✓")
    }

    @Test func `a download is read from its file`() async throws {
        let report = try await run("/moved") { $0.task = "download" }
        #expect(report.lane("task") == "redirect(302) progress fileReady complete(ok)")
        #expect(report.first("fileReady", lane: "task")?.number("bytes") == 5)
        #expect(report.first("progress", lane: "task")?.family == "UD")
        #expect(report.result()?.text("body") == "hello")
        #expect(report.result()?.number("status") == 200)
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
        session.delegates = "both"
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
