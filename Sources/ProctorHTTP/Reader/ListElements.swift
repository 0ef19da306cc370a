import ProctorBase

/// Walks the elements of a comma-separated list (RFC 9110 §5.6.1); a comma in a quoted string parts nothing.
struct ListElements {
    private var index = 0
    private var isFinished = false

    /// The next element without whitespace around it; an empty one between commas comes too.
    mutating func next(in value: Span<UInt8>) -> Range<Int>? {
        guard !isFinished else { return nil }
        let start = index
        var isQuoted = false
        while index < value.count, isQuoted || value[index] != UInt8(ascii: ",") {
            if value[index] == UInt8(ascii: "\"") { isQuoted.toggle() }
            if isQuoted, value[index] == UInt8(ascii: "\\"), index + 1 < value.count { index += 1 }
            index += 1
        }
        let element = Self.trimmed(value, start..<index)
        isFinished = index == value.count
        index += 1
        return element
    }

    private static func trimmed(_ value: Span<UInt8>, _ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, value[start].isBlank { start += 1 }
        while end > start, value[end - 1].isBlank { end -= 1 }
        return start..<end
    }

    static func isToken(_ bytes: Span<UInt8>) -> Bool {
        !bytes.isEmpty && bytes.indices.allSatisfy { bytes[$0].isTokenByte }
    }
}
