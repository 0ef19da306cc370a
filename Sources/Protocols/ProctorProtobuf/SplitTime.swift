package import ProctorBase
internal import ProctorHTTP

/// A Timestamp or a Duration: seconds and billionths of one.
package struct SplitTime: Equatable {
    package let seconds: Int64
    package let nanos: Int64

    package init(_ seconds: Int64, _ nanos: Int64) { (self.seconds, self.nanos) = (seconds, nanos) }

    private static let years: ClosedRange<Int64> = -62_135_596_800...253_402_300_799
    private static let durations: ClosedRange<Int64> = -315_576_000_000...315_576_000_000
    private static let billion: Int64 = 1_000_000_000

    /// The text of a Timestamp in JSON.
    package func timestamp() throws(LineFault) -> String {
        guard Self.years.contains(seconds), 0..<Self.billion ~= nanos else {
            throw LineFault(
                0,
                "a Timestamp is of the years 1 to 9999 with 0 to 999999999 nanos, found \(seconds) seconds and \(nanos) nanos"
            )
        }
        return HTTPDate.timestamp(unixSeconds: Int(seconds)).dropLast() + fraction + "Z"
    }

    /// The text of a Duration in JSON.
    package func duration() throws(LineFault) -> String {
        guard Self.durations.contains(seconds), -Self.billion < nanos, nanos < Self.billion,
            seconds == 0 || nanos == 0 || (seconds < 0) == (nanos < 0)
        else {
            throw LineFault(
                0,
                "a Duration is of ±315576000000 seconds with nanos of the same sign, found \(seconds) seconds and \(nanos) nanos"
            )
        }
        return (seconds < 0 || nanos < 0 ? "-" : "") + "\(seconds.magnitude)\(fraction)s"
    }

    /// With 0, 3, 6 or 9 digits.
    private var fraction: String {
        guard nanos != 0 else { return "" }
        let digits = String(String(nanos.magnitude + 1_000_000_000).dropFirst())
        let count = digits.hasSuffix("000000") ? 3 : digits.hasSuffix("000") ? 6 : 9
        return "." + digits.prefix(count)
    }

    /// Reads the text of a Timestamp, with an offset from UTC or Z; nil for other text.
    package init?(timestamp text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, let mark = bytes[19...].firstIndex(where: { "Zz+-".utf8.contains($0) }),
            let nanos = Self.nanos(bytes[19..<mark]),
            let seconds = HTTPDate.unixSeconds(ofTimestamp: String(decoding: bytes[..<19], as: UTF8.self) + "Z"),
            let shift = Self.shift(bytes[mark...])
        else { return nil }
        self.init(Int64(seconds) - shift, nanos)
        guard Self.years.contains(self.seconds) else { return nil }
    }

    /// Reads the text of a Duration, as `-1.5s`; nil for other text.
    package init?(duration text: String) {
        var bytes = Array(text.utf8)[...]
        guard bytes.popLast() == UInt8(ascii: "s") else { return nil }
        let isNegative = bytes.first == UInt8(ascii: "-")
        if isNegative { bytes = bytes.dropFirst() }
        let point = bytes.firstIndex(of: UInt8(ascii: ".")) ?? bytes.endIndex
        guard let nanos = Self.nanos(bytes[point...]), 1...12 ~= bytes[..<point].count,
            bytes[..<point].allSatisfy(\.isASCIIDigit)
        else { return nil }
        let seconds = bytes[..<point].reduce(Int64(0)) { $0 * 10 + Int64($1 &- 0x30) }
        self.init(isNegative ? -seconds : seconds, isNegative ? -nanos : nanos)
        guard Self.durations.contains(self.seconds) else { return nil }
    }

    /// The nanoseconds of a fraction: a point and 1 to 9 digits, or nothing; nil for other text.
    private static func nanos(_ bytes: ArraySlice<UInt8>) -> Int64? {
        if bytes.isEmpty { return 0 }
        let digits = bytes.dropFirst()
        guard bytes.first == UInt8(ascii: "."), 1...9 ~= digits.count, digits.allSatisfy(\.isASCIIDigit) else {
            return nil
        }
        return (0..<9).reduce(0) { sum, index in
            let place = digits.startIndex + index
            return sum * 10 + (place < digits.endIndex ? Int64(digits[place] &- 0x30) : 0)
        }
    }

    /// Seconds of `Z` or `+01:30`.
    private static func shift(_ bytes: ArraySlice<UInt8>) -> Int64? {
        let text = Array(bytes)
        if text.count == 1 { return text[0] | 0x20 == UInt8(ascii: "z") ? 0 : nil }
        guard text.count == 6, text[3] == UInt8(ascii: ":"), (text[1...2] + text[4...5]).allSatisfy(\.isASCIIDigit)
        else { return nil }
        let digits = text.map { Int64($0) - 0x30 }
        let (hours, minutes) = (digits[1] * 10 + digits[2], digits[4] * 10 + digits[5])
        guard hours < 24, minutes < 60 else { return nil }
        return (hours * 60 + minutes) * (text[0] == UInt8(ascii: "-") ? -60 : 60)
    }
}
