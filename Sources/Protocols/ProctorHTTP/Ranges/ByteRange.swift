/// One range of a request, independent of the representation's length (RFC 9110 §14.1.1).
package enum ByteRange: Sendable, Equatable {
    /// `0-499`, or `500-` to the end; the last byte is inclusive and never before the first.
    case from(Int, through: Int?)
    /// `-500`: the last bytes; all bytes if there are fewer.
    case suffix(Int)

    /// The bytes that exist; nil for a range after the end or a suffix of no bytes.
    package func satisfied(in length: Int) -> Range<Int>? {
        switch self {
        case .from(let first, let last):
            guard first < length else { return nil }
            // A last byte after the end of the representation means its last byte.
            guard let last, last < length else { return first..<length }
            return first..<last + 1
        case .suffix(let byteCount):
            guard byteCount > 0, length > 0 else { return nil }
            return max(0, length - byteCount)..<length
        }
    }

    /// A number too large for `Int` becomes `Int.max`, which no content reaches.
    init(_ text: ArraySlice<UInt8>, at offset: Int) throws(FieldViolation) {
        let bad = FieldViolation(.badRange, at: offset, text)
        guard let dash = text.firstIndex(of: UInt8(ascii: "-")) else { throw bad }
        let (first, last) = (text[..<dash], text[(dash + 1)...])
        if first.isEmpty {
            guard let byteCount = last.saturatedNumber else { throw bad }
            self = .suffix(byteCount)
            return
        }
        guard let start = first.saturatedNumber else { throw bad }
        if last.isEmpty {
            self = .from(start, through: nil)
            return
        }
        guard let end = last.saturatedNumber else { throw bad }
        guard start <= end else { throw FieldViolation(.backwardRange, at: offset, text) }
        self = .from(start, through: end)
    }
}

extension ByteRange: CustomStringConvertible {
    package var description: String {
        switch self {
        case .from(let first, let last): "\(first)-\(last.map { String($0) } ?? "")"
        case .suffix(let byteCount): "-\(byteCount)"
        }
    }
}

/// The ranges of a Range field, in order (RFC 9110 §14.2).
package struct ByteRangeSet: Sendable, Equatable {
    package let ranges: [ByteRange]

    /// The most ranges: 100 ranges already need up to 100 kilobytes for the heads of parts.
    package static let limit = 100

    /// Reads the value of a Range field; one malformed range makes the whole field ignored (§14.1.1).
    ///
    /// Spaces after the equals sign are accepted, as in servers; empty elements are skipped (§5.6.1.2).
    package init(_ value: [UInt8]) throws(FieldViolation) {
        var cursor = FieldCursor(value)
        guard let unit = cursor.takeToken(), cursor.consume(UInt8(ascii: "=")) else {
            throw FieldViolation(.badRange, at: 0, value)
        }
        // §14.1: range units are case-insensitive.
        guard FieldText.decode(unit).lowercased() == "bytes" else {
            throw FieldViolation(.otherRangeUnit, at: 0, unit)
        }
        let start = cursor.index
        let set = HTTPField(name: "", bytes: Array(value[start...]))
        var ranges: [ByteRange] = []
        for element in set.elements {
            let offset = start + element.startIndex
            guard ranges.count < Self.limit else {
                throw FieldViolation(.tooManyRanges, at: offset, element, bound: Self.limit)
            }
            ranges.append(try ByteRange(element, at: offset))
        }
        guard !ranges.isEmpty else { throw FieldViolation(.badRange, at: 0, value) }
        self.ranges = ranges
    }

    package var bytes: [UInt8] { Array(description.utf8) }

    package func satisfiable(in length: Int) -> [Range<Int>] { ranges.compactMap { $0.satisfied(in: length) } }

    /// Whether a server may ignore the ranges as broken or malicious (§14.2, §17.15).
    ///
    /// More than two ranges overlap another one, or more than ten are shorter than 80 bytes, the size of a part's head
    /// (§15.3.7.2), and not in ascending order.
    package func isExcessive(in length: Int) -> Bool {
        let ranges = satisfiable(in: length)
        if Self.overlapCount(ranges) > 2 { return true }
        let isAscending = zip(ranges, ranges.dropFirst()).allSatisfy { $0.lowerBound <= $1.lowerBound }
        return !isAscending && ranges.count { $0.count < 80 } > 10
    }

    /// The number of ranges that share a byte with another.
    static func overlapCount(_ ranges: [Range<Int>]) -> Int {
        ranges.indices.count { one in
            ranges.indices.contains { other in one != other && ranges[one].overlaps(ranges[other]) }
        }
    }
}

extension ByteRangeSet: CustomStringConvertible {
    package var description: String { "bytes=" + ranges.map(\.description).joined(separator: ", ") }
}

/// Content-Range of a 206 or of one part (RFC 9110 §14.4).
package struct ContentRange: Sendable, Equatable {
    package let first: Int
    package let last: Int
    /// Bytes of the whole representation; nil for `*`.
    package let length: Int?

    /// nil for an empty range and for one outside the whole.
    package init?(_ range: Range<Int>, of length: Int?) {
        guard !range.isEmpty, range.lowerBound >= 0, length.map({ range.upperBound <= $0 }) != false else { return nil }
        first = range.lowerBound
        last = range.upperBound - 1
        self.length = length
    }

    /// nil for another unit, a malformed or contradictory range, and the form of a 416: see `UnsatisfiedRange`.
    package init?(_ value: [UInt8]) {
        var cursor = FieldCursor(value)
        guard let unit = cursor.takeToken(), FieldText.decode(unit).lowercased() == "bytes", cursor.consume(.space)
        else {
            return nil
        }
        let parts = value[cursor.index...].split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let ends = parts[0].split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        // The number of bytes for a last position of `Int.max` would overflow.
        guard ends.count == 2, let first = ends[0].saturatedNumber, let last = ends[1].saturatedNumber, first <= last,
            last < Int.max
        else { return nil }
        (self.first, self.last) = (first, last)
        guard !parts[1].elementsEqual("*".utf8) else {
            length = nil
            return
        }
        guard let length = parts[1].saturatedNumber, last < length else { return nil }
        self.length = length
    }

    /// Bytes of the part; at least 1.
    package var byteCount: Int { last - first + 1 }

    package var range: Range<Int> { first..<last + 1 }

    package var bytes: [UInt8] {
        Array("bytes \(first)-\(last)/\(length.map { String($0) } ?? "*")".utf8)
    }
}

/// Content-Range of a 416: `bytes */1234` (RFC 9110 §14.4).
package struct UnsatisfiedRange: Sendable, Equatable {
    package let length: Int

    /// A negative length counts as 0.
    package init(length: Int) { self.length = max(0, length) }

    /// nil for another unit, a range with bytes, and a length too large for `Int`.
    package init?(_ value: [UInt8]) {
        var cursor = FieldCursor(value)
        guard let unit = cursor.takeToken(), FieldText.decode(unit).lowercased() == "bytes", cursor.consume(.space),
            cursor.consume(UInt8(ascii: "*")), cursor.consume(UInt8(ascii: "/")),
            let length = value[cursor.index...].saturatedNumber, length < Int.max
        else { return nil }
        self.length = length
    }

    package var bytes: [UInt8] { Array("bytes */\(length)".utf8) }
}
