/// Byte classes that several grammars share (RFC 5234 appendix B.1); none depends on a locale.
// Inlinable: the compiler inlines only public functions across modules without the attribute.
extension UInt8 {
    /// DIGIT: `0`–`9`.
    @inlinable package var isASCIIDigit: Bool { self &- 0x30 < 10 }

    /// ALPHA: `A`–`Z` and `a`–`z`.
    @inlinable package var isASCIILetter: Bool { (self | 0x20) &- 0x61 < 26 }

    /// The value of a hexadecimal digit of either case, else nil.
    @inlinable package var hexadecimalValue: UInt8? {
        if isASCIIDigit { return self &- 0x30 }
        let letter = (self | 0x20) &- 0x61
        return letter < 6 ? letter &+ 10 : nil
    }

    /// Two hexadecimal digits, `0a` or in upper case `0A`.
    package func hexadecimal(uppercase: Bool = false) -> String {
        (self < 16 ? "0" : "") + String(self, radix: 16, uppercase: uppercase)
    }

    /// `A`–`Z` become `a`–`z`; every other byte stays.
    @inlinable package var asciiLowercased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }
}

/// Copies between spans and arrays, for which the standard library has no call yet.
extension Span<UInt8> {
    /// One allocation and one copy.
    package var array: [UInt8] {
        unsafe withUnsafeBufferPointer { unsafe Array($0) }
    }
}

extension [UInt8] {
    /// One copy, and at most one allocation.
    package mutating func append(_ bytes: Span<UInt8>) {
        unsafe bytes.withUnsafeBufferPointer { unsafe append(contentsOf: $0) }
    }
}
