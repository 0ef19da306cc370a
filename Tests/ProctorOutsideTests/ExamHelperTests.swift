import Foundation
import ProctorTestSupport
import Testing

/// Exams inside tests of four languages, by the blocks of Docs/use/exam-in-tests.md; skipped where a language is missing.
///
/// In each, an empty project writes its ledger, has nothing new then, and a client that sends PUT in the place of POST is
/// red.
@Suite(.limit(minutes: 15))
struct ExamHelperTests {
    /// One language.
    struct Language: Sendable, CustomTestStringConvertible {
        /// The word behind the fence of its block.
        let fence: String
        let file: String
        /// A command of the shell that succeeds where the language and its framework are installed.
        let probe: String
        /// What of the block is otherwise, where a framework shares its block with another.
        var edit: (text: String, by: String)?
        /// Files beside the test.
        var others: [String: String] = [:]
        /// The folder of the helper that the folder of the test has under a name.
        var link: (name: String, target: String)?
        /// The command that runs the test.
        var command: String
        /// A case that the language's usual client fails.
        let failing: String
        /// What makes the client wrong.
        let wrong: (text: String, by: String)
        /// How the helper says that a failure is known, and how a case is run again.
        let known: String
        let again: String
        /// What stands in the place of the first word of the line that runs a case again, where the framework is not installed as
        /// its user has it; the line itself is appended for a language that has no word for one case.
        let runner: (word: String, by: String)
        /// What the runner says where one case ran and failed, and never says then.
        let count: (says: String, never: String)
        var testDescription: String { edit?.by ?? fence }
    }

    private static let jars = "/usr/share/java"
    private static let home = "\(Project.path)/helpers"
    /// Debian's Jest, which `Scripts/install-packages.sh test-all` unpacks.
    private static let jest = "\(Project.path)/.build/jest"

    /// What compiles and runs a test of JUnit without a build tool.
    private static let java = """
        path=\(jars)/junit-jupiter-api.jar:\(jars)/junit-platform-commons.jar:\(jars)/opentest4j.jar:\(jars)/apiguardian-api.jar
        javac -Xlint:all -Werror -d classes -cp "$path" $(find \(home)/java/src -name '*.java') MyClientTest.java &&
        java -XX:TieredStopAtLevel=1 -jar \(jars)/junit-platform-console-standalone.jar -cp classes --disable-banner \
        --disable-ansi-colors --select-class MyClientTest
        """

