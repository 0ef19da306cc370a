/// The range of a text between its quotes.
package struct JSONTextRange {
    package let range: Range<Int>
    package let hasEscapes: Bool

    /// The unescaped bytes; an unpaired surrogate becomes U+FFFD.
    package func unescaped(_ line: borrowing Span<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(range.count)
        var index = range.lowerBound
        while index < range.upperBound {
            var end = hasEscapes ? index : range.upperBound
            while end < range.upperBound, line[end] != UInt8(ascii: "\\") { end += 1 }
            unsafe line.extracting(index..<end).withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
            guard end < range.upperBound else { break }
            index = end
            let kind = line[index + 1]
            index += 2
            switch kind {
            case UInt8(ascii: "b"): bytes.append(0x08)
            case UInt8(ascii: "f"): bytes.append(0x0C)
            case UInt8(ascii: "n"): bytes.append(0x0A)
            case UInt8(ascii: "r"): bytes.append(0x0D)
            case UInt8(ascii: "t"): bytes.append(0x09)
            case UInt8(ascii: "u"): appendScalar(line, at: &index, to: &bytes)
            default: bytes.append(kind)
            }
        }
        return bytes
    }

    /// Decodes `\uXXXX`, whose digits are checked, and the second surrogate of a pair if it follows; `index` is at the
    /// digits.
    private func appendScalar(_ line: borrowing Span<UInt8>, at index: inout Int, to bytes: inout [UInt8]) {
        var code = Self.unit(line, at: index)
        index += 4
        if 0xD800...0xDBFF ~= code, index + 6 <= range.upperBound, line[index] == UInt8(ascii: "\\"),
            line[index + 1] == UInt8(ascii: "u")
        {
            let low = Self.unit(line, at: index + 2)
            if 0xDC00...0xDFFF ~= low {
                code = 0x1_0000 + (code - 0xD800) << 10 + (low - 0xDC00)
                index += 6
            }
        }
        bytes += String(Character(Unicode.Scalar(code) ?? "\u{FFFD}")).utf8
    }

    private static func unit(_ line: borrowing Span<UInt8>, at index: Int) -> UInt32 {
        var unit: UInt32 = 0
        for offset in 0..<4 { unit = unit << 4 | UInt32(line[index + offset].hexadecimalValue ?? 0) }
        return unit
    }
}

/// A number without rounding, if it fits.
package struct JSONNumber {
    package let start: Int
    package var end: Int
    var isNegative = false
    /// Whether the number has neither a fraction nor an exponent.
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

    /// A value below this one cannot overflow by another digit.
    private static let certain = UInt64.max / 10

    /// nil if the number has a fraction or does not fit.
    package var integer: Int? {
        guard isWhole, !isTooLong else { return nil }
        if !isNegative { return Int(exactly: digits) }
        return digits == UInt64(Int.max) + 1 ? .min : Int(exactly: digits).map { -$0 }
    }

    /// nil if the number has a fraction or a sign, or does not fit.
    package var unsigned: UInt64? { isWhole && !isTooLong && !isNegative ? digits : nil }

    /// nil if the number is too large.
    package func double(_ line: borrowing Span<UInt8>) -> Double? {
        if !hasExponent, !isTooLong, digits < 1 << 53, fractionDigitCount < Self.powers.count {
            // Both numbers are exact, so the quotient is rounded only once.
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
