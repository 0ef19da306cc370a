import Foundation
import ProctorTestSupport
import Testing

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

    private func run(_ arguments: [String], _ script: String) async throws -> (Child.Outcome, Folder) {
        let folder = try Folder(Self.files)
        return (try await Child.run(["run"] + arguments + ["--", "/bin/sh", "-c", script], in: folder), folder)
    }

    @Test func `a command that fails is a failure, though its requests pass`() async throws {
        let (three, _) = try await run(["plain/one"], "\(Self.ask); exit 3")
        #expect(three.status == 1 && three.err.contains(", and the command exited with 3\n"))
        let verdict = """

            fail
            the command exited with 3; with --ignore-exit its requests alone are judged
            the requests alone: pass

            """
        #expect(three.err.hasSuffix(verdict), "\(three.err)")
        let (killed, _) = try await run(["plain/one"], "\(Self.ask); kill -9 $$")
        #expect(killed.status == 1 && killed.err.contains("\nthe command was ended by signal 9; "), "\(killed.err)")
    }

    @Test func `who wants can have the requests judged alone`() async throws {
        let (three, _) = try await run(["plain/one", "--ignore-exit"], "\(Self.ask); exit 3")
        #expect(three.status == 0 && three.err.hasSuffix("\npass\n"), "\(three.err)")
        let (nothing, _) = try await run(["plain/one", "--ignore-exit"], "exit 3")
        #expect(nothing.status == 1 && nothing.err.contains("\nfail\n"))
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
        #expect(outcome.err.contains("\nfail\nthe command had not ended after 1 s, and was ended\n"), "\(outcome.err)")
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

    @Test func `without a case the timeline is printed, and what nothing expects fails`() async throws {
        let (good, _) = try await run(["plain/caseless"], Self.ask)
        #expect(good.status == 0 && good.err.contains("\nplain/caseless (no case), and the command exited with 0\n"))
        #expect(good.err.contains(" ms  c0  r0   GET / HTTP/1.1") && good.err.contains("\nobserved\n"), "\(good.err)")
        #expect(good.err.contains("endless repeating are judged: plain/caseless has none\n"), "\(good.err)")
        let (bad, _) = try await run(["plain/caseless"], "\(Self.ask)other")
        #expect(
            bad.status == 1 && bad.err.contains("\nfail\n") && bad.err.contains("matches no exchange"), "\(bad.err)")
        let (several, _) = try await run(["plain/two"], Self.ask)
        #expect(several.status == 1 && several.err.contains(" ms  c0  r0   GET / HTTP/1.1"))
        #expect(several.err.contains("\nnot-judged\n") && several.err.contains("say --case with one of get, twice\n"))
    }
}
