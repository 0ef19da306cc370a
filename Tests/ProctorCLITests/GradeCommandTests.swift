import Foundation
import ProctorTestSupport
import Testing

/// `proctor grade` by a case, and `proctor record`.
struct GradeCaseTests {
    private func grade(
        _ trace: String, _ arguments: String..., more: [String: String] = [:]
    ) async throws -> Child.Outcome {
        let files = Fixtures.files.merging(["trace": trace]) { $1 }.merging(more) { $1 }
        return try await Child.run(["grade", "trace"] + arguments, in: try TestFolder(files))
    }

    /// The expression of the shared case judges the wire only.
    private static let fixture = [
        "fixtures/plain/told.yaml": """
        summary: Tells what comes
        exchanges: [ { request: GET /, reply: { status: 200, body: "hello\\n" } } ]
        cases:
          get:
            client: { url: / }
            wire: request(GET /)
            task: response(200) data+ complete(ok)
            facts: { status: 200, body: "hello\\n" }
          other: { client: { url: / }, task: response(404) data* complete(ok) }
        """
    ]

    @Test func `a case without its journal is judged in part, and the report names the other part`() async throws {
        let outcome = try await grade(
            Traces.good, "--scenario", "plain/told", "--case", "get", more: Self.fixture)
        #expect(outcome.status == 0 && outcome.err.isEmpty)
        #expect(outcome.out.hasPrefix("partly: plain/told#get\n\n") && outcome.out.contains("response(200)"))
        #expect(outcome.out.contains("not judged: wire: there is no journal\n"))
    }

    @Test func `a case that wants something else fails, with what was wanted`() async throws {
        let outcome = try await grade(
            Traces.good, "--scenario", "plain/told", "--case", "other", more: Self.fixture)
        #expect(outcome.status == 1 && outcome.err.isEmpty)
        #expect(outcome.out.contains("\nfail: plain/told#other\n") && outcome.out.contains("response(404)"))
    }

    @Test func `the verdict comes as one JSON object`() async throws {
        let outcome = try await grade(
            Traces.early, "--scenario", "plain/told", "--case", "get", "--json", more: Self.fixture)
        #expect(outcome.status == 1)
        let lines = outcome.out.split(separator: "\n")
        #expect(lines.count == 1)
        let verdict = try #require(try JSONSerialization.jsonObject(with: Data(outcome.out.utf8)) as? [String: Any])
        #expect(verdict["outcome"] as? String == "fail" && verdict["case"] as? String == "plain/told#get")
        #expect(outcome.out.contains("R25"))
    }

