import Foundation
import ProctorTestSupport
import Testing

/// `proctor exam`: shipped clients, kinds, baselines, shards, and exams that are resumed.
struct ExamClientTests {
    private static let files = [
        "fixtures/plain/one.yaml": """
        summary: One request
        spec: RFC 9110 §9.3.1
        exchanges: [ { request: GET /, reply: { status: 200, body: "ok\\n" } } ]
        cases:
          get: { client: { url: / }, wire: request(GET /), facts: { status: 200, body: "ok\\n" } }
          twice: { kind: should, client: { url: / }, wire: request(GET /) request(GET /) }
          watch: { kind: observes, client: { url: / } }
        """,
        "fixtures/plain/two.yaml": """
        summary: Another
        spec: RFC 9110 §9.3.1
        exchanges: [ { request: GET /, reply: { status: 200 } } ]
        cases: { get: { client: { url: / }, wire: request(GET /) } }
        """,
    ]

    /// A folder with fixtures, and with adapters of these names, shell scripts.
    private func folder(_ adapters: [String: String]) throws -> TestFolder {
        var files = Self.files
        for (name, script) in adapters { files["clients/adapters/\(name)"] = "#!/bin/sh\n\(script)\n" }
        let folder = try TestFolder(files)
        for name in adapters.keys {
            try makeExecutable("\(folder.path)/clients/adapters/\(name)")
        }
        return folder
    }

    private static let reference = """
        if [ "$1" = --version ]; then echo "mine 7"; exit 0; fi
        exec \(BuiltProduct.referenceClient)
        """
    private static let absent = #"echo "mine is missing: apt-get install mine" >&2; exit 69"#

    private func lines(_ name: String, in folder: TestFolder) throws -> [[String: Any]] {
        try folder.text(name).split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
    }

