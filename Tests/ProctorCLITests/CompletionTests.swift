import Foundation
import ProctorTestSupport
import Testing

@testable import proctor

/// Completions and the manual page, judged by the programs that read them.
struct CompletionTests {
    private func written(_ kind: String) async throws -> Folder {
        let outcome = try await Child.run(["completions", kind])
        #expect(outcome.status == 0 && outcome.err.isEmpty)
        return try Folder(["it": outcome.out])
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
        ("proctor se", "serve"), ("proctor serve --po", "--port"), ("proctor completions z", "zsh"),
        ("proctor help jo", "journal"), ("proctor serve --journal ", "a-file"), ("proctor check a-", "a-file"),
        ("proctor run --fix", "--fixtures"), ("proctor exa", "exam"), ("proctor grade --ru", "--rules-only"),
        ("proctor help exp", "explain"), ("proctor record a-", "a-file"), ("proctor nothing a-", "a-file"),
    ])
    func `bash completes a line`(line: String, wanted: String) async throws {
        let folder = try await written("bash")
        let files = try Folder(["a-file": ""])
        let script = """
            source "$1"; IFS=' ' read -r -a COMP_WORDS <<<"$2"; [[ $2 != *' ' ]] || COMP_WORDS+=(""); COMPREPLY=()
            COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _proctor; echo "${COMPREPLY[@]}"
            """
        let bash = try #require(Project.tool("bash"))
        let outcome = try await Child.run(["-c", script, "bash", "\(folder.path)/it", line], program: bash, in: files)
        #expect(outcome.out == "\(wanted)\n" && outcome.err.isEmpty)
    }

    @Test(arguments: [
        ("proctor se", ["serve"]), ("proctor serve --po", ["--port"]),
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
            for line in command.discussion.split(separator: "\n") {
                #expect(shown.out.contains(line.trimmingCharacters(in: .whitespaces)))
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
