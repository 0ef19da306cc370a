import Foundation
import ProctorTestSupport
import Testing

/// The helper for tests with JUnit 5, by its example: skipped where Java or JUnit is not installed.
struct JavaHelperTests {
    private static let folder = "\(Project.path)/helpers/java"
    private static let jars = "/usr/share/java"

    private static let building = Duration.seconds(300)

    private static let environment = [
        "PROCTOR_BINARY": Child.binary, "PROCTOR_FIXTURES": "\(Project.path)/fixtures", "PROCTOR_SERVER": "",
    ]

    /// Compiles the helper and the files of `$2` into `$1`, with every warning an error.
    private static let compile = """
        set -eu
        path=$3/junit-jupiter-api.jar:$3/junit-platform-commons.jar:$3/opentest4j.jar:$3/apiguardian-api.jar
        find src -name '*.java' | xargs javac -Xlint:all -Werror -d "$1" -cp "$path"
        find "$2" -name '*.java' | xargs javac -Xlint:all -Werror -d "$1" -cp "$path:$1"
        """

    private static func compile(_ sources: String, into classes: TestFolder) async throws {
        let found = try await Child.run(["-c", "command -v javac"], program: "/bin/sh")
        guard found.status == 0 else {
            try Test.cancel("javac is not installed: apt-get install openjdk-17-jdk-headless")
        }
        guard FileManager.default.fileExists(atPath: "\(jars)/junit-platform-console-standalone.jar") else {
            try Test.cancel("JUnit 5 is not installed: apt-get install junit5")
        }
        let outcome = try await ChildProcess.run(
            ["/bin/sh", "-c", compile, "sh", classes.path, sources, jars], in: folder, within: building)
        #expect(outcome.status == 0 && outcome.err.isEmpty, "\(outcome.out)\(outcome.err)")
    }

    private static func run(
        _ selection: [String], in classes: TestFolder, environment: [String: String] = [:]
    ) async throws -> ChildProcess.Outcome {
        try await ChildProcess.run(
            [
                "/usr/bin/env", "java", "-XX:TieredStopAtLevel=1", "-jar",
                "\(jars)/junit-platform-console-standalone.jar",
                "-cp", classes.path, "--disable-banner", "--disable-ansi-colors",
            ] + selection, environment: Self.environment.merging(environment) { $1 }, within: building)
    }

    @Test(.limit(minutes: 12))
    func `the example passes`() async throws {
        let classes = try TestFolder()
        try await Self.compile("example/src", into: classes)
        let outcome = try await Self.run(["--select-package", "client"], in: classes)
        #expect(outcome.status == 0, "\(outcome.out)\(outcome.err)")
        #expect(outcome.out.contains("13 tests successful"), "\(outcome.out)")
    }

    @Test(.limit(minutes: 12))
    func `a client that misbehaves fails its test with the findings and the timeline`() async throws {
        let classes = try TestFolder()
        try await Self.compile("example/src", into: classes)
        let outcome = try await Self.run(["--select-package", "misbehaving"], in: classes)
        #expect(outcome.status == 1 && outcome.out.contains("2 tests failed"), "\(outcome.out)\(outcome.err)")
        #expect(outcome.out.contains("fail: redirect/303-post-becomes-get#follow"), "\(outcome.out)")
        #expect(outcome.out.contains("the second request was POST /done; wanted GET /done"), "\(outcome.out)")
        #expect(outcome.out.contains(#/\n +0\.000  c0 opened by /#), "\(outcome.out)")
        #expect(outcome.out.contains(#/▶ .* c[01] POST /done HTTP/1\.1.*wanted: GET /done/#), "\(outcome.out)")
        // This one fails before its verdict is asked for.
        #expect(outcome.out.contains("expected: <200> but was: <404>"), "\(outcome.out)")
        #expect(outcome.out.contains("Suppressed: proctor.Proctor$Timeline: what came in inline:"), "\(outcome.out)")
        #expect(outcome.out.contains("GET /pages HTTP/1.1"), "\(outcome.out)")
    }

    @Test(.limit(minutes: 12), .enabled(if: Extent.isWhole, Extent.whole))
    func `the first test of the README passes in an empty folder`() async throws {
        let readme = try Project.text("helpers/java/README.md")
        let test = try #require(readme.firstMatch(of: #/(?s)```java\n(.*?)```/#)).1
        let sources = try TestFolder(["RedirectTest.java": String(test)])
        defer { sources.remove() }
        let classes = try TestFolder()
        try await Self.compile(sources.path, into: classes)
        let outcome = try await Self.run(["--select-class", "RedirectTest"], in: classes)
        #expect(outcome.status == 0 && outcome.out.contains("1 tests successful"), "\(outcome.out)\(outcome.err)")
    }

    @Test(.limit(minutes: 12), .enabled(if: Extent.isWhole, Extent.whole))
    func `what no test asked for is told when all have ended`() async throws {
        let yaml = HelperTrial.twoPages.replacing("\n", with: "\\n")
        let sources = try TestFolder([
            "TwoTest.java": """
            package two;

            import java.net.URI;
            import org.junit.jupiter.api.Test;
            import org.junit.jupiter.api.extension.ExtendWith;
            import proctor.Proctor;
            import proctor.Run;
            import proctor.Scenario;

            @ExtendWith(Proctor.class)
            class TwoTest {
                @Test @Scenario(yaml = "\(yaml)", verdict = "a")
                void one(Run run) throws Exception { URI.create(run.base() + "/a").toURL().openStream().close(); }
            }

            """
        ])
        defer { sources.remove() }
        let classes = try TestFolder()
        try await Self.compile(sources.path, into: classes)
        let outcome = try await Self.run(["--select-package", "two"], in: classes)
        #expect(outcome.status == 0 && outcome.err.contains(HelperTrial.unused), "\(outcome.out)\(outcome.err)")
    }

