import ProctorDocument
import ProctorFixtures
import ProctorScenario

/// A kind of document, by the name of its block.
struct DocumentKind: Sendable {
    let read: @Sendable (_ bytes: [UInt8], _ block: Block, _ folder: String) throws -> ReadDocument

    static let all: [String: DocumentKind] = [
        "fixture": DocumentKind { bytes, block, folder in
            let (scenario, diagnostics) = ScenarioLoader.parse(
                bytes, id: block.value(of: "id") ?? "test/scenario", file: "a.yaml", folder: folder)
            var document = ReadDocument(value: scenario, diagnostics: diagnostics)
            if let scenario {
                document.warned = scenario.warnings
                document.computed = FixtureFacts.all(scenario)
            }
            return document
        },
        // The files of the row, by their paths in its folder.
        "load": DocumentKind { _, block, folder in
            let paths = block.words.isEmpty ? [folder] : block.words.map { "\(folder)/\($0)" }
            let result = ScenarioLoader.load(paths: paths)
            var document = ReadDocument(value: result, diagnostics: result.diagnostics)
            document.tellsFiles = true
            return document
        },
    ]
}
