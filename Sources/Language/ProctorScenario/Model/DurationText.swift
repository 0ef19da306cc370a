internal import ProctorBase

/// `200ms`, `1.5s`, `2m`: a number and its unit, without a space.
package enum DurationText {
    /// The expected form, for messages.
    package static let expected = "a duration like 200ms, 1.5s or 2m"
    /// The syntax as a regular expression.
    package static let pattern = "[0-9]{1,12}(\\.[0-9]{1,9})?(us|ms|s|m|h|d)"

    private static let units: [(name: String, nanoseconds: Int)] = [
        ("us", 1000), ("ms", 1_000_000), ("s", 1_000_000_000), ("m", 60_000_000_000), ("h", 3_600_000_000_000),
        ("d", 86_400_000_000_000),
    ]

    /// Reads nanoseconds; nil for other text and for more than about 100 years.
    package static func nanoseconds(_ text: String) -> Int? {
        let bytes = Array(text.utf8)
        let digits = bytes.prefix { $0.isASCIIDigit || $0 == UInt8(ascii: ".") }
        let unitName = String(decoding: bytes[digits.count...], as: UTF8.self)
        guard let unit = units.first(where: { $0.name == unitName }) else { return nil }
        let parts = digits.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count <= 2, let whole = parts.first, !whole.isEmpty, whole.count <= 12 else { return nil }
        guard let number = Int(String(decoding: whole, as: UTF8.self)) else { return nil }
        let (product, overflow) = number.multipliedReportingOverflow(by: unit.nanoseconds)
        guard !overflow else { return nil }
        guard parts.count == 2 else { return product }
        // Digits beyond the nanosecond are ignored.
        guard let fraction = parts.last, !fraction.isEmpty, fraction.count <= 9 else { return nil }
        var rest = 0
        var weight = unit.nanoseconds
        for digit in fraction {
            weight /= 10
            rest += Int(digit &- 0x30) * weight
        }
        let (sum, tooLong) = product.addingReportingOverflow(rest)
        return tooLong ? nil : sum
    }
}
