/// A number as it stands in the text: exact, as long as it fits.
struct JSONNumber {
    let start: Int
    var end: Int
    var isNegative = false
    /// Neither fraction nor exponent.
    var isWhole = true
    var hasExponent = false
    var fractionDigitCount = 0
    private var digits: UInt64 = 0
    private var isTooLong = false

    init(start: Int) {
        self.start = start
        end = start
    }

    mutating func append(_ digit: UInt8) {
        if digits < Self.certain {
            digits = digits &* 10 &+ UInt64(digit)
            return
        }
        let (product, overflow) = digits.multipliedReportingOverflow(by: 10)
        let (sum, carry) = product.addingReportingOverflow(UInt64(digit))
        if overflow || carry { isTooLong = true }
        digits = sum
    }

    /// Below it another digit can't overflow.
    private static let certain = UInt64.max / 10

    /// nil when it has a fraction or does not fit.
    var integer: Int? {
        guard isWhole, !isTooLong else { return nil }
        if !isNegative { return Int(exactly: digits) }
        return digits == UInt64(Int.max) + 1 ? .min : Int(exactly: digits).map { -$0 }
    }

    /// nil when it has a fraction or a sign, or does not fit.
    var unsigned: UInt64? { isWhole && !isTooLong && !isNegative ? digits : nil }

    /// nil when it is too large.
    func double(_ line: borrowing Span<UInt8>) -> Double? {
        if !hasExponent, !isTooLong, digits < 1 << 53, fractionDigitCount < Self.powers.count {
            // Both are exact, so that the quotient is rounded once.
            let value = Double(digits) / Self.powers[fractionDigitCount]
            return isNegative ? -value : value
        }
        let text = unsafe line.extracting(start..<end).withUnsafeBufferPointer {
            unsafe String(decoding: $0, as: UTF8.self)
        }
        guard let value = Double(text), value.isFinite else { return nil }
        return value
    }

    private static let powers: [Double] = [1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12]
}
