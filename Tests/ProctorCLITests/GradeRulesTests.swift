import Foundation
import ProctorTestSupport
import Testing

/// `proctor grade --rules-only`: traces and logs from anywhere, judged without a case.
struct GradeRulesTests {
    private func grade(_ text: String, _ arguments: String..., name: String = "trace") async throws -> Child.Outcome {
        let folder = try Folder([name: text])
        return try await Child.run(["grade", "--rules-only", name] + arguments, in: folder)
    }

    @Test func `a trace that breaks nothing exits with 0`() async throws {
        let outcome = try await grade(Traces.good)
        #expect(outcome.status == 0 && outcome.err.isEmpty)
        #expect(outcome.out == "6 events, 1 load, 0 rule hits, 0 lanes refused by a grammar\n")
    }

    @Test func `the trace is the operand, the value of a flag, or standard input`() async throws {
        let folder = try Folder(["it": Traces.good])
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
        let text = try Project.text("Docs/trace-format.md")
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
        #expect(try await !grade(answered).out.contains("not judged"))
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
        let folder = try Folder(["folder/x": ""])
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
        #expect(unknown.err == "proctor: there is no platform 'corelibs-6.4'; did you mean 'corelibs-6.3'?\n")
        let strange = try await grade(text, "--platform", "amiga", "--fixtures", fixtures)
        #expect(
            strange.status == 2 && strange.err.contains("give a .yaml file, or one of corelibs-6.3, darwin-classic, "))
        let absent = try await grade(text, "--platform", "none.yaml", "--fixtures", fixtures)
        #expect(absent.status == 1 && absent.err == "proctor: none.yaml can't be read: No such file or directory\n")
    }

    @Test func `a platform file with a mistake is told with its place`() async throws {
        let folder = try Folder(["trace": Traces.good, "p.yaml": "platform: mine\nredirectLimt: 3\n"])
        let outcome = try await Child.run(
            ["grade", "--rules-only", "trace", "--platform", "p.yaml", "--fixtures", "."], in: folder)
        #expect(outcome.status == 1 && outcome.out.isEmpty)
        #expect(outcome.err.hasPrefix("p.yaml:2:1: error: ") && outcome.err.contains("did you mean \"redirectLimit\""))
    }

    @Test func `the family of lanes that do not tell it can be said`() async throws {
        let text = "{\"lane\":\"harness\",\"ev\":\"resume\"}\n{\"lane\":\"task\",\"ev\":\"redirect\"}\n"
        let session = try await grade(text, "--family", "US")
        #expect(session.out.contains("R7  task  event 2  redirect: a session told of redirect"))
        let connection = try await grade(text, "--family", "UC")
        #expect(!connection.out.contains("R7 "))
        let small = try await grade(text, "--family", "us")
        #expect(small.status == 2 && small.err == "proctor: there is no family 'us'; did you mean 'US'?\n")
        let unknown = try await grade(text, "--family", "XY")
        #expect(unknown.status == 2)
        #expect(
            unknown.err.hasPrefix("proctor: there is no family 'XY'; there are US, UD, ") && unknown.err.contains("BG"))
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
