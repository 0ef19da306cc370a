import Foundation
import ProctorTestSupport
import Testing

@testable import proctor

/// Completions and the manual page, judged by the programs that read them.
struct CompletionTests {
    private func written(_ kind: String) async throws -> TestFolder {
        let outcome = try await Child.run(["completions", kind])
        #expect(outcome.status == 0 && outcome.err.isEmpty)
        return try TestFolder(["it": outcome.out])
    }

    /// Runs a program of the system, if it is there.
    private func tool(_ name: String, _ arguments: String...) async throws -> Child.Outcome? {
        guard let path = Project.tool(name) else { return nil }
        return try await Child.run(arguments, program: path)
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func `a shell can parse its completions`(shell: String) async throws {
        let folder = try await written(shell)
        if let outcome = try await tool(shell, "-n", "\(folder.path)/it") {
            #expect(outcome.status == 0 && outcome.out.isEmpty && outcome.err.isEmpty)
        }
    }

    @Test(arguments: ["bash", "zsh", "fish"])
    func `every command and flag is completed`(shell: String) async throws {
        let text = try await written(shell).text("it")
        for command in CommandLine.commands {
            #expect(text.contains(command.name))
            for flag in command.flags {
                #expect(text.contains(shell == "fish" ? " -l \(flag.name.dropFirst(2)) " : flag.name))
            }
        }
    }

    @Test(arguments: [
        ("proctor ser", "serve"), ("proctor serve --po", "--port"), ("proctor completions z", "zsh"),
        ("proctor help jo", "journal"), ("proctor serve --journal ", "a-file"), ("proctor check a-", "a-file"),
        ("proctor run --fix", "--fixtures"), ("proctor exa", "exam"), ("proctor grade --ru", "--rules-only"),
        ("proctor help expl", "explain"), ("proctor record a-", "a-file"), ("proctor nothing a-", "a-file"),
    ])
    func `bash completes a line`(line: String, wanted: String) async throws {
        let folder = try await written("bash")
        let files = try TestFolder(["a-file": ""])
        let script = """
            source "$1"; IFS=' ' read -r -a COMP_WORDS <<<"$2"; [[ $2 != *' ' ]] || COMP_WORDS+=(""); COMPREPLY=()
            COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _proctor; echo "${COMPREPLY[@]}"
            """
        let bash = try #require(Project.tool("bash"))
        let outcome = try await Child.run(["-c", script, "bash", "\(folder.path)/it", line], program: bash, in: files)
        #expect(outcome.out == "\(wanted)\n" && outcome.err.isEmpty)
    }

    /// Finds `proctor` itself, which completions ask for names.
    private static let path =
        URL(fileURLWithPath: Child.binary).deletingLastPathComponent().path + ":/usr/local/bin:/usr/bin:/bin"

    struct Names: Sendable, CustomTestStringConvertible {
        let line: String
        let wanted: [String]
        var testDescription: String { line }
    }

    static let names = [
        Names(line: "proctor run plain/", wanted: ["plain/get", "plain/hello", "plain/slow"]),
        Names(line: "proctor run --ignore-exit redirect/", wanted: ["redirect/root"]),
        Names(line: "proctor exam redirect/", wanted: ["redirect/root"]),
        Names(line: "proctor run plain/hello --case ", wanted: ["get", "put"]),
        Names(line: "proctor grade log --scenario plain/hello --case p", wanted: ["put"]),
        Names(line: "proctor grade log --scenario plain/s", wanted: ["plain/slow"]),
        Names(line: "proctor run --fixtures other mi", wanted: ["mine/one"]),
        Names(line: "proctor run plain/ge", wanted: ["plain/get"]),
        Names(line: "proctor exam --client aio", wanted: ["aiohttp"]),
        Names(line: "proctor grade log --ledger reques", wanted: ["requests"]),
        Names(line: "proctor serve --pack http", wanted: ["httpbin"]),
        Names(line: "proctor explain R41", wanted: ["R41"]),
        Names(line: "proctor explain plain/sl", wanted: ["plain/slow"]),
    ]

    /// Names that come with proctor are completed too; these alone are looked at.
    private static let looked: Set<String> = [
        "plain/hello", "plain/slow", "redirect/root", "get", "put", "mine/one", "plain/get", "aiohttp", "requests",
        "httpbin", "R41",
    ]

    private func fixtures() throws -> TestFolder {
        try TestFolder(Fixtures.files.merging(["other/mine/one.yaml": ""]) { $1 })
    }

    @Test(arguments: names)
    func `bash completes ids and cases`(_ names: Names) async throws {
        let folder = try await written("bash")
        let script = """
            source "$1"; IFS=' ' read -r -a COMP_WORDS <<<"$2"; [[ $2 != *' ' ]] || COMP_WORDS+=(""); COMPREPLY=()
            COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _proctor; printf '%s\n' "${COMPREPLY[@]}"
            """
        let bash = try #require(Project.tool("bash"))
        let outcome = try await Child.run(
            ["-c", script, "bash", "\(folder.path)/it", names.line], program: bash, environment: ["PATH": Self.path],
            in: try fixtures())
        let words = outcome.out.split(separator: "\n").map(String.init).filter(Self.looked.contains)
        #expect(words.sorted() == names.wanted && outcome.err.isEmpty, "\(outcome.out)\(outcome.err)")
    }

    @Test(arguments: names)
    func `fish completes ids and cases`(_ names: Names) async throws {
        let folder = try await written("fish")
        guard let fish = Project.tool("fish") else { return }
        let outcome = try await Child.run(
            ["--no-config", "-c", "source \(folder.path)/it; complete -C '\(names.line)'"], program: fish,
            environment: ["PATH": Self.path, "HOME": folder.path], in: try fixtures())
        let words = outcome.out.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
        #expect(
            words.filter(Self.looked.contains).sorted() == names.wanted && outcome.err.isEmpty,
            "\(outcome.out)\(outcome.err)")
    }

