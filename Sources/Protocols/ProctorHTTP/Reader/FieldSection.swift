import ProctorBase

/// The field lines of a head or trailer section, in order, with letter case, duplicates and raw bytes.
///
/// One allocation for each section, whatever its number of lines.
public struct FieldSection: Sendable, Equatable, RandomAccessCollection {
    let bytes: [UInt8]
    /// The joined values of folded lines; empty if no line is folded.
    let unfolded: [UInt8]
    let entries: [Entry]

    /// Always 0.
    public var startIndex: Int { 0 }
    /// The number of field lines; a folded line counts once.
    public var endIndex: Int { entries.count }

    /// The line as slices, which retain the bytes of the whole section.
    public subscript(position: Int) -> FieldLine {
        let entry = entries[position]
        return FieldLine(name: bytes[entry.name], value: value(of: entry), raw: bytes[entry.raw])
    }

    /// Lends each line's name and value without making a slice.
    package func forEachNameAndValue(_ body: (borrowing Span<UInt8>, borrowing Span<UInt8>) -> Void) {
        for entry in entries {
            let values = entry.isUnfolded ? unfolded.span : bytes.span
            body(bytes.span.extracting(entry.name), values.extracting(entry.value))
        }
    }

    func value(of entry: Entry) -> ArraySlice<UInt8> {
        entry.isUnfolded ? unfolded[entry.value] : bytes[entry.value]
    }

    /// One line as 32-bit ranges; the top bit of `valueStart` means that the value is in `unfolded`.
    struct Entry: Sendable, Equatable {
        private let start: UInt32
        private let nameEnd: UInt32
        private let valueStart: UInt32
        private let valueEnd: UInt32
        private let lineEnd: UInt32

        init(start: Int, nameEnd: Int, value: Range<Int>, lineEnd: Int, isUnfolded: Bool = false) {
            self.start = UInt32(truncatingIfNeeded: start)
            self.nameEnd = UInt32(truncatingIfNeeded: nameEnd)
            self.valueStart = UInt32(truncatingIfNeeded: value.lowerBound) | (isUnfolded ? 1 << 31 : 0)
            self.valueEnd = UInt32(truncatingIfNeeded: value.upperBound)
            self.lineEnd = UInt32(truncatingIfNeeded: lineEnd)
        }

        var name: Range<Int> { Int(start)..<Int(nameEnd) }
        var value: Range<Int> { Int(valueStart & ~(1 << 31))..<Int(valueEnd) }
        var raw: Range<Int> { Int(start)..<Int(lineEnd) }
        var isUnfolded: Bool { valueStart >> 31 == 1 }
    }
}

extension FieldSection {
    /// Makes a section of well-formed lines, written as `Name: value` with CRLF.
    package init(_ lines: [(name: [UInt8], value: [UInt8])] = []) {
        var bytes: [UInt8] = []
        var entries: [Entry] = []
        for line in lines where bytes.count + line.name.count + line.value.count < 1 << 30 {
            let start = bytes.count
            ReplyWriter.fieldLine(name: line.name, value: line.value, into: &bytes)
            entries.append(
                Entry(
                    start: start, nameEnd: start + line.name.count,
                    value: start + line.name.count + 2..<bytes.count - 2, lineEnd: bytes.count - 2))
        }
        self.init(bytes: bytes, unfolded: [], entries: entries)
    }
}

/// Names are compared without regard to ASCII letter case (RFC 9110 §5.1).
extension FieldSection {
    /// The value of the first line of that name; nil if there is none.
    public func first(named name: StaticString) -> ArraySlice<UInt8>? {
        entries.first { matches($0, name) }.map(value)
    }

    /// The values of all lines of that name, in their order.
    public func values(named name: StaticString) -> [ArraySlice<UInt8>] {
        entries.lazy.filter { matches($0, name) }.map(value)
    }

    /// The values of all lines of that name, in their order.
    package func values(named name: [UInt8]) -> [ArraySlice<UInt8>] {
        entries.lazy.filter { matches($0, name) }.map(value)
    }

    /// Whether a line has that name.
    public func contains(named name: StaticString) -> Bool {
        entries.contains { matches($0, name) }
    }

    /// Whether a line has that name.
    package func contains(named name: [UInt8]) -> Bool {
        entries.contains { matches($0, name) }
    }

    private func matches(_ entry: Entry, _ name: StaticString) -> Bool {
        bytes.span.extracting(entry.name).equalsIgnoringCase(name)
    }

    private func matches(_ entry: Entry, _ name: [UInt8]) -> Bool {
        guard entry.name.count == name.count else { return false }
        return zip(bytes[entry.name], name).allSatisfy { $0.asciiLowercased == $1.asciiLowercased }
    }
}

/// One field line, as slices of the received bytes.
public struct FieldLine: Sendable, Equatable {
    package let name: ArraySlice<UInt8>
    /// The value without whitespace at either end; each fold is replaced by one space (RFC 9112 §5.2).
    public let value: ArraySlice<UInt8>
    /// All bytes from the name to the line end, including folds.
    package let raw: ArraySlice<UInt8>
}
