import Foundation
import ProctorEvents
import ProctorProgram
import ProctorTestSupport
import Testing

/// What every script of clients/adapters promises, whatever its client.
@Suite(.timeLimit(.minutes(5)))
struct ShippedAdapterTests {
    static let names = [
        "curl", "wget", "aria2c", "python-http-client", "urllib", "urllib3", "requests", "httpx", "aiohttp",
    ]
    /// With those of clients that speak HTTP/2 alone, which the server of these tests does not, and of readers of event streams.
    static let all = names + ["nghttp", "httpx-sse", "sseclient-py"]

    /// Where the client is not installed the test is left out.
    private func adapter(_ name: String) async throws -> Adapter {
        let outcome = try await Adapter.python(name).run(input: [], arguments: ["--version"])
        if outcome.status == 69 { try Test.cancel("\(outcome.err)") }
        return Adapter.python(name)
    }

    @Test(arguments: all)
    func `the version is one line of name and version, and what is missing is told with its package`(name: String)
        async throws
    {
        let outcome = try await Adapter.python(name).run(input: [], arguments: ["--version"])
        if outcome.status == 69 {
            #expect(outcome.output.isEmpty && outcome.err.contains(" install "), "\(outcome.err)")
            #expect(outcome.err.hasSuffix("\n") && outcome.err.dropLast().allSatisfy { $0 != "\n" })
        } else {
            #expect(outcome.status == 0 && outcome.err.isEmpty)
            #expect(outcome.out.wholeMatch(of: /[a-z0-9-]+ [0-9][^ \n]*\n/) != nil, "\(outcome.out)")
            #expect(outcome.out.hasPrefix("\(name) "))
        }
        let help = try await Adapter.python(name).run(input: [], arguments: ["--help"])
        #expect(help.status == 0 && help.out.hasPrefix("An adapter of Proctor for "))
    }

    @Test(arguments: names)
    func `one process loads for many assignments`(name: String) async throws {
        let server = try PlainServer.usual()
        defer { server.stop() }
        let one = Assignment(
            scenario: "tests/any", caseName: "it", base: server.base, deadline: 20_000,
            steps: [step("\(server.base)/hello"), step("\(server.base)/page")])
        let outcome = try await adapter(name).run(
            input: (one.json + [0x0A]) + (one.json + [0x0A]), environment: ["PROCTOR_ASSIGNMENTS": "many"])
        #expect(outcome.status == 0 && outcome.out.hasSuffix("}\n\n"), "\(outcome.out)\(outcome.err)")
        let traces = outcome.out.components(separatedBy: "\n\n").dropLast()
        #expect(traces.count == 2)
        for trace in traces {
            let rows = trace.split(separator: "\n").map { Data($0.utf8) }
            let header = try JSONDecoder().decode(Report.Header.self, from: try #require(rows.first))
            #expect(header.client == name && header.lanes == ["harness"])
            #expect((header.abilities ?? []).allSatisfy { Ability(rawValue: $0) != nil }, "\(header)")
            let lines = try rows.dropFirst().map { try JSONDecoder().decode(Report.Line.self, from: $0) }
            #expect(lines.map(\.symbol) == ["resume", "result", "resume", "result"], "\(trace)")
            for line in lines where line.ev == "result" {
                #expect(line.number("status") == 200 && line.text("body") == "hello" && line.text("error") == nil)
            }
        }
        #expect(server.requests.map(\.target) == ["/hello", "/page", "/hello", "/page"])
    }

    @Test(arguments: names)
    func `a port without a listener is an error`(name: String) async throws {
        let report = try await adapter(name).run([step("http://127.0.0.1:9/")])
        #expect(report.status == 0 && report.lines.map(\.symbol) == ["resume", "result"])
        #expect(report.result()?.text("error") == "cannotConnect", "\(report.lines)")
    }

    @Test(arguments: all)
    func `each has a ledger of its own, with a reason for every entry`(name: String) throws {
        let file = URL(fileURLWithPath: Adapter.curl.command[0]).deletingLastPathComponent()
            .appendingPathComponent("../\(name).yaml").standardized
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(text.contains("\nclient: \(name)\n") && text.contains("\nadapter: \(name)\n"))
        let entries = text.matches(of: /\n {2}[^ ]+#[^ ]+:\n/).count
        #expect(entries > 0 && entries == text.matches(of: /\n {4}because:/).count)
        #expect(entries == text.matches(of: /\n {4}rule: (RFC|WHATWG HTML)/).count)
    }
}
