/// Whether bytes in pieces of any length are UTF-8 (RFC 3629 §4), with the first byte that is not.
struct UTF8Check: Sendable {
    /// Bytes of the character under way that are still to come: 0 to 3.
    private(set) var missingByteCount = 0
    /// What the next byte of the character may be.
    private var lowest: UInt8 = 0x80
    private var highest: UInt8 = 0xBF

    /// The index of the first byte that no text can have at this place; nil where there is none.
    ///
    /// Overlong forms, surrogates and what is above U+10FFFF are found at their second byte. After a wrong byte the check
    /// is over.
    mutating func firstWrongByte(in bytes: borrowing Span<UInt8>) -> Int? {
        var index = 0
        while index < bytes.count {
            if missingByteCount == 0 {
                index = Self.skipASCII(bytes, from: index)
                guard index < bytes.count else { return nil }
                guard startCharacter(bytes[index]) else { return index }
            } else {
                guard lowest...highest ~= bytes[index] else { return index }
                missingByteCount -= 1
                (lowest, highest) = (0x80, 0xBF)
            }
            index += 1
        }
        return nil
    }

    /// The first byte of a character of several; false for one that begins none.
    private mutating func startCharacter(_ byte: UInt8) -> Bool {
        switch byte {
        case 0xC2...0xDF: missingByteCount = 1
        case 0xE0: (missingByteCount, lowest) = (2, 0xA0)
        case 0xED: (missingByteCount, highest) = (2, 0x9F)
        case 0xE1...0xEF: missingByteCount = 2
        case 0xF0: (missingByteCount, lowest) = (3, 0x90)
        case 0xF4: (missingByteCount, highest) = (3, 0x8F)
        case 0xF1...0xF3: missingByteCount = 3
        default: return false
        }
        return true
    }

    /// Eight bytes at a time.
    private static func skipASCII(_ bytes: borrowing Span<UInt8>, from start: Int) -> Int {
        var index = start
        unsafe bytes.withUnsafeBytes { bytes in
            while bytes.count - index >= 8,
                unsafe bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self) & 0x8080_8080_8080_8080 == 0
            {
                index += 8
            }
            while unsafe index < bytes.count && bytes[index] < 0x80 { index += 1 }
        }
        return index
    }
}