    @Test func `the trace's own header names scenario and case, which flags go before`() async throws {
        let trace = Traces.good.replacingOccurrences(
            of: "\"client\":\"tiny\"", with: "\"scenario\":\"plain/told\",\"case\":\"get\"")
        #expect(try await grade(trace, more: Self.fixture).out.hasPrefix("partly: plain/told#get\n\n"))
        let other = try await grade(trace, "--case", "other", more: Self.fixture)
        #expect(other.status == 1 && other.out.contains("\nfail: plain/told#other\n"))
        let elsewhere = try await grade(trace, "--scenario", "plain/hello", more: Self.fixture)
        #expect(elsewhere.status == 2 && elsewhere.err.contains("say --case with one of get, put"))
        let unnamed = try await grade(Traces.good, more: Self.fixture)
        #expect(unnamed.status == 2)
        #expect(
            unnamed.err == "proctor: 'grade' needs --scenario ID, as the trace does not name one, or --rules-only\n")
    }

    @Test func `scenarios and cases that are not there are told with what was meant`() async throws {
        let scenario = try await grade(Traces.good, "--scenario", "plain/helo")
        #expect(scenario.status == 2)
        #expect(
            scenario.err.hasPrefix(
                "proctor: there is no scenario 'plain/helo'; did you mean 'plain/hello'? (looked in "))
        let item = try await grade(Traces.good, "--scenario", "plain/hello", "--case", "gett")
        #expect(item.status == 2 && item.err == "proctor: plain/hello has no case 'gett'; did you mean 'get'?\n")
        let none = try await grade(Traces.good, "--scenario", "plain/slow")
        #expect(none.status == 2 && none.err.contains("it has no cases"))
        let family = try await grade(Traces.good, "--scenario", "plain/hello", "--case", "get", "--family", "US")
        #expect(family.status == 2 && family.err.hasPrefix("proctor: --family is for --rules-only; "))
    }

    @Test func `a ledger knows deviations and its platform, and a wrong one is told`() async throws {
        let ledger = """
            client: tiny
            version: "1"
            deviations:
              plain/told#other:
                because: it has no other page
                lanes: { task: response(200) data+ complete(ok) }
            """
        let more = Self.fixture.merging(["clients/tiny.yaml": ledger, "broken.yaml": "client: [\n"]) { $1 }
        let known = try await grade(
            Traces.good, "--scenario", "plain/told", "--case", "other", "--ledger", "tiny", more: more)
        #expect(known.status == 0 && known.out.hasPrefix("known: plain/told#other"), "\(known.out)")
        let fixed = try await grade(
            Traces.good.replacingOccurrences(of: "\"200\"", with: "\"404\""), "--scenario", "plain/told", "--case",
            "other", "--ledger", "clients/tiny.yaml", more: more)
        #expect(fixed.out.hasPrefix("fixed: plain/told#other"), "\(fixed.out)")
        let unknown = try await grade(
            Traces.good, "--scenario", "plain/told", "--case", "get", "--ledger", "tinny", more: more)
        #expect(
            unknown.status == 2
                && unknown.err.hasPrefix("proctor: there is no ledger 'tinny'; did you mean 'tiny'? (looked in "))
        let broken = try await grade(
            Traces.good, "--scenario", "plain/told", "--case", "get", "--ledger", "broken.yaml", more: more)
        #expect(broken.status == 1 && broken.err.hasPrefix("broken.yaml:"))
    }

    @Test func `a journal that proctor journal printed judges the wire`() async throws {
        let folder = try TestFolder(Fixtures.files.merging(Self.fixture) { $1 }.merging(["trace": Traces.good]) { $1 })
        let child = try await onThread { try ServingChild(folder) }
        let made = try await curl("-d", "{\"scenario\":\"plain/told\"}", "\(child.base)/__proctor/runs").out
        let run = try #require(made.firstMatch(of: /"run":"([^"]*)"/)).1
        let base = try #require(made.firstMatch(of: /"base":"([^"]*)"/)).1
        let arguments = ["grade", "trace", "--scenario", "plain/told", "--case", "get", "--journal", "journal"]

        let nothing = try await Child.run(["journal", String(run), "--server", child.base])
        try folder.write(nothing.out, to: "journal")
        let early = try await Child.run(arguments, in: folder)
        #expect(early.status == 1 && early.out.contains("\nfail: plain/told#get\n"))

        #expect(try await curl("\(base)/").out == "hello\n")
        _ = try await curl("\(child.base)/__proctor/runs/\(run)/journal?wait=10000")
        let printed = try await Child.run(["journal", String(run), "--server", child.base])
        try folder.write(printed.out, to: "journal")
        let late = try await Child.run(arguments + ["--base", String(base)], in: folder)
        #expect(late.status == 0 && late.out.contains("GET / HTTP/1.1") && late.out.hasPrefix("pass: "), "\(late.out)")
        #expect(!late.out.contains("there is no journal"))
        let input = try await ChildProcess.run(
            [Child.binary] + arguments.dropLast() + ["-"], in: folder.path, input: Array(printed.out.utf8))
        #expect(input.status == 0)
    }

    @Test func `a journal that can't be read is told, and both can't be standard input`() async throws {
        let arguments = ["--scenario", "plain/hello", "--case", "get", "--journal"]
        let folder = try TestFolder(Fixtures.files.merging(["trace": Traces.good, "bad": "{\"seq\":\n"]) { $1 })
        let absent = try await Child.run(["grade", "trace"] + arguments + ["none"], in: folder)
        #expect(absent.status == 1 && absent.err == "proctor: none can't be read: No such file or directory\n")
        let bad = try await Child.run(["grade", "trace"] + arguments + ["bad"], in: folder)
        #expect(bad.status == 1 && bad.err.hasPrefix("proctor: bad:1:"))
        let both = try await Child.run(["grade", "-"] + arguments + ["-"], in: folder)
        #expect(both.status == 2 && both.err == "proctor: standard input can't be both the trace and the journal\n")
    }

    // MARK: Record

    @Test func `record proposes an expression for each lane`() async throws {
        let folder = try TestFolder(["trace": Traces.good, "none": "{\"lane\":\"harness\",\"ev\":\"resume\"}\n"])
        let outcome = try await Child.run(["record", "trace"], in: folder)
        #expect(
            outcome.status == 0 && outcome.err.isEmpty && outcome.out == "    task: response(200) data+ complete(ok)\n")
        let log = try await ChildProcess.run(
            [Child.binary, "record", "-"],
            input: Array(
                Traces.connection.replacingOccurrences(
                    of: "connectionDidFinish", with: "connection:didReceiveData:]\n[A connectionDidFinish"
                ).utf8))
        #expect(
            log.status == 0 && log.out.hasPrefix("    task: ") && log.out.contains(" data+ complete(ok)"), "\(log.out)")
        let none = try await Child.run(["record", "none"], in: folder)
        #expect(none.status == 1 && none.out.isEmpty)
        #expect(none.err == "proctor: none holds no callback to propose anything from\n")
        let absent = try await Child.run(["record", "absent"], in: folder)
        #expect(absent.status == 1 && absent.err == "proctor: absent can't be read: No such file or directory\n")
        let both = try await Child.run(["record", "-", "--journal", "-"])
        #expect(both.status == 2 && both.err.contains("can't be both"))
    }
}

