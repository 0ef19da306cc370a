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

    @Test func `names are reached by the proxy that leads to them, and loopback without it`() async throws {
        let server = try PlainServer { _ in PlainServer.reply(200, "direct") }
        let names = try PlainServer { _ in PlainServer.reply(200, "by name") }
        defer {
            server.stop()
            names.stop()
        }
        var session = SessionSetup()
        session.names = [Assignment.NamedHost(name: "home.example.org", port: 80, address: "127.0.0.1:9")]
        session.namesProxy = "127.0.0.1:\(names.port)"
        let report = try await Adapter.urlSession.run(
            [step("http://home.example.org/page?a=b"), step("\(server.base)/hello")], session: session)
        #expect(report.result()?.text("body") == "by name")
        #expect(report.result(of: 1)?.text("body") == "direct")
        #expect(names.requests.map(\.target) == ["http://home.example.org/page?a=b"])
    }

    @Test func `a proxy is asked for a tunnel to a host of https`() async throws {
        let proxy = try PlainServer { _ in PlainServer.reply(403, "no tunnel") }
        defer { proxy.stop() }
        var session = SessionSetup()
        session.proxy = "127.0.0.1:\(proxy.port)"
        _ = try await Adapter.urlSession.run([step("https://127.0.0.1:9/page")], session: session)
        #expect(proxy.requests.map(\.method) == ["CONNECT"])
        #expect(proxy.requests.map(\.target) == ["127.0.0.1:9"])
    }

    @Test(arguments: ["pigeon", nil])
    func `what is no HTTP over TCP is unimplemented`(scheme: String?) async throws {
        var session = SessionSetup()
        session.ownScheme = scheme
        if scheme == nil {
            session.names = [Assignment.NamedHost(name: "s.example.org", port: 80, address: "unix:/tmp/s")]
            session.namesProxy = "127.0.0.1:9"
        }
        let report = try await Adapter.urlSession.run([step("http://s.example.org/")], session: session)
        #expect(report.lines.map(\.ev) == ["unimplemented"])
        #expect(report.lines.first?.arg?.hasPrefix(scheme == nil ? "session.names" : "session.ownScheme") == true)
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
            #expect(
                recorder.events.first?.argument?.contains("set http_proxy and https_proxy to http://127.0.0.1:9")
                    == true)
        }
    #endif
}
