import Foundation
import ProctorTestSupport
import Testing

/// `proctor run`: a command, judged by what it sent.
struct RunCommandTests {
    private static let files = [
        "fixtures/redirect/moved.yaml": """
        summary: Moves to another port
        origins: { other-side: {} }
        exchanges:
          - { request: GET /a, reply: { status: 302, headers: { Location: "{{origin.other-side}}/b" } } }
          - { request: GET /b, origin: other-side, reply: { status: 200, body: "there\\n" } }
        cases:
          follow: { client: { url: /a }, wire: request(GET /a) request(GET /b) }
          refuse: { kind: should, client: { url: /a, onRedirect: refuse }, wire: request(GET /a) }
          watch: { kind: observes, client: { url: /a } }
          told:
            client: { url: /a }
            wire: request(GET /a) request(GET /b)
            task: redirect(302) response(200) data+ complete(ok)
            facts: { status: 200, wire.count: 2, body: "there\\n" }
        """,
        "fixtures/plain/one.yaml": """
        summary: One request
        exchanges: [ { request: GET /, reply: { status: 200, body: "ok\\n" } } ]
        cases: { get: { client: { url: / }, wire: request(GET /) } }
        """,
        "fixtures/plain/caseless.yaml": """
        summary: No cases
        exchanges: [ { request: GET /, reply: { status: 200 } } ]
        """,
    ]

    private func run(
        _ arguments: String..., environment: [String: String] = [:]
    ) async throws -> Child.Outcome {
        let folder = try TestFolder(Self.files)
        return try await Child.run(["run"] + arguments, environment: environment, in: folder)
    }

