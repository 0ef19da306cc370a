/// One range as a request asks for it, before the length of the representation is known (RFC 9110 §14.1.1).
public enum ByteRange: Sendable, Equatable {
    /// `0-499` or, to the end, `500-`; the last byte belongs to it and is never before the first.
    case from(Int, through: Int?)
    /// `-500`: so many bytes at the end; all of them where there are not so many.
    case suffix(Int)

    /// What of it is there; nil where nothing is, as behind the end, or with a suffix of no bytes.
    public func satisfied(in length: Int) -> Range<Int>? {
        switch self {
        case .from(let first, let last):
            guard first < length else { return nil }
            // A last byte behind the end means the end, also where it is the greatest number that there is.
            guard let last, last < length else { return first..<length }
            return first..<last + 1
        case .suffix(let byteCount):
            guard byteCount > 0, length > 0 else { return nil }
            return max(0, length - byteCount)..<length
        }
    }

    /// A number that `Int` can't hold becomes the greatest one, which no content reaches.
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
    /// As a request writes it.
    public var description: String {
        switch self {
        case .from(let first, let last): "\(first)-\(last.map { String($0) } ?? "")"
        case .suffix(let byteCount): "-\(byteCount)"
        }
    }
}

/// What a Range field asks for, in its order (RFC 9110 §14.2).
public struct ByteRangeSet: Sendable, Equatable {
    /// The ranges, at least one.
    public let ranges: [ByteRange]

    /// More are not read: 100 ranges of a kilobyte each can make 100 kilobytes of part heads.
    public static let limit = 100

    /// Ranges of a request; nil for none, and for more than `limit`.
    public init?(_ ranges: [ByteRange]) {
        guard (1...Self.limit).contains(ranges.count) else { return nil }
        self.ranges = ranges
    }

    /// Reads the value of a Range field as a whole: one bad range spoils all (§14.1.1), and the field is ignored.
    ///
    /// Spaces behind the equals sign are read over, as every server does. Empty elements are none (§5.6.1.2).
    public init(_ value: [UInt8]) throws(FieldViolation) {
        var cursor = FieldCursor(value)
        guard let unit = cursor.takeToken(), cursor.take(UInt8(ascii: "=")) else {
            throw FieldViolation(.badRange, at: 0, value)
        }
        // §14.1: the names of range units are compared without regard to case.
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

    /// The value of the field that asks for them.
    public var bytes: [UInt8] { Array(description.utf8) }

    /// The ranges that have a byte in the representation, in the order in which they were asked for; maybe none.
    public func satisfiable(in length: Int) -> [Range<Int>] { ranges.compactMap { $0.satisfied(in: length) } }

    /// Whether they are a broken client's or an attack, which a server may ignore (§14.2, §17.15).
    ///
    /// That is: more than two of them overlap another one, or more than ten have under 80 bytes, which is what the head
    /// of a part takes (§15.3.7.2), and do not come in ascending order.
    public func isExcessive(in length: Int) -> Bool {
        let found = satisfiable(in: length)
        if Self.overlapCount(found) > 2 { return true }
        let isAscending = zip(found, found.dropFirst()).allSatisfy { $0.lowerBound <= $1.lowerBound }
        return !isAscending && found.count { $0.count < 80 } > 10
    }

    /// How many of them share a byte with another.
    static func overlapCount(_ ranges: [Range<Int>]) -> Int {
        ranges.indices.count { one in
            ranges.indices.contains { other in one != other && ranges[one].overlaps(ranges[other]) }
        }
    }
}

extension ByteRangeSet: CustomStringConvertible {
    /// The value of the field that asks for them: `bytes=0-499, -500`.
    public var description: String { "bytes=" + ranges.map(\.description).joined(separator: ", ") }
}
