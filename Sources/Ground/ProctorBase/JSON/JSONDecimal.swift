/// A number of JSON, exact: two are equal if they have the same value, so `1`, `1.0` and `10e-1` are.
package struct JSONDecimal: Sendable, Hashable {
    package let isNegative: Bool
    /// The significant digits as a number, if there are at most 18 digits.
    let mantissa: UInt64
    /// The significant digits, if there are more than 18.
    let digits: [UInt8]
    /// The power of ten of the last significant digit.
    let exponent: Int

    /// The most digits of an exponent, without leading zeros.
    package static let exponentDigitBound = 9

    /// Reads a number of RFC 8259 §6; nil for other text, and for an exponent with more than ``exponentDigitBound``
    /// digits.
    package init?<Text: Collection<UInt8>>(_ text: Text) {
        if let short = Self.shortWhole(text) {
            self = short
            return
        }
        var rest = text[...]
        func digits() -> Text.SubSequence {
            let digits = rest.prefix(while: \.isASCIIDigit)
            rest = rest[digits.endIndex...]
            return digits
        }
        func consume(_ wanted: Character) -> Bool {
            guard let byte = rest.first, byte == wanted.asciiValue else { return false }
            rest = rest.dropFirst()
            return true
        }
        let isNegative = consume("-")
        let whole = digits()
        guard !whole.isEmpty, whole.count == 1 || whole.first != 0x30 else { return nil }
        let hasFraction = consume(".")
        let fraction = digits()
        guard hasFraction != fraction.isEmpty else { return nil }
        var shift = 0
        if consume("e") || consume("E") {
            let isSmall = consume("-")
            if !isSmall { _ = consume("+") }
            let power = digits()
            guard !power.isEmpty else { return nil }
            let significant = power.drop { $0 == 0x30 }
            guard significant.count <= Self.exponentDigitBound else { return nil }
            for digit in significant { shift = shift * 10 + Int(digit &- 0x30) }
            if isSmall { shift = -shift }
        }
        guard rest.isEmpty else { return nil }
        var exponent = shift - fraction.count
        if whole.count + fraction.count <= 18 {
            func number(_ start: UInt64, _ digits: some Collection<UInt8>) -> UInt64 {
                digits.reduce(start) { $0 &* 10 &+ UInt64($1 &- 0x30) }
            }
            self = Self.shortened(isNegative: isNegative, number(number(0, whole), fraction), exponent: exponent)
            return
        }
        var significant = (Array(whole) + Array(fraction)).drop { $0 == 0x30 }
        while significant.last == 0x30 {
            significant.removeLast()
            exponent += 1
        }
        self.isNegative = isNegative && !significant.isEmpty
        self.exponent = significant.isEmpty ? 0 : exponent
        if significant.count <= 18 {
            mantissa = significant.reduce(0) { $0 &* 10 &+ UInt64($1 &- 0x30) }
            self.digits = []
        } else {
            mantissa = 0
            self.digits = Array(significant)
        }
    }

    /// 0 or 1.
    init(whole: UInt64) { self.init(isNegative: false, mantissa: whole, exponent: 0) }

    private init(isNegative: Bool, mantissa: UInt64, exponent: Int) {
        self.isNegative = isNegative && mantissa != 0
        self.mantissa = mantissa
        self.exponent = mantissa == 0 ? 0 : exponent
        digits = []
    }

    /// Numbers as most are, at most 18 digits without a fraction; nil for others and for other text.
    private static func shortWhole(_ text: some Collection<UInt8>) -> JSONDecimal? {
        var (mantissa, count, isNegative, hasZero) = (UInt64(0), 0, false, false)
        for byte in text {
            if byte == UInt8(ascii: "-"), count == 0, !isNegative {
                isNegative = true
                continue
            }
            guard byte.isASCIIDigit, count < 18, !hasZero else { return nil }
            hasZero = count == 0 && byte == 0x30
            mantissa = mantissa &* 10 &+ UInt64(byte &- 0x30)
            count += 1
        }
        guard count > 0 else { return nil }
        return shortened(isNegative: isNegative, mantissa, exponent: 0)
    }

    /// Without zeros at the end of the digits.
    private static func shortened(isNegative: Bool, _ mantissa: UInt64, exponent: Int) -> JSONDecimal {
        var (mantissa, exponent) = (mantissa, exponent)
        while mantissa != 0, mantissa.isMultiple(of: 10) {
            mantissa /= 10
            exponent += 1
        }
        return JSONDecimal(isNegative: isNegative, mantissa: mantissa, exponent: exponent)
    }
}