    @Test func `several clients are asked, an absent one is told, and records name them all`() async throws {
        let folder = try folder(["mine": Self.reference, "other": Self.absent])
        let outcome = try await Child.run(
            [
                "exam", "--client", "mine,other", "--client", "reference", "--json", "r.jsonl", "--tap", "r.tap",
                "--markdown", "r.md",
            ], in: folder)
        #expect(outcome.status == 0, "\(outcome.out)\(outcome.err)")
        #expect(outcome.out.contains("other is not asked: mine is missing: apt-get install mine\n"), "\(outcome.out)")
        let rows = try lines("r.jsonl", in: folder)
        let headers = rows.filter { $0["exam"] != nil }
        #expect(headers.compactMap { $0["client"] as? String } == ["mine", "other", "reference"])
        #expect(headers[1]["absence"] as? String == "mine is missing: apt-get install mine")
        #expect(headers[2]["platform"] as? String == "reference" && headers[2]["cases"] as? Int == 4)
        let cases = rows.filter { $0["case"] != nil }
        #expect(
            cases.compactMap { $0["case"] as? String } == [
                "plain/one#get", "plain/one#twice", "plain/one#watch", "plain/two#get",
                "plain/one#get", "plain/one#twice", "plain/one#watch", "plain/two#get",
            ])
        let failed = try #require(cases.first { $0["name"] as? String == "twice" })
        #expect(failed["outcome"] as? String == "fail" && failed["cause"] is String)
        #expect((failed["curl"] as? String)?.hasPrefix("proctor run plain/one --case twice -- curl ") == true)
        #expect((failed["curl"] as? String)?.contains("{{base}}/") == true)
        #expect((failed["timeline"] as? [[String: Any]])?.contains { $0["lane"] as? String == "wire" } == true)
        #expect(
            (failed["spec"] as? [[String: String]])?.first?["link"]
                == "https://www.rfc-editor.org/rfc/rfc9110#section-9.3.1")
        #expect(failed["file"] as? String == "fixtures/plain/one.yaml")
        #expect(try folder.text("r.tap").hasPrefix("TAP version 14\n1..8\n"))
        #expect(try folder.text("r.md").contains("| other | mine is missing: apt-get install mine |"))
    }

    @Test(arguments: ["reference-connection", "reference-url-protocol", "urlsession-protocols"])
    func `a shape of a client that is built with Proctor says the version of that client`(name: String) async throws {
        let folder = try folder([:])
        let outcome = try await Child.run(
            [
                "exam", "plain/one#get", "--client", name, "--fail-on", "never", "--json", "r.jsonl",
            ], in: folder)
        #expect(outcome.status == 0, "\(outcome.out)\(outcome.err)")
        let header = try #require(try lines("r.jsonl", in: folder).first)
        #expect(header["client"] as? String == name)
        #expect((header["clientVersion"] as? String)?.isEmpty == false, "\(header)")
    }

    #if !canImport(Darwin)
        // The shared session knows the classes that were registered before its first use.
        @Test func `cases of the shared session do not share a process`() async throws {
            let folder = try folder([:])
            let outcome = try await Child.run(
                [
                    "exam", "protocol/registered", "--client", "urlsession", "--keep-adapter", "--jobs", "1",
                    "--fixtures", "\(Project.path)/fixtures",
                ], in: folder)
            #expect(outcome.status == 0, "\(outcome.out)\(outcome.err)")
        }
    #endif

    @Test func `a client that is not there, and one that is broken, are told`() async throws {
        let folder = try folder(["mine": Self.reference, "broken": "echo oops >&2; exit 3"])
        for (arguments, words) in [
            (["--client", "nime"], "there is no client 'nime'"), (["--client", "mien"], "did you mean 'mine'?"),
            (["--client", "broken"], "the adapter of broken is broken: --version exits with 3: oops"),
            (["--client", "mine", "--adapter", "x"], "say either --adapter or --client, not both"),
            (["--client", "mine", "--client", "mine"], "--client mine is given twice"),
            (["--client", "mine,broken", "--ledger", "x"], "--ledger is for one client"),
            (["--client", "mine", "--fail-on", "may"], "--fail-on takes must, should or never, not 'may'"),
            (["--client", "mine", "--shard", "3/2"], "--shard takes I/N"),
            (["--client", "mine", "--resume"], "--resume goes on with the records of --json FILE"),
            (["--client", "mine", "--html", "site"], "--html makes pages of the records of --json FILE"),
        ] {
            let outcome = try await Child.run(["exam"] + arguments, in: folder)
            #expect(outcome.status == 2 && outcome.err.contains(words), "\(arguments): \(outcome.err)")
        }
        let none = try await Child.run(
            ["exam", "--client", "reference", "--client-programs", folder.path], in: folder)
        #expect(none.status == 1 && none.err.contains("no client was asked"), "\(none.out)\(none.err)")
    }

    @Test(arguments: [("must", 0), ("should", 1), ("never", 0)] as [(String, Int32)])
    func `kinds decide the exit code`(kind: String, status: Int32) async throws {
        let folder = try folder(["mine": Self.reference])
        let outcome = try await Child.run(["exam", "plain/one", "--client", "mine", "--fail-on", kind], in: folder)
        #expect(outcome.status == status && outcome.out.contains("1 fail"), "\(outcome.out)\(outcome.err)")
    }

    @Test func `with a baseline only what is worse fails`() async throws {
        let folder = try folder(["mine": Self.reference])
        let arguments = ["exam", "--client", "mine", "--fail-on", "should"]
        let first = try await Child.run(arguments + ["--json", "old.jsonl"], in: folder)
        #expect(first.status == 1)
        let same = try await Child.run(arguments + ["--baseline", "old.jsonl"], in: folder)
        #expect(same.status == 0 && same.out.contains("none worse than the baseline"), "\(same.out)\(same.err)")
        let old = try folder.text("old.jsonl")
        try folder.write(
            old.replacingOccurrences(of: #""outcome":"fail""#, with: #""outcome":"pass""#), to: "old.jsonl")
        let worse = try await Child.run(arguments + ["--baseline", "old.jsonl"], in: folder)
        #expect(worse.status == 1)
        #expect(worse.out.contains("worse than the baseline: plain/one#twice: pass, now fail"), "\(worse.out)")
        try folder.write("{}\n", to: "bad.jsonl")
        let bad = try await Child.run(arguments + ["--baseline", "bad.jsonl"], in: folder)
        #expect(bad.status == 1 && bad.err.contains("bad.jsonl:1:1: this is no record of an exam"), "\(bad.err)")
    }

    @Test func `a baseline of another client is said to be one`() async throws {
        let folder = try folder(["mine": Self.reference])
        let arguments = ["exam", "plain/one", "--client", "mine", "--fail-on", "should"]
        let first = try await Child.run(arguments + ["--json", "old.jsonl"], in: folder)
        #expect(first.status == 1)
        let old = try folder.text("old.jsonl")
        try folder.write(old.replacingOccurrences(of: #""client":"mine""#, with: #""client":"other""#), to: "old.jsonl")
        let other = try await Child.run(arguments + ["--baseline", "old.jsonl"], in: folder)
        #expect(other.status == 1)
        #expect(
            other.err.contains(
                "the baseline old.jsonl has no client 'mine', so that each failure of it is new: it is of other"),
            "\(other.err)")
        // The same name of an adapter, which drove another client.
        try folder.write(
            old.replacingOccurrences(of: #""clientName":"proctor-reference""#, with: #""clientName":"curl""#),
            to: "old.jsonl")
        let renamed = try await Child.run(arguments + ["--baseline", "old.jsonl"], in: folder)
        #expect(
            renamed.err.contains("the baseline is of curl, and this client is proctor-reference"), "\(renamed.err)")
    }

    @Test func `shards are disjoint, together whole, and merged`() async throws {
        let folder = try folder(["mine": Self.reference])
        for number in 1...3 {
            let outcome = try await Child.run(
                ["exam", "--client", "mine", "--shard", "\(number)/3", "--json", "\(number).jsonl"], in: folder)
            #expect(outcome.status == 0, "\(outcome.out)\(outcome.err)")
        }
        let counts = try (1...3).map { try lines("\($0).jsonl", in: folder).count }
        #expect(counts == [3, 2, 2])
        let merged = try await Child.run(
            ["report", "merge", "1.jsonl", "2.jsonl", "3.jsonl", "-o", "all.jsonl"], in: folder)
        #expect(merged.status == 0)
        #expect(merged.err == "proctor: 1 client, 4 cases, 1 failure, in all.jsonl\n")
        let rows = try lines("all.jsonl", in: folder)
        #expect(
            rows.compactMap { $0["case"] as? String } == [
                "plain/one#get", "plain/one#twice", "plain/one#watch", "plain/two#get",
            ])
        #expect(rows[0]["shard"] == nil && rows[0]["cases"] as? Int == 4)
    }

    @Test(arguments: [
        ["CI_NODE_INDEX": "2", "CI_NODE_TOTAL": "3"], ["CIRCLE_NODE_INDEX": "1", "CIRCLE_NODE_TOTAL": "3"],
        ["BUILDKITE_PARALLEL_JOB": "1", "BUILDKITE_PARALLEL_JOB_COUNT": "3"],
        ["TEST_SHARD_INDEX": "1", "TEST_TOTAL_SHARDS": "3", "TEST_SHARD_STATUS_FILE": "status"],
        ["JOB_COMPLETION_INDEX": "1", "PROCTOR_NODE_TOTAL": "3"],
        ["PROCTOR_NODE_INDEX": "1", "PROCTOR_NODE_TOTAL": "3", "CI_NODE_INDEX": "9", "CI_NODE_TOTAL": "9"],
    ])
    func `a node takes its part, and a lost node is seen`(_ variables: [String: String]) async throws {
        let folder = try folder(["mine": Self.reference])
        let outcome = try await Child.run(
            [
                "exam", "--client", "mine", "--shard", "auto", "--json", "2.jsonl", "--annotations", "--sarif",
                "2.sarif",
            ],
            environment: variables, in: folder)
        #expect(outcome.status == 0, "\(outcome.out)\(outcome.err)")
        #expect(try lines("2.jsonl", in: folder)[0]["shard"] as? String == "2/3")
        #expect(try folder.text("2.sarif").contains(#""version":"2.1.0","runs":[{"tool""#))
        #expect(variables["TEST_SHARD_STATUS_FILE"] == nil || (try? folder.text("status")) == "")
        let merged = try await Child.run(["report", "merge", "2.jsonl", "-o", "all.jsonl"], in: folder)
        #expect(merged.status == 1)
        #expect(merged.err.contains("parts 1/3, 3/3 of mine are missing, or not whole"), "\(merged.err)")
    }

    @Test(
        arguments: [
            ([:], "--shard auto finds no number of a node in the environment"),
            (
                ["CI_NODE_INDEX": "0", "CI_NODE_TOTAL": "3"],
                "GitLab says CI_NODE_INDEX=0 and CI_NODE_TOTAL=3; 1 to N and N"
            ),
            (["CIRCLE_NODE_INDEX": "3", "CIRCLE_NODE_TOTAL": "3"], "CIRCLE_NODE_TOTAL=3; 0 to N - 1 and N"),
            (["JOB_COMPLETION_INDEX": "0"], "Kubernetes says JOB_COMPLETION_INDEX=0 and PROCTOR_NODE_TOTAL=;"),
        ] as [([String: String], String)])
    func `a node without a number is refused`(_ variables: [String: String], _ sentence: String) async throws {
        let folder = try folder(["mine": Self.reference])
        let none = ["CI_NODE_INDEX": "", "CIRCLE_NODE_INDEX": "", "TEST_SHARD_INDEX": "", "PROCTOR_NODE_INDEX": ""]
        let outcome = try await Child.run(
            ["exam", "--client", "mine", "--shard", "auto"], environment: none.merging(variables) { $1 }, in: folder)
        #expect(outcome.status == 2 && outcome.err.contains(sentence), "\(outcome.err)")
    }

    @Test func `an interrupted exam is gone on with, and asks only what is left`() async throws {
        let folder = try folder(["mine": "echo x >> count\n" + Self.reference])
        let arguments = ["exam", "--client", "mine", "--json", "r.jsonl", "--jobs", "1"]
        _ = try await Child.run(arguments, in: folder)
        let whole = try folder.text("r.jsonl").split(separator: "\n").map(String.init)
        #expect(whole.count == 5)
        try folder.write(whole[...2].joined(separator: "\n") + "\n" + whole[3].prefix(30), to: "r.jsonl")
        try folder.write("", to: "count")
        let outcome = try await Child.run(arguments + ["--resume"], in: folder)
        #expect(outcome.status == 0 && outcome.out.contains("4 cases: "), "\(outcome.out)\(outcome.err)")
        // One call is for the version.
        #expect(try folder.text("count").split(separator: "\n").count == 3)
        let rows = try lines("r.jsonl", in: folder)
        #expect(rows.count == 5)
        #expect(
            rows.compactMap { $0["case"] as? String } == [
                "plain/one#get", "plain/one#twice", "plain/one#watch", "plain/two#get",
            ])
    }

    @Test(arguments: [("*in/one#g*", 1), ("plain/t?o", 1), ("*in/*o#get", 1), ("plain/one#*", 3), ("?lain/one#*", 3)])
    func `patterns name cases`(pattern: String, count: Int) async throws {
        let folder = try folder(["mine": Self.reference])
        let outcome = try await Child.run(["exam", pattern, "--client", "mine"], in: folder)
        #expect(outcome.out.contains(count == 1 ? "1 case: " : "\(count) cases: "), "\(outcome.out)\(outcome.err)")
    }

    @Test func `a failure explains itself`() async throws {
        let folder = try folder(["mine": Self.reference])
        let outcome = try await Child.run(["exam", "plain/one", "--client", "mine"], in: folder)
        for words in [
            "about   : One request", "spec    : RFC 9110 §9.3.1  https://www.rfc-editor.org/rfc/rfc9110#section-9.3.1",
            "fixture : fixtures/plain/one.yaml:", "curl    : proctor run plain/one --case twice -- curl ",
        ] { #expect(outcome.out.contains(words), "\(words) is not in \(outcome.out)") }
    }
}
