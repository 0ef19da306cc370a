/// A typing error in an expression, found when it was parsed.
public struct NotationError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The whole expression.
    public let text: String
    /// Bytes from the beginning of the text.
    public let offset: Int
    /// 1-based.
    public let line: Int
    /// 1-based, in bytes of its line.
    public let column: Int
    /// What is wrong and what to write instead, without the place.
    public let sentence: String

    init(text: String, offset: Int, sentence: String) {
        self.text = text
        self.offset = offset
        self.sentence = sentence
        var line = 1
        var column = 1
        for byte in text.utf8.prefix(offset) {
            column += 1
            if byte == UInt8(ascii: "\n") {
                line += 1
                column = 1
            }
        }
        self.line = line
        self.column = column
    }

    /// The line of the expression with a caret below the place; two lines, without a line end.
    public var caretLines: String { CaretText(text).lines(pointingAt: [offset]).joined(separator: "\n") }

    /// The sentence, and below it the line with its caret.
    public var description: String { "\(sentence)\n\(caretLines)" }
}
