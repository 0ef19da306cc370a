import Foundation
import ProctorTestSupport
import Testing

/// The test of Docs/use/stubs.md in five languages, by each language's own runner; skipped where one is missing.
@Suite(.limit(minutes: 15))
struct StubHelperTests {
    /// One language.
    struct Language: Sendable, CustomTestStringConvertible {
        /// The words behind the fence of its block.
        var fence: String
        var file: String
        /// A command of the shell that succeeds where the language and its framework are installed.
        var probe: String
        var others: [String: String] = [:]
        /// The folder of the helper that the folder of the test has under a name.
        var link: (name: String, target: String)?
        var command: String
        /// How the language says that a request comes exactly twice.
        var times = "times(2)"
        var testDescription: String { fence }
    }

    private static let jars = "/usr/share/java"
    private static let home = "\(Project.path)/helpers"
    /// Debian's Jest, which `Scripts/install-packages.sh test-all` unpacks.
    private static let jest = "\(Project.path)/.build/jest"

    static let languages = [
        Language(
            fence: "python", file: "test_items.py", probe: "python3 -s -c 'import pytest, requests'",
            command:
                "PYTHONPATH=\(home)/python/src python3 -s -B -m pytest -p pytest_proctor.plugin -p no:cacheprovider"),
        Language(
            fence: "js", file: "items.test.mjs",
            probe: "node -e 'process.exit(+(parseInt(process.versions.node) < 18))'",
            link: ("node_modules/proctor-http", "\(home)/node"),
            command: "node --test --test-reporter tap items.test.mjs"),
        Language(
            fence: "js,jest", file: "items.test.mjs", probe: "command -v jest || test -x \(jest)/jest",
            others: ["package.json": #"{"type":"module"}"#], link: ("node_modules/proctor-http", "\(home)/node"),
            command: "PATH=$PATH:\(jest) NODE_OPTIONS=--experimental-vm-modules jest --testMatch '**/*.test.mjs'"),
        Language(
            fence: "go", file: "items_test.go", probe: "command -v go",
            others: [
                "go.mod": """
                module example.test/client

                go 1.19

                require proctor.test/proctor v0.0.0

                replace proctor.test/proctor => \(home)/go

                """
            ],
            command: "GOFLAGS=-mod=mod GOPROXY=off GOTOOLCHAIN=local GOCACHE=\(Project.path)/.build/go-cache "
                + "go test -count=1 .", times: "Times(2)"),
        Language(
            fence: "java", file: "ItemsTest.java",
            probe: "command -v javac && test -f \(jars)/junit-platform-console-standalone.jar",
            command: """
                path=\(jars)/junit-jupiter-api.jar:\(jars)/junit-platform-commons.jar:\(jars)/opentest4j.jar:\(jars)/apiguardian-api.jar
                javac -Xlint:all -Werror -d classes -cp "$path" $(find \(home)/java/src -name '*.java') ItemsTest.java &&
                java -XX:TieredStopAtLevel=1 -jar \(jars)/junit-platform-console-standalone.jar -cp classes --disable-banner \
                --disable-ansi-colors --select-class ItemsTest
                """),
        Language(
            fence: "ruby", file: "items_spec.rb", probe: "command -v rspec",
            command: "rspec -I \(home)/ruby/lib items_spec.rb"),
    ]

    @Test(arguments: Extent.of(languages, stride: languages.count, offset: 1))
    func `the block of the page passes, and is red where a third request has to come`(language: Language) async throws {
        let found = try await Child.run(["-c", language.probe], program: "/bin/sh")
        guard found.status == 0 else { try Test.cancel("\(language.fence) or its framework is not installed") }
        let block = try HelperTrial.block(language.fence, of: "Docs/use/stubs.md")
        let folder = try TestFolder(language.others.merging([language.file: block]) { $1 })
        defer { folder.remove() }
        if let link = language.link { try folder.link(link.name, to: link.target, folderFirst: "node_modules") }
        let green = try await run(language, in: folder)
        #expect(green.status == 0, "\(green.out)\(green.err)")

        let more = language.times.replacing("2", with: "3")
        try folder.write(block.replacing(language.times, with: more), to: language.file)
        let red = try await run(language, in: folder)
        #expect(red.status == 1, "\(red.out)\(red.err)")
        let text = red.out + red.err
        #expect(
            text.contains(
                /GET \/(items|job), which the exchange at \S+:\d+ answers, came 2 times; wanted 3 times/),
            "\(text)")
        // The timeline has what came.
        #expect(text.contains(/c\d+ GET \/(items|job) HTTP\/1\.1/), "\(text)")
    }

