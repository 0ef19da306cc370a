/// What is said of a mistake in a YAML file, by whoever reads it.
package enum DocumentSentence {
    package static let empty = "the file is empty"
    package static let second = "a file holds one document, and a second begins here"
    package static let secondHint = "put it into a file of its own"
    package static let merge = "merge keys are not supported"
    package static let mergeHint = "write the keys out"
    package static let tagHint = "take it away: what a value is follows from where it stands"

    package static func tooMany(_ limit: Int) -> String {
        "the file holds more than \(limit) values, with those that aliases repeat"
    }

    package static func tooDeep(_ limit: Int) -> String { "nested deeper than \(limit) levels" }

    package static func alias(_ name: String, isInside: Bool) -> String {
        isInside
            ? "the alias *\(name) stands inside what it names"
            : "the alias *\(name) names no anchor; write &\(name) before it"
    }

    package static func tag(_ tag: String) -> String {
        "the tag \(quoted(DocumentTags.shown(tag))) is not supported"
    }
}

extension Document.Limits {
    /// Why a file of so many bytes is not read; nil where it is.
    package func refusal(ofByteCount count: Int, file: String) -> Diagnostic? {
        guard count > byteCount else { return nil }
        return Diagnostic(path: file, sentence: "the file has \(count) bytes; at most \(byteCount) are read")
    }
}
