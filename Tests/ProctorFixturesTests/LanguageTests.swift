import Foundation
import ProctorModules
import ProctorTestLanguage
import ProctorTestSupport
import Testing

@testable import ProctorFixtures
@testable import ProctorScenario

/// What is made of the tables of the fixture language: the JSON Schema, and the tables of the pages in Docs/format.
///
/// A change of the language is recorded with
///
///     PROCTOR_RECORD=schema make test ARGS="--filter LanguageTests"
struct LanguageTests {
    init() { ServerModules.register() }

    private static let isRecording = ProcessInfo.processInfo.environment["PROCTOR_RECORD"] == "schema"

    @Test func `the schema and the tables of the pages are those that the language makes`() throws {
        let faults = try LanguageFiles.faults(isRecording: Self.isRecording)
        #expect(Self.isRecording || faults.isEmpty, "PROCTOR_RECORD=schema writes them anew: \(faults)")
    }

    @Test func `every reference of the schema names a definition`() throws {
        let data = Data(FixtureSchema.text.utf8)
        let schema = try #require(try JSONSerialization.jsonObject(with: data) as? [String: Any])
        let definitions = try #require(schema["definitions"] as? [String: Any])
        for name in Self.references(in: schema) {
            let definition = try #require(name.split(separator: "/").last.map(String.init))
            #expect(name == "#/definitions/\(definition)" && definitions[definition] != nil, "\(name)")
        }
    }

    private static func references(in value: Any) -> [String] {
        if let list = value as? [Any] { return list.flatMap(references) }
        guard let object = value as? [String: Any] else { return [] }
        return object.flatMap { key, inner in
            key == "$ref" ? [inner as? String].compactMap(\.self) : references(in: inner)
        }
    }

    @Test(.wide) func `every scenario of the repository is accepted by the schema`() async throws {
        let folder = "\(SchemaJudge.repository)/fixtures"
        let files = try FileManager.default.subpathsOfDirectory(atPath: folder)
            .filter { $0.hasSuffix(".yaml") || $0.hasSuffix(".yml") }
            .filter { !$0.split(separator: "/").contains { $0.hasPrefix(".") || $0.hasPrefix("_") } }
            .map { "\(folder)/\($0)" }
        guard !files.isEmpty else { return }
        for (path, answer) in try await SchemaJudge.judge(files) { #expect(answer == "", "\(path)") }
    }
}
