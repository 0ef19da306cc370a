import Foundation
import ProctorBase
import ProctorDocument
import ProctorHTTP
import ProctorJournal
import ProctorModules
import ProctorTestSupport
import Testing

@testable import ProctorFixtures
@testable import ProctorScenario

/// The pages of Docs/format, which say what a fixture can hold.
enum FormatPages {
    static let folder = "\(SchemaJudge.repository)/Docs/format"

    /// The files of the pages, in the order of their names.
    static var names: [String] {
        get throws {
            try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".md") }.sorted()
        }
    }
}

/// The examples of Docs/format and Docs/start are loaded as they stand.
struct DocumentationTests {
    init() { ServerModules.register() }

    private struct Block: CustomStringConvertible {
        /// What stands after the backticks: `yaml`, `yaml,invalid`, `text`.
        let kind: String
        let page: String
        let line: Int
        var text = ""

        var description: String { "\(page):\(line)" }
    }

    /// The blocks of the pages of both folders; those of a list lose the blanks before them.
    private static func blocks(of parts: [String] = ["format", "start"]) throws -> [Block] {
        try parts.flatMap { part in
            let folder = "\(SchemaJudge.repository)/Docs/\(part)"
            let names = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".md") }
            return try names.sorted().flatMap { try blocks(ofPage: "\(part)/\($0)") }
        }
    }

    private static func blocks(ofPage name: String) throws -> [Block] {
        let text = try String(contentsOfFile: "\(SchemaJudge.repository)/Docs/\(name)", encoding: .utf8)
        var blocks: [Block] = []
        var open: Block?
        var openIndent = 0
        for (index, line) in text.components(separatedBy: "\n").enumerated() {
            let indent = line.prefix { $0 == " " }.count
            if !line.dropFirst(indent).hasPrefix("```") {
                open?.text += line.dropFirst(min(indent, openIndent)) + "\n"
            } else if let block = open {
                blocks.append(block)
                open = nil
            } else {
                open = Block(kind: String(line.dropFirst(indent + 3)), page: name, line: index + 1)
                openIndent = indent
            }
        }
        #expect(open == nil, "\(name): a block has no end")
        return blocks
    }

    private func load(_ block: Block) throws -> (scenario: Scenario?, diagnostics: [Diagnostic]) {
        let folder = try TestFolder()
        try folder.write("a body\n", to: "body.bin")
        // Nothing but what the loader looks for: neither is a certificate or a key.
        try folder.write("-----BEGIN CERTIFICATE-----\n", to: "server.pem")
        try folder.write("-----BEGIN PRIVATE KEY-----\n", to: "server.key")
        // It has the package `shop` of the page on gRPC.
        let descriptor = "\(SchemaJudge.repository)/Tests/Data/readers/protobuf/kinds.binpb"
        try folder.write(Array(Data(contentsOf: URL(filePath: descriptor))), to: "shop.binpb")
        // The schema and the description that a page shows.
        for shown in try Self.blocks(ofPage: "format/schemas.md") {
            if shown.kind == "json,schema" { try folder.write(shown.text, to: "order.schema.json") }
            if shown.kind == "yaml,description" { try folder.write(shown.text, to: "_orders.yaml") }
        }
        return ScenarioLoader.parse(block.text.bytes, id: "hello", file: "hello.yaml", folder: folder.path)
    }

    @Test func `every example loads`() throws {
        let examples = try Self.blocks().filter { $0.kind == "yaml" }
        #expect(examples.count >= 90)
        for example in examples {
            let (scenario, diagnostics) = try load(example)
            #expect(scenario != nil, "\(example)")
            #expect(diagnostics.map(\.description) == [], "\(example)")
        }
    }

    @Test func `every wrong example gives the message that is printed after it`() throws {
        let blocks = try Self.blocks()
        let wrong = blocks.indices.filter { blocks[$0].kind == "yaml,invalid" }
        #expect(wrong.count >= 20)
        for index in wrong {
            let messages = try load(blocks[index]).diagnostics.map { $0.description + "\n" }.joined()
            let printed = try #require(blocks.dropFirst(index + 1).first)
            #expect(printed.kind == "text", "\(printed)")
            #expect(messages == printed.text, "\(blocks[index])")
        }
    }

    @Test func `every piece of Lua is a script that answers a request`() throws {
        let pieces = try Self.blocks().filter { $0.kind == "lua" }
        #expect(pieces.count >= 2)
        for piece in pieces {
            let script = piece.text.split(separator: "\n").map { "        \($0)\n" }.joined()
            var example = piece
            example.text = "summary: s\nexchanges:\n  - request: GET /\n    reply:\n      script: |\n\(script)"
            #expect(try load(example).diagnostics.map(\.description) == [], "\(piece)")
        }
    }

    /// Profiles of certificates are read by a test of ProctorTLS, schemas and descriptions by the examples that name them.
    @Test func `no block is of a kind that no test looks at`() throws {
        let kinds: Set = ["yaml", "yaml,invalid", "text", "lua", "yaml,profile", "json,schema", "yaml,description"]
        #expect(Set(try Self.blocks(of: ["format"]).map(\.kind)).isSubset(of: kinds))
    }

    @Test func `every outcome and every fault of a guard is on the page`() throws {
        let page = try String(contentsOfFile: "\(FormatPages.folder)/credentials.md", encoding: .utf8)
        for name in GuardVerdict.Outcome.allCases.map(\.rawValue) {
            #expect(page.contains("\n| `\(name)` | "), "\(name)")
        }
        for name in CredentialFault.Kind.allCases.map(\.rawValue) { #expect(page.contains("`\(name)`"), "\(name)") }
    }

    @Test func `every fact is on a page, with its group, behind others of its group, or below settings`() throws {
        let core: [FactGroup] = [.request, .connection, .handshake]
        let groups =
            [("auth", FactGroup.guarding.namesOfEach), ("client", FactGroup.spending.namesOfEach)]
            + (core + FactGroup.all).map { ("\($0.name)[N]", $0.namesOfEach) }
        let text = try FormatPages.names.reduce(into: "") { text, name in
            text += try String(contentsOfFile: "\(FormatPages.folder)/\(name)", encoding: .utf8)
        }
        for (group, facts) in groups {
            for fact in facts {
                let ofPart = fact.dropping(prefix: "parts[N].").map { String($0) }
                let forms =
                    ["\(group).\(fact)", ".\(fact)", String(fact.dropping(prefix: "settings.") ?? fact)]
                    + (ofPart.map { ["\(group).parts[K].\($0)", ".\($0)"] } ?? [])
                #expect(forms.contains { text.contains("`\($0)`") }, "\(group).\(fact)")
            }
        }
        for fact in FactGroup.told.namesOfEach where !fact.contains("[") && !fact.contains("NAME") {
            #expect(text.contains("`\(fact)`"), "\(fact)")
        }
    }

    @Test func `the schema accepts every example too`() async throws {
        let folder = try TestFolder()
        let examples = try Self.blocks().filter { $0.kind == "yaml" }
        let names = examples.map { "\($0.page.replacing("/", with: "-"))-\($0.line).yaml" }
        for (example, name) in zip(examples, names) { try folder.write(example.text, to: name) }
        for (path, answer) in try await SchemaJudge.judge(names.map { "\(folder.path)/\($0)" }) {
            #expect(answer == "", "\(path)")
        }
    }
}
