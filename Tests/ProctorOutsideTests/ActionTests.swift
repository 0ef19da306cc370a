import Foundation
import ProctorTestSupport
import Testing

/// The GitHub Action: its two steps, run as GitHub's runner runs them.
struct ActionTests {
    /// Waits until nothing of the server is left.
    private func expectEnd(of group: Int32?) async throws {
        let group = try #require(group)
        try await onThread { try wait(for: "the end of the server") { !isRunning(group) } }
    }

    @Test func `a job that asks for what is declared is green`() async throws {
        let job = try await RunnerJob()
        let started = try await job.main(["fixtures": "\(job.folder.path)/fixtures", "tls": "true"])
        #expect(started.status == 0, "\(started.out)\(started.err)")
        let variables = try job.values(.env)
        let outputs = try job.values(.output)
        let base = try #require(outputs["base"])
        let secure = try #require(outputs["tls"])
        let authority = try #require(outputs["ca"])
        #expect(variables == ["PROCTOR_SERVER": base, "PROCTOR_CA": authority, "PROCTOR_BINARY": Child.binary])
        #expect(try job.text(.path) == "\((Child.binary as NSString).deletingLastPathComponent)\n")

        #expect(try await curl("\(base)/plain/hello/").out == "hello\n")
        let answer = try await curl("--cacert", authority, "\(secure)/plain/hello/")
        #expect(answer.out == "hello\n", "\(answer.err)")
        let journal = try #require(outputs["journal"])
        #expect(journal.hasPrefix("\(job.folder.path)/temp/"))

        let ended = try await job.post()
        #expect(ended.status == 0 && ended.err.isEmpty, "\(ended.out)\(ended.err)")
        let sentence = "strict: pass: 2 requests to scenarios, all expected, no departure"
        #expect(ended.out.contains("::group::Log of proctor\n") && ended.out.hasSuffix("proctor: \(sentence)\n"))
        #expect(!ended.out.contains("::error"))
        let summary = try job.text(.summary)
        #expect(summary.hasPrefix("### Proctor: pass\n\n\(sentence)\n") && summary.contains("\n| 2 | 0 | 0 |\n"))
        #expect(try String(contentsOfFile: journal, encoding: .utf8).contains("\"ev\":\"replySent\""))
        let log = try #require(outputs["log"])
        #expect(try String(contentsOfFile: log, encoding: .utf8).contains(sentence))
        #expect(try await curl("\(base)/plain/hello/").status == 7)
        try await expectEnd(of: job.group)
    }

