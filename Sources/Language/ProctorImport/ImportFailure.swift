internal import ProctorBase
package import ProctorDocument

/// Why a source can't be read at all; each line says the place, what is wrong and what was expected.
package struct ImportFailure: Error, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }

    /// `place` is a file with a pointer, a line or an offset.
    package init(at place: String, _ sentence: String) {
        description = PrintableText.sanitize("\(place): error: \(sentence)")
    }

    init(_ spent: SpentBudget) { description = "the import was not finished: \(spent)" }

    package init(_ diagnostics: [Diagnostic]) {
        description = diagnostics.map(\.description).joined(separator: "\n")
    }
}
