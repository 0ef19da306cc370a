import ProctorRecorder
import ProctorTrace
import Testing

/// A proxy of an assignment reaches URLSession by the way that the platform has.
@Suite(.timeLimit(.minutes(5)))
struct RunningProxyTests {
    @Test func `a request for another host goes to the proxy in absolute form`() async throws {
        let server = try PlainServer { _ in PlainServer.reply(200, "by proxy") }
        defer { server.stop() }
        var session = SessionSetup()
        session.proxy = "127.0.0.1:\(server.port)"
        let report = try await Adapter.urlSession.run([step("http://127.0.0.2:9/page?a=b")], session: session)
        #expect(report.result()?.text("body") == "by proxy")
        #expect(server.requests.map(\.target) == ["http://127.0.0.2:9/page?a=b"])
    }

    @Test func `without a proxy in the assignment none is used, whatever the environment says`() async throws {
        let server = try PlainServer { _ in PlainServer.reply(200, "hello") }
        let proxy = try PlainServer { _ in PlainServer.reply(200, "by proxy") }
        defer {
            server.stop()
            proxy.stop()
        }
        let report = try await Adapter.urlSession.run(
            [step("\(server.base)/hello")], environment: ["http_proxy": proxy.base, "NO_PROXY": "", "no_proxy": ""])
        #expect(report.result()?.text("body") == "hello")
        #expect(proxy.requests.isEmpty)
    }

    #if !canImport(Darwin)
        @Test func `a runner whose process has no such proxy declines`() async {
            var session = SessionSetup()
            session.proxy = "127.0.0.1:9"
            let recorder = TraceRecorder()
            let assignment = Assignment(
                scenario: "s", caseName: "c", base: "http://127.0.0.1", session: session,
                steps: [step("http://127.0.0.1/")])
            #expect(await AssignmentRunner(assignment, recordingTo: recorder).run() == .unimplemented)
            #expect(recorder.events.map(\.name) == [.unimplemented])
            #expect(recorder.events.first?.argument?.contains("set http_proxy to http://127.0.0.1:9") == true)
        }
    #endif
}
