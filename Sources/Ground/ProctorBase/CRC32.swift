/// The checksum of gzip and zip (RFC 1952 §8); it finds accidental changes only.
package enum CRC32 {
    /// 0 for no bytes.
    package static func checksum(of bytes: some Sequence<UInt8>) -> UInt32 {
        let value = bytes.withContiguousStorageIfAvailable { unsafe advance(~0, by: $0) }
        return ~(value ?? bytes.reduce(~0) { table[Int(($0 ^ UInt32($1)) & 0xFF)] ^ ($0 >> 8) })
    }

    /// The state of the checksum after further bytes.
    ///
    /// It uses plain pointers, since a build without optimisation takes a hundred times as long for iterators.
    private static func advance(_ value: UInt32, by bytes: UnsafeBufferPointer<UInt8>) -> UInt32 {
        guard let start = bytes.baseAddress else { return value }
        return unsafe table.withUnsafeBufferPointer { table in
            guard let table = table.baseAddress else { return value }
            var (value, index) = (value, 0)
            // Eight bytes by eight tables, of which each is that of a byte so many places further ahead.
            while bytes.count &- index >= 8 {
                var (next, place) = (UInt32(0), 0)
                while place < 8 {
                    let own = place < 4 ? (value >> UInt32(8 * place)) & 0xFF : 0
                    next ^= unsafe table[(7 &- place) &* 256 &+ Int(own ^ UInt32(start[index &+ place]))]
                    place += 1
                }
                value = next
                index += 8
            }
            while index < bytes.count {
                value = unsafe table[Int((value ^ UInt32(start[index])) & 0xFF)] ^ (value >> 8)
                index += 1
            }
            return value
        }
    }

    /// Eight tables one behind the other; the first is that of a single byte.
    private static let table: [UInt32] = {
        var table: [UInt32] = []
        for index in 0..<UInt32(256) {
            var value = index
            for _ in 0..<8 { value = value & 1 == 0 ? value >> 1 : 0xEDB8_8320 ^ (value >> 1) }
            table.append(value)
        }
        for index in 256..<2_048 {
            let nearer = table[index - 256]
            table.append(table[Int(nearer & 0xFF)] ^ (nearer >> 8))
        }
        return table
    }()
}