/// `proctor grade --rules-only`: traces and logs from anywhere, judged without a case.
struct GradeRulesTests {
    private func grade(_ text: String, _ arguments: String..., name: String = "trace") async throws -> Child.Outcome {
        let folder = try TestFolder([name: text])
        return try await Child.run(["grade", "--rules-only", name] + arguments, in: folder)
    }

    @Test func `a trace that breaks nothing exits with 0`() async throws {
        let outcome = try await grade(Traces.good)
        #expect(outcome.status == 0 && outcome.err.isEmpty)
        #expect(outcome.out == "6 events, 1 load, 0 rule hits, 0 lanes refused by a grammar\n")
    }

    @Test func `the trace is the operand, the value of a flag, or standard input`() async throws {
        let folder = try TestFolder(["it": Traces.good])
        for arguments in [["it"], ["--trace", "it"], ["--trace=it"], ["./it"]] {
            let outcome = try await Child.run(["grade", "--rules-only"] + arguments, in: folder)
            #expect(outcome.status == 0 && outcome.out.hasPrefix("6 events, 1 load, "))
        }
        for arguments in [["-"], ["--trace", "-"]] {
            let outcome = try await ChildProcess.run(
                [Child.binary, "grade", "--rules-only"] + arguments, input: Array(Traces.early.utf8))
            #expect(outcome.status == 1 && outcome.out.contains("R25 data only after a response (failure, 1 time)"))
        }
        let broken = try await ChildProcess.run(
            [Child.binary, "grade", "--rules-only", "-"], input: Array("{\"ev\":1}".utf8))
        #expect(broken.status == 1 && broken.err.hasPrefix("proctor: standard input:1:7: "))
    }

