import Foundation
import ProctorTestSupport

/// Runs commands in a folder of their own, as a person does at a prompt, and compares what they print.
///
/// Blocks are acts, done in their order; `Docs/inside/test-data.md` says what each may hold.
struct CommandRunner: RowRunner {
    func run(_ row: Row, _ check: inout Check) async throws {
        for block in row.blocks("needs") where !Self.has(block.words) {
            return check.require(true, block, "", got: "")
        }
        let desk = try Desk()
        for block in row.blocks {
            switch block.name {
            case "slow", "needs": break
            case "files": try desk.copy(block)
            case "file": try await desk.write(block, check)
            case "shipped": try desk.install(block)
            case "console": try await console(block, at: desk, &check)
            default:
                throw RowError(
                    block.line,
                    "unknown block \"\(block.name)\" among commands; blocks are files, file, shipped, console, needs, slow"
                )
            }
        }
        try await desk.clear(row)
    }

    /// `needs PROGRAM …`: the row is left out where one of them is not installed; `linux` is the system.
    private static func has(_ words: [String]) -> Bool {
        words.allSatisfy { word in
            #if os(Linux)
                if word == "linux" { return true }
            #endif
            return Project.tool(word) != nil
        }
    }

    /// What a step names can be used by the next one, so each is compared by itself first.
    private func console(_ block: Block, at desk: Desk, _ check: inout Check) async throws {
        var got = ""
        for step in try Transcript(block).steps {
            let text = try await desk.run(step, &check)
            if let found = TextPattern(step.wanted).captures(of: text) { check.names.merge(found) { _, new in new } }
            got += step.given + text
        }
        check.expect(block, got: got)
    }
}
