import Foundation
import ProctorDocument

/// What came of reading a document.
struct ReadDocument {
    /// Nil where it has a mistake.
    let value: Any?
    let diagnostics: [Diagnostic]
    /// Warnings of a document without mistakes.
    var warned: [Diagnostic] = []
    /// Facts that are computed, by the first word of a path.
    var computed: [String: () throws -> Any] = [:]
    /// Whether messages tell the file.
    var tellsFiles = false
    private var folder = ""

    init(value: Any?, diagnostics: [Diagnostic]) {
        self.value = value
        self.diagnostics = diagnostics
    }

    func inFolder(_ folder: String) -> ReadDocument {
        var document = self
        document.folder = folder
        return document
    }

    /// `line:column sentence; hint`, or `none`.
    var errors: [String] {
        if diagnostics.isEmpty { return value == nil ? ["neither a value nor a mistake"] : ["none"] }
        return (value == nil || tellsFiles ? [] : ["a value all the same"]) + diagnostics.map(line)
    }

    /// As ``errors``.
    var warnings: [String] {
        guard diagnostics.isEmpty else { return errors }
        return warned.isEmpty ? ["none"] : warned.map(line)
    }

    private func line(_ diagnostic: Diagnostic) -> String {
        let text = tellsFiles ? diagnostic.description : ValueText.text(diagnostic)
        return text.replacing(folder, with: "$FOLDER").replacing("\n", with: "\\n")
    }

    /// The value at a path such as `exchanges.0.request.text`.
    func fact(_ path: String, at line: Int) throws -> String {
        guard let value, diagnostics.isEmpty || tellsFiles else {
            throw RowError(line, "the document has mistakes: " + errors.joined(separator: " ; "))
        }
        var words = path.split(separator: ".").map(String.init)
        var start: Any = value
        if let first = words.first, let make = computed[first] {
            start = try make()
            words.removeFirst()
        }
        return try ValueText.text(start, at: words, line: line).replacing(folder, with: "$FOLDER")
    }
}
