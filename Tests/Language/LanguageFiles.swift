internal import Foundation
internal import ProctorTestSupport

/// The files of the repository that are made of the data of the language.
package enum LanguageFiles {
    private static let folder = "Docs/format"

    /// Which of them are not what the language makes, one sentence each; a recording writes them.
    package static func faults(isRecording: Bool) throws -> [String] {
        var faults: [String] = []
        func compare(_ name: String, with text: String) throws {
            guard try Project.text(name) != text else { return }
            if isRecording { try text.write(toFile: "\(Project.path)/\(name)", atomically: true, encoding: .utf8) }
            faults.append(isRecording ? "wrote \(name) anew" : "\(name) is not what the language makes")
        }
        try compare("fixtures/scenario.schema.json", with: FixtureSchema.text)
        var shown: [String] = []
        let pages = try FileManager.default.contentsOfDirectory(atPath: "\(Project.path)/\(folder)")
        for name in pages.filter({ $0.hasSuffix(".md") }).sorted() {
            let path = "\(folder)/\(name)"
            guard let page = FixtureReference.page(try Project.text(path), named: name) else {
                faults.append("\(path) names a table of keys that is none")
                continue
            }
            try compare(path, with: page.text)
            shown += page.tables
        }
        let names = FixtureReference.tables.map(\.name)
        for name in names where shown.count(where: { $0 == name }) != 1 {
            faults.append("the table of keys '\(name)' stands not once in \(folder)")
        }
        for path in LanguageData.values.keys.sorted() where LanguageData.words[path] == nil {
            faults.append("language.yaml has a value for \(path), of which language.tsv has no row")
        }
        return faults
    }
}