    static let languages = [
        Language(
            fence: "python", file: "test_exam.py", probe: "python3 -s -c 'import pytest, requests'",
            command:
                "PYTHONPATH=\(home)/python/src python3 -s -B -m pytest -rxX -p pytest_proctor.plugin -p no:cacheprovider",
            failing: "redirect/302-put-keeps-method-and-body#follow",
            wrong: ("requests.request(load.method,", "requests.request('PUT',"), known: " xfailed",
            again: "again: pytest 'test_exam.py::test_my_client[\(wrong)]'",
            runner: (
                "pytest ",
                "PYTHONPATH=\(home)/python/src python3 -s -B -m pytest -p pytest_proctor.plugin -p no:cacheprovider "
            ), count: (" 1 failed in ", " passed")),
        Language(
            fence: "js", file: "exam.test.mjs",
            probe: "node -e 'process.exit(+(parseInt(process.versions.node) < 18))'",
            link: ("node_modules/proctor-http", "\(home)/node"),
            command: "node --test --test-reporter tap exam.test.mjs",
            failing: "redirect/location-padded-with-spaces#follow",
            wrong: ("load.init", "{ ...load.init, method: 'PUT' }"), known: "# TODO known: ",
            again: "again: node --test --test-name-pattern='\(wrong)$' 'exam.test.mjs'",
            runner: ("node --test ", "node --test --test-reporter tap "),
            count: ("\n# pass 0\n# fail 1\n", "\n# fail 2")),
        Language(
            fence: "js", file: "exam.test.mjs", probe: "command -v jest || test -x \(jest)/jest",
            edit: ("'node:test'", "'@jest/globals'"), others: ["package.json": #"{"type":"module"}"#],
            link: ("node_modules/proctor-http", "\(home)/node"),
            command: "PATH=$PATH:\(jest) NODE_OPTIONS=--experimental-vm-modules jest --testMatch '**/*.test.mjs' 2>&1",
            failing: "redirect/location-padded-with-spaces#follow",
            wrong: ("load.init", "{ ...load.init, method: 'PUT' }"), known: "Tests:       1 passed, 1 total",
            again:
                "again: NODE_OPTIONS=--experimental-vm-modules npx jest --runTestsByPath 'exam.test.mjs' -t '\(wrong)$'",
            runner: (
                "NODE_OPTIONS=--experimental-vm-modules npx jest ",
                "PATH=$PATH:\(jest) NODE_OPTIONS=--experimental-vm-modules jest --testMatch '**/*.test.mjs' "
            ),
            count: ("Tests:       1 failed, ", " passed, ")),
        Language(
            fence: "go", file: "exam_test.go", probe: "command -v go",
            others: [
                "go.mod": """
                module example.test/client

                go 1.19

                require proctor.test/proctor v0.0.0

                replace proctor.test/proctor => \(home)/go

                """
            ],
            command: "GOFLAGS=-mod=mod GOPROXY=off GOTOOLCHAIN=local GOCACHE=\(Project.path)/.build/go-cache "
                + "go test -v -count=1 -parallel 20 .",
            failing: "redirect/303-drops-content-fields#follow",
            wrong: ("return load.Result", "request.Method = \"PUT\"\n\t\treturn load.Result"), known: "known: ",
            again:
                "again: go test -count=1 -run '^TestMyClient$/^redirect$/^303-post-becomes-get#follow$' example.test/client",
            runner: (
                "go test ",
                "GOFLAGS=-mod=mod GOPROXY=off GOTOOLCHAIN=local GOCACHE=\(Project.path)/.build/go-cache go test -v "
            ), count: ("    --- FAIL: TestMyClient/redirect/303-post-becomes-get#follow", "    --- PASS")),
        Language(
            fence: "java", file: "MyClientTest.java",
            probe: "command -v javac && test -f \(jars)/junit-platform-console-standalone.jar",
            others: ["run.sh": java], command: "sh run.sh",
            failing: "redirect/303-drops-content-fields#follow",
            wrong: (
                "load.request().build()",
                "load.request().method(\"PUT\", HttpRequest.BodyPublishers.noBody()).build()"
            ), known: "■ known: ",
            again: "again: PROCTOR_CASE='\(wrong)' mvn test -Dtest='MyClientTest#redirects'",
            runner: (
                "mvn test -Dtest='MyClientTest#redirects'",
                "sh run.sh"
            ), count: (" 1 tests failed ", " 1 tests successful ")),
    ]

    private static let wrong = "redirect/303-post-becomes-get#follow"

    @Test(arguments: Extent.first(of: languages))
    func `the block of the page writes a ledger, has nothing new then, and a wrong client is red`(
        language: Language
    ) async throws {
        let found = try await Child.run(["-c", language.probe], program: "/bin/sh")
        guard found.status == 0 else { try Test.cancel("\(language.fence) or its framework is not installed") }
        var block = try HelperTrial.block(language.fence, of: "Docs/use/exam-in-tests.md")
        if let edit = language.edit { block = block.replacing(edit.text, with: edit.by) }
        #expect(block.split(separator: "\n").count <= 25)
        // The first ledger makes its folder.
        block = block.replacing("proctor.ledger.yaml", with: "known/proctor.ledger.yaml")
        let folder = try TestFolder(language.others.merging([language.file: block]) { $1 })
        defer { folder.remove() }
        if let link = language.link { try folder.link(link.name, to: link.target, folderFirst: "node_modules") }

        let written = try await run(language, in: folder, ["PROCTOR_WRITE_LEDGER": "1"])
        #expect(written.status == 0, "\(written.out)\(written.err)")
        let ledger = try folder.text("known/proctor.ledger.yaml")
        #expect(ledger.contains("\ndeviations:\n  redirect/") && ledger.contains("\n    because: "), "\(ledger)")

        // What the ledger lists is red no longer.
        let entry = language.failing
        #expect(ledger.contains("\n  \(entry):\n"), "\(ledger)")
        let few = block.replacing("redirect/\"", with: "\(entry)\"").replacing("redirect/'", with: "\(entry)'")
        try folder.write(few, to: language.file)
        let known = try await run(language, in: folder)
        #expect(known.status == 0 && known.out.contains(language.known), "\(known.out)\(known.err)")

        let one = block.replacing("redirect/\"", with: "\(Self.wrong)\"").replacing(
            "redirect/'", with: "\(Self.wrong)'")
        try folder.write(one.replacing(language.wrong.text, with: language.wrong.by), to: language.file)
        let red = try await run(language, in: folder)
        #expect(red.status == 1 && red.out.contains("was PUT /form; wanted POST /form"), "\(red.out)\(red.err)")
        #expect(red.out.contains(/▶ .*PUT \/form/) && red.out.contains(language.again), "\(red.out)")

        // Of all cases, the line runs this one alone.
        try folder.write(block.replacing(language.wrong.text, with: language.wrong.by), to: language.file)
        var other = language
        other.command = language.again.replacing("again: ", with: "").replacing(
            language.runner.word, with: language.runner.by)
        // Jest says on standard error what it has to say.
        other.command += " 2>&1"
        let again = try await run(other, in: folder)
        #expect(again.status == 1 && again.out.contains("was PUT /form; wanted POST /form"), "\(again.out)\(again.err)")
        #expect(again.out.contains(language.count.says), "\(again.out)\(again.err)")
        #expect(!again.out.contains(language.count.never), "\(again.out)\(again.err)")
    }

    private func run(
        _ language: Language, in folder: TestFolder, _ more: [String: String] = [:]
    ) async throws -> ChildProcess.Outcome {
        try await ChildProcess.run(
            ["/bin/sh", "-c", language.command], environment: HelperTrial.environment.merging(more) { $1 },
            in: folder.path, within: HelperTrial.patience)
    }

    @Test func `pytest awaits coroutines, closes clients, and tells a mistake of the test from what a client can't do`()
        async throws
    {
        let python = Project.tool("python3") ?? "python3"
        let found = try await Child.run(["-s", "-c", "import pytest"], program: python)
        guard found.status == 0 else { try Test.cancel("pytest is not installed: apt-get install python3-pytest") }
        let folder = try TestFolder([
            "test_async.py": """
            import asyncio, urllib.request, urllib.error
            import pytest_proctor as proctor

            class Client:
                closed = 0
                def close(self):
                    Client.closed += 1

            @proctor.exam("plain/get#get", "redirect/302-get-stays-get", abilities=["redirects"])
            async def test_async(load):
                load.once(Client)
                await asyncio.sleep(0)
                def get():
                    with urllib.request.urlopen(urllib.request.Request(load.url, method=load.method)) as reply:
                        return load.result(reply.status, reply.headers, reply.url, reply.read())
                return await asyncio.to_thread(get)

            def test_closed():
                assert Client.closed == 3

            @proctor.exam("plain/get#get")
            def test_mistake(load):
                return load.nothing

            @proctor.exam("plain/get#get")
            def test_cannot(load):
                raise load.cannot("knows no such thing")
            """
        ])
        defer { folder.remove() }
        let outcome = try await ChildProcess.run(
            [python, "-s", "-B", "-m", "pytest", "-rs", "-p", "pytest_proctor.plugin", "-p", "no:cacheprovider"],
            environment: HelperTrial.environment.merging(["PYTHONPATH": "\(Self.home)/python/src"]) { $1 },
            in: folder.path, within: HelperTrial.patience)
        #expect(outcome.out.contains("1 failed, 4 passed, 7 skipped"), "\(outcome.out)\(outcome.err)")
        #expect(outcome.out.contains("lacks: the client has no redirect-refuse"), "\(outcome.out)")
        #expect(outcome.out.contains("the client can't be told so: knows no such thing"), "\(outcome.out)")
        #expect(outcome.out.contains("AttributeError"), "\(outcome.out)")
    }
}