    @Test func `a request that was missed is red, with the scenario's file`() async throws {
        let job = try await RunnerJob()
        let reports = "\(job.folder.path)/reports"
        let started = try await job.main([
            "fixtures": "\(job.folder.path)/fixtures", "report-directory": reports, "arguments": "--log",
        ])
        #expect(started.status == 0, "\(started.out)")
        let base = try #require(try job.values(.env)["PROCTOR_SERVER"])
        #expect(try job.values(.env)["PROCTOR_CA"] == nil)
        _ = try await curl("\(base)/plain/hello/")
        _ = try await curl("\(base)/plain/hello/%0A::error::forged&amp;")

        let ended = try await job.post()
        #expect(ended.status == 1)
        let fault = "plain/hello: GET /%0A::error::forged&amp;: nothing is expected here"
        let command = fault.replacing("%", with: "%25")
        #expect(
            ended.out.contains(
                "\n::error file=fixtures/plain/hello.yaml,title=Proctor%3A request::\(command)\n"), "\(ended.out)")
        let verdict = "proctor: strict: fail: 1 request missed (2 requests to scenarios)"
        #expect(ended.out.hasSuffix("\n::error::\(verdict)\n"))
        let summary = try job.text(.summary)
        #expect(summary.hasPrefix("### Proctor: fail\n\n\(verdict)\n"), "\(summary)")
        #expect(summary.contains("<pre>\(fault.replacing("&", with: "&amp;"))</pre>"), "\(summary)")
        #expect(summary.contains("\n| 2 | 1 | 0 |\n"), "\(summary)")
        let outputs = try job.values(.output)
        #expect(outputs["journal"] == "\(reports)/journal.jsonl" && outputs["log"] == "\(reports)/log.txt")
        #expect(try job.folder.text("reports/journal.jsonl").contains("\"ev\":\"missed\""))
        #expect(try job.folder.text("reports/log.txt").contains(verdict))
        try await expectEnd(of: job.group)
    }

    @Test func `the log of the server is printed where the runner takes no commands`() async throws {
        let job = try await RunnerJob()
        let script = """
            if [ "$1" = version ]; then echo proctor 1.0.0; exit; fi
            trap 'exit 0' TERM
            echo '::error::forged' >&2
            \(RunnerJob.announcement)
            while :; do sleep 0.1; done
            """
        let program = try job.program("proctor", script)
        #expect(try await job.main(program: program).status == 0)
        let ended = try await job.post()
        #expect(ended.status == 0, "\(ended.out)")
        let lines = ended.out.components(separatedBy: "\n")
        let forged = try #require(lines.firstIndex(of: "::error::forged"))
        let mark = try #require(lines[forged - 1].wholeMatch(of: /::stop-commands::([0-9a-f-]{36})/)?.1)
        #expect(lines[forged...].contains("::\(mark)::"))
    }

    @Test func `without strict a missed request is counted, and the job is green`() async throws {
        let job = try await RunnerJob()
        let started = try await job.main(["fixtures": "\(job.folder.path)/fixtures", "strict": "false"])
        #expect(started.status == 0, "\(started.out)")
        let base = try #require(try job.values(.output)["base"])
        _ = try await curl("\(base)/plain/hello/other")
        let ended = try await job.post()
        #expect(ended.status == 0 && !ended.out.contains("::error"), "\(ended.out)")
        let summary = try job.text(.summary)
        #expect(summary.hasPrefix("### Proctor: pass\n") && summary.contains("\n| 1 | 1 | 0 |\n"), "\(summary)")
    }

    @Test func `arguments are words as a shell would read them`() async throws {
        let job = try await RunnerJob()
        let started = try await job.main([
            "arguments": #"""
            --inline 'GET /a -> 200 "one two"'
              --inline "GET /b -> 200 \"three\"" --inline GET\ /c\ ->\ 204
            """#
        ])
        #expect(started.status == 0, "\(started.out)")
        let base = try #require(try job.values(.output)["base"])
        #expect(try await curl("\(base)/a").out == "one two")
        #expect(try await curl("\(base)/b").out == "three")
        #expect(try await curl("-w", "%{http_code}", "\(base)/c").out == "204")
        #expect(try await job.post().status == 0)
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        let input: String
        let value: String
        let message: String

        var testDescription: String { "\(input) \(value)" }
    }

    @Test(arguments: [
        Refusal(input: "strict", value: "yes", message: "input strict takes true or false, not 'yes'"),
        Refusal(input: "port", value: "65536", message: "input port takes a whole number from 0 to 65535, not '65536'"),
        Refusal(
            input: "start-timeout", value: "0",
            message: "input start-timeout takes a whole number from 1 to 600, not '0'"),
        Refusal(input: "version", value: "../1", message: "input version takes a version such as 0.1.0, not '../1'"),
        Refusal(
            input: "arguments", value: "--port=1",
            message: "input arguments has --port, which the action gives itself; use the input port"),
        Refusal(input: "arguments", value: "a 'b", message: "input arguments has a ' without its second one"),
        Refusal(
            input: "arguments", value: "--bogus", message: "proctor did not start: it ended with 2:%0Aproctor: "),
        Refusal(
            input: "program", value: "/nowhere/proctor", message: "/nowhere/proctor (input program) can't be run: "),
        Refusal(input: "program", value: "/bin/echo", message: "/bin/echo (input program) is not proctor: "),
    ])
    func `an input that makes no sense is refused with what would`(_ row: Refusal) async throws {
        let job = try await RunnerJob()
        let outcome = try await job.main([row.input: row.value], program: row.input == "program" ? nil : Child.binary)
        #expect(outcome.status == 1 && outcome.err.isEmpty)
        #expect(outcome.out.contains("::error::\(row.message)"), "\(outcome.out)")
        #expect(try job.text(.state).isEmpty && job.text(.env).isEmpty && job.text(.output).isEmpty)
    }
}

/// The GitHub Action where the server does not begin or end as it should.
struct ActionTroubleTests {
    @Test func `a busy port fails the first step, and the last one has nothing to say`() async throws {
        let job = try await RunnerJob()
        let child = try await onThread { [folder = job.folder] in try ServingChild(folder) }
        let port = try #require(child.ready["port"] as? Int)
        let started = try await job.main(["fixtures": "\(job.folder.path)/fixtures", "port": "\(port)"])
        #expect(started.status == 1)
        #expect(started.out.contains("::error::proctor did not start: it ended with 1:%0Aproctor: "), "\(started.out)")
        #expect(started.out.contains("choose another with --port N"), "\(started.out)")
        #expect(try job.text(.state).isEmpty && job.text(.env).isEmpty)
        let ended = try await job.post()
        #expect(ended.status == 0 && ended.out.isEmpty && ended.err.isEmpty)
    }

    @Test func `a broken fixture fails the first step at its line`() async throws {
        let job = try await RunnerJob(["fixtures/bad.yaml": "summary: bad\nexchanges: 3\n"])
        let started = try await job.main(["fixtures": "\(job.folder.path)/fixtures"])
        #expect(started.status == 1)
        #expect(
            started.out.contains("::error file=fixtures/bad.yaml,line=2,col=12,title=Proctor%3A fixture::expected "),
            "\(started.out)")
        #expect(started.out.contains("::error::proctor did not start: it ended with 1:%0A"), "\(started.out)")
    }

    /// A program that tells its process, and neither listens nor ends by SIGTERM.
    private static func deaf(_ job: RunnerJob, isReady: Bool = false) throws -> String {
        try job.program(
            "deaf",
            """
            if [ "$1" = version ]; then echo proctor 1.0.0; exit; fi
            trap '' TERM
            echo thinking >&2
            echo $$ >"$0.id"
            \(isReady ? RunnerJob.announcement : "")
            while :; do sleep 0.1; done
            """)
    }

    /// The process of the program above; nil before it has told.
    private static func id(_ folder: TestFolder) -> Int32? {
        guard let text = try? folder.text("deaf.id"), text.hasSuffix("\n") else { return nil }
        return Int32(text.dropLast())
    }

    @Test func `a server that never listens is killed when its time is over`() async throws {
        let job = try await RunnerJob()
        let started = try await job.main(["start-timeout": "1"], program: try Self.deaf(job))
        #expect(started.status == 1)
        #expect(
            started.out.hasSuffix("::error::proctor was not ready after 1 s (input start-timeout):%0Athinking\n"),
            "\(started.out)")
        let id = try #require(Self.id(job.folder))
        try await onThread { try wait(for: "the end") { !isRunning(id) } }
    }

    @Test func `a job that is cancelled while the server starts leaves nothing behind`() async throws {
        let job = try await RunnerJob()
        let step = try job.begin(["start-timeout": "600"], program: try Self.deaf(job))
        let folder = job.folder
        let status = try await onThread {
            try wait(for: "the program") { Self.id(folder) != nil }
            step.send(signal: SIGINT)
            let status = try step.waitUntilExit()
            let id = try #require(Self.id(folder))
            try wait(for: "the end") { !isRunning(id) }
            return status
        }
        #expect(status == 130)
    }

    @Test func `a server that does not end is killed, and the job is red`() async throws {
        let job = try await RunnerJob()
        let started = try await job.main(["stop-timeout": "1"], program: try Self.deaf(job, isReady: true))
        #expect(started.status == 0, "\(started.out)")
        let ended = try await job.post()
        #expect(ended.status == 1)
        #expect(
            ended.out.contains("::error::proctor did not end within 1 s of SIGTERM and was killed; "), "\(ended.out)")
        let id = try #require(Self.id(job.folder))
        try await onThread { try wait(for: "the end") { !isRunning(id) } }
    }

    @Test func `a server that ended before the job did is red`() async throws {
        let job = try await RunnerJob()
        let started = try await job.main(
            ["strict": "false"],
            program: try job.program(
                "brief",
                """
                if [ "$1" = version ]; then echo proctor 1.0.0; exit; fi
                \(RunnerJob.announcement)
                kill -KILL $$
                """))
        #expect(started.status == 0, "\(started.out)")
        let group = try #require(job.group)
        try await onThread { try wait(for: "the end of the server") { !isRunning(group) } }
        let ended = try await job.post()
        #expect(ended.status == 1)
        #expect(ended.out.hasPrefix("proctor had ended before the job did\n"), "\(ended.out)")
        #expect(ended.out.hasSuffix("\n::error::proctor was ended by signal 9\n"), "\(ended.out)")
        #expect(try job.text(.summary).hasPrefix("### Proctor: fail\n"))
    }
}
