import Foundation
import ProctorProgram
import ProctorTestSupport
import Testing

/// The kit of clients/kits/python, under an adapter whose client is ten lines long.
@Suite(.limit(minutes: 5))
struct PythonKitTests {
    /// `load` tells what the kit gave it; `STEP` in the URL says what else becomes of the step.
    private static let script = """
        import contextlib, os, sys, time
        sys.dont_write_bytecode = True
        sys.path.insert(0, os.environ["KIT"])
        from proctor_kit import Adapter, Missing, Unimplemented, body_facts, content, is_streamed, place

        class Echo(Adapter):
            client, revision, abilities, options = "echo", "7", "redirects cookie-jar cancel", ("--loud",)
            moments = ("data",)

            def version(self):
                if "NONE" in os.environ:
                    raise Missing("there is no echo; apt-get install echo")
                return "2.5"

            def session(self, assignment):
                return contextlib.nullcontext(assignment["session"])

            def load(self, session, assignment, index, trace):
                step = assignment["steps"][index]
                if step["url"].endswith("hang"):
                    time.sleep(60)
                if step["url"].endswith("together"):
                    trace.say("resume", index + 1)
                    trace.say("resume", index + 2)
                    trace.say("result", index + 1, facts={"status": 200})
                    time.sleep(60)
                if step["url"].endswith("cannot"):
                    raise Unimplemented(f"steps[{index}].url: not this one", index)
                if step["url"].endswith("place"):
                    return {"url": place(session, "HOME.example.org.", 80), "status": os.getpid()}
                if step["url"].endswith("elsewhere"):
                    return {"url": str(place(session, "home.example.org", 81))}
                if is_streamed(step):
                    return {"mime": "stream"}
                return body_facts(content(step) or b"", len(content(step) or b""))

        sys.exit(Echo().main("Help of echo."))
        """

