import Foundation
import ProctorTestSupport
import Testing

/// The helper for tests in Go, by its example: skipped where Go is not installed.
struct GoHelperTests {
    private static let folder = "\(Project.path)/helpers/go"

    /// Go's first build of its own library takes minutes on a busy machine.
    private static let building = Duration.seconds(600)

    /// Offline, with a cache that the next run of the suite finds again.
    ///
    /// What Debian's Go has of its library in compiled form fits its own settings, so that no other is changed.
    private static let environment = [
        "GOFLAGS": "-mod=mod", "GOPROXY": "off", "GOTOOLCHAIN": "local",
        "GOCACHE": "\(Project.path)/.build/go-cache", "PROCTOR_BINARY": Child.binary,
        "PROCTOR_FIXTURES": "\(Project.path)/fixtures", "PROCTOR_SERVER": "",
    ]

    private static func go(
        _ arguments: [String], in folder: String = folder, environment: [String: String] = [:]
    ) async throws -> ChildProcess.Outcome {
        let found = try await Child.run(["-c", "command -v go"], program: "/bin/sh")
        guard found.status == 0 else { try Test.cancel("go is not installed: apt-get install golang-go") }
        let path = found.out.trimmingCharacters(in: .whitespacesAndNewlines)
        return try await ChildProcess.run(
            [path] + arguments, environment: Self.environment.merging(environment) { $1 }, in: folder, within: building)
    }

    @Test(.limit(minutes: 12))
    func `the example passes, and shows its timelines where it is asked to`() async throws {
        let outcome = try await Self.go(["test", "-count=1", "-v", "."], in: "\(Self.folder)/example")
        #expect(outcome.status == 0, "\(outcome.out)\(outcome.err)")
        #expect(outcome.out.matches(of: #/--- PASS: /#).count == 13, "\(outcome.out)")
        #expect(outcome.out.contains("proctor: pass: redirect/302-get-stays-get#follow"), "\(outcome.out)")
    }

