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

/// What could not be taken over, or was changed, with its place; letters of the source that would move a cursor are `?`.
package struct ImportRemark: Sendable, Hashable {
    /// The file, and a JSON pointer or a line in it: `shop.har#/log/entries/3`, `trace.txt:12`.
    package let place: String
    /// Lower case, without a full stop.
    package let sentence: String

    package init(at place: String, _ sentence: String) {
        self.place = PrintableText.sanitize(place)
        self.sentence = PrintableText.sanitize(sentence)
    }
}

extension ImportRemark: CustomStringConvertible {
    package var description: String { "\(place): \(sentence)" }
}

/// Why a file that a source names is not read, as the rest of a sentence that begins with its name.
package struct FileRefusal: Error, Sendable, CustomStringConvertible {
    package let description: String

    package init(_ description: String) { self.description = description }
}
