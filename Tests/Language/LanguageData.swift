internal import Foundation
internal import ProctorBase
internal import ProctorDocument
internal import ProctorFixtures
internal import ProctorTestSupport

/// What the data of the language says of its keys: language.tsv and language.yaml in Sources/Ground/CFiles/Tables.
enum LanguageData {
    /// The words of one key, in Markdown.
    struct Words {
        /// nil: its form says it.
        let takes: String?
        /// The default.
        let leftOut: String?
        /// A value as a file writes it.
        let example: String?
        /// One sentence; empty when the name explains itself.
        let sentence: String
    }

    private static let folder = "\(Project.path)/Sources/Ground/CFiles/Tables"

    /// By `KEYS KEY`, as in `OriginKeys certificate`.
    static let words: [String: Words] = Dictionary(
        uniqueKeysWithValues: TableCells.rows(of: "language").map { cells in
            (
                "\(cells["keys"]) \(cells["key"])",
                Words(
                    takes: cells.text("takes"), leftOut: cells.text("left out"), example: cells.text("example"),
                    sentence: cells.text("meaning") ?? "")
            )
        })

    /// The mappings of language.yaml by their names, each in the order of the file.
    static let sections: [String: [Node.Entry]] = {
        let path = "\(folder)/language.yaml"
        guard let file = FileManager.default.contents(atPath: path) else {
            preconditionFailure("\(path) can't be read")
        }
        let document = Document.parse(Array(file), file: path)
        guard let entries = document.root?.entries, document.diagnostics.isEmpty else {
            preconditionFailure("\(document.diagnostics.first?.description ?? path)")
        }
        return Dictionary(uniqueKeysWithValues: entries.map { ($0.key, $0.value.entries ?? []) })
    }()

    /// By `KEYS KEY`.
    static let values: [String: Node] = Dictionary(
        uniqueKeysWithValues: (sections["keys"] ?? []).flatMap { keys in
            (keys.value.entries ?? []).map { ("\(keys.key) \($0.key)", $0.value) }
        })

    static func node(_ name: String, in section: String) -> Node? {
        sections[section]?.first { $0.key == name }?.value
    }
}

extension Row {
    private var words: LanguageData.Words {
        guard let words = LanguageData.words[path] else { preconditionFailure("language.tsv has no row for \(path)") }
        return words
    }

    var path: String { "\(keys) \(name)" }
    var sentence: String { words.sentence }
    var example: String? { words.example }
    var leftOut: String { isRequired ? "required" : words.leftOut ?? "" }
    var takes: String {
        if let takes = words.takes { return takes }
        switch form {
        case .named(let name):
            guard let takes = LanguageData.words["Form \(name)"]?.takes else {
                preconditionFailure("language.tsv has no row for the form \(name)")
            }
            return takes
        case .words(let words): return words().alternatives
        case .numbers(let range): return "\(range.lowerBound.grouped) … \(range.upperBound.grouped)"
        case .pattern: return "text"
        case nil: preconditionFailure("language.tsv does not say what \(path) takes")
        }
    }
}
