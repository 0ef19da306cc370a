import Foundation
import ProctorTestSupport
import Testing

/// `proctor report`: records that are shown, merged and compared.
struct ReportCommandTests {
    private static func exam(_ client: String, _ outcomes: [String]) -> String {
        let header = #"{"exam":"proctor","version":1,"client":"\#(client)","platform":"neutral","proctor":"0.1.0"}"#
        let cases = outcomes.enumerated().map { index, outcome in
            #"{"client":"\#(client)","case":"a/b#\#(index)","scenario":"a/b","name":"\#(index)","kind":"must","outcome":"\#(outcome)","reason":"why","cause":"x"}"#
        }
        return ([header] + cases).joined(separator: "\n") + "\n"
    }

    @Test func `records are shown with causes and counts`() async throws {
        let folder = try TestFolder(["a.jsonl": Self.exam("c", ["fail", "fail", "pass"])])
        let outcome = try await Child.run(["report", "show", "a.jsonl"], in: folder)
        #expect(outcome.status == 0)
        #expect(outcome.out.hasPrefix("c on neutral\n  fail  a/b#0  why\n"), "\(outcome.out)")
        #expect(outcome.out.contains("  2 failed musts, 1 cause\n  cause   2 cases (2 must): X; such as a/b#0\n"))
        #expect(outcome.out.contains("  must: 1 of 3 passed\n"))
        #expect(outcome.out.hasSuffix("3 cases: 1 pass, 2 fail\n"))
    }

    @Test func `what a ledger lists is a failure, and nothing new`() async throws {
        let known = Self.exam("c", ["known", "known", "pass", "partly"])
        let folder = try TestFolder(["a.jsonl": known, "b.jsonl": Self.exam("d", ["known", "fail", "pass"])])
        let outcome = try await Child.run(["report", "show", "a.jsonl", "b.jsonl"], in: folder)
        #expect(outcome.status == 0)
        #expect(
            outcome.out.hasPrefix(
                """
                c on neutral
                  2 failed musts, 1 cause
                  cause   2 cases (2 must), known: X; such as a/b#0
                  must: 1 of 4 passed, 1 partly
                  nothing new: the ledger lists 2 failures
                4 cases: 1 pass, 2 known, 1 partly

                """), "\(outcome.out)")
        #expect(outcome.out.contains("  cause   2 cases (2 must), 1 new: X; such as a/b#0\n"), "\(outcome.out)")
        #expect(outcome.out.contains("  1 new; the ledger lists 1 failure\n"), "\(outcome.out)")
        let merge = try await Child.run(["report", "merge", "a.jsonl", "b.jsonl", "-o", "all.jsonl"], in: folder)
        #expect(merge.err.contains("2 clients, 7 cases, 4 failures, 3 of them known, in all.jsonl"), "\(merge.err)")
    }

    @Test func `a difference exits by what is worse`() async throws {
        let folder = try TestFolder([
            "a.jsonl": Self.exam("c", ["fail", "pass"]), "b.jsonl": Self.exam("c", ["pass", "pass"]),
            "two.jsonl": Self.exam("c", ["fail", "pass"]) + Self.exam("d", ["pass", "pass"]),
        ])
        let better = try await Child.run(["report", "diff", "a.jsonl", "b.jsonl"], in: folder)
        #expect(better.status == 0 && better.out.contains("better     fail -> pass"), "\(better.out)")
        #expect(better.out.contains("  no cause any more: X: 1 case (1 must), such as a/b#0\n"), "\(better.out)")
        #expect(better.out.hasSuffix("0 worse, 1 better, 0 otherwise, 0 changed, 0 new, 0 gone, 1 the same\n"))
        let worse = try await Child.run(["report", "diff", "b.jsonl", "a.jsonl"], in: folder)
        #expect(worse.status == 1 && worse.out.contains("worse      pass -> fail"), "\(worse.out)")
        let named = try await Child.run(
            ["report", "diff", "two.jsonl", "two.jsonl", "--before", "c", "--after", "d"], in: folder)
        #expect(named.status == 0 && named.out.hasPrefix("c -> d\n"), "\(named.out)\(named.err)")
        let unknown = try await Child.run(
            ["report", "diff", "two.jsonl", "two.jsonl", "--before", "e", "--after", "d"], in: folder)
        #expect(unknown.status == 2 && unknown.err.contains("the file has no client 'e'"), "\(unknown.err)")
    }

    @Test func `what is wrong with the command line or a file is told`() async throws {
        let folder = try TestFolder(["a.jsonl": Self.exam("c", ["pass"]), "bad.jsonl": "{}\n"])
        for (arguments, status, words) in [
            ([], 2, "'report' needs what to do"), (["mrege"], 2, "did you mean 'merge'?"),
            (["show"], 2, "needs a file of records"), (["merge", "a.jsonl"], 2, "needs -o OUT"),
            (["diff", "a.jsonl"], 2, "takes two files"), (["html"], 2, "needs DIR"),
            (["show", "bad.jsonl"], 1, "bad.jsonl:1:1: this is no record of an exam"),
            (["show", "none.jsonl"], 1, "none.jsonl can't be read: No such file or directory"),
            (["diff", "a.jsonl", "a.jsonl", "--kind", "may"], 2, "--kind takes must, should or observes"),
        ] as [([String], Int32, String)] {
            let outcome = try await Child.run(["report"] + arguments, in: folder)
            #expect(outcome.status == status && outcome.err.contains(words), "\(arguments): \(outcome.err)")
        }
    }
}

