import Foundation
import ProctorTestSupport
import Testing

/// The adapter for curl of the checkout.
private let curl = "\(Project.path)/clients/adapters/curl"

/// `proctor exam`: cases set to a client through its adapter.
struct ExamTests {
    private static let files = [
        "fixtures/plain/one.yaml": """
        summary: One request
        exchanges: [ { request: GET /, reply: { status: 200, body: "ok\\n" } } ]
        cases:
          get: { client: { url: / }, wire: request(GET /), facts: { status: 200, body: "ok\\n" } }
          twice: { client: { url: / }, wire: request(GET /) request(GET /) }
          watch: { kind: observes, client: { url: / } }
        """,
        "fixtures/plain/two.yaml": """
        summary: Another
        exchanges: [ { request: GET /, reply: { status: 200 } } ]
        cases: { get: { client: { url: / }, wire: request(GET /) } }
        """,
    ]

    private func exam(_ arguments: [String], adapter: String = curl, in folder: TestFolder) async throws
        -> Child.Outcome
    {
        try await Child.run(["exam", "--adapter", adapter] + arguments, in: folder)
    }

    @Test func `the curl adapter passes a shipped case`() async throws {
        let outcome = try await Child.run([
            "exam", "plain/404#get", "--adapter", curl, "--fixtures", "\(Project.path)/fixtures",
        ])
        #expect(outcome.status == 0 && outcome.err.isEmpty, "\(outcome.out)")
        #expect(outcome.out.hasPrefix("curl ") && outcome.out.hasSuffix("1 case: 1 pass\n"))
    }

