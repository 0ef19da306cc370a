/// The checksum of gzip and zip (RFC 1952 §8); it finds accidental changes only.
package enum CRC32 {
    /// 0 for no bytes.
    package static func checksum(of bytes: some Sequence<UInt8>) -> UInt32 {
        var value: UInt32 = ~0
        for byte in bytes { value = table[Int((value ^ UInt32(byte)) & 0xFF)] ^ (value >> 8) }
        return ~value
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 0 ? value >> 1 : 0xEDB8_8320 ^ (value >> 1) }
    }
}
