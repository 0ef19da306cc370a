import ProctorBase

/// Where reading stands in a value; it keeps nothing of it, and each function returns whether its name's subject was there.
struct ValueCursor {
    var index = 0

    func next(_ value: Span<UInt8>) -> UInt8? { index < value.count ? value[index] : nil }

    mutating func skip(_ byte: UInt8, _ value: Span<UInt8>) -> Bool {
        guard next(value) == byte else { return false }
        index += 1
        return true
    }

    /// Returns how many bytes there were.
    mutating func skipAll(_ value: Span<UInt8>, where isPart: (UInt8) -> Bool) -> Int {
        let start = index
        while let byte = next(value), isPart(byte) { index += 1 }
        return index - start
    }

    /// Skips optional whitespace (RFC 9110 §5.6.3).
    mutating func skipBlanks(_ value: Span<UInt8>) { _ = skipAll(value, where: \.isBlank) }

    /// A token (RFC 9110 §5.6.2).
    mutating func skipToken(_ value: Span<UInt8>) -> Bool { skipAll(value, where: \.isTokenByte) > 0 }

    /// A quoted string (RFC 9110 §5.6.4).
    mutating func skipQuotedString(_ value: Span<UInt8>) -> Bool {
        guard skip(UInt8(ascii: "\""), value) else { return false }
        while let byte = next(value) {
            index += 1
            switch byte {
            case UInt8(ascii: "\""): return true
            case UInt8(ascii: "\\"):
                guard let escaped = next(value), !escaped.isControl || escaped == .tab else { return false }
                index += 1
            case .tab, 0x20...0x7E, 0x80...: continue
            default: return false
            }
        }
        return false
    }

    /// Digits, at least one.
    mutating func skipNumber(_ value: Span<UInt8>) -> Bool { skipAll(value, where: \.isASCIIDigit) > 0 }
}
