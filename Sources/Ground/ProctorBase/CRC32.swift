/// The checksum of gzip and zip (RFC 1952 §8); it finds accidental changes only.
package enum CRC32 {
    /// 0 for no bytes.
    package static func checksum(of bytes: some Sequence<UInt8>) -> UInt32 {
        let value = bytes.withContiguousStorageIfAvailable { unsafe advance(~0, by: $0) }
        return ~(value ?? bytes.reduce(~0) { table[Int(($0 ^ UInt32($1)) & 0xFF)] ^ ($0 >> 8) })
    }

    /// By plain pointers, since a build without optimisation takes a hundred times as long for iterators.
    private static func advance(_ value: UInt32, by bytes: UnsafeBufferPointer<UInt8>) -> UInt32 {
        guard let start = bytes.baseAddress else { return value }
        return unsafe table.withUnsafeBufferPointer { table in
            guard let table = table.baseAddress else { return value }
            var (value, index) = (value, 0)
            while index < bytes.count {
                value = unsafe table[Int((value ^ UInt32(start[index])) & 0xFF)] ^ (value >> 8)
                index += 1
            }
            return value
        }
    }

    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 0 ? value >> 1 : 0xEDB8_8320 ^ (value >> 1) }
    }
}