    @Test func `what means nothing over HTTP 2 is refused with its place, and no command is run`() async throws {
        let folder = try TestFolder(
            Self.files.merging([
                "fixtures/old/close.yaml": """
                summary: The end of the connection
                exchanges: [ { request: GET /, reply: { status: 200, framing: close, body: a } } ]
                """,
                "fixtures/old/version.yaml": """
                summary: A case of HTTP/1.1
                exchanges: [ { request: GET /, reply: { status: 200 } } ]
                cases: { get: { client: { url: / }, facts: { "wire[0].version": HTTP/1.1 } } }
                """,
            ]) { $1 })
        let scenario = try await Child.run(["run", "old/close", "--protocol", "h2", "--", "touch", "ran"], in: folder)
        #expect(
            scenario.status == 1
                && scenario.err == "proctor: old/close can't be served: it means nothing over HTTP/2: "
                    + "fixtures/old/close.yaml:2:39: the end of the connection ends the content\n",
            "\(scenario.err)")
        let item = try await Child.run(["run", "old/version", "--protocol", "h2", "--", "touch", "ran"], in: folder)
        #expect(
            item.status == 1
                && item.err == "proctor: old/version#get can't be run so: it means nothing over HTTP/2: "
                    + "fixtures/old/version.yaml:3:46: the fact is about the version of a request\n",
            "\(item.err)")
        #expect(throws: (any Error).self) { try folder.text("ran") }
    }

    @Test func `a command that sends what is wanted passes, and only its own output is on standard output`()
        async throws
    {
        let outcome = try await run("redirect/moved", "--case", "follow", "--", "curl", "-sSL", "{{base}}/a")
        #expect(outcome.status == 0 && outcome.out == "there\n")
        let lines = outcome.err.split(separator: "\n").map(String.init)
        #expect(lines.first == "redirect/moved#follow (must), and the command exited with 0")
        #expect(lines.last == "pass")
        #expect(lines.contains { $0.contains("GET /a HTTP/1.1") } && lines.contains { $0.contains("GET /b HTTP/1.1") })
        // Below a reply stands the field that sends the client on.
        let told = lines.filter { !$0.contains(" ms  c") }.dropFirst().dropLast()
        #expect(told.count == 1 && told.allSatisfy { $0.contains("Location: ") }, "\(told)")
    }

    @Test func `a command that does not, fails, with what was wanted and what came`() async throws {
        let outcome = try await run("redirect/moved", "--case=follow", "--", "curl", "-sS", "{{base}}/a")
        #expect(outcome.status == 1 && outcome.out.isEmpty)
        #expect(outcome.err.contains(" ms  c0  r0   GET /a HTTP/1.1"))
        #expect(outcome.err.hasPrefix("\nfail: the second request never came; wanted GET /b\n"), "\(outcome.err)")
        #expect(outcome.err.contains("fixtures/redirect/moved.yaml:7:") && !outcome.err.contains("request(GET /b)"))
        let whole = try await run("redirect/moved", "--case=follow", "--verbose", "--", "curl", "-sS", "{{base}}/a")
        #expect(whole.err.contains("request(GET /b)"))
    }

    @Test func `what only the client could tell is named below the verdict, and decides nothing`() async throws {
        let outcome = try await run("redirect/moved", "--case=told", "--", "curl", "-sSL", "{{base}}/a")
        let verdict = """

            partly
            not judged: how the load ended (the command reports no result)
            not judged: status, body (the command reports none)
            not judged: task (the command reports no callbacks)

            """
        #expect(outcome.status == 0 && outcome.err.hasSuffix(verdict))
    }

    @Test func `addresses stand in the environment and in the arguments`() async throws {
        let script = """
            [ "$PROCTOR_BASE" = "$1" ] && [ "$PROCTOR_ORIGIN_MAIN" = "$2" ] && [ "$PROCTOR_ORIGIN_OTHER_SIDE" = "$3" ] &&
            [ "$1" = "$2" ] && [ "$1" != "$3" ] && [ "$4" = "<$1|$3|$1>" ] && [ "$5" = "{{basis}} {{" ] &&
            echo "$PROCTOR_SCENARIO $PROCTOR_CASE $KEPT" && curl -sS -o /dev/null "$1/a"
            """
        let outcome = try await run(
            "redirect/moved", "--case", "refuse", "--", "/bin/sh", "-c", script, "sh", "{{base}}", "{{origin.main}}",
            "{{origin.other-side}}", "<{{base}}|{{origin.other-side}}|{{base}}>", "{{basis}} {{",
            environment: ["KEPT": "kept", "PROCTOR_BASE": "an older one"])
        #expect(outcome.out == "redirect/moved refuse kept\n")
        #expect(outcome.status == 0)
    }

    @Test func `what the command exited with is told`() async throws {
        let killed = try await run("plain/one", "--", "/bin/sh", "-c", "kill -9 $$")
        #expect(killed.status == 1 && killed.err.contains(", and the command was ended by signal 9\n"))
        let nothing = try await run("plain/one", "--", "true")
        #expect(nothing.status == 1 && nothing.err.contains("exited with 0\n"))
        let observed = try await run("redirect/moved", "--case", "watch", "--", "curl", "-sS", "{{base}}/odd")
        #expect(observed.status == 0 && observed.err.contains("\nobserved\n"))
    }

    @Test func `flags behind the two dashes belong to the command`() async throws {
        let outcome = try await run(
            "plain/one", "--", "/bin/sh", "-c", "echo \"$@\"; curl -sS -o /dev/null {{base}}/", "sh", "--help", "-h",
            "--case", "--", "--fixtures=x")
        #expect(outcome.status == 0 && outcome.out == "--help -h --case -- --fixtures=x\n")
        let help = try await run("plain/one", "--help", "--", "true")
        #expect(help.status == 0 && help.out.hasPrefix("Runs a command against a scenario"))
    }

    @Test func `the command meets the signals' default actions`() async throws {
        // With SIGPIPE ignored, `yes` would complain about a broken pipe.
        let outcome = try await run(
            "plain/one", "--", "/bin/bash", "-c", "yes | head -n 1; echo ${PIPESTATUS[0]}; curl -sS {{base}}/")
        #expect(outcome.status == 0 && outcome.out == "y\n141\nok\n")
        #expect(!outcome.err.contains("roken pipe"))
    }

    @Test func `a command that is not there`() async throws {
        let outcome = try await run("plain/one", "--", "no-such-command-here", "x")
        #expect(outcome.status == 1 && outcome.out.isEmpty)
        #expect(outcome.err == "proctor: no-such-command-here can't be run: No such file or directory\n")
        let folder = try await run("plain/one", "--", "/tmp")
        #expect(folder.status == 1 && folder.err == "proctor: /tmp can't be run: Permission denied\n")
    }

    struct Mistake: Sendable, CustomTestStringConvertible {
        let arguments: [String]
        let message: String
        var testDescription: String { arguments.joined(separator: " ") }
    }

    static let mistakes = [
        Mistake(
            arguments: ["plain/oen", "--", "true"],
            message: "there is no scenario 'plain/oen'; did you mean 'plain/one'?"),
        Mistake(arguments: ["zzzzzz", "true"], message: "there is no scenario 'zzzzzz'; see 'proctor list'"),
        Mistake(
            arguments: ["redirect/moved", "--case", "folow", "--", "true"],
            message: "redirect/moved has no case 'folow'; did you mean 'follow'?"),
        Mistake(
            arguments: ["redirect/moved", "--case", "zzzzzz", "--", "true"],
            message: "redirect/moved has no case 'zzzzzz'; it has follow, refuse, watch"),
        Mistake(
            arguments: ["redirect/moved", "--case", "follow", "--", "curl", "a{{origin.othr-side}}"],
            message: "redirect/moved has no origin 'othr-side'; did you mean 'other-side'?"),
        Mistake(arguments: ["plain/one"], message: "'run' takes an ID and a command: proctor run plain/get -- curl"),
        Mistake(arguments: [], message: "'run' takes an ID and a command"),
        Mistake(
            arguments: ["plain/one", "curl", "-sS"],
            message: "'run' has no flag '-sS'; if it is for 'curl', write two dashes before the command: proctor run "
                + "plain/one -- curl -sS"),
        Mistake(
            arguments: ["plain/one", "sh", "-c", "true"],
            message: "'run' has no flag '-c'; if it is for 'sh', write two dashes before the command: proctor run "
                + "plain/one -- sh -c"),
        Mistake(arguments: ["--csae", "x"], message: "'run' has no flag '--csae'; did you mean '--case'?"),
    ]

    @Test(arguments: mistakes)
    func `a scenario, case or command that is none is told before anything runs`(_ mistake: Mistake) async throws {
        let folder = try TestFolder(Self.files)
        let outcome = try await Child.run(["run"] + mistake.arguments, in: folder)
        #expect(outcome.status == 2 && outcome.out.isEmpty)
        #expect(outcome.err.hasPrefix("proctor: \(mistake.message)"), "\(outcome.err)")
    }

    @Test func `with errors in the fixtures no client is judged`() async throws {
        let folder = try TestFolder(["fixtures/plain/one.yaml": "summary: x\n"])
        let outcome = try await Child.run(["run", "plain/one", "--", "echo", "ran"], in: folder)
        #expect(outcome.status == 1 && outcome.out.isEmpty)
        #expect(outcome.err.hasPrefix("fixtures/plain/one.yaml:1:1: error: "))
    }
}

