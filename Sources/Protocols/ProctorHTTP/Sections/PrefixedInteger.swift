/// An integer with a prefix of 1 to 8 bits, as HPACK and QPACK write it (RFC 7541 §5.1, RFC 9204 §4.1.1).
package enum PrefixedInteger {
    package enum Failure: Error {
        /// The bytes end within the integer.
        case truncated
        /// The integer is beyond the bound, or is written with too many bytes.
        case tooLarge
    }

    /// How large an integer may be, and in how many bytes behind the prefix it may be written.
    package struct Bound: Sendable {
        let value: UInt64
        let byteCount: Int

        /// 2^31 − 1: no table, index or string of HPACK is that large.
        package static let ofHPACK = Bound(value: UInt64(Int32.max), byteCount: 5)
        /// 62 bits, which each receiver of QPACK reads (RFC 9204 §4.1.1).
        package static let ofQPACK = Bound(value: 1 << 62 - 1, byteCount: 9)
    }

    /// Writes an integer of at least 0; the other bits of the first byte are those of `first`.
    package static func append(_ value: Int, prefix bits: Int, first: UInt8, to bytes: inout [UInt8]) {
        let mask = (1 << bits) - 1
        guard value >= mask else {
            bytes.append(first | UInt8(truncatingIfNeeded: max(0, value)))
            return
        }
        bytes.append(first | UInt8(mask))
        var rest = value - mask
        while rest >= 0x80 {
            bytes.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    /// Reads the integer at `position`, and moves `position` behind it unless it fails.
    package static func read(
        _ bytes: [UInt8], at position: inout Int, prefix bits: Int, within bound: Bound
    ) throws(Failure) -> Int {
        guard position < bytes.count else { throw .truncated }
        let mask = UInt8((1 << bits) - 1)
        var value = UInt64(bytes[position] & mask)
        var end = position + 1
        if value == UInt64(mask) {
            var shift: UInt64 = 0
            while true {
                guard end < bytes.count else { throw .truncated }
                // Nine groups of seven bits beside a value of 62 bits do not overflow 64.
                guard shift < 7 * UInt64(bound.byteCount) else { throw .tooLarge }
                let byte = bytes[end]
                end += 1
                value += UInt64(byte & 0x7F) << shift
                guard value <= bound.value else { throw .tooLarge }
                if byte & 0x80 == 0 { break }
                shift += 7
            }
        }
        position = end
        return Int(value)
    }
}
