import Foundation
import ProctorProgram
import ProctorTestSupport
import Testing

/// The adapter that is the example for others.
@Suite(.limit(minutes: 5))
struct CurlAdapterTests {
    private let server: PlainServer

    init() throws { server = try PlainServer.usual() }

    private func run(
        _ path: String, _ method: String = "GET", _ change: (inout Assignment.Step) -> Void = { _ in }
    ) async throws -> Report {
        defer { server.stop() }
        return try await Adapter.curl.run([step(server.base + path, method, change)])
    }

    @Test func `a get reports its result alone`() async throws {
        let report = try await run("/hello")
        #expect(report.status == 0)
        #expect(report.header?.client == "curl")
        #expect(report.header?.lanes == ["harness"])
        #expect(report.lines.map(\.symbol) == ["resume", "result"])
        #expect(report.result()?.text("body") == "hello")
        #expect(report.result()?.text("mime") == "text/plain")
        #expect(report.result()?.text("url") == "\(server.base)/hello")
    }

    @Test func `errors have their names`() async throws {
        server.stop()
        let closing = try PlainServer { _ in nil }
        defer { closing.stop() }
        let report = try await Adapter.curl.run([step(closing.base)])
        #expect(report.result()?.text("error") == "connectionLost")
        #expect(report.result()?.number("code") == 52)
    }

    @Test func `what curl has no option for is unimplemented, before anything is asked`() async throws {
        let report = try await run("/hello") { $0.cancelAt = Assignment.Moment("data") }
        #expect(report.status == 0)
        #expect(report.lines.map(\.ev) == ["unimplemented"])
        #expect(report.lines.first?.arg?.hasPrefix("steps[0].cancelAt") == true)
        #expect(server.requests.isEmpty)
    }

    @Test func `a delegate's methods and what a download's delegate decides are none of curl's`() async throws {
        var session = SessionSetup()
        session.without = [.redirect]
        let lacking = try await Adapter.curl.run(
            [step("\(server.base)/hello")], session: session, needs: ["callbacks"])
        #expect(lacking.lines.map(\.ev) == ["unimplemented"])
        #expect(lacking.lines.first?.arg == "needs: curl has no callbacks")
        let deciding = try await run("/hello") { $0.download = Assignment.DownloadFileProgram() }
        #expect(deciding.lines.map(\.ev) == ["unimplemented"])
        #expect(deciding.lines.first?.arg == "steps[0].download: curl decides nothing about a file")
    }

    @Test(arguments: ["", "{}", "[1]", #"{"version": 1}"#])
    func `input that is no assignment is refused`(input: String) async throws {
        let outcome = try await Adapter.curl.run(input: Array(input.utf8))
        #expect(outcome.status == 64)
        #expect(outcome.output.isEmpty)
        #expect(outcome.err.contains("the assignment can't be read"))
    }
}

/// The example adapter with a TLS server that is not Proctor's.
@Suite(.limit(minutes: 5))
struct CurlAdapterTLSTests {
    @Test(arguments: [Assignment.ChallengeAnswer.trust, .identity(nil)])
    func `an answer about a certificate needs a question, which curl never asks`(answer: Assignment.ChallengeAnswer)
        async throws
    {
        let report = try await Adapter.curl.run([
            step("https://127.0.0.1:9/") { $0.onChallenge = [answer] }
        ])
        #expect(report.lines.map(\.ev) == ["unimplemented"])
        #expect(report.lines.first?.arg == "steps[0].beforehand: curl is told no such answers before a load")
    }
}