/// `proctor run`: how the command ends, and what is written about it.
struct RunEndTests {
    private static let files = [
        "fixtures/plain/one.yaml": """
        summary: One request
        exchanges: [ { request: GET /, reply: { status: 200, body: "ok\\n" } } ]
        cases: { get: { client: { url: / }, wire: request(GET /) } }
        """,
        "fixtures/plain/reset.yaml": """
        summary: A reset
        exchanges: [ { request: GET /, reply: { status: 200, body: hello, effects: [ { at: body 2, do: reset } ] } } ]
        cases:
          get:
            client: { url: / }
            wire: request(GET /)
            task: response(200) data+ complete(connectionLost)
        """,
        "fixtures/plain/caseless.yaml": """
        summary: No cases
        exchanges: [ { request: GET /, reply: { status: 200 } } ]
        """,
        "fixtures/plain/two.yaml": """
        summary: Two cases
        exchanges: [ { request: GET /, reply: { status: 200 } } ]
        cases:
          get: { client: { url: / }, wire: request(GET /) }
          twice: { client: { url: / }, wire: request(GET /) request(GET /) }
        """,
    ]
    private static let ask = "curl -sS -o /dev/null {{base}}/"

    private func run(_ arguments: [String], _ script: String) async throws -> (Child.Outcome, TestFolder) {
        let folder = try TestFolder(Self.files)
        return (try await Child.run(["run"] + arguments + ["--", "/bin/sh", "-c", script], in: folder), folder)
    }