    @Test(.limit(minutes: 12))
    func `a client that misbehaves fails its test with the findings and the timeline`() async throws {
        let outcome = try await Self.go(["test", "-count=1", "./misbehaving"], in: "\(Self.folder)/example")
        #expect(outcome.status == 1, "\(outcome.out)\(outcome.err)")
        let tests = outcome.out.components(separatedBy: "--- FAIL: ")
        try #require(tests.count == 4, "\(outcome.out)\(outcome.err)")
        #expect(tests[1].hasPrefix("TestA303TurnsPostIntoGet "))
        #expect(tests[1].contains("fail: redirect/303-post-becomes-get#follow"))
        #expect(tests[1].contains("the second request was POST /done; wanted GET /done"))
        #expect(tests[1].contains(#/\n +0\.000  c0 opened by /#), "\(tests[1])")
        #expect(tests[1].contains(#/▶ .* c[01] POST /done HTTP/1\.1.*wanted: GET /done/#), "\(tests[1])")
        #expect(tests[2].hasPrefix("TestABodyIsRead "))
        #expect(tests[2].contains("the reply to GET /pages has the status 404; wanted 200"), "\(tests[2])")
        #expect(tests[2].contains(#/the reply to GET /pages has the content ".*"; wanted "a page"/#), "\(tests[2])")
        #expect(tests[2].contains("the first request was GET /pages; wanted GET /page"), "\(tests[2])")
        // This one fails before it asks for a verdict.
        #expect(tests[3].hasPrefix("TestAClientThatFails "))
        #expect(
            tests[3].contains("the client had to fail, and got the reply 200 OK with content of 6 bytes"), "\(tests[3])"
        )
        #expect(tests[3].contains("proctor: what came in stubs before the test failed:"), "\(tests[3])")
        #expect(tests[3].contains("GET /page HTTP/1.1"), "\(tests[3])")
    }

    @Test(.limit(minutes: 12))
    func `the first test of the README passes in an empty folder`() async throws {
        let readme = try Project.text("helpers/go/README.md")
        let test = try #require(readme.firstMatch(of: #/(?s)```go\n(.*?)```/#)).1
        let install = try #require(readme.firstMatch(of: #/(?s)```sh\ngo (mod edit .*?)\n```/#)).1
        let folder = try TestFolder([
            "redirect_test.go": String(test), "go.mod": "module example.test/mine\n\ngo 1.19\n",
        ])
        defer { folder.remove() }
        let words = install.replacing("/path/to/proctor", with: Project.path).split(separator: " ").map(String.init)
        let edited = try await Self.go(words, in: folder.path)
        #expect(edited.status == 0, "\(edited.out)\(edited.err)")
        let outcome = try await Self.go(["test", "-count=1", "."], in: folder.path)
        #expect(outcome.status == 0, "\(outcome.out)\(outcome.err)")
    }

    @Test(.limit(minutes: 12))
    func `what no test asked for is told when all have ended`() async throws {
        let folder = try module()
        defer { folder.remove() }
        let test = """
            package mistakes

            import (
            \t"net/http"
            \t"testing"

            \t"proctor.test/proctor"
            )

            func TestMain(m *testing.M) { proctor.Main(m) }

            func TestOneOfTwo(t *testing.T) {
            \tif _, err := http.Get(proctor.Inline(t, `\(HelperTrial.twoPages)`).URL("/a")); err != nil {
            \t\tt.Fatal(err)
            \t}
            }

            """
        try folder.write(test, to: "mistakes_test.go")
        let outcome = try await Self.go(["test", "-count=1", "-v", "."], in: folder.path)
        #expect(outcome.status == 0 && outcome.out.contains(HelperTrial.unused), "\(outcome.out)\(outcome.err)")
    }

    private static let mistakes = """
        package mistakes

        import (
        \t"testing"

        \t"proctor.test/proctor"
        )

        func TestID(t *testing.T)   { proctor.Run(t, "redirect/302-get-stay-get") }
        func TestCase(t *testing.T) { proctor.Run(t, "redirect/302-get-stays-get").Verdict("folow") }
        func TestText(t *testing.T) { proctor.Inline(t, "sumary: A page") }
        func TestNone(t *testing.T) {
        \tproctor.Inline(t, "{summary: A page, exchanges: [{request: GET /, reply: {status: 200}}]}").Verdict("")
        }
        func TestPanic(t *testing.T) {
        \trun := proctor.Run(t, "plain/get")
        \tprintln("pid", string(run.Call("GET", "", "")))
        \tpanic("a client's own mistake")
        }

        """

    private func module() throws -> TestFolder {
        try TestFolder([
            "mistakes_test.go": Self.mistakes,
            "go.mod": """
            module example.test/mistakes

            go 1.19

            require proctor.test/proctor v0.0.0

            replace proctor.test/proctor => \(Self.folder)

            """,
        ])
    }

    @Test(.limit(minutes: 12))
    func `a mistake is told in the server's words`() async throws {
        let folder = try module()
        defer { folder.remove() }
        let outcome = try await Self.go(["test", "-count=1", "-run", "ID|Case|Text|None", "."], in: folder.path)
        #expect(outcome.status == 1)
        for sentence in [
            "there is no scenario 'redirect/302-get-stay-get'; did you mean 'redirect/302-get-stays-get'?",
            "redirect/302-get-stays-get has no case 'folow'; did you mean 'follow'?",
            "unknown key \"sumary\" in a scenario; did you mean \"summary\"?",
            "the client made no connection to 127.",
        ] {
            #expect(outcome.out.contains(sentence), "\(sentence): \(outcome.out)\(outcome.err)")
        }
    }

    @Test(
        .limit(minutes: 12),
        arguments: [
            (["PROCTOR_BINARY": "/nowhere/proctor"], "set PROCTOR_BINARY to the path of proctor"),
            (["PROCTOR_FIXTURES": "/nowhere"], "PROCTOR_FIXTURES names '/nowhere', which is not there"),
            (
                ["PROCTOR_SERVER": "http://127.0.0.1:1"],
                "PROCTOR_SERVER, called with PROCTOR_TOKEN, is http://127.0.0.1:1: "
            ),
        ])
    func `a server that is not there is told once a test`(_ row: ([String: String], String)) async throws {
        let folder = try module()
        defer { folder.remove() }
        let outcome = try await Self.go(["test", "-count=1", "-run", "ID", "."], in: folder.path, environment: row.0)
        #expect(outcome.status == 1 && outcome.out.contains(row.1), "\(outcome.out)\(outcome.err)")
    }

    @Test(.limit(minutes: 12))
    func `a server that runs already is used, with its token`() async throws {
        let fixtures = try TestFolder(Fixtures.files)
        defer { fixtures.remove() }
        let child = try await onThread { try ServingChild(fixtures, ["--token", "abc"]) }
        let folder = try TestFolder([
            "here_test.go": """
            package here

            import (
            \t"testing"

            \t"proctor.test/proctor"
            )

            func TestIt(t *testing.T) {
            \trun := proctor.Run(t, "plain/hello")
            \tif _, err := run.Client().Get(run.URL("/")); err != nil {
            \t\tt.Fatal(err)
            \t}
            \trun.Verdict("get")
            }

            """
        ])
        defer { folder.remove() }
        try folder.write(try module().text("go.mod"), to: "go.mod")
        let here = ["PROCTOR_SERVER": child.base, "PROCTOR_BINARY": "/nowhere/proctor"]
        let right = try await Self.go(
            ["test", "-count=1", "."], in: folder.path, environment: here.merging(["PROCTOR_TOKEN": "abc"]) { $1 })
        #expect(right.status == 0, "\(right.out)\(right.err)")
        let wrong = try await Self.go(["test", "-count=1", "."], in: folder.path, environment: here)
        #expect(wrong.status == 1 && wrong.out.contains("Authorization: Bearer"), "\(wrong.out)\(wrong.err)")
    }

    @Test(.limit(minutes: 12))
    func `no server is left over when the test binary panics`() async throws {
        let folder = try module()
        defer { folder.remove() }
        let outcome = try await Self.go(["test", "-count=1", "-run", "Panic", "."], in: folder.path)
        #expect(outcome.status == 1, "\(outcome.out)")
        let text = outcome.out + outcome.err
        #expect(text.contains("panic: a client's own mistake"), "\(text)")
        let base = try #require(text.firstMatch(of: /"base":"http:\/\/([0-9.:]+)"/), "\(text)").1
        try await onThread {
            try wait(for: "the end of the server at \(base)") {
                try ChildProcess.runNow(["/usr/bin/curl", "-s", "http://\(base)/"]).status == 7
            }
        }
    }

    @Test(.limit(minutes: 12))
    func `the sources are as gofmt and go vet want them`() async throws {
        for folder in [Self.folder, "\(Self.folder)/example"] {
            let vetted = try await Self.go(["vet", "./..."], in: folder)
            #expect(vetted.status == 0, "\(vetted.out)\(vetted.err)")
        }
        guard let gofmt = Project.tool("gofmt") else { return }
        let formatted = try await ChildProcess.run([gofmt, "-l", Self.folder])
        #expect(formatted.status == 0 && formatted.out.isEmpty, "\(formatted.out)\(formatted.err)")
    }
}
