import ProctorBase
import ProctorDocument

/// A scalar's text as bytes, with a place in it for messages.
struct ScalarText {
    let node: Node
    let bytes: [UInt8]
    /// A part of the text, so that places stay those of the whole.
    var range: Range<Int>

    init(_ node: Node, _ text: String) {
        self.node = node
        bytes = Array(text.utf8)
        range = 0..<bytes.count
    }

    /// The place in the file of a byte of the text.
    func location(_ offset: Int) -> SourceLocation { node.location(ofTextOffset: offset) }

    /// A part of the part as text.
    func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

    /// The part as text.
    var text: String { text(range) }

    /// The rest after `count` bytes.
    func dropping(_ count: Int) -> ScalarText {
        var rest = self
        rest.range = min(range.lowerBound + count, range.upperBound)..<range.upperBound
        return rest
    }
}
