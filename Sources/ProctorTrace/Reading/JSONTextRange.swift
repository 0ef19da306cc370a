import ProctorBase

/// A text between its quotes, as it stands in the line.
struct JSONTextRange {
    let range: Range<Int>
    let hasEscapes: Bool

    /// The bytes it stands for; half of a surrogate pair becomes U+FFFD.
    func unescaped(_ line: borrowing Span<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(range.count)
        var index = range.lowerBound
        while index < range.upperBound {
            let byte = line[index]
            guard byte == UInt8(ascii: "\\") else {
                bytes.append(byte)
                index += 1
                continue
            }
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

    /// Begins at the digits of `\uXXXX`, which have been checked; takes the second half of a pair too.
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
