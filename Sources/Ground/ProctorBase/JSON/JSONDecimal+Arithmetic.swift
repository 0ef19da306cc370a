// Exact arithmetic over decimals of any length; no value is rounded.
extension JSONDecimal: Comparable {
    package static let zero = JSONDecimal(whole: 0)
    package static let one = JSONDecimal(whole: 1)

    package var isZero: Bool { mantissa == 0 && digits.isEmpty }

    /// Whether the value has no fraction, however it is written: `1.0` has none.
    package var isWhole: Bool { isZero || exponent >= 0 }

    /// The value as a number, where it is a whole number of at most 18 digits.
    package var whole: Int? {
        guard isWhole, digits.isEmpty, exponent < 18 else { return isZero ? 0 : nil }
        var value = mantissa
        for _ in 0..<exponent {
            let (product, isBeyond) = value.multipliedReportingOverflow(by: 10)
            guard !isBeyond, product < 1_000_000_000_000_000_000 else { return nil }
            value = product
        }
        return isNegative ? -Int(value) : Int(value)
    }

    package static func < (left: JSONDecimal, right: JSONDecimal) -> Bool {
        if left.isNegative != right.isNegative { return left.isNegative }
        return left.isNegative ? right.isSmallerInSize(than: left) : left.isSmallerInSize(than: right)
    }

    /// Whether the value without its sign is less than another without its sign.
    private func isSmallerInSize(than other: JSONDecimal) -> Bool {
        guard !isZero, !other.isZero else { return isZero && !other.isZero }
        let (own, others) = (significantDigits, other.significantDigits)
        // The power of ten above the first digit; exponents have nine digits at most, and texts are bounded.
        let (ownTop, othersTop) = (own.count + exponent, others.count + other.exponent)
        if ownTop != othersTop { return ownTop < othersTop }
        return own.lexicographicallyPrecedes(others)
    }

    /// The most significant digits of a divisor.
    package static let divisorDigitBound = 18

    /// Whether the value is a whole multiple of a divisor; nil for zero and for a divisor of more than
    /// ``divisorDigitBound`` significant digits.
    package func isMultiple(of divisor: JSONDecimal) -> Bool? {
        guard !divisor.isZero, divisor.digits.isEmpty else { return nil }
        if isZero { return true }
        // The significant digits do not end with 0, so no power of ten divides them.
        guard exponent >= divisor.exponent else { return false }
        let modulus = divisor.mantissa
        var rest: UInt64 = 0
        for digit in significantDigits {
            rest = Self.product(rest, 10, modulo: modulus)
            rest = (rest + UInt64(digit &- 0x30) % modulus) % modulus
        }
        return Self.product(rest, Self.powerOfTen(exponent - divisor.exponent, modulo: modulus), modulo: modulus) == 0
    }

    /// From the first digit that is not 0 to the last one, in ASCII; empty for zero.
    private var significantDigits: [UInt8] {
        if !digits.isEmpty { return digits }
        return mantissa == 0 ? [] : Array(String(mantissa).utf8)
    }

    private static func product(_ left: UInt64, _ right: UInt64, modulo modulus: UInt64) -> UInt64 {
        modulus.dividingFullWidth((left % modulus).multipliedFullWidth(by: right % modulus)).remainder
    }

    private static func powerOfTen(_ exponent: Int, modulo modulus: UInt64) -> UInt64 {
        var (result, base, left) = (1 % modulus, 10 % modulus, exponent)
        while left > 0 {
            if left & 1 == 1 { result = product(result, base, modulo: modulus) }
            base = product(base, base, modulo: modulus)
            left >>= 1
        }
        return result
    }
}
