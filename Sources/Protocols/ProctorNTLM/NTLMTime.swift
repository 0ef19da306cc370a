#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// Times as NTLM has them: tenths of a microsecond since 1601, the lowest byte first (MS-DTYP §2.3.3).
package enum NTLMTime {
    /// With the precision of a second.
    package static var now: UInt64 { (secondsBefore1970 &+ UInt64(max(0, time(nil)))) &* 10_000_000 }

    private static let secondsBefore1970: UInt64 = 11_644_473_600

    static func bytes(of time: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: time >> (8 * UInt64($0))) }
    }

    /// The number in the first eight bytes, the lowest byte first.
    static func number(_ bytes: [UInt8]) -> UInt64 {
        bytes.prefix(8).enumerated().reduce(0) { $0 | UInt64($1.element) << (8 * UInt64($1.offset)) }
    }
}