    @Test(arguments: [
        ("proctor ser", ["serve"]), ("proctor serve --po", ["--port"]),
        ("proctor completions ", ["bash", "fish", "man", "zsh"]),
    ])
    func `fish completes a line`(line: String, wanted: [String]) async throws {
        let folder = try await written("fish")
        let script = "source \(folder.path)/it; complete -C '\(line)'"
        guard let outcome = try await tool("fish", "--no-config", "-c", script) else { return }
        let words = outcome.out.split(separator: "\n").map { String($0.prefix { $0 != "\t" }) }
        #expect(words == wanted && outcome.err.isEmpty)
    }

    @Test func `zsh completes a line`() async throws {
        let folder = try await written("zsh")
        try folder.write(try folder.text("it"), to: "functions/_proctor")
        // A shell on a terminal of its own, in which `proctor` shows the arguments that it got.
        let script = """
            zmodload zsh/zpty; zpty z zsh -f -i
            ask() { zpty -w -n z "$1"; zpty -r z shown "*$2*" && print $2 }
            ask $'PS1=; fpath=(FOLDER $fpath); autoload -U compinit; compinit -u -D; proctor() { print got $* . }; print re""ady\\n' ready
            ask $'proctor comple\\tfi\\t\\n' 'got completions fish .'
            ask $'proctor serve --po\\t8\\n' 'got serve --port=8 .'
            ask $'proctor help jo\\t\\n' 'got help journal .'
            """.replacingOccurrences(of: "FOLDER", with: "\(folder.path)/functions")
        guard let outcome = try await tool("zsh", "-f", "-c", script) else { return }
        #expect(
            outcome.out.split(separator: "\n") == [
                "ready", "got completions fish .", "got serve --port=8 .", "got help journal .",
            ])
    }

    @Test func `zsh completes ids and cases`() async throws {
        let folder = try await written("zsh")
        try folder.write(try folder.text("it"), to: "functions/_proctor")
        guard let zsh = Project.tool("zsh") else { return }
        let script = """
            zmodload zsh/zpty; zpty z zsh -f -i
            ask() { zpty -w -n z "$1"; zpty -r z shown "*$2*" && print $2 }
            ask $'PS1=; fpath=(FOLDER $fpath); autoload -U compinit; compinit -u -D; proctor() { print got $* . }; print re""ady\\n' ready
            ask $'proctor run plain/hell\\t\\n' 'got run plain/hello .'
            ask $'proctor exam --client aio\\t\\n' 'got exam --client aiohttp .'
            ask $'proctor run plain/hello --case p\\t\\n' 'got run plain/hello --case put .'
            ask $'proctor grade log --scenario plain/hello --case g\\t\\n' 'got grade log --scenario plain/hello --case get .'
            ask $'proctor run --fixtures other mi\\t\\n' 'got run --fixtures other mine/one .'
            ask $'proctor exam redirect/ro\\t\\n' 'got exam redirect/root .'
            """.replacingOccurrences(of: "FOLDER", with: "\(folder.path)/functions")
        let outcome = try await Child.run(
            ["-f", "-c", script], program: zsh, environment: ["PATH": Self.path], in: try fixtures())
        #expect(
            outcome.out.split(separator: "\n") == [
                "ready", "got run plain/hello .", "got exam --client aiohttp .", "got run plain/hello --case put .",
                "got grade log --scenario plain/hello --case get .", "got run --fixtures other mine/one .",
                "got exam redirect/root .",
            ])
    }

    @Test func `names can be listed for a shell, and are told where they are misspelt`() async throws {
        let folder = try fixtures()
        let ids = try await Child.run(["list", "--ids"], in: folder)
        let known = ids.out.split(separator: "\n")
        #expect(["plain/hello", "plain/slow", "redirect/root", "plain/get"].allSatisfy { known.contains($0) })
        let own = try await Child.run(["list", "--ids", "fixtures"], in: folder)
        #expect(own.out == "plain/hello\nplain/slow\nredirect/root\n")
        let clients = try await Child.run(["list", "--names", "clients"], in: folder)
        #expect(
            clients.status == 0 && clients.out.split(separator: "\n").contains("curl"), "\(clients.out)\(clients.err)")
        let cases = try await Child.run(["list", "--cases-of", "plain/hello"], in: folder)
        #expect(cases.out == "get\nput\n")
        let wrong = try await Child.run(["list", "--cases-of", "plain/helo"], in: folder)
        #expect(wrong.status == 2 && wrong.err.contains("did you mean 'plain/hello'?"))
        let both = try await Child.run(["list", "--ids", "--json"], in: folder)
        #expect(both.status == 2 && both.err == "proctor: say one of --all, --json, --ids and --cases-of\n")
    }

    @Test func `the manual page is sound roff and names everything`() async throws {
        let folder = try await written("man")
        let path = "\(folder.path)/it"
        if let lint = try await tool("mandoc", "-T", "lint", "-W", "warning", path) {
            // There is no date that would stay true.
            let complaints = lint.out.split(separator: "\n").filter { !$0.contains("missing date") }
            #expect(complaints.isEmpty)
        }
        if let groff = try await tool("groff", "-man", "-ww", "-z", "-Tutf8", path) {
            #expect(groff.status == 0 && groff.err.isEmpty)
        }
        guard let man = Project.tool("man") else { return }
        let shown = try await Child.run(["-l", path], program: man, environment: ["MANWIDTH": "200", "LC_ALL": "C"])
        #expect(shown.err.isEmpty)
        for command in CommandLine.commands {
            #expect(shown.out.contains("proctor \(command.name) \(command.operands)\n"))
            for line in Help.paragraphs(command.discussion) where !line.isEmpty {
                #expect(shown.out.contains(line.trimmingCharacters(in: .whitespaces)), "\(line)")
            }
            for flag in command.flags { #expect(shown.out.contains(flag.name) && shown.out.contains(flag.help)) }
        }
    }

    @Test(arguments: [[], ["tcsh"], ["bash", "zsh"]])
    func `another shell is refused`(operands: [String]) async throws {
        let outcome = try await Child.run(["completions"] + operands)
        #expect(outcome.status == 2 && outcome.out.isEmpty)
        #expect(outcome.err == "proctor: 'completions' takes one of bash, zsh, fish and man\n")
    }
}