    /// The blocks about streams, WebSockets and TLS.
    static let streams = languages.filter { $0.fence != "js,jest" }.map { language in
        var language = language
        language.file = language.file.replacing("items", with: "streams").replacing("Items", with: "Streams")
        language.fence += ",streams"
        switch language.fence {
        case "python,streams": language.probe = "python3 -s -c 'import pytest, requests, websockets'"
        case "js,streams": language.probe += " && test -d \(wsModule)"
        case "ruby,streams": language.probe += " && ruby -e 'require \"faye/websocket\"'"
        case "go,streams":
            language.probe += " && test -d \(gorilla)"
            language.others["go.mod"]? += """
                require github.com/gorilla/websocket v1.5.0

                replace github.com/gorilla/websocket => \(gorilla)

                """
        default: break
        }
        language.command = language.command.replacing("items.test.mjs", with: language.file)
            .replacing("items_spec.rb", with: language.file).replacing("ItemsTest", with: "StreamsTest")
        return language
    }
    /// Debian's ws.
    private static let wsModule = "/usr/share/nodejs/ws"
    /// Debian's gorilla/websocket.
    private static let gorilla = "/usr/share/gocode/src/github.com/gorilla/websocket"

    @Test(arguments: Extent.of(streams, stride: streams.count, offset: 0))
    func `the block about streams passes, and is red by another word of the server`(language: Language) async throws {
        let found = try await Child.run(["-c", language.probe], program: "/bin/sh")
        guard found.status == 0 else { try Test.cancel("\(language.fence) or its framework is not installed") }
        let block = try HelperTrial.block(language.fence, of: "Docs/use/stubs.md")
        let folder = try TestFolder(language.others.merging([language.file: block]) { $1 })
        defer { folder.remove() }
        if let link = language.link {
            try folder.link(link.name, to: link.target, folderFirst: "node_modules")
            try folder.link("node_modules/ws", to: Self.wsModule, folderFirst: "node_modules")
        }
        let green = try await run(language, in: folder)
        #expect(green.status == 0, "\(green.out)\(green.err)")

        // The first word that a client hears; what it compares with stays.
        let word = try #require(block.firstRange(of: /(send|data)("?[:,]) ["']hi/))
        try folder.write(
            block.replacingCharacters(in: word, with: block[word].replacing("hi", with: "ho")), to: language.file)
        let red = try await run(language, in: folder)
        #expect(red.status == 1, "\(red.out)\(red.err)")
    }

    @Test(arguments: Extent.of(languages.filter { $0.fence != "js,jest" }, stride: 5, offset: 0))
    func `threads share the stubs of their test, and a value that JSON has no form for is refused`(
        language: Language
    ) async throws {
        let found = try await Child.run(["-c", language.probe], program: "/bin/sh")
        guard found.status == 0 else { try Test.cancel("\(language.fence) or its framework is not installed") }
        let test = try Project.text("Tests/Clients/helpers/\(language.file)")
        let folder = try TestFolder(language.others.merging([language.file: test]) { $1 })
        defer { folder.remove() }
        if let link = language.link { try folder.link(link.name, to: link.target, folderFirst: "node_modules") }
        let outcome = try await run(language, in: folder)
        #expect(outcome.status == 0, "\(outcome.out)\(outcome.err)")
    }

    @Test func `the block in Swift is a test of ProctorTesting`() throws {
        let test = try Project.text("Tests/ProctorTestingTests/StubTests.swift")
        for line in try HelperTrial.block("swift", of: "Docs/use/stubs.md").split(separator: "\n") {
            #expect(test.contains(line.trimmingCharacters(in: .whitespaces)), "\(line)")
        }
    }

    private func run(_ language: Language, in folder: TestFolder) async throws -> ChildProcess.Outcome {
        try await ChildProcess.run(
            ["/bin/sh", "-c", language.command], environment: HelperTrial.environment, in: folder.path,
            within: HelperTrial.patience)
    }
}