    @Test func `failing cases are shown with their timeline, the others only on demand`() async throws {
        let folder = try TestFolder(Self.files)
        let outcome = try await exam(["plain/one"], in: folder)
        #expect(outcome.status == 1 && outcome.err.isEmpty)
        #expect(outcome.out.contains("\nfail: plain/one#twice\n") && outcome.out.contains("GET / HTTP/1.1"))
        #expect(!outcome.out.contains("pass: plain/one#get"))
        // The sentence, the timeline, the findings in words; expressions on demand.
        #expect(outcome.out.hasPrefix("the second request never came; wanted GET /"), "\(outcome.out)")
        #expect(!outcome.out.contains("request("), "\(outcome.out)")
        #expect(outcome.out.contains("3 cases: "))
        let all = try await exam(["plain/one", "--verbose"], in: folder)
        #expect(
            all.out.hasPrefix("pass: plain/one#get\n") && all.out.contains("\nobserved: plain/one#watch (observes)\n"))
        #expect(all.out.contains("request(GET /)"), "\(all.out)")
        let good = try await exam(["plain/one#get", "plain/two", "--jobs", "1"], in: folder)
        #expect(good.status == 0 && good.out.hasSuffix("2 cases: 2 pass\n"), "\(good.out)")
    }

    @Test func `a ledger that speaks of a case there is not is refused, with its place and the nearest`() async throws {
        let ledger =
            "client: mine\ndeviations:\n  plain/one#twise: { because: x }\n  other/family#get: { because: y }\n"
        let folder = try TestFolder(Self.files.merging(["clients/mine.yaml": ledger]) { $1 })
        let outcome = try await exam(["--ledger", "clients/mine.yaml", "--platform", "neutral"], in: folder)
        #expect(outcome.status == 1 && outcome.out.isEmpty)
        #expect(
            outcome.err
                == "clients/mine.yaml:3:3: error: there is no case 'plain/one#twise'; did you mean 'plain/one#twice'?\n"
        )
    }

    @Test func `an adapter that takes one assignment is said not to know --keep-adapter, once`() async throws {
        let folder = try TestFolder(Self.files)
        let adapter = "\(folder.path)/adapter"
        // Reads to the end whatever it is told, and ends its trace without an empty line.
        try "#!/bin/sh\nunset PROCTOR_ASSIGNMENTS\nexec \(curl)\n".write(
            toFile: adapter, atomically: true, encoding: .utf8)
        try makeExecutable(adapter)
        let outcome = try await exam(
            ["plain/one#get", "plain/two", "--keep-adapter", "--jobs", "1"], adapter: adapter, in: folder)
        #expect(outcome.status == 0 && outcome.out.hasSuffix("2 cases: 2 pass\n"), "\(outcome.out)")
        let notes = outcome.err.split(separator: "\n")
        #expect(notes.count == 1, "\(outcome.err)")
        #expect(notes.first?.hasPrefix("proctor: the adapter does not know --keep-adapter: ") == true, "\(outcome.err)")
    }

    @Test func `a case that fails by chance is asked again, when told to`() async throws {
        let folder = try TestFolder(Self.files)
        // Fails in its first sitting only.
        let adapter = "\(folder.path)/adapter"
        try "#!/bin/sh\nmkdir '\(folder.path)/seen' 2>/dev/null && exit 3\nexec \(curl)\n".write(
            toFile: adapter, atomically: true, encoding: .utf8)
        try makeExecutable(adapter)
        let outcome = try await exam(["plain/one#get", "--retries", "1"], adapter: adapter, in: folder)
        #expect(outcome.status == 0, "\(outcome.out)\(outcome.err)")
        #expect(outcome.out.contains("setup-failed: plain/one#get"))
        #expect(outcome.out.contains("asked more than once, since the first sitting failed: plain/one#get"))
        #expect(outcome.out.hasSuffix("1 case: 1 pass\n"))
    }

    @Test func `a case that passes is asked again with other slices, when told to`() async throws {
        let folder = try TestFolder(Self.files)
        let adapter = "\(folder.path)/adapter"
        try "#!/bin/sh\necho again >> '\(folder.path)/count'\nexec \(curl)\n".write(
            toFile: adapter, atomically: true, encoding: .utf8)
        try makeExecutable(adapter)
        let outcome = try await exam(["plain/two", "--reslice", "3"], adapter: adapter, in: folder)
        #expect(outcome.status == 0, "\(outcome.out)\(outcome.err)")
        #expect(try folder.text("count").split(separator: "\n").count == 4)
        let refused = try await exam(["--reslice", "101"], in: folder)
        #expect(refused.status == 2 && refused.err.contains("0 to 100"), "\(refused.err)")
    }

    @Test func `over HTTP 2 cases of HTTP 1_1 are skipped with their place, and records say what was spoken`()
        async throws
    {
        let old = """
            summary: The end of the connection
            exchanges: [ { request: GET /, reply: { status: 200, framing: close, body: a } } ]
            cases: { get: { client: { url: / }, wire: request(GET /) } }
            """
        let folder = try TestFolder(Self.files.merging(["fixtures/old/close.yaml": old]) { $1 })
        let outcome = try await exam(
            ["old/", "--protocol", "h2", "--verbose", "--json", "records.jsonl"], in: folder)
        #expect(outcome.status == 0, "\(outcome.out)\(outcome.err)")
        #expect(outcome.out.hasPrefix("skipped: old/close#get: "), "\(outcome.out)")
        #expect(
            outcome.out.contains(
                "it means nothing over HTTP/2: fixtures/old/close.yaml:2:39: the end of the connection ends the content"
            ),
            "\(outcome.out)")
        let records = try folder.text("records.jsonl")
        #expect(records.split(separator: "\n")[0].contains(#""protocol":"h2""#), "\(records)")
        let refused = try await exam(["--protocol", "h3"], in: folder)
        #expect(
            refused.status == 2 && refused.err.contains("--protocol takes h2, http/1.1, not 'h3'"), "\(refused.err)")
    }

    @Test func `a ledger makes a failing case a known one, and a platform may be named`() async throws {
        let ledger = """
            client: curl
            version: "1"
            deviations:
              plain/one#twice: { because: one is enough, wire: request(GET /) }
            """
        let folder = try TestFolder(Self.files.merging(["clients/mine.yaml": ledger]) { $1 })
        let outcome = try await exam(["--ledger", "mine"], in: folder)
        #expect(outcome.status == 0 && outcome.out.contains("1 known"), "\(outcome.out)")
        let unknown = try await exam(["--ledger", "mien"], in: folder)
        #expect(
            unknown.status == 2
                && unknown.err.hasPrefix("proctor: there is no ledger 'mien'; did you mean 'mine'? (looked in "))
        let platform = try await exam(["--platform", "amiga"], in: folder)
        #expect(platform.status == 2 && platform.err.hasPrefix("proctor: there is no platform 'amiga'; "))
    }

    @Test func `reports are written for machines`() async throws {
        let folder = try TestFolder(Self.files)
        let outcome = try await exam(["plain/one", "--json", "out.jsonl", "--junit", "out.xml"], in: folder)
        #expect(outcome.status == 1)
        let lines = try folder.text("out.jsonl").split(separator: "\n")
        let verdicts = try lines.map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
        #expect(verdicts.compactMap { $0["outcome"] as? String } == ["pass", "fail", "observed"])
        let junit = try folder.text("out.xml")
        #expect(junit.components(separatedBy: "<testcase ").count == 4)
        #expect(junit.components(separatedBy: "<failure").count == 2)
        let nowhere = try await exam(["plain/two", "--json", "no/such/folder"], in: folder)
        #expect(nowhere.status == 1 && nowhere.err.contains("no/such/folder"))
    }

    @Test func `an adapter that is not there is told before any case is asked`() async throws {
        let folder = try TestFolder(Self.files.merging(["text": "x"]) { $1 })
        for (adapter, wanted) in [
            ("./nothing", "./nothing: No such file or directory"), ("./text", "./text: Permission denied"),
            ("./fixtures", "./fixtures is no file"),
            (
                "no-such-program --flag",
                "there is no program 'no-such-program' in PATH; write ./no-such-program for one of this folder"
            ),
        ] {
            let outcome = try await exam([], adapter: adapter, in: folder)
            #expect(outcome.status == 1 && outcome.out.isEmpty)
            #expect(outcome.err == "proctor: the adapter can't be run: \(wanted)\n")
        }
    }

    @Test func `an adapter that crashes, hangs or says nonsense is a verdict`() async throws {
        let folder = try TestFolder(Self.files)
        let crash = try await exam(["plain/two"], adapter: "/bin/sh -c kill${IFS}-SEGV${IFS}$$", in: folder)
        #expect(crash.status == 1 && crash.out.contains("crash") && crash.out.contains("SIGSEGV"), "\(crash.out)")
        let nonsense = try await exam(["plain/two"], adapter: "/bin/echo {\"ev\":\"respons\"}", in: folder)
        #expect(nonsense.status == 1 && nonsense.out.contains("did you mean 'response'?"), "\(nonsense.out)")
    }

    @Test func `a case with an expression for downloads is asked as a download too, under a name of its own`()
        async throws
    {
        let folder = try TestFolder([
            "fixtures/plain/both.yaml": """
            summary: A load and a download
            exchanges: [ { request: GET /, reply: { status: 200, body: "ok\\n" } } ]
            cases:
              get:
                client: { url: / }
                wire: request(GET /)
                task: response(200) data+ complete(ok)
                download: progress+ fileReady complete(ok)
              post: { client: { url: / }, wire: request(POST /) }
            """
        ])
        let reference = BuiltProduct.referenceClient
        for (pattern, counts) in [
            ("plain/both#get", "1 case: 1 pass"), ("plain/both#get@download", "1 case: 1 pass"),
            ("*in/both#*@download", "1 case: 1 pass"), ("plain/both", "3 cases: 2 pass, 1 fail"),
        ] {
            let outcome = try await exam([pattern], adapter: reference, in: folder)
            #expect(outcome.out.hasSuffix("\(counts)\n"), "\(pattern): \(outcome.out)")
        }
        try folder.write("client: c\ndeviations: { plain/both#get@download: { because: b } }\n", to: "c.yaml")
        let fixed = try await exam(["plain/both#get@download", "--ledger", "c.yaml"], adapter: reference, in: folder)
        #expect(fixed.status == 1 && fixed.out.contains("fixed"), "\(fixed.out)")
        let legacy = try await exam(["plain/both", "--verbose"], adapter: "\(reference) --as download", in: folder)
        #expect(legacy.out.contains("1 pass, 2 not-in-this-adapter"), "\(legacy.out)")
        let listed = try await Child.run(["list", "--cases-of", "plain/both", "fixtures"], in: folder)
        #expect(listed.out == "get\nget@download\npost\n", "\(listed.out)")
    }

    @Test func `a case that is not there is told with what was meant`() async throws {
        let folder = try TestFolder(Self.files)
        for (pattern, wanted) in [
            ("plain/on", "no case is named 'plain/on'; did you mean 'plain/one'?"),
            ("plain/one#gett", "no case is named 'plain/one#gett'; plain/one has get, twice, watch"),
            ("zzz/", "no case is named 'zzz/'; write family/, family/scenario or family/scenario#case"),
        ] {
            let outcome = try await exam([pattern], in: folder)
            #expect(outcome.status == 2 && outcome.out.isEmpty)
            #expect(outcome.err.hasPrefix("proctor: \(wanted) (looked in fixtures"), "\(outcome.err)")
        }
    }

    @Test func `what is missing or out of range is told`() async throws {
        let folder = try TestFolder(Self.files.merging(["fixtures/bad.yaml": "summary: [\n"]) { $1 })
        for arguments in [["exam"], ["exam", "--adapter", " "]] {
            let none = try await Child.run(arguments, in: folder)
            #expect(none.status == 2)
            let wanted =
                "'exam' needs --adapter COMMAND or --client NAME; Docs/clients/adapters.md says what an adapter is"
            #expect(none.err == "proctor: \(wanted)\n")
        }
        let jobs = try await exam(["--jobs", "65"], in: folder)
        #expect(jobs.status == 2 && jobs.err == "proctor: --jobs takes a whole number from 1 to 64, not '65'\n")
        let broken = try await exam([], in: folder)
        #expect(broken.status == 1 && broken.out.isEmpty && broken.err.hasPrefix("fixtures/bad.yaml:"))
    }
}

