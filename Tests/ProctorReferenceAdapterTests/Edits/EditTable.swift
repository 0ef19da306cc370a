import Foundation
import ProctorGrading
import ProctorScenario

/// What shows each edit, as `Scripts/edits.tsv` has it: a family, an edit, and `R12`, `content url`, `expression` or `open` with
/// the key of a reason on Docs/inside/edits.md.
struct EditTable {
    private(set) var families: [String: [String: String]] = [:]

    private static let root = URL(filePath: #filePath).appending(path: "../../../../").standardized
    static let file = root.appending(path: "Scripts/edits.tsv")
    static let page = root.appending(path: "Docs/inside/edits.md")

    init() throws {
        let text = try String(contentsOf: Self.file, encoding: .utf8)
        for line in text.split(separator: "\n") where !line.hasPrefix("#") {
            let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            guard cells.count == 3 else { throw Malformed(line: String(line)) }
            families[cells[0], default: [:]][cells[1]] = cells[2]
        }
    }

    /// The rows of one family, as they stand in the file.
    static func lines(of family: String) throws -> [String] {
        try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map(String.init)
            .filter { $0.hasPrefix("\(family)\t") }
    }

    struct Malformed: Error { let line: String }
}

extension CaseVerdict {
    /// Everything that shows a fault, in the words of the table; nothing where the verdict is a pass.
    var shownBy: [String] {
        var words = failures.flatMap { finding -> [String] in
            let rules = finding.rules.map { "\($0)" }
            return switch finding.subject {
            case .rule: rules
            case .content(let field): ["content \(field)"]
            case .grammar: rules + ["grammar"]
            case .fact(let name): ["fact \(name.text)"]
            case .edge: ["edge"]
            case .ending: ["ending"]
            default: ["expression"]
            }
        }
        if words.isEmpty, outcome != .pass { words = ["\(outcome.word)"] }
        var seen: Set<String> = []
        return words.filter { seen.insert($0).inserted }
    }
}
