import Foundation
import ProctorTestSupport
import Testing

@testable import proctor

/// The commands that end by themselves, as processes.
struct CommandTests {
    @Test func `check counts what is clean`() async throws {
        let folder = try TestFolder(Fixtures.files)
        let outcome = try await Child.run(["check", "\(folder.path)/fixtures"])
        #expect(outcome.status == 0)
        #expect(outcome.out == "3 scenarios with 2 cases, no errors\n")
        let one = try await Child.run(["check", "\(folder.path)/fixtures/redirect/root.yaml"])
        #expect(one.out == "1 scenario with 0 cases, no errors\n")
    }

    @Test func `check reports every error of every file at once, with its place`() async throws {
        var lines = ["summary: fifty", "exchanges:"]
        for number in 0..<50 {
            lines.append("  - { request: GET /\(number), reply: { status: 200, bodi: x } }")
        }
        let folder = try TestFolder([
            "f/fifty.yaml": lines.joined(separator: "\n") + "\n", "f/other.yaml": "summary: [\n",
            "f/good.yaml": Fixtures.files["fixtures/plain/hello.yaml"] ?? "",
        ])
        let outcome = try await Child.run(["check", "f"], in: folder)
        #expect(outcome.status == 1 && outcome.out.isEmpty)
        let errors = outcome.err.split(separator: "\n")
        for number in 0..<50 {
            let start = "f/fifty.yaml:\(number + 3):"
            let found = errors.filter { $0.hasPrefix(start) }
            #expect(found.count == 1 && found.allSatisfy { $0.contains("bodi") && $0.contains("body") })
        }
        #expect(errors.contains { $0.hasPrefix("f/other.yaml:") })
        #expect(errors.last == "proctor: 51 errors in 2 files; 1 scenario without")
    }

    @Test func `a path that does not exist and a folder without scenarios are errors`() async throws {
        let folder = try TestFolder(["empty/readme.txt": "nothing"])
        let missing = try await Child.run(["check", "no/such/path"], in: folder)
        #expect(missing.status == 1 && missing.out.isEmpty && missing.err.contains("no/such/path"))
        let empty = try await Child.run(["check", "empty"], in: folder)
        #expect(empty.status == 1 && empty.out.isEmpty && empty.err.contains("empty"))
    }

    @Test func `fixtures are found by environment, then above the working directory`() async throws {
        let here = try TestFolder(Fixtures.files.merging(["deep/er/x": ""]) { $1 })
        let there = try TestFolder(["one.yaml": Fixtures.files["fixtures/plain/hello.yaml"] ?? ""])
        let deep = try await Child.run(
            ["-c", "cd deep/er && exec \"$0\" check", Child.binary], program: "/bin/sh",
            environment: ["PROCTOR_FIXTURES": ""], in: here)
        #expect(deep.out == "3 scenarios with 2 cases, no errors\n")
        let reason =
            #"redirect/root has a port of its own, and the shared port answers 421 with the address: the Location "/b" is an "#
            + "absolute path (../../fixtures/redirect/root.yaml:3:67); with {{base}} before the path it stays below the shared port\n"
        #expect(deep.err == "proctor: \(reason)", "\(deep.err)")
        let named = try await Child.run(["check"], environment: ["PROCTOR_FIXTURES": there.path], in: here)
        #expect(named.out == "1 scenario with 2 cases, no errors\n" && named.err.isEmpty)
    }

