import Foundation
import ProctorTestSupport
import Testing

/// What the documents claim, tried.
struct DocumentationTests {
    /// Runs every block in one shell, and returns what each one printed.
    private func run(_ steps: [ShellDocument.Step], base: String) async throws -> [String] {
        let mark = "----- end of a block -----"
        let script = steps.map { "\($0.script)\nprintf '%s' '\(mark)'\n" }.joined()
        let bash = try #require(Project.tool("bash"))
        let outcome = try await Child.run(["-c", script], program: bash, environment: ["BASE": base])
        #expect(outcome.status == 0 && outcome.err.isEmpty, "\(outcome.err)")
        return outcome.out.components(separatedBy: mark)
    }

    private func shippedFixtures() throws -> TestFolder {
        let folder = try TestFolder()
        try FileManager.default.createSymbolicLink(
            atPath: "\(folder.path)/fixtures", withDestinationPath: "\(Project.path)/fixtures")
        return folder
    }

    @Test func `every line of the control API's pages does what it says`() async throws {
        let folder = try shippedFixtures()
        let child = try await onThread { try ServingChild(folder) }
        // The second page goes on with the runs of the first one.
        let steps = try ["control", "client", "exam-in-tests"].flatMap { name in
            try ShellDocument(try Project.text("Docs/use/\(name).md")).steps.map {
                ("Docs/use/\(name).md:\($0.line)", $0)
            }
        }
        #expect(steps.count > 10)
        let printed = try await run(steps.map(\.1), base: child.base)
        for ((place, step), text) in zip(steps, printed) {
            guard let wanted = step.wanted else { continue }
            #expect(ShellDocument.matches(text, wanted), "\(place): \(step.script)\ngave: \(text)")
        }
    }

    @Test func `the control API's document names every error code there is, and no other`() async throws {
        let text = try Project.text("Docs/use/control.md")
        let sources = "\(Project.path)/Sources/Serving"
        var codes: Set<String> = []
        // Those of the core, and of the modules that register calls; the pages of the book have codes of their own.
        let files = [
            "ProctorServer/Control/", "ProctorServer/Catalogue/", "ProctorExamCalls/", "ProctorPages/",
            "ProctorProving/",
        ]
        for path in try FileManager.default.subpathsOfDirectory(atPath: sources) where path.hasSuffix(".swift") {
            guard files.contains(where: { path.hasPrefix($0) }) else { continue }
            let source = try String(contentsOfFile: "\(sources)/\(path)", encoding: .utf8)
            for match in source.matches(of: /(\d{3}),\s*"([a-z]+(?:-[a-z]+)+)"/) {
                codes.insert("\(match.1) \(match.2)")
            }
        }
        var documented: Set<String> = []
        for row in text.matches(of: /\n\| (\d{3}) \| ([^|]*) \|/) {
            for code in row.2.matches(of: /`([a-z-]+)`/) { documented.insert("\(row.1) \(code.1)") }
        }
        #expect(documented.contains("400 bad-request") && documented == codes)
    }

    @Test func `the first scenario does what is said of it, and is that of the README`() async throws {
        let readme = try Project.text("Docs/start/scenario.md")
        let indented = try #require(readme.firstMatch(of: /```yaml\n(   summary: A 302 [\s\S]*?)   ```/)).1
        let yaml = indented.split(separator: "\n").map { "\($0.dropFirst(3))\n" }.joined()
        #expect(try Project.text("README.md").contains("```yaml\n\(yaml)```"))
        let folder = try TestFolder(["mine/turns-post-into-get.yaml": yaml])

        let checked = try await Child.run(["check", "mine"], in: folder)
        #expect(checked.status == 0 && readme.contains("proctor check mine\n       \(checked.out)"))

        try FileManager.default.createSymbolicLink(atPath: "\(folder.path)/fixtures", withDestinationPath: "mine")
        let child = try await onThread { try ServingChild(folder) }
        let got = try await curl("-iL", "-d", "a=1", "\(child.base)/turns-post-into-get/form").out
        let shown = got.replacingOccurrences(of: "\r", with: "").replacingOccurrences(
            of: child.base, with: "http://127.0.0.1:8088")
        let block = shown.split(separator: "\n", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? "" : "       \($0)" }.joined(separator: "\n")
        #expect(readme.contains(block), "\(block)")

        let arguments = ["run", "turns-post-into-get", "--fixtures", "mine", "--"]
        #expect(readme.contains("proctor \(arguments.joined(separator: " ")) curl -sL -d a=1 '{{base}}/form'\n"))
        let judged = try await Child.run(arguments + ["curl", "-sL", "-d", "a=1", "{{base}}/form"], in: folder)
        #expect(judged.status == 0 && judged.out == "ok\n")
        let first = "turns-post-into-get#follow (should), and the command exited with 0\n"
        #expect(judged.err.contains(first) && readme.contains(first) && judged.err.hasSuffix("\npass\n"))
        let short = try Project.text("README.md")
        #expect(short.contains("proctor check mine\n    \(checked.out)") && short.contains(first))
        #expect(short.contains("proctor \(arguments.joined(separator: " ")) curl -sL -d a=1 '{{base}}/form'\n    ok\n"))
    }

