/// Numbers as a Macintosh writes them, the greatest byte first.
extension [UInt8] {
    mutating func appendBigEndian(_ value: some FixedWidthInteger) {
        for place in (0..<value.bitWidth / 8).reversed() {
            append(UInt8(truncatingIfNeeded: value >> (8 * place)))
        }
    }
}

/// Takes bytes from the front, and says where they were wanted in vain.
struct ByteCursor {
    private let bytes: [UInt8]
    private(set) var offset = 0
    private let format: String

    init(_ bytes: [UInt8], format: String) {
        self.bytes = bytes
        self.format = format
    }

    var left: Int { bytes.count - offset }

    mutating func take(_ count: Int, _ part: String) throws(CodingFailure) -> [UInt8] {
        guard count <= left else {
            throw CodingFailure(
                .truncated, "\(format): \(part) wants \(count) bytes, and \(left) are left", offset: offset)
        }
        defer { offset += max(count, 0) }
        return Array(bytes[offset..<offset + max(count, 0)])
    }

    /// Takes the next byte where it is zero.
    mutating func takeZero() -> Bool {
        guard left > 0, bytes[offset] == 0 else { return false }
        offset += 1
        return true
    }

    /// A number of `count` bytes, which are at most 7.
    mutating func number(_ count: Int, _ part: String) throws(CodingFailure) -> Int {
        try take(count, part).reduce(0) { $0 << 8 | Int($1) }
    }

    /// What has been taken since an offset.
    func taken(since start: Int) -> ArraySlice<UInt8> { bytes[min(max(start, 0), offset)..<offset] }
}
