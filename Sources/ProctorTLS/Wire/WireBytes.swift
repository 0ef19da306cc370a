/// Reads vectors of TLS's presentation language (RFC 8446 §3) off the front of some bytes.
struct WireBytes {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: ArraySlice<UInt8>) {
        rest = bytes
    }

    var isEmpty: Bool { rest.isEmpty }

    /// Of one or two bytes; nil where the bytes end before.
    mutating func number8() -> UInt8? { rest.popFirst() }

    mutating func number16() -> UInt16? {
        guard rest.count >= 2, let high = rest.popFirst(), let low = rest.popFirst() else { return nil }
        return UInt16(high) << 8 | UInt16(low)
    }

    mutating func bytes(_ count: Int) -> ArraySlice<UInt8>? {
        guard rest.count >= count else { return nil }
        defer { rest = rest.dropFirst(count) }
        return rest.prefix(count)
    }

    /// Behind a length of one byte.
    mutating func vector8() -> ArraySlice<UInt8>? {
        guard let count = number8() else { return nil }
        return bytes(Int(count))
    }

    /// Behind a length of two bytes.
    mutating func vector16() -> ArraySlice<UInt8>? {
        guard let count = number16() else { return nil }
        return bytes(Int(count))
    }

    /// All of some bytes as numbers of two; nil where one byte is left over.
    static func numbers(_ bytes: ArraySlice<UInt8>?) -> [UInt16]? {
        guard let bytes, bytes.count % 2 == 0 else { return nil }
        var reader = WireBytes(bytes)
        var numbers: [UInt16] = []
        numbers.reserveCapacity(bytes.count / 2)
        while let number = reader.number16() { numbers.append(number) }
        return numbers
    }
}