    private static let mistakes = """
        package mistakes;

        import org.junit.jupiter.api.BeforeEach;
        import org.junit.jupiter.api.Nested;
        import org.junit.jupiter.api.Test;
        import org.junit.jupiter.api.extension.ExtendWith;
        import proctor.Proctor;
        import proctor.Run;
        import proctor.Scenario;

        @ExtendWith(Proctor.class)
        class MistakesTest {
            @Test @Scenario("redirect/302-get-stay-get") void id(Run run) {}
            @Test @Scenario(value = "redirect/302-get-stays-get", verdict = "folow") void name(Run run) {}
            @Test @Scenario(yaml = "sumary: A page") void text(Run run) {}
            @Test void none(Run run) {}
            @Test @Scenario(value = "plain/get", verdict = "get") void unused() {}

            @Nested @Scenario(value = "plain/get", verdict = "get") class Inherited {
                private Run first;

                @BeforeEach void keep(Run run) { first = run; }

                @Test void sameRun(Run run) {
                    if (run != first) throw new AssertionError("@BeforeEach got another run");
                }
            }
        }

        """

    private func compiledMistakes() async throws -> TestFolder {
        let sources = try TestFolder(["MistakesTest.java": Self.mistakes])
        defer { sources.remove() }
        let classes = try TestFolder()
        try await Self.compile(sources.path, into: classes)
        return classes
    }

    @Test(.limit(minutes: 12), .enabled(if: Extent.isWhole, Extent.whole))
    func `a mistake is told in the server's words`() async throws {
        let outcome = try await Self.run(["--select-package", "mistakes"], in: try await compiledMistakes())
        #expect(outcome.status == 1 && outcome.out.contains("6 tests failed"), "\(outcome.out)\(outcome.err)")
        for sentence in [
            "there is no scenario 'redirect/302-get-stay-get'; did you mean 'redirect/302-get-stays-get'?",
            "redirect/302-get-stays-get has no case 'folow'; did you mean 'follow'?",
            "unknown key \"sumary\" in a scenario; did you mean \"summary\"?",
            "say which scenario: @Scenario(", "the client made no connection to 127.",
        ] {
            #expect(outcome.out.contains(sentence), "\(sentence): \(outcome.out)\(outcome.err)")
        }
        #expect(!outcome.out.contains("another run"), "\(outcome.out)")
    }

    @Test(.limit(minutes: 12), .enabled(if: Extent.isWhole, Extent.whole))
    func `a server that is not there is told with what to do`() async throws {
        let classes = try await compiledMistakes()
        for (variables, sentence) in [
            (["PROCTOR_BINARY": "/nowhere/proctor"], "PROCTOR_BINARY is the path of proctor"),
            (["PROCTOR_FIXTURES": "/nowhere"], "PROCTOR_FIXTURES names '/nowhere', which is not there"),
            (["PROCTOR_SERVER": "http://127.0.0.1:1"], "no answer of proctor at http://127.0.0.1:1"),
        ] {
            let outcome = try await Self.run(
                ["--select-method", "mistakes.MistakesTest#id(proctor.Run)"], in: classes, environment: variables)
            #expect(outcome.status == 1 && outcome.out.contains(sentence), "\(outcome.out)\(outcome.err)")
        }
    }

    private static let last = """
        package last;

        import org.junit.jupiter.api.Test;
        import proctor.Run;
        import proctor.Scenario;

        class LastTest {
            @Test @Scenario("plain/hello") void used(Run run) throws Exception {
                var request = java.net.http.HttpRequest.newBuilder(run.url("/")).build();
                run.client().build().send(request, java.net.http.HttpResponse.BodyHandlers.ofString());
                run.verdict("get");
            }

            @Test @Scenario("plain/get") void killed(Run run) {
                System.out.println("base " + run.base());
                System.out.flush();
                Runtime.getRuntime().halt(9);
            }
        }

        """

    @Test(.limit(minutes: 12), .enabled(if: Extent.isWhole, Extent.whole))
    func `a running server is used with its token, and none is left over when the process dies`() async throws {
        let sources = try TestFolder(["LastTest.java": Self.last])
        defer { sources.remove() }
        let classes = try TestFolder()
        try await Self.compile(sources.path, into: classes)

        let fixtures = try TestFolder(Fixtures.files)
        defer { fixtures.remove() }
        let child = try await onThread { try ServingChild(fixtures, ["--token", "abc"]) }
        let here = ["PROCTOR_SERVER": child.base, "PROCTOR_BINARY": "/nowhere/proctor"]
        let used = ["--select-method", "last.LastTest#used(proctor.Run)"]
        let right = try await Self.run(used, in: classes, environment: here.merging(["PROCTOR_TOKEN": "abc"]) { $1 })
        #expect(right.status == 0, "\(right.out)\(right.err)")
        let wrong = try await Self.run(used, in: classes, environment: here)
        #expect(wrong.status == 1 && wrong.out.contains("Authorization: Bearer"), "\(wrong.out)\(wrong.err)")

        let killed = try await Self.run(["--select-method", "last.LastTest#killed(proctor.Run)"], in: classes)
        #expect(killed.status == 9, "\(killed.out)\(killed.err)")
        let base = try #require(killed.out.firstMatch(of: #/base (http://[0-9.:]+)/#), "\(killed.out)").1
        try await onThread {
            try wait(for: "the end of the server at \(base)") {
                try ChildProcess.runNow(["/usr/bin/curl", "-s", String(base)]).status == 7
            }
        }
    }
}