    @Test func `the lines for any language run a client, and its requests pass`() async throws {
        let page = try Project.text("Docs/start/test.md")
        let section = try #require(page.components(separatedBy: "\n## In any language\n").last)
        let block = section.split(separator: "\n", omittingEmptySubsequences: false)
            .drop { !$0.hasPrefix("    ") }.prefix { $0.hasPrefix("    ") }.joined(separator: "\n")
        #expect(block.contains("http://127.0.0.1:8088/"))
        let folder = try shippedFixtures()
        let child = try await onThread { try ServingChild(folder) }
        let bash = try #require(Project.tool("bash"))
        let script = "set -eu\n" + block.replacing("http://127.0.0.1:8088", with: child.base)
        let outcome = try await Child.run(["-c", script], program: bash)
        #expect(outcome.status == 0 && outcome.err.isEmpty, "\(outcome.err)")
        #expect(
            outcome.out.contains("{\"case\":\"follow\",\"kind\":\"must\",\"verdict\":\"partly\","), "\(outcome.out)")
        #expect(outcome.out.contains("\"findings\":[]"), "\(outcome.out)")
    }

    @Test func `the page's way to a new scenario writes among the reader's own`() async throws {
        let page = try Project.text("Docs/start/scenario.md")
        let words = try #require(page.firstMatch(of: /`proctor (new first[^`]*)`/)).1
        let folder = try TestFolder(["mine/other.yaml": ""])
        let outcome = try await Child.run(words.split(separator: " ").map(String.init), in: folder)
        #expect(outcome.status == 0 && outcome.out == "mine/first.yaml\n" && page.contains("`mine/first.yaml`"))
        #expect(folder.has("mine/first.yaml") && !outcome.err.contains("proctor's own"))
    }

    @Test func `commands and flags that the documents name are there`() async throws {
        var names: Set<String> = []
        for name in try ["README.md", "CONTRIBUTING.md", "Benchmarks/README.md"] + Project.pages {
            let text = try Project.text(name)
            for match in text.matches(
                of:
                    /proctor (serve|check|list|new|run|exam|adapter|report|grade|record|explain|journal|reset|env|ca|fixtures|completions|version)\b([^`\n]*)/
            ) {
                // What stands in quotes or after two dashes is the business of another program.
                let own = match.2.components(separatedBy: " -- ")[0].replacing(/"[^"]*"|'[^']*'/, with: "")
                for flag in own.matches(of: /--[a-z][a-z-]+/) { names.insert("\(match.1) \(flag.0)") }
            }
        }
        #expect(names.contains("serve --journal"))
        for (command, names) in Dictionary(grouping: names, by: { $0.prefix { $0 != " " } }) {
            let help = try await Child.run(["help", String(command)])
            for name in names { #expect(help.out.contains("\n  \(name.dropFirst(command.count + 1))"), "\(name)") }
        }
    }
}

/// The recipe of Docs/use/ci.md for any CI, run as it stands there.
struct RecipeTests {
    /// The shell script that starts the server.
    private static func recipe() throws -> String {
        let steps = try ShellDocument(try Project.text("Docs/use/ci.md")).steps
        return try #require(steps.map(\.script).first { $0.contains("proctor serve ") })
    }

    /// Runs the recipe with a client of our own, where proctor is built already.
    private func run(client: String) async throws -> (outcome: Child.Outcome, folder: TestFolder) {
        let recipe = try Self.recipe()
        #expect(recipe.contains("./run-my-client-tests") && recipe.contains(" Tests/fixtures "))
        let files = Fixtures.files.map { ("Tests/\($0.key)", $0.value) }
        let scripts = [("run-my-client-tests", "#!/bin/sh\n\(client)\n"), ("recipe.sh", recipe)]
        let folder = try TestFolder(Dictionary(uniqueKeysWithValues: files + scripts))
        try folder.link("proctor", to: Child.binary)
        try makeExecutable("\(folder.path)/run-my-client-tests")
        return (try await Child.run(["recipe.sh"], program: "/bin/sh", in: folder), folder)
    }

    @Test func `a client that asks for one undeclared URL is red, though its own tests are green`() async throws {
        let (outcome, folder) = try await run(
            client:
                "curl -sSf $PROCTOR_SERVER/plain/hello/ && curl -sS -o /dev/null $PROCTOR_SERVER/plain/hello/undeclared"
        )
        #expect(outcome.status == 1, "\(outcome.err)")
        #expect(outcome.out.contains("hello\n"))
        #expect(outcome.err.contains("strict: fail: 1 request missed (2 requests to scenarios)"), "\(outcome.err)")
        #expect(
            outcome.err.contains("plain/hello: GET /undeclared: nothing is expected here"), "\(outcome.err)")
        #expect(try folder.text("journal.jsonl").contains("\"ev\":\"missed\""))
    }

    @Test func `a client that asks for what is declared is green`() async throws {
        let (outcome, _) = try await run(client: "curl -sSf $PROCTOR_SERVER/plain/hello/")
        #expect(outcome.status == 0, "\(outcome.err)")
    }

    @Test func `a client whose own tests fail, or that never comes, is red`() async throws {
        let failed = try await run(client: "curl -sSf $PROCTOR_SERVER/plain/hello/; exit 3").outcome
        #expect(failed.status == 3, "\(failed.err)")
        let absent = try await run(client: "true").outcome
        #expect(absent.status == 1 && absent.err.contains("no scenario was asked for anything"), "\(absent.err)")
    }
}
