import Foundation
import ProctorFixtures
import ProctorRules

/// Judges a case by a journal and a trace, and compares verdicts, findings and sentences.
///
/// Blocks are read in their order: those that go in stand until one of the same name comes, and each that comes out is what
/// those before it give. `Docs/inside/test-verdicts.md` says what each holds.
struct VerdictRunner: RowRunner {
    func run(_ row: Row, _ check: inout Check) async throws {
        var scene = Scene()
        for block in row.blocks {
            switch block.name {
            case "slow": break
            case "cases": try runCases(block, scene, &check)
            case _ where Scene.names.contains(block.name): try scene.take(block)
            case _ where Self.outputs[block.name] != nil:
                let lines = try lines(block.name, block, scene, at: block.line)
                check.expect(block, got: lines.map { $0 + "\n" }.joined())
            default:
                throw RowError(
                    block.line,
                    "unknown block \"\(block.name)\"; what goes in: \(Scene.names.sorted().joined(separator: ", ")); "
                        + "what comes out, by itself or as \"cases NAME\": \(Self.known)")
            }
        }
    }

    private static let known = outputs.keys.sorted().joined(separator: ", ")

    /// `given => wanted` in each line; parts of what is given, between ` // `, are `$(1)`, `$(2)` … in the blocks before.
    private func runCases(_ block: Block, _ scene: Scene, _ check: inout Check) throws {
        let name = block.words.first ?? ""
        guard Self.outputs[name] != nil else {
            throw RowError(block.line, "cases of \"\(name)\" are unknown; known are: \(Self.known)")
        }
        let inner = Block(info: block.words.joined(separator: " "), text: "", line: block.line)
        for (index, line) in block.lines.enumerated() where !line.isEmpty && !line.hasPrefix("# ") {
            let number = block.line + index + 1
            let sides = line.split(separator: " => ", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard sides.count > 1 || check.isRecording else { throw RowError(number, "expected given => wanted") }
            var scene = scene
            scene.given = sides[0].components(separatedBy: " // ")
            let lines = try lines(name, inner, scene, at: number)
            check.expect(
                block, line: index, given: sides[0], wanted: sides.count > 1 ? sides[1] : "",
                got: lines.joined(separator: "; "))
        }
    }

    private func lines(_ name: String, _ block: Block, _ scene: Scene, at line: Int) throws -> [String] {
        guard let output = Self.outputs[name] else { return [] }
        do {
            return try output(scene, block)
        } catch let error as RowError {
            throw error
        } catch {
            throw RowError(line, "\(error)")
        }
    }
}
