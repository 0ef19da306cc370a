import Foundation
import ProctorTestSupport
import Testing

/// `proctor grade` by a case, and `proctor record`.
struct GradeCaseTests {
    private func grade(
        _ trace: String, _ arguments: String..., more: [String: String] = [:]
    ) async throws -> Child.Outcome {
        let files = Fixtures.files.merging(["trace": trace]) { $1 }.merging(more) { $1 }
        return try await Child.run(["grade", "trace"] + arguments, in: try Folder(files))
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

    @Test func `a case is judged in part without its journal, and what nobody could judge is said`() async throws {
        let outcome = try await grade(
            Traces.good, "--scenario", "plain/told", "--case", "get", more: Self.fixture)
        #expect(outcome.status == 0 && outcome.err.isEmpty)
        #expect(outcome.out.contains("\n\npartly: plain/told#get\n") && outcome.out.contains("response(200)"))
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
        #expect(try await grade(trace, more: Self.fixture).out.contains("\npartly: plain/told#get\n"))
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
        #expect(scenario.err == "proctor: there is no scenario 'plain/helo'; did you mean 'plain/hello'?\n")
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
        #expect(known.status == 0 && known.out.contains("\nknown: plain/told#other"), "\(known.out)")
        let fixed = try await grade(
            Traces.good.replacingOccurrences(of: "\"200\"", with: "\"404\""), "--scenario", "plain/told", "--case",
            "other", "--ledger", "clients/tiny.yaml", more: more)
        #expect(fixed.out.contains("\nfixed: plain/told#other"), "\(fixed.out)")
        let unknown = try await grade(
            Traces.good, "--scenario", "plain/told", "--case", "get", "--ledger", "tinny", more: more)
        #expect(unknown.status == 2 && unknown.err == "proctor: there is no ledger 'tinny'; did you mean 'tiny'?\n")
        let broken = try await grade(
            Traces.good, "--scenario", "plain/told", "--case", "get", "--ledger", "broken.yaml", more: more)
        #expect(broken.status == 1 && broken.err.hasPrefix("broken.yaml:"))
    }

    @Test func `a journal that proctor journal printed judges the wire`() async throws {
        let folder = try Folder(Fixtures.files.merging(Self.fixture) { $1 }.merging(["trace": Traces.good]) { $1 })
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
        #expect(late.status == 0 && late.out.contains("GET / HTTP/1.1") && late.out.contains("\npass: "), "\(late.out)")
        #expect(!late.out.contains("there is no journal"))
        let input = try await ChildProcess.run(
            [Child.binary] + arguments.dropLast() + ["-"], in: folder.path, input: Array(printed.out.utf8))
        #expect(input.status == 0)
    }

    @Test func `a journal that can't be read is told, and both can't be standard input`() async throws {
        let arguments = ["--scenario", "plain/hello", "--case", "get", "--journal"]
        let folder = try Folder(Fixtures.files.merging(["trace": Traces.good, "bad": "{\"seq\":\n"]) { $1 })
        let absent = try await Child.run(["grade", "trace"] + arguments + ["none"], in: folder)
        #expect(absent.status == 1 && absent.err == "proctor: none can't be read: No such file or directory\n")
        let bad = try await Child.run(["grade", "trace"] + arguments + ["bad"], in: folder)
        #expect(bad.status == 1 && bad.err.hasPrefix("proctor: bad:1:"))
        let both = try await Child.run(["grade", "-"] + arguments + ["-"], in: folder)
        #expect(both.status == 2 && both.err == "proctor: standard input can't be both the trace and the journal\n")
    }

    // MARK: Record

    @Test func `record proposes an expression for each lane`() async throws {
        let folder = try Folder(["trace": Traces.good, "none": "{\"lane\":\"harness\",\"ev\":\"resume\"}\n"])
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
