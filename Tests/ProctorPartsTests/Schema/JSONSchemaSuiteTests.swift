import Foundation
import ProctorBase
import ProctorDocument
import Testing

@testable import ProctorSchema

/// The official JSON-Schema-Test-Suite, which is not a part of this package.
///
/// PROCTOR_JSON_SCHEMA_SUITE is its folder `tests/draft2020-12`; Docs/inside/schemas.md says where to get it.
@Suite struct JSONSchemaSuiteTests {
    private static let folder = ProcessInfo.processInfo.environment["PROCTOR_JSON_SCHEMA_SUITE"]

    private struct Score {
        var right = 0
        var wrong: [String] = []
        /// Tests whose schema is refused when it is read, with the reason.
        var refused: [(count: Int, reason: String)] = []
    }

    @Test(.enabled(if: folder != nil, "PROCTOR_JSON_SCHEMA_SUITE names no folder"))
    func `no answer to the required tests is wrong`() throws {
        let score = try score(of: #require(Self.folder), formats: [])
        print(
            "required: \(score.right) right, \(score.wrong.count) wrong, \(score.refused.reduce(0) { $0 + $1.count }) refused"
        )
        #expect(score.right > 1_000)
        #expect(score.wrong.isEmpty)
        // What is refused needs another document, or a meta-schema of its own.
        for (_, reason) in score.refused {
            #expect(reason.contains("leads out of this document") || reason.contains("the schema is for"))
        }
    }

    @Test(.enabled(if: folder != nil, "PROCTOR_JSON_SCHEMA_SUITE names no folder"))
    func `no answer about a format that is known is wrong`() throws {
        let folder = try #require(Self.folder) + "/optional/format"
        let known = Set(SchemaFormat.allCases.map { "\($0.rawValue).json" })
        let score = try score(of: folder, formats: Set(SchemaFormat.allCases)) { known.contains($0) }
        print("formats: \(score.right) right, \(score.wrong.count) wrong, \(score.refused.count) refused")
        #expect(score.right > 300)
        #expect(score.wrong.isEmpty && score.refused.isEmpty)
    }

    private func score(
        of folder: String, formats: Set<SchemaFormat>, where isWanted: (String) -> Bool = { _ in true }
    ) throws -> Score {
        var score = Score()
        for name in try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
        where name.hasSuffix(".json") && isWanted(name) {
            let bytes = try [UInt8](Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)")))
            let groups = try #require(Document.parseJSON(bytes, file: name).root?.items, "\(name) has no list")
            for group in groups {
                let tests = try #require(group.child("tests")?.items)
                let sink = DiagnosticSink()
                let schema = try #require(group.child("schema"))
                guard let entry = SchemaReader.read(schema, formats: formats, sink: sink) else {
                    score.refused.append((tests.count, sink.diagnostics.first?.description ?? ""))
                    continue
                }
                for test in tests {
                    let value = try JSONDocument(parsing: Array(#require(test.child("data")).jsonText.utf8))
                    let verdict = entry.validate(value)
                    if case .undecided(let reason) = verdict { score.wrong.append("\(name): \(reason)") }
                    if verdict.isValid == (test.child("valid")?.plainText == "true") {
                        score.right += 1
                    } else {
                        let words = [group, test].compactMap { $0.child("description")?.text }
                        score.wrong.append("\(name): \(words.joined(separator: ": "))")
                    }
                }
            }
        }
        return score
    }
}
