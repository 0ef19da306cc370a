import Foundation
import ProctorDocument
import ProctorHTTP
import ProctorJournal
import ProctorTestSupport
import Testing

@testable import ProctorScenario

/// The examples of Docs/fixtures.md are loaded as they stand.
struct DocumentationTests {
    private struct Block {
        /// What stands after the backticks: `yaml`, `yaml,invalid`, `text`.
        let kind: String
        let line: Int
        var text = ""
    }

    private static func blocks() throws -> [Block] {
        let url = URL(fileURLWithPath: SchemaJudge.repository).appendingPathComponent("Docs/fixtures.md")
        var blocks: [Block] = []
        var open: Block?
        for (index, line) in try String(contentsOf: url, encoding: .utf8).components(separatedBy: "\n").enumerated() {
            if !line.hasPrefix("```") {
                open?.text += line + "\n"
            } else if let block = open {
                blocks.append(block)
                open = nil
            } else {
                open = Block(kind: String(line.dropFirst(3)), line: index + 1)
            }
        }
        #expect(open == nil, "a block has no end")
        return blocks
    }

    private func load(_ block: Block) throws -> (scenario: Scenario?, diagnostics: [Diagnostic]) {
        let folder = try TestFolder()
        try folder.write("a body\n", to: "body.bin")
        // Nothing but what the loader looks for: neither is a certificate or a key.
        try folder.write("-----BEGIN CERTIFICATE-----\n", to: "server.pem")
        try folder.write("-----BEGIN PRIVATE KEY-----\n", to: "server.key")
        return ScenarioLoader.parse(block.text.bytes, id: "hello", file: "hello.yaml", folder: folder.path)
    }

    @Test func `every example loads`() throws {
        let examples = try Self.blocks().filter { $0.kind == "yaml" }
        #expect(examples.count >= 20)
        for example in examples {
            let (scenario, diagnostics) = try load(example)
            #expect(scenario != nil, "line \(example.line)")
            #expect(diagnostics.map(\.description) == [], "line \(example.line)")
        }
    }

    @Test func `every wrong example gives the message that is printed after it`() throws {
        let blocks = try Self.blocks()
        let wrong = blocks.indices.filter { blocks[$0].kind == "yaml,invalid" }
        #expect(wrong.count >= 7)
        for index in wrong {
            let messages = try load(blocks[index]).diagnostics.map { $0.description + "\n" }.joined()
            let printed = try #require(blocks.dropFirst(index + 1).first)
            #expect(printed.kind == "text", "line \(printed.line)")
            #expect(messages == printed.text, "line \(blocks[index].line)")
        }
    }

    @Test func `no block is of a kind that no test looks at`() throws {
        #expect(Set(try Self.blocks().map(\.kind)).isSubset(of: ["yaml", "yaml,invalid", "text"]))
    }

    @Test func `every outcome and every fault of a guard is on the page`() throws {
        let url = URL(fileURLWithPath: SchemaJudge.repository).appendingPathComponent("Docs/fixtures.md")
        let page = try String(contentsOf: url, encoding: .utf8)
        for name in GuardVerdict.Outcome.allCases.map(\.rawValue) {
            #expect(page.contains("\n| `\(name)` | "), "\(name)")
        }
        for name in CredentialFault.Kind.allCases.map(\.rawValue) { #expect(page.contains("`\(name)`"), "\(name)") }
        for name in FactName.GuardFact.allCases.map(\.rawValue) { #expect(page.contains("`auth.\(name)`"), "\(name)") }
    }

    @Test func `the schema accepts every example too`() async throws {
        let folder = try TestFolder()
        let examples = try Self.blocks().filter { $0.kind == "yaml" }
        for example in examples { try folder.write(example.text, to: "\(example.line).yaml") }
        for (path, answer) in try await SchemaJudge.judge(examples.map { "\(folder.path)/\($0.line).yaml" }) {
            #expect(answer == "", "\(path)")
        }
    }
}