    @Test func `list shows ids and summaries`() async throws {
        let folder = try TestFolder(Fixtures.files)
        let outcome = try await Child.run(["list", "fixtures"], in: folder)
        #expect(outcome.status == 0)
        #expect(
            outcome.out == """
                plain/hello    Says hello
                plain/slow     Takes its time
                redirect/root  Needs a root

                """)
    }

    @Test func `list as JSON is one object a line`() async throws {
        let folder = try TestFolder(Fixtures.files)
        let outcome = try await Child.run(["list", "--json", "fixtures"], in: folder)
        #expect(outcome.status == 0)
        let objects = try outcome.out.split(separator: "\n").map { line in
            try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
        }
        #expect(objects.map { $0["id"] as? String } == ["plain/hello", "plain/slow", "redirect/root"])
        #expect(objects.map { $0["needsRoot"] as? Bool } == [false, false, true])
        #expect(objects[0]["summary"] as? String == "Says hello")
        #expect(objects[0]["spec"] as? [String] == ["RFC 9110 §15.3.1", "another"])
        #expect(objects[0]["file"] as? String == "fixtures/plain/hello.yaml")
        let cases = try #require(objects[0]["cases"] as? [[String: String]])
        #expect(cases == [["name": "get", "kind": "must"], ["name": "put", "kind": "observes"]])
    }

    @Test func `help names every command and flag, and version is one line`() async throws {
        let overview = try await Child.run(["help"])
        #expect(overview.status == 0)
        for command in ["serve", "check", "list", "help", "version"] {
            #expect(overview.out.contains("\n  \(command) "))
        }
        for arguments in [["help", "serve"], ["serve", "--help"], ["serve", "-h", "--port"]] {
            let help = try await Child.run(arguments)
            #expect(help.status == 0 && help.err.isEmpty)
            for flag in ["--host", "--port", "--unix", "--threads", "--journal", "--ready-file"] {
                #expect(help.out.contains("\n  \(flag)"))
            }
        }
        let bare = try await Child.run([])
        #expect(bare.status == 2 && bare.out.isEmpty && bare.err == overview.out)
        for flag in ["version", "--version", "-V"] {
            let version = try await Child.run([flag])
            #expect(version.status == 0 && version.out.hasPrefix("proctor 0."))
            #expect(version.out.split(separator: "\n").count == 1)
        }
    }

    struct Mistake: Sendable, CustomTestStringConvertible {
        let arguments: [String]
        let message: String
        var testDescription: String { arguments.joined(separator: " ") }

        init(_ line: String, _ message: String) {
            arguments = line.split(separator: " ").map(String.init)
            self.message = message
        }
    }

    static let mistakes = [
        Mistake("sevre", "there is no command 'sevre'; did you mean 'serve'?"),
        Mistake("frobnicate", "there is no command 'frobnicate'; see 'proctor help'"),
        Mistake("help chekc", "there is no command 'chekc'; did you mean 'check'?"),
        Mistake("serve --prot 1", "'serve' has no flag '--prot'; did you mean '--port'?"),
        Mistake("check --strict", "'check' has no flag '--strict'; see 'proctor help check'"),
        Mistake("serve --port", "--port needs a value: --port N"),
        Mistake("serve --port 1 --port=2", "--port is given twice"),
        Mistake("serve --port 70000", "--port takes a whole number from 0 to 65535, not '70000'"),
        Mistake("serve --port x", "--port takes a whole number from 0 to 65535, not 'x'"),
        Mistake("serve --threads 0", "--threads takes a whole number from 1 to 64, not '0'"),
        Mistake("list --json=yes", "--json takes no value"),
        Mistake("serve --host 0.0.0.0", "--host 0.0.0.0 can be reached from other machines"),
        Mistake("serve --host ::", "--host :: can be reached from other machines"),
        Mistake("serve --host 10.0.0.1", "--host 10.0.0.1 can be reached from other machines"),
        Mistake("serve --host example.org", "'example.org' is none"),
    ]

    @Test(arguments: mistakes)
    func `a command line that can't be understood exits 2 and says what would be`(_ mistake: Mistake) async throws {
        let outcome = try await Child.run(mistake.arguments)
        #expect(outcome.status == 2 && outcome.out.isEmpty)
        #expect(outcome.err.hasPrefix("proctor: ") && outcome.err.contains(mistake.message))
    }
}

/// How a command's words are sorted.
struct ArgumentTests {
    private let flags = [
        Flag("--port", "N", help: "a number"), Flag("--name", "TEXT", help: "a text"), Flag("--json", help: "a switch"),
    ]

    private func parse(_ words: String...) throws -> ParsedArguments {
        try ParsedArguments(words, flags: flags, command: "serve")
    }