    @Test func `a command that fails is a failure, though its requests pass`() async throws {
        let (three, _) = try await run(["plain/one"], "\(Self.ask); exit 3")
        #expect(three.status == 1 && three.err.contains(", and the command exited with 3\n"))
        let sentence = "\nfail: the command exited with 3; with --ignore-exit its requests alone are judged\n"
        #expect(three.err.hasPrefix(sentence) && three.err.hasSuffix("\nthe requests alone: pass\n"), "\(three.err)")
        let (killed, _) = try await run(["plain/one"], "\(Self.ask); kill -9 $$")
        #expect(
            killed.status == 1 && killed.err.hasPrefix("\nfail: the command was ended by signal 9; "), "\(killed.err)")
    }

    @Test func `who wants can have the requests judged alone`() async throws {
        let (three, _) = try await run(["plain/one", "--ignore-exit"], "\(Self.ask); exit 3")
        #expect(three.status == 0 && three.err.hasSuffix("\npass\n"), "\(three.err)")
        let (nothing, _) = try await run(["plain/one", "--ignore-exit"], "exit 3")
        #expect(
            nothing.status == 1 && nothing.err.hasPrefix("\nfail: the client made no connection to 127."),
            "\(nothing.err)")
    }

    @Test func `an exit code that says what became of the load is the case's to judge`() async throws {
        let (reset, folder) = try await run(["plain/reset"], "curl -sS -o /dev/null {{base}}/")
        #expect(reset.status == 1 && reset.err.contains("the command exited with "))
        try folder.write("client: sh\nerrors: { 7: connectionLost, 8: timedOut }\n", to: "sh.yaml")
        for (code, status) in [(7, Int32(0)), (8, 0), (0, 1)] {
            let outcome = try await Child.run(
                ["run", "plain/reset", "--errors", "sh.yaml", "--", "/bin/sh", "-c", "\(Self.ask) 2>&1; exit \(code)"],
                in: folder)
            #expect(outcome.status == status && !outcome.err.contains("--ignore-exit"), "\(outcome.err)")
        }
    }

    @Test func `a command that takes too long is ended with what it started`() async throws {
        let (outcome, folder) = try await run(
            ["plain/one", "--timeout", "1", "--ignore-exit"],
            "\(Self.ask); sleep 3000 & echo $! > child; trap 'echo term >> child' TERM; wait; wait")
        #expect(outcome.status == 1, "\(outcome.err)")
        #expect(outcome.err.contains("\nfail: the command had not ended after 1 s, and was ended\n"), "\(outcome.err)")
        let lines = try folder.text("child").split(separator: "\n")
        let child = try #require(lines.first.flatMap { pid_t($0) })
        try await onThread { try wait(for: "the end of the grandchild") { kill(child, 0) != 0 } }
    }

    @Test func `a report and the journal are written`() async throws {
        let (good, folder) = try await run(["plain/one", "--junit", "out.xml", "--journal", "out.jsonl"], Self.ask)
        #expect(good.status == 0, "\(good.err)")
        let junit = try folder.text("out.xml")
        #expect(junit.contains("<testcase classname=\"plain/one\" name=\"get\"") && !junit.contains("<failure"))
        #expect(junit.contains("GET / HTTP/1.1"))
        let journal = try folder.text("out.jsonl")
        #expect(journal.hasPrefix("{\"journal\":\"proctor\"") && journal.contains("\"ev\":\"exchangeChosen\""))

        let (bad, other) = try await run(["plain/one", "--junit", "out.xml"], "\(Self.ask); exit 3")
        #expect(bad.status == 1)
        let failure = try other.text("out.xml")
        #expect(
            failure.contains("failures=\"1\"")
                && failure.contains("<failure type=\"fail\" message=\"the command exited"))
        if let lint = Project.tool("xmllint") {
            #expect(try await Child.run(["--noout", "\(other.path)/out.xml"], program: lint).status == 0)
        }
    }

    @Test(arguments: ["--junit", "--journal"])
    func `a file that can't be written is told before the command runs`(flag: String) async throws {
        let (outcome, folder) = try await run(["plain/one", flag, "no/such/file"], "touch ran")
        #expect(outcome.status == 1 && outcome.err.hasPrefix("proctor: \(flag) no/such/file can't be written: "))
        #expect(!folder.has("ran"))
    }

    @Test func `a misspelt mark of the command is named, and other braces are left alone`() async throws {
        let (outcome, _) = try await run(["plain/one"], "curl -s '{{bsae}}/'")
        #expect(
            outcome.status == 2 && outcome.err.contains("{{bsae}}, which is no mark of 'run'; did you mean {{base}}?"))
        let (other, _) = try await run(["plain/one", "--ignore-exit"], "curl -s '{{base}}/' -w '{{verb}}'")
        #expect(other.status == 0, "\(other.err)")
    }

    @Test func `a client that leaves before the reply is told so, and a failure shows what was sent`() async throws {
        let folder = try TestFolder(
            Self.files.merging([
                "fixtures/plain/slow.yaml": """
                summary: A reply that waits
                exchanges:
                  - { request: GET /, reply: { status: 200, body: "late", effects: [ { at: head, do: wait 3s } ] } }
                  - { request: GET /set, reply: { status: 200, headers: { Set-Cookie: "id=1" }, body: "hello" } }
                  - { request: GET /data, reply: 204 }
                """
            ]) { $1 })
        let left = try await Child.run(
            ["run", "plain/slow", "--", "curl", "-s", "--max-time", "0.4", "{{base}}/"], in: folder)
        #expect(left.status == 1)
        #expect(
            left.err.contains(
                "before the reply to the first request, GET /, was whole, and the command exited with 28"),
            "\(left.err)")
        let missing = try await Child.run(["run", "plain/slow", "--", "curl", "-s", "{{base}}/set"], in: folder)
        #expect(
            missing.err.contains("Set-Cookie: id=1") && missing.err.contains("content: \"hello\""), "\(missing.err)")
        #expect(missing.err.contains("no request came for GET /data, which exchange 2 answers"), "\(missing.err)")
    }

    @Test func `without a case the timeline is printed, and what nothing expects fails`() async throws {
        let (good, _) = try await run(["plain/caseless"], Self.ask)
        #expect(good.status == 0 && good.err.contains("\nplain/caseless (no case), and the command exited with 0\n"))
        #expect(good.err.contains(" ms  c0  r0   GET / HTTP/1.1") && good.err.contains("\nobserved\n"), "\(good.err)")
        #expect(good.err.contains("endless repeating are judged: plain/caseless has none\n"), "\(good.err)")
        let (bad, _) = try await run(["plain/caseless"], "\(Self.ask)other")
        #expect(
            bad.status == 1
                && bad.err.hasPrefix("\nfail: the first request was GET /other; wanted GET /\n")
                && bad.err.contains("reached no exchange, so Proctor itself replied; the nearest one is exchange 0"),
            "\(bad.err)")
        let (several, _) = try await run(["plain/two"], Self.ask)
        #expect(several.status == 1 && several.err.contains(" ms  c0  r0   GET / HTTP/1.1"))
        #expect(several.err.contains("\nnot-judged\n") && several.err.contains("say --case with one of get, twice\n"))
    }
}
