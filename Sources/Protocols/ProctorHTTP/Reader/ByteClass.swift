import ProctorBase

/// The character classes of RFC 9110 §5.6.2 and RFC 3986 §2; each compiles to bit tests.
extension UInt8 {
    static let tab: UInt8 = 0x09
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let space: UInt8 = 0x20

    /// `tchar`: letters, digits and ``!#$%&'*+-.^_`|~``.
    package var isTokenByte: Bool { isIn(0x03FF_6CFA_0000_0000, 0x57FF_FFFF_C7FF_FFFE) }

    /// Whether the byte's bit is set: in `low` for a byte below 64, in `high` for other ASCII.
    @inline(__always)
    private func isIn(_ low: UInt64, _ high: UInt64) -> Bool {
        self < 0x80 && (self < 0x40 ? low : high) &>> UInt64(self) & 1 == 1
    }

    /// Most bytes that are compared are equal without folding.
    @inline(__always)
    fileprivate func equalsIgnoringCase(_ other: UInt8) -> Bool {
        self == other || asciiLowercased == other.asciiLowercased
    }

    /// `bchars`: a byte of a multipart boundary, in which a space must not be last (RFC 2046 §5.1.1).
    package var isBoundaryByte: Bool { isASCIILetter || isASCIIDigit || "'()+_,-./:=? ".utf8.contains(self) }

    /// SP or HTAB.
    package var isBlank: Bool { self == .space || self == .tab }

    /// Whitespace at which RFC 9112 §3 and §4 let a lenient reader split a start line, without bare CR.
    var isStartLineBlank: Bool { isBlank || self == 0x0B || self == 0x0C }

    var isControl: Bool { self < 0x20 || self == 0x7F }

    var isUnreserved: Bool {
        switch self {
        case 0x61...0x7A, 0x41...0x5A, 0x30...0x39: true
        case UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "~"): true
        default: false
        }
    }

    var isSubDelimiter: Bool {
        switch self {
        case UInt8(ascii: "!"), UInt8(ascii: "$"), UInt8(ascii: "&"), UInt8(ascii: "'"), UInt8(ascii: "("),
            UInt8(ascii: ")"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: ","), UInt8(ascii: ";"),
            UInt8(ascii: "="):
            true
        default: false
        }
    }

    /// `pchar` without percent-escapes.
    var isPathByte: Bool {
        isUnreserved || isSubDelimiter || self == UInt8(ascii: ":") || self == UInt8(ascii: "@")
    }

    /// A byte of a path with its slashes or of a query, without percent-escapes: ``isPathByte``, `/` and `?`.
    var isPathOrQueryByte: Bool { isIn(0xAFFF_FFD2_0000_0000, 0x47FF_FFFE_87FF_FFFF) }
}

/// Numbers in fields: digits only, while the standard library's parser also accepts signs.
extension Collection<UInt8> {
    /// nil unless there is at least one byte and all are digits; clamped to `Int.max`.
    var saturatedNumber: Int? {
        guard !isEmpty else { return nil }
        var number = 0
        for byte in self {
            guard byte.isASCIIDigit else { return nil }
            let (tens, isTooLarge) = number.multipliedReportingOverflow(by: 10)
            let (sum, isOver) = tens.addingReportingOverflow(Int(byte & 0x0F))
            // Once the number is too large, ten times as much is too large again.
            number = isTooLarge || isOver ? .max : sum
        }
        return number
    }
}

/// Comparing and searching with pointers, for speed.
extension Span<UInt8> {
    /// Compares with regard to letter case.
    package func equals(_ other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        return unsafe withUnsafeBytes { own in
            unsafe other.withUnsafeBytes { others in
                var index = 0
                while own.count - index >= 8 {
                    let mine = unsafe own.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                    guard unsafe mine == others.loadUnaligned(fromByteOffset: index, as: UInt64.self) else {
                        return false
                    }
                    index += 8
                }
                // The last eight bytes once more, with some that were compared.
                if own.count >= 8 {
                    let mine = unsafe own.loadUnaligned(fromByteOffset: own.count - 8, as: UInt64.self)
                    return unsafe mine == others.loadUnaligned(fromByteOffset: own.count - 8, as: UInt64.self)
                }
                while index < own.count {
                    guard unsafe own[index] == others[index] else { return false }
                    index += 1
                }
                return true
            }
        }
    }

    /// Compares with regard to letter case.
    func equals(_ text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount else { return false }
        return text.withUTF8Buffer { expected in
            for index in indices where unsafe self[index] != expected[index] { return false }
            return true
        }
    }

    /// Compares without regard to ASCII case; the argument is in lower case.
    package func equalsIgnoringCase(_ text: StaticString) -> Bool {
        guard count == text.utf8CodeUnitCount else { return false }
        return text.withUTF8Buffer { expected in
            for index in indices where unsafe !self[index].equalsIgnoringCase(expected[index]) { return false }
            return true
        }
    }

    /// Compares without regard to ASCII case.
    func equalsIgnoringCase(_ other: Span<UInt8>) -> Bool {
        guard other.count == count else { return false }
        for index in indices where !self[index].equalsIgnoringCase(other[index]) { return false }
        return true
    }

    /// The offset of the first LF from `start` on, else `count`; reads eight bytes at a time.
    func indexOfLineFeed(from start: Int) -> Int {
        var index = start
        unsafe withUnsafeBytes { bytes in
            while bytes.count - index >= 8 {
                let other =
                    unsafe UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self))
                    ^ 0x0A0A_0A0A_0A0A_0A0A
                let marks = (other &- 0x0101_0101_0101_0101) & ~other & 0x8080_8080_8080_8080
                if marks != 0 {
                    index += marks.trailingZeroBitCount / 8
                    return
                }
                index += 8
            }
            while unsafe index < bytes.count && bytes[index] != .lineFeed { index += 1 }
        }
        return index
    }
}

/// Bytes as text for messages.
enum ByteQuote {
    /// In double quotes, escaped, cut after 48 bytes.
    static func quote(_ bytes: [UInt8]) -> String { "\"\(EscapedText.escape(bytes, limit: longest))\"" }

    /// In double quotes, escaped, cut after 200 bytes: for text that people compare, such as a hash or a target.
    static func quoteLong(_ bytes: [UInt8]) -> String { "\"\(EscapedText.escape(bytes))\"" }

    static let longest = 48
}

extension Span<UInt8> {
    /// The first bytes of a range, as many as a message shows.
    func excerpt(_ range: Range<Int>) -> [UInt8] {
        extracting(range.lowerBound..<Swift.min(range.upperBound, range.lowerBound + ByteQuote.longest)).array
    }
}
