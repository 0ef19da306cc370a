internal import Foundation
internal import ProctorBase
internal import ProctorDocument
internal import ProctorFixtures
internal import ProctorTestSupport

/// What the data of the language says of its keys: language.tsv and language.yaml in Sources/Ground/CFiles/Tables, and the files in the
/// folder `Language` of each module that registers a part of it.
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

    /// The files of that ending: that of the core, and those of modules in the order of their paths.
    private static func files(_ ending: String) -> [(path: String, bytes: [UInt8])] {
        let root = "\(Project.path)/Sources"
        let names = FileManager.default.enumerator(atPath: root)?.compactMap { $0 as? String } ?? []
        let ofModules = names.filter { $0.contains("/Language/") && $0.hasSuffix(".\(ending)") }.sorted()
        return (["Ground/CFiles/Tables/language.\(ending)"] + ofModules).map { name in
            guard let file = FileManager.default.contents(atPath: "\(root)/\(name)") else {
                preconditionFailure("\(root)/\(name) can't be read")
            }
            return ("\(root)/\(name)", Array(file))
        }
    }

    /// By `KEYS KEY`, as in `OriginKeys certificate`.
    static let words: [String: Words] = Dictionary(
        uniqueKeysWithValues: files("tsv").flatMap { rows(of: $0.bytes, in: $0.path) })

    private static func rows(of bytes: [UInt8], in path: String) -> [(String, Words)] {
        let lines = bytes.split(separator: UInt8(ascii: "\n")).map { line in
            line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false).map { text(of: $0, in: path) }
        }
        guard lines.first == ["keys", "key", "left out", "example", "meaning", "takes"] else {
            preconditionFailure("\(path): the first line does not name the six columns")
        }
        return lines.dropFirst().map { cells in
            func cell(_ index: Int) -> String? { cells.indices.contains(index) ? cells[index] : nil }
            let words = Words(takes: cell(5), leftOut: cell(2), example: cell(3), sentence: cell(4) ?? "")
            return ("\(cell(0) ?? "") \(cell(1) ?? "")", words)
        }
    }

    /// A cell that holds a backslash is a JSON string without its quotation marks; nil for an empty one.
    private static func text(of cell: ArraySlice<UInt8>, in path: String) -> String? {
        guard cell.contains(UInt8(ascii: "\\")) else {
            return cell.isEmpty ? nil : String(decoding: cell, as: UTF8.self)
        }
        let quote = UInt8(ascii: "\"")
        guard case .text(let bytes)? = try? JSONTree.read(([quote] + cell + [quote]).span) else {
            preconditionFailure("\(path): no JSON string: \(String(decoding: cell, as: UTF8.self))")
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// The mappings of the YAML files by their names, each in the order of the files.
    static let sections: [String: [Node.Entry]] = files("yaml").reduce(into: [:]) { sections, file in
        let document = Document.parse(file.bytes, file: file.path)
        guard let entries = document.root?.entries, document.diagnostics.isEmpty else {
            preconditionFailure("\(document.diagnostics.first?.description ?? file.path)")
        }
        for entry in entries { sections[entry.key, default: []] += entry.value.entries ?? [] }
    }

    /// By `KEYS KEY`.
    static let values: [String: Node] = Dictionary(
        uniqueKeysWithValues: (sections["keys"] ?? []).flatMap { keys in
            (keys.value.entries ?? []).map { ("\(keys.key) \($0.key)", $0.value) }
        })

    static func node(_ name: String, in section: String) -> Node? { nodes(name, in: section).first }

    /// One of each file that has it.
    static func nodes(_ name: String, in section: String) -> [Node] {
        (sections[section] ?? []).filter { $0.key == name }.map(\.value)
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
