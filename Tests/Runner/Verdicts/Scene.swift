import Foundation
import ProctorDocument
import ProctorFixtures
import ProctorRules

/// What has gone in so far.
struct Scene {
    static let names: Set<String> = ["platform"]

    /// The last block of each name.
    private var blocks: [String: Block] = [:]
    private(set) var platforms: [String: Platform] = [:]
    private(set) var platform = Platform.neutral
    /// The parts of a line of `cases`.
    var given: [String] = []

    mutating func take(_ block: Block) throws {
        blocks[block.name] = block
        guard block.name == "platform" else { return }
        guard let name = block.words.first else {
            throw RowError(block.line, "a platform needs a name: platform NAME")
        }
        let yaml = "platform: \(name)\n" + block.text
        let (read, diagnostics) = Platform.parse(Array(yaml.utf8), file: "platform.yaml")
        guard let read else { throw RowError(block.line, diagnostics.map(\.description).joined(separator: "\n")) }
        platforms[name] = read
        platform = read
    }
}
