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
    func `every command and flag is completed`(shell: String) async throws {
        let text = try await written(shell).text("it")
        for command in CommandLine.commands {
            #expect(text.contains(command.name))
            for flag in command.flags {
                #expect(text.contains(shell == "fish" ? " -l \(flag.name.dropFirst(2)) " : flag.name))
            }
        }
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
        let shown = try await Child.run(["-l", path], program: man, environment: ["MANWIDTH": "250", "LC_ALL": "C"])
        #expect(shown.err.isEmpty)
        for command in CommandLine.commands {
            #expect(shown.out.contains("proctor \(command.name) \(command.operands)\n"))
            for line in Help.paragraphs(command.discussion) where !line.isEmpty {
                #expect(shown.out.contains(line.trimmingCharacters(in: .whitespaces)), "\(line)")
            }
            for flag in command.flags { #expect(shown.out.contains(flag.name) && shown.out.contains(flag.help)) }
        }
    }
}
