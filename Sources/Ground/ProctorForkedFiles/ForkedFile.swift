package import ProctorCoding

/// A file of the classic Mac OS: two forks, and the metadata of its folder entry.
package struct ForkedFile: Sendable, Equatable {
    /// 1 to 63 bytes, in the Macintosh's encoding (usually Mac OS Roman), without NUL.
    package let name: [UInt8]
    /// Four bytes, like `TEXT`.
    package let type: [UInt8]
    /// Four bytes, like `ttxt`.
    package let creator: [UInt8]
    package let flags: UInt16
    /// Seconds since 1970; nil means unknown; BinHex has no field for it.
    package let created: Int?
    /// Seconds since 1970; nil means unknown; BinHex has no field for it.
    package let modified: Int?
    package let data: [UInt8]
    package let resource: [UInt8]

    /// The most bytes of one fork: 16 MiB.
    package static let forkBound = 16 << 20

    /// Refuses values for which neither archive format has room.
    package init(
        name: [UInt8], type: [UInt8] = Array("????".utf8), creator: [UInt8] = Array("????".utf8), flags: UInt16 = 0,
        created: Int? = nil, modified: Int? = nil, data: [UInt8] = [], resource: [UInt8] = []
    ) throws(CodingFailure) {
        guard 1...63 ~= name.count, !name.contains(0) else {
            throw CodingFailure(.usage, "the name of a Macintosh file has 1 to 63 bytes and no NUL, not \(name.count)")
        }
        for (part, code) in [("type", type), ("creator", creator)] where code.count != 4 {
            throw CodingFailure(
                .usage, "the \(part) of a Macintosh file has four bytes, like TEXT, not \(code.count)")
        }
        for (part, fork) in [("data", data), ("resource", resource)] where fork.count > Self.forkBound {
            throw CodingFailure(
                .usage, "the \(part) fork has at most \(Self.forkBound) bytes here, not \(fork.count)")
        }
        for (part, time) in [("created", created), ("modified", modified)] {
            guard let time, MacTime.seconds(ofUnix: time) == nil else { continue }
            throw CodingFailure(
                .usage, "\(part) is in \(MacTime.range.lowerBound) to \(MacTime.range.upperBound), not \(time)")
        }
        (self.name, self.type, self.creator, self.flags, self.created) = (name, type, creator, flags, created)
        (self.modified, self.data, self.resource) = (modified, data, resource)
    }
}

/// Seconds since the beginning of 1904, in 32 bits; 0 means unknown.
enum MacTime {
    private static let beginning = -2_082_844_800

    /// The representable times, in seconds since 1970.
    static let range = beginning + 1...beginning + Int(UInt32.max)

    static func seconds(ofUnix time: Int) -> UInt32? {
        range ~= time ? UInt32(time - beginning) : nil
    }

    static func unix(ofSeconds seconds: Int) -> Int? {
        seconds == 0 ? nil : seconds + beginning
    }
}

extension [UInt8] {
    mutating func appendBigEndian(_ value: some FixedWidthInteger) {
        for place in (0..<value.bitWidth / 8).reversed() {
            append(UInt8(truncatingIfNeeded: value >> (8 * place)))
        }
    }
}

/// Reads bytes from the front; an error names the offset at which bytes are missing.
struct ByteCursor {
    private let bytes: [UInt8]
    private(set) var offset = 0
    private let format: String

    init(_ bytes: [UInt8], format: String) {
        (self.bytes, self.format) = (bytes, format)
    }

    var left: Int { bytes.count - offset }

    mutating func read(_ count: Int, _ part: String) throws(CodingFailure) -> [UInt8] {
        guard count <= left else {
            throw CodingFailure(
                .truncated, "\(format): \(part) wants \(count) bytes, and \(left) are left", offset: offset)
        }
        defer { offset += max(count, 0) }
        return Array(bytes[offset..<offset + max(count, 0)])
    }

    mutating func takeZero() -> Bool {
        guard left > 0, bytes[offset] == 0 else { return false }
        offset += 1
        return true
    }

    /// Reads a big-endian number of `count` bytes, at most 7.
    mutating func number(_ count: Int, _ part: String) throws(CodingFailure) -> Int {
        try read(count, part).reduce(0) { $0 << 8 | Int($1) }
    }

    func taken(since start: Int) -> ArraySlice<UInt8> { bytes[min(max(start, 0), offset)..<offset] }
}

/// The CRC of MacBinary II and BinHex 4.0: polynomial 0x1021 from 0, high bit first, also known as XMODEM.
enum CRC16 {
    private static let table: [UInt16] = (0..<256).map { index in
        var value = UInt16(index) << 8
        for _ in 0..<8 { value = value & 0x8000 != 0 ? value << 1 ^ 0x1021 : value << 1 }
        return value
    }

    static func checksum(of bytes: some Sequence<UInt8>) -> UInt16 {
        let table = table
        var value: UInt16 = 0
        for byte in bytes { value = value << 8 ^ table[Int(UInt8(value >> 8) ^ byte)] }
        return value
    }
}
