import Foundation
import ProctorDocument
import ProctorScenario
import ProctorTrace
import Testing

struct SchemaTests {
    /// What the schema says about each row, in their order.
    private func judge(_ rows: [SchemaRow]) async throws -> [String] {
        let folder = try TemporaryFolder()
        let names = rows.indices.map { "\($0).yaml" }
        for (name, row) in zip(names, rows) { try folder.write(row.yaml, to: name) }
        let answers = try await SchemaJudge.judge(names.map { "\(folder.path)/\($0)" })
        return try names.map { try #require(answers["\(folder.path)/\($0)"]) }
    }

    @Test func `schema and loader accept the same documents`() async throws {
        for (row, answer) in zip(SchemaRow.allAccepted, try await judge(SchemaRow.allAccepted)) {
            #expect(answer == "", "\(row.name): the schema refuses it")
            #expect(messages(row.yaml) == [], "\(row.name): the loader refuses it")
        }
    }

    @Test func `schema and loader refuse the same forms`() async throws {
        for (row, answer) in zip(SchemaRow.refused, try await judge(SchemaRow.refused)) {
            #expect(answer != "", "\(row.name): the schema accepts it")
            #expect(messages(row.yaml) != [], "\(row.name): the loader accepts it")
        }
    }

    @Test func `what a schema cannot say is refused by the loader alone`() async throws {
        for (row, answer) in zip(SchemaRow.allSemantic, try await judge(SchemaRow.allSemantic)) {
            #expect(answer == "", "\(row.name): the schema refuses it, so it belongs to the other table")
            #expect(messages(row.yaml) != [], "\(row.name): the loader accepts it")
        }
    }

    @Test func `every scenario of the repository is accepted by the schema`() async throws {
        let folder = "\(SchemaJudge.repository)/fixtures"
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder)
            .filter { $0.hasSuffix(".yaml") || $0.hasSuffix(".yml") }
            .filter { !$0.split(separator: "/").contains { $0.hasPrefix(".") || $0.hasPrefix("_") } }
            .map { "\(folder)/\($0)" }
        guard !files.isEmpty else { return }
        for (path, answer) in try await SchemaJudge.judge(files) { #expect(answer == "", "\(path)") }
    }

    private struct Schema: Decodable {
        let definitions: [String: Definition]

        struct Definition: Decodable {
            let properties: [String: Property]?
            let alternatives: [Property]?
            let choices: [String]?

            private enum CodingKeys: String, CodingKey {
                case properties
                case alternatives = "oneOf"
                case choices = "enum"
            }
        }

        struct Property: Decodable {
            let choices: [String]?
            let pattern: String?

            private enum CodingKeys: String, CodingKey {
                case pattern
                case choices = "enum"
            }

            init(from decoder: any Decoder) throws {
                let container = try decoder.container(keyedBy: CodingKeys.self)
                choices = try? container.decode([String].self, forKey: .choices)
                pattern = try? container.decode(String.self, forKey: .pattern)
            }
        }
    }

    @Test func `the schema offers the events of the vocabulary`() throws {
        let data = try Data(contentsOf: URL(fileURLWithPath: SchemaJudge.schemaPath))
        let schema = try JSONDecoder().decode(Schema.self, from: data)
        let moments = try #require(schema.definitions["eventMoment"]?.alternatives?.first?.choices)
        #expect(moments.sorted() == (["before-resume", "after-resume"] + EventVocabulary.names(in: .task)).sorted())
        let reported = EventVocabulary.kinds.filter { $0.lanes != [.wire] }.map(\.name)
        #expect(schema.definitions["reportedEvent"]?.choices?.sorted() == reported.sorted())
        let effect = try Regex(try #require(schema.definitions["do"]?.alternatives?.first?.pattern))
        for name in reported { #expect("await \(name)".wholeMatch(of: effect) != nil) }
        #expect("await request".wholeMatch(of: effect) == nil)
        for name in AlertDescription.names { #expect("alert \(name)".wholeMatch(of: effect) != nil) }
        #expect(
            schema.definitions["case"]?.properties?["kind"]?.choices == Case.Kind.allCases.map(\.rawValue))
        #expect(
            schema.definitions["client"]?.properties?["task"]?.choices
                == ClientProgram.TaskKind.allCases.map(\.rawValue))
    }
}