/// `proctor exam`: an adapter that does not start, and reports that are written as they come.
struct ExamStartTests {
    private static let files = [
        "fixtures/plain/one.yaml": """
        summary: One request
        exchanges: [ { request: GET /, reply: { status: 200, body: "ok\\n" } } ]
        cases:
          a: { client: { url: / }, wire: request(GET /), facts: { status: 200 } }
          b: { client: { url: / }, wire: request(GET /), facts: { status: 200 } }
          c: { client: { url: / }, wire: request(GET /), facts: { status: 200 } }
          d: { client: { url: / }, wire: request(GET /), facts: { status: 200 } }
          e: { client: { url: / }, wire: request(GET /), facts: { status: 200 } }
        """
    ]

    private func folder(adapter: String) throws -> TestFolder {
        let folder = try TestFolder(Self.files.merging(["adapter": "#!/bin/sh\n\(adapter)\n"]) { $1 })
        try makeExecutable("\(folder.path)/adapter")
        return folder
    }

    private func exam(_ arguments: [String] = [], in folder: TestFolder) async throws -> Child.Outcome {
        try await Child.run(["exam", "--adapter", "\(folder.path)/adapter"] + arguments, in: folder)
    }

    @Test(arguments: ["1", "4", "64"])
    func `an adapter that does not start is given three cases, and its message is printed once`(jobs: String)
        async throws
    {
        let folder = try folder(adapter: "echo x >> count; echo 'ImportError: No module named wanted' >&2; exit 1")
        let outcome = try await exam(["--jobs", jobs, "--retries", "2", "--junit", "out.xml"], in: folder)
        #expect(outcome.status == 1)
        #expect(try folder.text("count").split(separator: "\n").count == 3)
        let told = "\(folder.path)/adapter does not start: 3 cases ended without a trace; the first, plain/one#"
        #expect(outcome.out.hasPrefix(told), "\(outcome.out)")
        let words = outcome.out.components(separatedBy: "ImportError: No module named wanted")
        #expect(words.count == 2, "\(outcome.out)")
        #expect(outcome.out.hasSuffix("3 cases: 3 setup-failed; 2 others not asked\n"), "\(outcome.out)")
        #expect(try folder.text("out.xml").components(separatedBy: "<error ").count == 4)
    }