    @Test func `a rule that is broken is named with its place, and exits with 1`() async throws {
        let outcome = try await grade(Traces.early)
        #expect(outcome.status == 1 && outcome.err.isEmpty)
        #expect(outcome.out.contains("\nR25 data only after a response (failure, 1 time)\n"))
        #expect(outcome.out.contains("\n  R25  task  event 2  data: data came before any response\n"))
    }

    @Test func `an observation alone is told and exits with 0`() async throws {
        let log = Traces.good.replacingOccurrences(
            of: "\"bytes\":6}}\n{\"lane\":\"task\"", with: "\"bytes\":0}}\n{\"lane\":\"task\"")
        let outcome = try await grade(log)
        #expect(outcome.status == 0 && outcome.out.contains("R30 ") && outcome.out.contains("(observation, 1 time)"))
    }

    @Test func `logs of the selectors of NSURLConnection and NSURLDownload are read as they are`() async throws {
        let connection = try await grade(Traces.connection)
        #expect(connection.status == 0 && connection.out.hasPrefix("4 events, 1 load, 0 rule hits, "))
        let download = try await grade(Traces.download)
        #expect(download.status == 0 && download.out.hasPrefix("6 events, 1 load, 0 rule hits, "))
        let early = try await grade("-[A connection:didReceiveData:]\n-[A connectionDidFinishLoading:]\n")
        // What is missing from a log need not have been missing.
        #expect(early.status == 0 && early.out.contains("R2  task  event 2  complete(ok): "))
        #expect(early.out.contains("R2 a success needs a response (observation, 1 time)"))
        // One mistake is told once, by its cause; where the load does not end, data alone are too early.
        #expect(!early.out.contains("R25"))
        let begun = try await grade("-[A connection:didReceiveData:]\n")
        #expect(begun.status == 0 && begun.out.contains("R25 data only after a response (observation, 1 time)"))
        let mixed = try await grade(Traces.download + "download:didReceiveDataOfLength:\n")
        #expect(mixed.status == 1 && mixed.out.contains("R40  task  event 7  progress: "))
    }

    @Test func `a log of an app that is launched for a background session is held to its order`() async throws {
        let told = "-[AppDelegate application:handleEventsForBackgroundURLSession:completionHandler:]\n"
        let file = "-[Loader URLSession:downloadTask:didFinishDownloadingToURL:]\n"
        let end = "-[Loader URLSession:task:didCompleteWithError:] (null)\n"
        let done = "-[Loader URLSessionDidFinishEventsForBackgroundURLSession:]\n"
        let whole = try await grade(told + file + end + done)
        #expect(whole.status == 0 && whole.out.hasPrefix("4 events, 1 load, 0 rule hits, "))
        let early = try await grade(told + file + done + end)
        #expect(early.status == 1 && early.out.contains("R66  task  event 4  complete(ok): "))
        // What is missing from a log need not have been missing.
        let open = try await grade(told + file + end)
        #expect(open.status == 0 && open.out.contains("(observation, 1 time)") && open.out.contains("R66  session"))
    }

