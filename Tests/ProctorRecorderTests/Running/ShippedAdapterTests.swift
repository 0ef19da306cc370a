import Foundation
import ProctorEvents
import ProctorProgram
import ProctorTestSupport
import Testing

/// What every script of clients/adapters promises, whatever its client.
@Suite(.wide, .limit(minutes: 5))
struct ShippedAdapterTests {
    static let names = [
        "curl", "wget", "aria2c", "python-http-client", "urllib", "urllib3", "requests", "httpx", "aiohttp", "libsoup",
        "pycurl", "niquests", "httpie", "treq",
    ]
    /// With those of clients that speak HTTP/2 alone, which the server of these tests does not, of readers of event streams
    /// and of WebSockets, and of Qt, which may send a request twice.
    static let all =
        names + ["nghttp", "httpx-sse", "sseclient-py", "websockets", "aiohttp-websocket", "qt-network"]

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
        #expect(entries == text.matches(of: /\n {4}rule: (RFC|MS-NLMP|WHATWG HTML|CA\/Browser Forum BR)/).count)
    }

    /// A python3 whose environments have a pip that reaches no index, since making a true one takes seconds of a processor.
    private static let stub = """
        #!/bin/sh
        case "$1 $2" in
            "-m venv")
                mkdir -p "$3/bin"
                printf '#!/bin/sh\\necho "ERROR: no matching distribution" >&2\\nexit 1\\n' >"$3/bin/python3"
                chmod +x "$3/bin/python3" ;;
            "-m pip") exit 1 ;;
            *) echo 3 ;;
        esac

        """

    /// With the python3 of the machine too where everything is asked.
    @Test(arguments: Extent.first(of: [true, false]))
    func `where PyPI can't be reached, a current client says in one line what to do, and leaves no environment`(
        byStub: Bool
    ) async throws {
        let folder = try TestFolder(byStub ? ["bin/python3": Self.stub] : [:])
        if byStub { try makeExecutable("\(folder.path)/bin/python3") }
        let script = URL(fileURLWithPath: Adapter.curl.command[0]).deletingLastPathComponent()
            .appendingPathComponent("requests@current").path
        let outcome = try await ChildProcess.run(
            [script, "--version"],
            environment: [
                "HOME": folder.path, "XDG_DATA_HOME": "\(folder.path)/data", "PIP_INDEX_URL": "http://127.0.0.1:9/",
                "PIP_FIND_LINKS": "", "PIP_EXTRA_INDEX_URL": "", "PATH": "\(folder.path)/bin:/usr/bin:/bin",
            ])
        #expect(outcome.status == 69 && outcome.output.isEmpty, "\(outcome.status) \(outcome.err)")
        #expect(outcome.err.split(separator: "\n").count == 1, "\(outcome.err)")
        #expect(
            outcome.err.hasPrefix("requests@current adapter: ERROR: ") && outcome.err.contains("install"),
            "\(outcome.err)")
        let left = FileManager.default.enumerator(atPath: "\(folder.path)/data")?.compactMap { $0 as? String } ?? []
        #expect(!left.isEmpty && !left.contains { $0.hasSuffix("bin/python3") }, "\(left)")
    }
}
