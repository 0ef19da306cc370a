internal import ProctorBase

/// The fields of one message in their order, as the wire format of Protocol Buffers has them; no bytes are copied.
struct WireReader {
    private let bytes: [UInt8]
    private(set) var offset: Int
    private let end: Int

    /// The most groups inside each other.
    private static let depthBound = MessageType.depthBound

    init(_ bytes: [UInt8], _ range: Range<Int>) {
        (self.bytes, offset, end) = (bytes, range.lowerBound, range.upperBound)
    }

    struct Field {
        let number: Int
        /// The offset of the field's tag.
        let offset: Int
        let value: Value
    }

    enum Value {
        case varint(UInt64)
        case fixed64(UInt64)
        case fixed32(UInt32)
        case bytes(Range<Int>)
        case group(Range<Int>)

        /// As messages name it.
        var noun: String {
            switch self {
            case .varint: "a varint"
            case .fixed64: "8 fixed bytes"
            case .fixed32: "4 fixed bytes"
            case .bytes: "bytes behind their length"
            case .group: "a group"
            }
        }
    }

    /// nil at the end of the message.
    mutating func nextField() throws(LineFault) -> Field? {
        guard offset < end else { return nil }
        let start = offset
        let (number, type) = try tag()
        guard type != 4 else { throw LineFault(start, "a group ends that has not begun") }
        return Field(number: number, offset: start, value: try value(of: type, number))
    }

    private mutating func tag() throws(LineFault) -> (number: Int, type: UInt8) {
        let start = offset
        let tag = try varint()
        guard let number = Int32(exactly: tag >> 3), number > 0, number <= 0x1FFF_FFFF else {
            throw LineFault(start, "the number of a field is 1 to 536870911, found \(tag >> 3)")
        }
        return (Int(number), UInt8(truncatingIfNeeded: tag & 7))
    }

    private mutating func value(of type: UInt8, _ number: Int) throws(LineFault) -> Value {
        let start = offset
        switch type {
        case 0: return .varint(try varint())
        case 1: return .fixed64(try fixed(8))
        case 5: return .fixed32(UInt32(truncatingIfNeeded: try fixed(4)))
        case 2:
            let count = try varint()
            guard count <= UInt64(end - offset) else {
                throw LineFault(
                    start, "field \(number) says \(count) bytes, and \(end - offset) are left of the message")
            }
            let range = offset..<(offset + Int(count))
            offset = range.upperBound
            return .bytes(range)
        case 3: return .group(try group(number))
        default: throw LineFault(start, "field \(number) has the wire type \(type), which there is not")
        }
    }

    /// What stands before the end of a group, whose start was read.
    private mutating func group(_ number: Int) throws(LineFault) -> Range<Int> {
        let start = offset
        var open = [number]
        while let last = open.last {
            let place = offset
            guard offset < end else { throw LineFault(end, "the group of field \(last) has no end") }
            let (number, type) = try tag()
            switch type {
            case 3:
                guard open.count < Self.depthBound else {
                    throw LineFault(place, "groups go no more than \(Self.depthBound) levels deep")
                }
                open.append(number)
            case 4:
                guard number == last else {
                    throw LineFault(place, "the group of field \(last) ends as that of field \(number)")
                }
                open.removeLast()
                if open.isEmpty { return start..<place }
            default: _ = try value(of: type, number)
            }
        }
        return start..<offset
    }

    mutating func varint() throws(LineFault) -> UInt64 {
        let start = offset
        var value: UInt64 = 0
        for shift in stride(from: UInt64(0), to: 70, by: 7) {
            guard offset < end else { throw LineFault(start, "a varint has no end") }
            let byte = bytes[offset]
            offset += 1
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
        }
        throw LineFault(start, "a varint has more than 10 bytes")
    }

    mutating func fixed(_ byteCount: Int) throws(LineFault) -> UInt64 {
        guard end - offset >= byteCount else {
            throw LineFault(offset, "the message ends within \(byteCount) fixed bytes")
        }
        defer { offset += byteCount }
        return (0..<byteCount).reduce(0) { $0 | UInt64(bytes[offset + $1]) << UInt64(8 * $1) }
    }

    /// Whether all bytes are read.
    var isAtEnd: Bool { offset >= end }
}

/// Collects the bytes of a message.
package struct WireWriter {
    package private(set) var bytes: [UInt8] = []

    package init() {}

    package mutating func addVarint(_ value: UInt64) {
        var rest = value
        while rest > 0x7F {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(truncatingIfNeeded: rest))
    }

    package mutating func addTag(_ number: Int, _ type: UInt64) { addVarint(UInt64(number) << 3 | type) }

    package mutating func addFixed(_ value: UInt64, byteCount: Int) {
        for index in 0..<byteCount { bytes.append(UInt8(truncatingIfNeeded: value >> UInt64(8 * index))) }
    }

    /// Bytes behind their length.
    package mutating func addField(_ number: Int, _ content: [UInt8]) {
        addTag(number, 2)
        addVarint(UInt64(content.count))
        bytes += content
    }

    package mutating func addField(_ number: Int, varint: UInt64) {
        addTag(number, 0)
        addVarint(varint)
    }

    package mutating func addRaw(_ more: [UInt8]) { bytes += more }
}