    private func run(
        _ input: [UInt8], arguments: [String] = [], environment: [String: String] = [:]
    ) async throws -> ChildProcess.Outcome {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("proctor-\(UUID().uuidString).py")
        try Data(Self.script.utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let kit = URL(fileURLWithPath: Adapter.curl.command[0]).deletingLastPathComponent()
            .appendingPathComponent("../kits/python").standardized.path
        return try await Adapter(command: ["/usr/bin/env", "python3", file.path]).run(
            input: input, arguments: arguments, environment: ["KIT": kit].merging(environment) { $1 })
    }

    private func assignment(
        _ steps: [Assignment.Step], deadline: Int = 20_000, needs: [String]? = nil
    ) -> Assignment {
        var session = SessionSetup()
        session.names = [Assignment.NamedHost(name: "home.example.org", port: 80, address: "127.0.0.1:4711")]
        return Assignment(
            scenario: "tests/any", caseName: "it", base: "http://127.0.0.1", deadline: deadline, session: session,
            steps: steps, needs: needs)
    }

    private func report(_ assignment: Assignment) async throws -> Report { try Report(await run(assignment.json)) }

    @Test func `bodies come as bytes, and go as text where they are text`() async throws {
        let counted = step("http://127.0.0.1/") { $0.body = Assignment.Bytes(text: "ab", count: 5) }
        let raw = step("http://127.0.0.1/") { $0.body = Assignment.Bytes(base64: "AP8=") }
        let report = try await report(assignment([counted, raw, step("http://127.0.0.1/")]))
        #expect(report.status == 0 && report.header?.client == "echo" && report.header?.lanes == ["harness"])
        #expect(report.header?.abilities == ["redirects", "cookie-jar", "cancel"])
        #expect(report.lines.map(\.ev) == ["resume", "result", "resume", "result", "resume", "result"])
        #expect(report.lines.map(\.seq) == [1, 2, 3, 4, 5, 6])
        #expect(report.result()?.text("body") == "ababa")
        #expect(report.result(of: 1)?.text("bodyBase64") == "AP8=" && report.result(of: 1)?.number("bytes") == 2)
        #expect(report.result(of: 2)?.text("body") == "")
    }

    @Test func `a name stands where the assignment says, however it is spelled`() async throws {
        let report = try await report(assignment(["place", "elsewhere"].map { step("http://127.0.0.1/\($0)") }))
        #expect(report.result()?.text("url") == "127.0.0.1:4711")
        #expect(report.result(of: 1)?.text("url") == "None")
    }

    @Test func `what the client lacks is told before anything begins, and what the adapter lacks when it comes to it`()
        async throws
    {
        let lacking = try await report(assignment([step("http://127.0.0.1/")], needs: ["cancel", "suspend"]))
        #expect(lacking.lines.map(\.symbol) == ["unimplemented(needs: echo has no suspend)"])
        let late = try await report(assignment(["first", "cannot", "never"].map { step("http://127.0.0.1/\($0)") }))
        #expect(late.lines.map(\.ev) == ["resume", "result", "resume", "unimplemented"])
        #expect(late.lines.last?.arg == "steps[1].url: not this one" && late.status == 0)
    }

    private static let account = Assignment.ChallengeAnswer.use(Assignment.Credential(user: "u", password: "p"))

    @Test(arguments: [
        "onChallenge: echo answers no challenge": step("http://127.0.0.1/") { $0.onChallenge = [account] },
        "beforehand: echo is told no such answers before a load":
            step("http://127.0.0.1/") { $0.onRedirect = [.follow, .refuse] },
        "cancelAt: echo can't be cancelled then":
            step("http://127.0.0.1/") { $0.cancelAt = Assignment.Moment("redirect") },
        "onResponse: echo can't say never": step("http://127.0.0.1/") { $0.onResponse = .never },
        "download: echo decides nothing about a file":
            step("http://127.0.0.1/") { $0.download = Assignment.DownloadFileProgram() },
    ])
    func `what can't be told before a load is refused before the first one`(reason: String, refused: Assignment.Step)
        async throws
    {
        let report = try await report(assignment([step("http://127.0.0.1/"), refused]))
        #expect(report.lines.map(\.symbol) == ["unimplemented(steps[1].\(reason))"])
    }

    @Test func `what a right client never comes to is no reason to refuse`() async throws {
        let unasked = step("http://127.0.0.1/") {
            ($0.onChallenge, $0.challengeCount) = ([Self.account], 0)
            ($0.onRedirect, $0.redirectCount) = ([.follow, .refuse], 1)
            $0.cancelAt = Assignment.Moment("data")
        }
        #expect(try await report(assignment([unasked])).lines.map(\.ev) == ["resume", "result"])
    }

    @Test func `a stream is one with a body and a form that tells no length`() async throws {
        let forms: [Assignment.BodyForm] = [.boundPair, .requestStream, .file]
        let steps = forms.map { form in
            step("http://127.0.0.1/") { ($0.body, $0.bodyForm) = (Assignment.Bytes(text: "ab"), form) }
        }
        let report = try await report(assignment(steps))
        #expect((0..<3).map { report.result(of: $0)?.text("mime") } == ["stream", "stream", nil])
    }

    @Test func `a step that outlasts the deadline is told of, and ends the process`() async throws {
        let report = try await report(assignment([step("http://127.0.0.1/hang")], deadline: 1_000))
        #expect(report.status == 0 && report.lines.map(\.ev) == ["resume", "result"])
        #expect(report.result()?.text("error") == "timedOut" && report.result()?.text("domain") == "adapter")
    }

    @Test func `at the deadline each step that runs together with others has its result`() async throws {
        let steps = (0..<3).map { number in
            step("http://127.0.0.1/together") { $0.isTogether = number > 0 }
        }
        let report = try await report(assignment(steps, deadline: 5_000))
        #expect(report.status == 0)
        #expect(report.lines.map(\.ev) == ["resume", "resume", "resume", "result", "result", "result"])
        #expect((0..<3).map { report.result(of: $0)?.text("domain") } == ["adapter", nil, "adapter"])
        #expect(report.result(of: 1)?.number("status") == 200)
    }

    @Test func `one process does many assignments, and each trace ends with an empty line`() async throws {
        let urls = ["place", "cannot", "place"]
        let input = urls.flatMap { assignment([step("http://127.0.0.1/\($0)")]).json + [0x0A] }
        let outcome = try await run(input, environment: ["PROCTOR_ASSIGNMENTS": "many"])
        #expect(outcome.status == 0 && outcome.out.hasSuffix("}\n\n"), "\(outcome.err)")
        let traces = outcome.out.components(separatedBy: "\n\n").dropLast()
        #expect(traces.count == 3)
        var processes: Set<Int> = []
        for (trace, url) in zip(traces, urls) {
            let lines = trace.split(separator: "\n")
            #expect(lines.count == 3 && lines[0].contains("\"trace\": \"proctor\""), "\(trace)")
            #expect(lines[2].contains(url == "cannot" ? "unimplemented" : "result"))
            let last = try JSONDecoder().decode(Report.Line.self, from: Data(lines[2].utf8))
            if let process = last.number("status") { processes.insert(process) }
        }
        #expect(processes.count == 1)
    }

    @Test func `among many, a step that hangs ends its trace and the process`() async throws {
        let input: [UInt8] = ["hang", "place"].flatMap { path in
            assignment([step("http://127.0.0.1/\(path)")], deadline: 1_000).json + [0x0A]
        }
        let outcome = try await run(input, environment: ["PROCTOR_ASSIGNMENTS": "many"])
        #expect(outcome.status == 0 && outcome.out.hasSuffix("}\n\n"))
        #expect(outcome.out.components(separatedBy: "\n\n").dropLast().count == 1)
    }

    @Test func `arguments and exit codes are those of the page`() async throws {
        let version = try await run([], arguments: ["--version"])
        #expect(version.status == 0 && version.out == "echo 2.5\n")
        let help = try await run([], arguments: ["--help"])
        #expect(help.status == 0 && help.out == "Help of echo.\n")
        let unknown = try await run([], arguments: ["--quiet"])
        #expect(unknown.status == 64 && unknown.output.isEmpty)
        #expect(unknown.err == "echo adapter: unknown argument '--quiet'; expected none, --loud, --help or --version\n")
        let missing = try await run(assignment([step("x")]).json, environment: ["NONE": "1"])
        #expect(missing.status == 69 && missing.output.isEmpty)
        #expect(missing.err == "echo adapter: there is no echo; apt-get install echo\n")
        for input in ["", "{}", "[1]", #"{"version": 2}"#, #"{"version": 1, "steps": []}"#] {
            let outcome = try await run(Array(input.utf8))
            #expect(outcome.status == 64 && outcome.output.isEmpty)
            #expect(outcome.err.hasPrefix("echo adapter: the assignment can't be read: "), "\(outcome.err)")
        }
    }

    @Test func `the kit has at most 200 lines`() throws {
        let file = URL(fileURLWithPath: Adapter.curl.command[0]).deletingLastPathComponent()
            .appendingPathComponent("../kits/python/proctor_kit.py").standardized
        let text = try String(contentsOf: file, encoding: .utf8)
        #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 201)
    }
}
