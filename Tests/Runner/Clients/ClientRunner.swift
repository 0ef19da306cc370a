import Foundation
import ProctorTestSupport

/// Sets assignments to the program of the reference client, and compares what it tells and what the server saw.
///
/// The program is started beside this one, as an adapter of many assignments under the watchdog of an exam.
struct ClientRunner: RowRunner {
    let programs: ClientPrograms

    func run(_ row: Row, _ check: inout Check) async throws {
        // Blocks that go in stand until one comes in their place.
        var scene = ClientScene()
        var sat: ClientTelling?
        for block in row.blocks where block.name != "slow" {
            switch block.name {
            case "cases": try await runCases(block, scene, &check)
            case _ where ClientScene.names.contains(block.name):
                scene.take(block)
                sat = nil
            case _ where ClientTelling.outputs[block.name] != nil:
                let telling = try await self.telling(sat, or: scene, at: block.line)
                sat = telling
                check.expect(block, got: telling.lines(block.name, block).map { $0 + "\n" }.joined())
            default:
                throw RowError(
                    block.line,
                    "unknown block \"\(block.name)\"; what goes in: \(ClientScene.names.sorted().joined(separator: ", ")); "
                        + "what comes out, by itself or as \"cases NAME\": \(Self.known)")
            }
        }
    }

    private func telling(_ former: ClientTelling?, or scene: ClientScene, at line: Int) async throws -> ClientTelling {
        if let former { return former }
        return try await programs.sit(scene.assignment(words: [], given: [], at: line))
    }

    private static let known = ClientTelling.outputs.keys.sorted().joined(separator: ", ")

    /// `given => wanted` in each line; parts of what is given, between ` // `, are `$(1)`, `$(2)` … in the blocks before.
    private func runCases(_ block: Block, _ scene: ClientScene, _ check: inout Check) async throws {
        let names = block.words.first?.split(separator: ",").map(String.init) ?? []
        for name in names where ClientTelling.outputs[name] == nil {
            throw RowError(block.line, "cases of \"\(name)\" are unknown; known are: \(Self.known)")
        }
        guard !names.isEmpty else {
            throw RowError(block.line, "\"cases\" needs one of these behind it: \(Self.known)")
        }
        for (index, line) in block.lines.enumerated() where !line.isEmpty && !line.hasPrefix("# ") {
            let number = block.line + index + 1
            let (given, wanted) = line.cut(at: " => ")
            guard wanted != nil || check.isRecording else { throw RowError(number, "expected given => wanted") }
            let assignment = try scene.assignment(
                words: block.words, given: given.components(separatedBy: " // "), at: number)
            let sat = try await programs.sit(assignment)
            var parts = names.map { sat.lines($0, block).joined(separator: "; ") }
            while parts.count > 1, parts.last?.isEmpty == true { parts.removeLast() }
            let got = parts == [""] ? "-" : parts.joined(separator: " || ")
            check.expect(block, line: index, given: given, wanted: wanted ?? "", got: got)
        }
    }
}
