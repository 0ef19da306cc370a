/// Which part of a whole a 206 has, or one part of a multipart/byteranges (RFC 9110 §14.4).
public struct ContentRange: Sendable, Equatable {
    /// The first byte that is there, from 0.
    public let first: Int
    /// The last byte that is there.
    public let last: Int
    /// Bytes of the whole representation; nil for `*`.
    public let length: Int?

    /// Nil for no bytes at all, and for a range that is not within the whole.
    public init?(_ range: Range<Int>, of length: Int?) {
        guard !range.isEmpty, range.lowerBound >= 0, length.map({ range.upperBound <= $0 }) != false else { return nil }
        first = range.lowerBound
        last = range.upperBound - 1
        self.length = length
    }

    /// Nil for another unit, for what is no range, and for one that contradicts itself.
    ///
    /// What a 416 says is none: see `UnsatisfiedRange`.
    public init?(_ value: [UInt8]) {
        var cursor = FieldCursor(value)
        guard let unit = cursor.takeToken(), FieldText.decode(unit).lowercased() == "bytes", cursor.take(.space) else {
            return nil
        }
        let parts = value[cursor.index...].split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
        guard parts.count == 2 else { return nil }
        let ends = parts[0].split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
        // A whole that ends at the last number that there is could not be counted.
        guard ends.count == 2, let first = ends[0].saturatedNumber, let last = ends[1].saturatedNumber, first <= last,
            last < Int.max
        else { return nil }
        self.first = first
        self.last = last
        guard !parts[1].elementsEqual("*".utf8) else {
            length = nil
            return
        }
        guard let length = parts[1].saturatedNumber, last < length else { return nil }
        self.length = length
    }

    /// Bytes of the part; at least 1.
    public var byteCount: Int { last - first + 1 }

    /// The bytes of the whole that are there.
    public var range: Range<Int> { first..<last + 1 }

    /// The value of the field: `bytes 0-499/1234`.
    public var bytes: [UInt8] {
        Array("bytes \(first)-\(last)/\(length.map { String($0) } ?? "*")".utf8)
    }
}

/// What the Content-Range of a 416 says: `bytes */1234` (RFC 9110 §14.4).
public struct UnsatisfiedRange: Sendable, Equatable {
    /// Bytes of the whole representation.
    public let length: Int

    /// A negative length is none.
    public init(length: Int) { self.length = max(0, length) }

    /// Nil for another unit, for a range with bytes in it, and for a length that `Int` can't hold.
    public init?(_ value: [UInt8]) {
        var cursor = FieldCursor(value)
        guard let unit = cursor.takeToken(), FieldText.decode(unit).lowercased() == "bytes", cursor.take(.space),
            cursor.take(UInt8(ascii: "*")), cursor.take(UInt8(ascii: "/")),
            let length = value[cursor.index...].saturatedNumber, length < Int.max
        else { return nil }
        self.length = length
    }

    /// The value of the field.
    public var bytes: [UInt8] { Array("bytes */\(length)".utf8) }
}
