extension JSONText {
    /// Bytes of input for which room is made at once; each takes at most six bytes of output.
    private static var stretchByteCount: Int { 4 << 10 }

    /// Appends a string's content with its escapes; returns whether it is all ASCII, or nil at a NUL that is not
    /// accepted.
    mutating func escape(_ value: borrowing Span<UInt8>, acceptsNUL: Bool) -> Bool? {
        let count = value.count
        var index = 0
        var seen: UInt64 = 0
        // Foundation's reader drops a byte order mark at the start of any text.
        if count >= 3, value[0] == 0xEF, value[1] == 0xBB, value[2] == 0xBF {
            output.appendText("\\ufeff")
            seen = 0x80
            index = 3
        }
        let ends = ByteWords.Ends(value)
        var hasNUL = false
        while index < count, !hasNUL {
            let stretchEnd = min(count, index &+ Self.stretchByteCount)
            // The last word may reach past the stretch, and every store writes eight bytes.
            unsafe output.appendInPlace(atMost: 6 &* (stretchEnd &- index) &+ 64) { target in
                var place = unsafe target
                while index < stretchEnd {
                    let rest = count &- index
                    let word = rest >= 8 ? ByteWords.load(value, at: index) : ends.last(rest)
                    let plainCount = ByteWords.unescapedCount(word)
                    unsafe place.storeBytes(of: word.littleEndian, as: UInt64.self)
                    if plainCount >= min(rest, 8) {
                        seen |= word
                        index &+= 8
                        unsafe place += min(rest, 8)
                        continue
                    }
                    let bits = UInt64(truncatingIfNeeded: 8 &* plainCount)
                    seen |= word & (1 &<< bits &- 1)
                    let byte = UInt8(truncatingIfNeeded: word &>> bits)
                    index &+= plainCount &+ 1
                    unsafe place += plainCount
                    if byte == 0, !acceptsNUL {
                        hasNUL = true
                        break
                    }
                    let (escape, byteCount) = Self.escape(of: byte)
                    unsafe place.storeBytes(of: escape.littleEndian, as: UInt64.self)
                    unsafe place += byteCount
                }
                return unsafe place - target
            }
        }
        return hasNUL ? nil : seen & 0x8080_8080_8080_8080 == 0
    }

    /// Appends a string of at most 8 bytes that are ASCII without escapes, and returns true; else appends nothing.
    ///
    /// Most strings of a journal are like this.
    @inline(__always)
    mutating func appendShort(_ value: borrowing Span<UInt8>) -> Bool {
        guard value.count <= 8 else { return false }
        let word = ByteWords.Ends(value).whole
        guard ByteWords.unescapedCount(word) == 8, word & 0x8080_8080_8080_8080 == 0 else { return false }
        let count = value.count
        unsafe output.appendInPlace(atMost: 16) { place in
            unsafe place.storeBytes(of: UInt8(ascii: "\""), as: UInt8.self)
            unsafe place.storeBytes(of: word.littleEndian, toByteOffset: 1, as: UInt64.self)
            unsafe place.storeBytes(of: UInt8(ascii: "\""), toByteOffset: count &+ 1, as: UInt8.self)
            return count &+ 2
        }
        return true
    }

    /// The bytes of an escape, the first in the lowest bits.
    @inline(__always)
    private static func escape(of byte: UInt8) -> (word: UInt64, byteCount: Int) {
        switch byte {
        case 0x0D: return (word("r"), 2)
        case 0x0A: return (word("n"), 2)
        case UInt8(ascii: "\""): return (word("\""), 2)
        case UInt8(ascii: "\\"): return (word("\\"), 2)
        case 0x09: return (word("t"), 2)
        default:
            // `\u00` and two digits.
            return (0x3030_755C | UInt64(digit(byte >> 4)) << 32 | UInt64(digit(byte & 15)) << 40, 6)
        }
    }

    @inline(__always)
    private static func word(_ letter: Unicode.Scalar) -> UInt64 { 0x5C | UInt64(letter.value) << 8 }

    @inline(__always)
    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + value - 10
    }
}

extension ByteWords {
    /// The last bytes of a text, for a loop that reads words of eight bytes.
    fileprivate struct Ends {
        /// The last eight bytes; all bytes of a shorter text, from the lowest bits on.
        private let word: UInt64
        private let byteCount: Int

        @inline(__always)
        init(_ bytes: borrowing Span<UInt8>) {
            byteCount = min(bytes.count, 8)
            if bytes.count >= 8 {
                word = load(bytes, at: bytes.count &- 8)
            } else if bytes.count >= 4 {
                word =
                    Self.quarter(bytes, at: 0) | Self.quarter(bytes, at: byteCount &- 4) << UInt64(8 * byteCount - 32)
            } else if bytes.count > 0 {
                // Each of one to three bytes is the first, the middle or the last, perhaps several of these.
                let (middle, last) = (bytes.count / 2, bytes.count &- 1)
                word =
                    UInt64(bytes[0]) | UInt64(bytes[middle]) &<< UInt64(8 &* middle) | UInt64(bytes[last])
                    &<< UInt64(8 &* last)
            } else {
                word = 0
            }
        }

        @inline(__always)
        private static func quarter(_ bytes: borrowing Span<UInt8>, at index: Int) -> UInt64 {
            unsafe bytes.withUnsafeBufferPointer { buffer in
                unsafe UInt64(
                    UInt32(
                        littleEndian: UnsafeRawBufferPointer(buffer).loadUnaligned(
                            fromByteOffset: index, as: UInt32.self)))
            }
        }

        /// All bytes of a text of at most 8 bytes, followed by `0` characters.
        @inline(__always)
        var whole: UInt64 { byteCount == 8 ? word : last(byteCount) }

        /// The last `count` bytes, fewer than 8, from the lowest bits on, followed by `0` characters.
        @inline(__always)
        func last(_ count: Int) -> UInt64 {
            let bytes = word &>> UInt64(truncatingIfNeeded: 8 &* (byteCount &- count))
            return bytes | 0x3030_3030_3030_3030 &<< UInt64(truncatingIfNeeded: 8 &* count)
        }
    }

    /// How many bytes come before the first that is escaped in a JSON text: `"`, `\`, DEL or a control character.
    @inline(__always)
    fileprivate static func unescapedCount(_ word: UInt64) -> Int {
        let ones: UInt64 = 0x0101_0101_0101_0101
        let quote = (word ^ 0x2222_2222_2222_2222) &- ones
        let backslash = (word ^ 0x5C5C_5C5C_5C5C_5C5C) &- ones
        let delete = (word ^ 0x7F7F_7F7F_7F7F_7F7F) &- ones
        // Bytes of 0x80 or more need no escape. Only the lowest set bit is certain: the subtraction borrows from the
        // bytes above.
        let marks = (quote | backslash | delete | (word &- 0x20 &* ones)) & ~word & 0x8080_8080_8080_8080
        return marks.trailingZeroBitCount / 8
    }
}
