/// Byte classes that several grammars share (RFC 5234 appendix B.1); nothing here looks at a locale.
extension UInt8 {
    /// DIGIT: `0`–`9`.
    public var isASCIIDigit: Bool { self &- 0x30 < 10 }

    /// ALPHA: `A`–`Z` and `a`–`z`.
    public var isASCIILetter: Bool { (self | 0x20) &- 0x61 < 26 }

    /// The value of a hexadecimal digit of either case, else nil.
    public var hexadecimalValue: UInt8? {
        if isASCIIDigit { return self &- 0x30 }
        let letter = (self | 0x20) &- 0x61
        return letter < 6 ? letter &+ 10 : nil
    }

    /// `A`–`Z` become `a`–`z`; every other byte stays.
    public var asciiLowercased: UInt8 { self &- 0x41 < 26 ? self | 0x20 : self }
}