    @Test func `one that starts in the end is asked everything`() async throws {
        let folder = try folder(
            adapter:
                "if mkdir one 2>/dev/null || mkdir two 2>/dev/null; then echo not yet >&2; exit 3; fi\nexec \(curl)"
        )
        let outcome = try await exam(["--jobs", "1"], in: folder)
        #expect(outcome.status == 1 && outcome.out.contains("5 cases: "), "\(outcome.out)")
        #expect(outcome.out.contains("2 setup-failed") && !outcome.out.contains("does not start"), "\(outcome.out)")
        #expect(outcome.out.contains("setup-failed: plain/one#a") && outcome.out.contains("\n  not yet\n"))
    }

    @Test(arguments: ["--junit", "--json"])
    func `a report that can't be written is told before anybody is asked`(flag: String) async throws {
        let folder = try folder(adapter: "touch asked; exec \(curl)")
        let outcome = try await exam([flag, "no/such/file"], in: folder)
        #expect(outcome.status == 1 && outcome.out.isEmpty && !folder.has("asked"))
        #expect(outcome.err.hasPrefix("proctor: \(flag) no/such/file can't be written: No such file or directory"))
    }

    @Test func `results are in the files before the next case is over, and in order in the end`() async throws {
        // The second case and those behind it wait, bounded, for the line and the test case of the first.
        let folder = try folder(
            adapter: """
                input=$(cat)
                case $input in *'"case":"a"'*) ;; *)
                    for i in $(seq 600); do grep -q '#a' out.jsonl 2>/dev/null && break; sleep 0.05; done
                    grep -q '#a' out.jsonl && grep -q 'name="a"' out.xml && grep -q '</testsuites>' out.xml || exit 3
                esac
                printf %s "$input" | exec \(curl)
                """)
        try folder.write("left by an earlier exam\n", to: "out.jsonl")
        let outcome = try await exam(["--jobs", "1", "--json", "out.jsonl", "--junit", "out.xml"], in: folder)
        #expect(outcome.status == 0, "\(outcome.out)\(outcome.err)")
        let lines = try folder.text("out.jsonl").split(separator: "\n")
        #expect(lines.count == 6 && lines[0].hasPrefix(#"{"exam":"proctor","version":1,"client":"adapter","#))
        for (line, name) in zip(lines.dropFirst(), "abcde") { #expect(line.contains("plain/one#\(name)"), "\(line)") }
        #expect(try folder.text("out.xml").components(separatedBy: "<testcase ").count == 6)
    }

    @Test func `lines go to a pipe or standard output too`() async throws {
        let folder = try folder(adapter: "exec \(curl)")
        let outcome = try await exam(["plain/one#a", "--json", "/dev/stdout"], in: folder)
        #expect(outcome.status == 0 && outcome.out.contains("\"outcome\":\"pass\""), "\(outcome.out)\(outcome.err)")
    }
}