/// `proctor adapter check`.
struct AdapterCommandTests {
    @Test func `a whole adapter has nothing missing`() async throws {
        for more in [[], ["--keep-adapter"], ["--protocol", "h2"]] {
            let outcome = try await Child.run(["adapter", "check", BuiltProduct.referenceClient] + more)
            #expect(outcome.status == 0, "\(outcome.out)\(outcome.err)")
            #expect(outcome.out.contains("9 of 9  silence: as it should\n"), "\(outcome.out)")
            let option = more.contains("h2") ? "--protocol h2 " : ""
            #expect(outcome.out.contains("go on with: proctor exam plain/ \(option)--adapter"), "\(outcome.out)")
        }
    }

    @Test func `an adapter that writes a header alone is told what to build first`() async throws {
        let folder = try TestFolder([
            "adapter": """
            #!/bin/sh
            echo '{"trace":"proctor","version":1,"client":"x","clock":"monotonic","unit":"ns","lanes":["harness"]}'
            """
        ])
        try makeExecutable("\(folder.path)/adapter")
        let outcome = try await Child.run(["adapter", "check", "./adapter"], in: folder)
        #expect(outcome.status == 1)
        #expect(outcome.out.contains("1 of 9  get: missing: "), "\(outcome.out)")
        #expect(outcome.out.contains("9 of 9  silence: missing"), "\(outcome.out)")
        #expect(outcome.out.contains("remark: the header has no 'clientVersion'"))
        #expect(outcome.out.contains("remark: the header has no 'abilities'"))
        let first = try #require(outcome.out.split(separator: "\n").first { $0.hasPrefix("build next: ") })
        #expect(
            first
                == "build next: write the header, make the request of the first step, and write its result with status, url, bytes and body"
        )
    }

    /// A script of the shell as an executable `adapter` in a folder of its own.
    private func folder(_ script: String) throws -> TestFolder {
        let folder = try TestFolder(["adapter": "#!/bin/sh\n" + script])
        try makeExecutable("\(folder.path)/adapter")
        return folder
    }

    private static let header =
        #"{"trace":"proctor","version":1,"client":"x","clock":"monotonic","unit":"ns","lanes":["harness"],"#
        + #""facts":["status","url","bytes","body","error","message"]}"#

    @Test(
        arguments: [
            (
                "echo 'No module named x' >&2; exit 1", "the adapter did not start: it exited with 1 before the header",
                false
            ),
            ("exit 69", "the adapter did not start: it exited with 69 before the header", false),
            ("kill -SEGV $$", "the adapter did not start: SIGSEGV ended it before the header", false),
            ("exit 0", "the adapter did not start: the adapter wrote no trace on standard output", true),
            (
                #"echo '{"trace":"proctor","version":1,"abilities":["redirectz"]}'"#,
                "the trace can't be read: line 1 of the trace: column 45: there is no ability 'redirectz'; did you mean 'redirects'?",
                false
            ),
            (
                "echo '\(header)'; echo '{\"ev\":\"result\",\"facts\":{\"status\":\"200\"}}'",
                "the trace can't be read: line 2 of the trace: column 34: the fact 'status' is a whole number", false
            ),
        ] as [(String, String, Bool)])
    func `what would be said of every case is said once`(script: String, words: String, hasAdvice: Bool) async throws {
        let outcome = try await Child.run(["adapter", "check", "./adapter"], in: try folder(script))
        #expect(outcome.status == 1)
        #expect(outcome.out.hasPrefix("1 of 9  get: \(words)"), "\(outcome.out)")
        #expect(outcome.out.hasSuffix("the other 8 small cases were not tried\n"), "\(outcome.out)")
        #expect(outcome.out.contains("build next: write the header") == hasAdvice, "\(outcome.out)")
        #expect(!outcome.out.contains("remark:") && !outcome.out.contains("2 of 9"), "\(outcome.out)")
        if script.contains("No module") {
            #expect(outcome.out.contains("standard error of the adapter:\n  No module named x\n"), "\(outcome.out)")
        }
    }

    @Test func `a reason that every case has is said once, with one advice`() async throws {
        let folder = try folder("cat >/dev/null\necho '\(Self.header)'\necho 'no such module' >&2; exit 3\n")
        let outcome = try await Child.run(["adapter", "check", "./adapter"], in: folder)
        #expect(outcome.status == 1)
        #expect(outcome.out.split(separator: "\n").count { $0.contains("no such module") } == 1, "\(outcome.out)")
        #expect(outcome.out.contains("9 of 9  silence: missing, for the same reason\n"), "\(outcome.out)")
        #expect(outcome.out.contains("build next: ") && !outcome.out.contains("\nthen: "), "\(outcome.out)")
    }

    @Test func `what the client says of its failure is shown, and on demand what was read and written`() async throws {
        let result =
            #"{"seq":1,"ns":1,"lane":"harness","ev":"result","facts":{"error":"cannotFindHost","message":"no 127.0.0.9"}}"#
        let folder = try folder("cat >/dev/null\necho '\(Self.header)'\necho '\(result)'\n")
        let outcome = try await Child.run(["adapter", "check", "./adapter"], in: folder)
        #expect(outcome.out.contains("  client  : cannotFindHost: no 127.0.0.9\n"), "\(outcome.out)")
        #expect(!outcome.out.contains("assignment:"))
        let verbose = try await Child.run(["adapter", "check", "./adapter", "--verbose"], in: folder)
        #expect(
            verbose.out.contains(#"assignment:\#n  {"version":1,"scenario":"adapter-check/get","#), "\(verbose.out)")
        #expect(verbose.out.contains("trace:\n  \(Self.header)\n  \(result)\n"), "\(verbose.out)")
    }

    @Test func `the status of a redirect that was followed is not that of a load that failed behind it`() async throws {
        // A client that tells of each load all that it has seen, as libcurl does.
        let program = """
            import http.client, json, sys
            from urllib.parse import urlsplit
            steps = json.load(sys.stdin)["steps"]
            print('\(Self.header.replacingOccurrences(of: #""facts""#, with: #""abilities":["redirects"],"facts""#))')
            for task, step in enumerate(steps):
                print(json.dumps({"ev": "resume", "task": task}), flush=True)
                url, facts = step["url"], {}
                try:
                    for _ in range(2):
                        at = urlsplit(url)
                        connection = http.client.HTTPConnection(at.hostname, at.port, timeout=1)
                        body = step.get("body", {}).get("text")
                        connection.request(step["method"], at.path, body, dict(step["headers"]))
                        reply = connection.getresponse()
                        facts = {"status": reply.status, "url": url, "body": reply.read().decode()}
                        url = reply.getheader("Location")
                        if not url:
                            break
                except (OSError, http.client.HTTPException) as error:
                    facts.update(error="timedOut" if isinstance(error, TimeoutError) else "connectionLost", message=str(error))
                print(json.dumps({"ev": "result", "task": task, "facts": facts}), flush=True)
            """
        let folder = try TestFolder(["adapter.py": program])
        let outcome = try await Child.run(["adapter", "check", "/usr/bin/python3 adapter.py"], in: folder)
        #expect(outcome.status == 1)
        #expect(outcome.out.contains("7 of 9  broken-redirect: missing: "), "\(outcome.out)")
        #expect(outcome.out.contains("build next: leave status, mime and body out"), "\(outcome.out)")
        #expect(outcome.out.hasSuffix("1 of 9 small cases did not go as it should\n"), "\(outcome.out)")
    }

    @Test func `an adapter that does not know how to take many assignments is told so`() async throws {
        let folder = try folder("cat >/dev/null\necho '\(Self.header)'\necho '{\"ev\":\"resume\"}'\n")
        let outcome = try await Child.run(["adapter", "check", "./adapter", "--keep-adapter"], in: folder)
        #expect(outcome.status == 1)
        #expect(outcome.out.hasPrefix("1 of 9  get: the adapter does not know --keep-adapter: "), "\(outcome.out)")
        #expect(outcome.out.hasSuffix("the other 8 small cases were not tried\n"), "\(outcome.out)")
    }

    @Test func `a trace that is broken is told with its line`() async throws {
        let outcome = try await Child.run(["adapter", "check", "/bin/echo nonsense"])
        #expect(
            outcome.status == 1 && outcome.out.contains("get: the trace can't be read: line 1 of the trace: "),
            "\(outcome.out)")
        for arguments in [["adapter"], ["adapter", "check"], ["adapter", "chek", "x"]] {
            #expect(try await Child.run(arguments).status == 2)
        }
        let nowhere = try await Child.run(["adapter", "check", "./nowhere"])
        #expect(nowhere.status == 1 && nowhere.err.contains("the adapter can't be run"))
    }
}
