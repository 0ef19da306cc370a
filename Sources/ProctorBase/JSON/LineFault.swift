/// What is wrong inside one line of a text format, such as JSON lines.
package struct LineFault: Error {
    /// From the first byte of the line.
    package let offset: Int
    package let sentence: String
    /// Nothing is wrong but that the line ends too early: its writer was interrupted.
    package let isEnd: Bool

    package init(_ offset: Int, _ sentence: String, isEnd: Bool = false) {
        self.offset = offset
        self.sentence = sentence
        self.isEnd = isEnd
    }
}
