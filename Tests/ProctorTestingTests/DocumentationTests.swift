import Foundation
import Testing

/// What the documents show is what is compiled and run.
struct DocumentationTests {
    private static let root = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

    @Test(arguments: ["README.md", "Docs/testing.md"])
    func `every Swift block of a document is one of the documented tests`(document: String) throws {
        let source = try text("Tests/ProctorTestingTests/DocumentedTests.swift")
        let blocks = try swiftBlocks(in: text(document))
        #expect(!blocks.isEmpty)
        for block in blocks {
            let indented = block.map { $0.isEmpty ? "" : "    \($0)" }.joined(separator: "\n")
            #expect(
                source.contains(indented), "this block is in no test as it stands:\n\(block.joined(separator: "\n"))")
        }
    }

    @Test func `the test of the README has about ten lines`() throws {
        let blocks = try swiftBlocks(in: text("README.md"))
        #expect(try #require(blocks.first).count <= 10)
    }

    private func text(_ path: String) throws -> String {
        try String(contentsOf: Self.root.appendingPathComponent(path), encoding: .utf8)
    }

    private func swiftBlocks(in text: String) -> [[String]] {
        var blocks: [[String]] = []
        var isInside = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line == "```swift" {
                isInside = true
                blocks.append([])
            } else if line == "```" {
                isInside = false
            } else if isInside {
                blocks[blocks.count - 1].append(String(line))
            }
        }
        return blocks
    }
}
