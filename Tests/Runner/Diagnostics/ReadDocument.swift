import Foundation
import ProctorBase
import ProctorDocument

/// What came of reading a document.
struct ReadDocument {
    /// Nil where it has a mistake.
    let value: Any?
    let diagnostics: [Diagnostic]
    /// Warnings of a document without mistakes.
    var warned: [Diagnostic] = []
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

    /// `line:column sentence; hint`, with the file before it where that is not the document; or `none`.
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
        let file = diagnostic.location.file
        let isElsewhere = !file.isEmpty && file.hasPrefix(folder)
        let text =
            tellsFiles
            ? diagnostic.description : (isElsewhere ? "\(file):" : "") + ValueText.text(diagnostic)
        return text.replacing(folder, with: "$FOLDER").replacing("\n", with: "\\n")
            .replacing("\u{2028}", with: "\\u{2028}")
    }

    /// The text of the value at a path such as `exchanges.0.request.text`.
    func fact(_ path: String, at line: Int) throws -> String {
        let words = path.split(separator: ".").map(String.init)
        return try ValueText.text(try whole(line), at: words, line: line).replacing(folder, with: "$FOLDER")
    }

    /// The value itself at a path without `*`.
    func value(_ path: String, at line: Int) throws -> Any {
        try ValueText.value(try whole(line), at: path.split(separator: ".").map(String.init), line: line)
    }

    private func whole(_ line: Int) throws -> Any {
        guard let value, diagnostics.isEmpty || tellsFiles else {
            throw RowError(line, "the document has mistakes: " + errors.joined(separator: " ; "))
        }
        return value
    }
}
