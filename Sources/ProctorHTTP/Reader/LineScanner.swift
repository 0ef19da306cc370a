/// Finds the line ends of a head or trailer section, one pass over each byte however the input is cut.
struct LineScanner: Sendable {
    /// Bytes of the section looked at so far.
    private(set) var byteCount = 0
    private var lineStart = 0
    /// Lines that continue no other, the request line among them.
    private(set) var lineCount = 0
    private var firstByteOfLine: UInt8 = 0

    enum Outcome {
        case needsMore
        /// A line with something on it ended; where in the section it began.
        case line(from: Int)
        /// The line held nothing but its end.
        case emptyLine
        /// A limit was passed: before which byte of the section.
        case lineTooLong(at: Int)
        case sectionTooLarge(at: Int)
    }

    /// Reads on at `input[index]` to behind the next LF, or to the end of the input.
    ///
    /// Limits hold to the byte, so that it makes no difference whether the end of the line is already there.
    mutating func nextLine(
        in input: Span<UInt8>, at index: inout Int, lineLimit: Int, sectionLimit: Int
    ) -> Outcome {
        guard index < input.count else { return .needsMore }
        let start = index
        if byteCount == lineStart { firstByteOfLine = input[index] }
        index = input.indexOfLineFeed(from: index)
        let isComplete = index < input.count
        if isComplete { index += 1 }
        byteCount += index - start

        let lineByteCount = byteCount - lineStart
        if lineByteCount > lineLimit, sectionLimit - lineStart >= lineLimit {
            return .lineTooLong(at: lineStart + lineLimit)
        }
        if byteCount > sectionLimit { return .sectionTooLarge(at: sectionLimit) }
        guard isComplete else { return .needsMore }

        defer { lineStart = byteCount }
        if lineByteCount == 1 || lineByteCount == 2 && firstByteOfLine == .carriageReturn { return .emptyLine }
        if !firstByteOfLine.isBlank || lineCount == 0 { lineCount += 1 }
        return .line(from: lineStart)
    }
}