    @Test func `a misspelt selector of a log is told with the one that was meant`() async throws {
        let log = Traces.connection.replacingOccurrences(of: "didReceiveResponse", with: "didReceiveRespons")
        let outcome = try await grade(log)
        #expect(outcome.status == 0)
        #expect(
            outcome.err == "proctor: 1 line without a known method, the first is line 2; "
                + "did 'connection:didReceiveRespons:' in line 2 mean 'connection:didReceiveResponse:'?\n")
        #expect(outcome.out.contains("R2 a success needs a response (observation, 1 time)"))
    }

    @Test func `the logs of the document are judged as people mean them`() async throws {
        let text = try Project.text("Docs/judging/methods.md")
        let logs = text.components(separatedBy: "```log\n").dropFirst().map { $0.components(separatedBy: "```")[0] }
        #expect(logs.count >= 4)
        for log in logs {
            let outcome = try await grade(log)
            #expect(outcome.status == 0, "\(log)\n\(outcome.out)\(outcome.err)")
            #expect(outcome.out.contains(", 0 lanes refused by a grammar\n") && !outcome.out.contains("(failure"))
        }
        let silent = try #require(
            logs.first { $0.contains("didReceive:completionHandler:") && !$0.contains("useCred") })
        let told = try await grade(silent)
        #expect(
            told.out.contains(
                "\nnot judged: R10, R13, R14, R15: the trace has no answers, and challenge asks for one\n"))
        let answered = try #require(logs.first { $0.contains("useCredential") })
        #expect(try await !grade(answered).out.contains("the trace has no answers"))
    }

    @Test func `a last line that is broken off is told, and what came before is judged`() async throws {
        let outcome = try await grade(String(Traces.early.dropLast(20)))
        #expect(outcome.status == 1 && outcome.out.hasPrefix("3 events, "))
        #expect(outcome.err == "proctor: the last line is broken off; what came before it was judged\n")
    }

    @Test(arguments: ["", "hello\nthere\n", "{\"trace\":\"proctor\",\"version\":1}\n"])
    func `a file without any event is no pass`(text: String) async throws {
        let outcome = try await grade(text)
        #expect(outcome.status == 1 && outcome.out.isEmpty && outcome.err.hasSuffix("proctor: trace holds no event\n"))
    }

    @Test(arguments: [
        ("{\"trace\":\"proctor\",\"version\":9}\n", "trace:1:30: version 9 of the format is newer than 1, "),
        ("{\"ev\":\"respons\"}\n", "trace:1:7: unknown event 'respons'; did you mean 'response'?\n"),
        ("{\"ev\":\"connection:didReceiveDat:\"}\n", "did you mean 'connection:didReceiveData:'?\n"),
        ("{\"lane\":\"tusk\",\"ev\":\"data\"}\n", "trace:1:9: there is no lane 'tusk'; did you mean 'task'?\n"),
        (
            "{\"ev\":\"data\"}\n{\"lane\":\"harness\",\"ev\":\"data\"}\n",
            "trace:2:24: 'data' is no event of lane 'harness'; "
        ),
        ("{\"ev\":\"data\"}\n[]\n", "trace:2:1: "),
        (
            "{\"journal\":\"proctor\",\"version\":1}\n",
            "this is the journal of a server; expected the trace of a client"
        ),
    ])
    func `a line that is no event is told with its place`(text: String, wanted: String) async throws {
        let outcome = try await grade(text)
        #expect(outcome.status == 1 && outcome.out.isEmpty)
        #expect(outcome.err.hasPrefix("proctor: trace:") && outcome.err.contains(wanted), "\(outcome.err)")
    }

    @Test func `a file that is not there or is a folder is told`() async throws {
        let folder = try TestFolder(["folder/x": ""])
        let absent = try await Child.run(["grade", "--rules-only", "nothing"], in: folder)
        #expect(absent.status == 1 && absent.err == "proctor: nothing can't be read: No such file or directory\n")
        let wrong = try await Child.run(["grade", "--rules-only", "folder"], in: folder)
        #expect(wrong.status == 1 && wrong.err == "proctor: folder can't be read: Is a directory\n")
    }

    @Test func `a platform's constants count, by name or by file`() async throws {
        let redirects = (0..<21).map { _ in
            "{\"lane\":\"task\",\"ev\":\"redirect\",\"arg\":\"302\"}\n"
                + "{\"lane\":\"harness\",\"ev\":\"answer\",\"arg\":\"follow\",\"facts\":{\"to\":\"redirect\"}}\n"
        }.joined()
        let text =
            redirects
            + "{\"lane\":\"task\",\"ev\":\"response\",\"arg\":\"200\",\"family\":\"US\"}\n"
            + "{\"lane\":\"harness\",\"ev\":\"answer\",\"arg\":\"allow\"}\n{\"ev\":\"complete\",\"arg\":\"ok\"}\n"
        #expect(try await grade(text).status == 0)
        let fixtures = "\(Project.path)/fixtures"
        let named = try await grade(text, "--platform", "corelibs-6.3", "--fixtures", fixtures)
        #expect(named.status == 1 && named.out.contains("R9 "))
        let file = "\(Project.path)/clients/platforms/corelibs-6.3.yaml"
        #expect(try await grade(text, "--platform", file, "--fixtures", fixtures).out == named.out)
        let unknown = try await grade(text, "--platform", "corelibs-6.4", "--fixtures", fixtures)
        #expect(unknown.status == 2)
        #expect(
            unknown.err.hasPrefix(
                "proctor: there is no platform 'corelibs-6.4'; did you mean 'corelibs-6.3'? (looked in "))
        let strange = try await grade(text, "--platform", "amiga", "--fixtures", fixtures)
        #expect(
            strange.status == 2 && strange.err.contains("give a .yaml file, or one of corelibs-6.3, darwin-classic, "))
        let absent = try await grade(text, "--platform", "none.yaml", "--fixtures", fixtures)
        #expect(absent.status == 1 && absent.err == "proctor: none.yaml can't be read: No such file or directory\n")
    }

    @Test func `a platform file with a mistake is told with its place`() async throws {
        let folder = try TestFolder(["trace": Traces.good, "p.yaml": "platform: mine\nredirectLimt: 3\n"])
        let outcome = try await Child.run(
            ["grade", "--rules-only", "trace", "--platform", "p.yaml", "--fixtures", "."], in: folder)
        #expect(outcome.status == 1 && outcome.out.isEmpty)
        #expect(outcome.err.hasPrefix("p.yaml:2:1: error: ") && outcome.err.contains("did you mean \"redirectLimit\""))
    }

    @Test func `the family of lanes that do not tell it can be said`() async throws {
        let text = "{\"lane\":\"harness\",\"ev\":\"resume\"}\n{\"lane\":\"task\",\"ev\":\"redirect\"}\n"
        let session = try await grade(text, "--family", "US")
        #expect(session.out.contains("R7  task  event 2  redirect: a session told of redirect"))
        let connection = try await grade(text, "--family", "connection")
        #expect(!connection.out.contains("R7 "))
        let small = try await grade(text, "--family", "us")
        #expect(small.status == 2 && small.err == "proctor: there is no family 'us'; did you mean 'US'?\n")
        let unknown = try await grade(text, "--family", "XY")
        #expect(unknown.status == 2)
        #expect(
            unknown.err.hasPrefix("proctor: there is no family 'XY'; there are sessionData, sessionDownload, ")
                && unknown.err.contains("sessionBackground"))
    }

    @Test func `what is for cases alone is refused`() async throws {
        for flag in ["--scenario", "--case", "--journal", "--base", "--ledger"] {
            let outcome = try await grade(Traces.good, flag, "x")
            #expect(outcome.status == 2)
            #expect(outcome.err.hasPrefix("proctor: say either --rules-only or \(flag), not both"))
        }
        let json = try await grade(Traces.good, "--json")
        #expect(json.status == 2 && json.err.hasPrefix("proctor: --json is for the verdict of a case"))
    }

    @Test func `without a trace, and with two, it says what it takes`() async throws {
        for command in ["grade", "record"] {
            let none = try await Child.run([command])
            #expect(none.status == 2)
            #expect(
                none.err == "proctor: '\(command)' needs a trace: proctor \(command) FILE, or - for standard input\n")
            for arguments in [["a", "b"], ["a", "--trace", "b"]] {
                let two = try await Child.run([command] + arguments)
                #expect(two.status == 2 && two.err == "proctor: '\(command)' takes one trace\n")
            }
        }
    }
}
