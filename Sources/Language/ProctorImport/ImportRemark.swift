internal import ProctorBase

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