    @Test func `flags, switches and operands come in any order`() throws {
        let parsed = try parse("a", "--port", "8", "--json", "b", "--name=x=y")
        #expect(parsed["--port"] == "8" && parsed["--name"] == "x=y" && parsed.has("--json"))
        #expect(parsed.operands == ["a", "b"])
        #expect(try parsed.number("--port", in: 0...10) == 8)
    }

    @Test func `a lone dash is an operand, and everything after two dashes`() throws {
        #expect(try parse("-", "--", "--port", "--").operands == ["-", "--port", "--"])
    }

    @Test func `an empty value and a value like a flag are values`() throws {
        let parsed = try parse("--name=", "--port", "--json")
        #expect(parsed["--name"] == "" && parsed["--port"] == "--json" && !parsed.has("--json"))
    }

    @Test func `what is not there is nil`() throws {
        let parsed = try parse()
        #expect(parsed["--port"] == nil && !parsed.has("--json"))
        #expect(try parsed.number("--port", in: 0...10) == nil)
    }

    @Test func `a number outside its range names the range`() throws {
        for text in ["11", "-1", "1.5", "", "0x1", "99999999999999999999"] {
            let parsed = try parse("--port=\(text)")
            let error = #expect(throws: UsageError.self) { try parsed.number("--port", in: 0...10) }
            #expect(error?.text == "--port takes a whole number from 0 to 10, not '\(text)'")
        }
    }

    @Test func `a whole command line runs without a process`() async {
        let log = Log()
        let code = await CommandLine.run(
            arguments: ["version"], environment: [:],
            output: Output(out: { log.append("out: \($0)") }, err: { log.append("err: \($0)") }))
        #expect(code == .success)
        #expect(log.text == "out: proctor \(CommandLine.version)\n")
    }
}

/// A slip of the finger is understood, in every command and flag there is.
struct SuggestionTests {
    private func run(_ arguments: [String]) async -> (code: ExitCode, text: String) {
        let log = Log()
        let code = await CommandLine.run(
            arguments: arguments, environment: [:],
            output: Output(out: { log.append("out: \($0)") }, err: { log.append($0) }))
        return (code, log.text)
    }

    /// A letter less, two letters swapped, a letter more.
    private func slips(of name: String) -> [String] {
        let letters = Array(name)
        let middle = letters.count / 2
        return [
            String(letters[..<middle] + letters[(middle + 1)...]),
            String(letters[..<(middle - 1)] + [letters[middle], letters[middle - 1]] + letters[(middle + 1)...]),
            name + "x",
        ].filter { $0 != name }
    }

    @Test func `every misspelt command is understood`() async {
        for name in CommandLine.commands.map(\.name) + ["help", "version"] {
            for slip in slips(of: name) {
                let (code, text) = await run([slip])
                #expect(code == .usage && text == "proctor: there is no command '\(slip)'; did you mean '\(name)'?\n")
                let help = await run(["help", slip])
                #expect(help.code == .usage && help.text == text)
            }
        }
    }

    @Test func `every misspelt flag is understood`() async {
        for command in CommandLine.commands {
            for flag in command.flags {
                for slip in slips(of: flag.name) {
                    let (code, text) = await run([command.name, slip])
                    #expect(code == .usage)
                    #expect(
                        text == "proctor: '\(command.name)' has no flag '\(slip)'; did you mean '\(flag.name)'?\n")
                }
            }
        }
    }

    @Test func `every command explains itself, and a flag without its value is told`() async {
        for command in CommandLine.commands {
            let (code, text) = await run(["help", command.name])
            let summary = RulePage.wrapped(command.summary + ".", indentation: 0).joined(separator: "\n")
            #expect(code == .success && text.hasPrefix("out: \(summary)\n\nusage: proctor \(command.name) "))
            // What is longer is one word, or an example.
            for line in text.dropFirst(5).split(separator: "\n") where line.count > 80 {
                #expect(
                    line.hasPrefix(" ") && line.contains("proctor ") || !line.drop { $0 == " " }.contains(" "),
                    "\(line)")
            }
            for flag in command.flags {
                guard let value = flag.value else { continue }
                let missing = await run([command.name, flag.name])
                #expect(missing.code == .usage)
                #expect(missing.text == "proctor: \(flag.name) needs a value: \(flag.name) \(value)\n")
            }
        }
    }
}
