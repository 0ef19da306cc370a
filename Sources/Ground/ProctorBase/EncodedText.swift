/// An invalid place in hexadecimal or base64 text.
package struct EncodedTextError: Error {
    package let offset: Int
    package let sentence: String
}

/// Pairs of hexadecimal digits; white space may stand between pairs.
package enum HexText {
    package static func decode(_ text: [UInt8]) throws(EncodedTextError) -> [UInt8] {
        var bytes: [UInt8] = []
        var high: UInt8?
        for (offset, byte) in text.enumerated() {
            if let digit = byte.hexadecimalValue {
                if let first = high {
                    bytes.append(first << 4 | digit)
                    high = nil
                } else {
                    high = digit
                }
            } else if !byte.isWhiteSpace || high != nil {
                throw EncodedTextError(offset: offset, sentence: "expected pairs of hexadecimal digits, like 00 ff")
            }
        }
        if high != nil {
            throw EncodedTextError(
                offset: text.count, sentence: "expected pairs of hexadecimal digits; the last digit stands alone")
        }
        return bytes
    }
}

/// Base64 with the alphabet of RFC 4648 §4; white space may be anywhere, the padding may be missing.
package enum Base64Text {
    package static func decode(_ text: [UInt8]) throws(EncodedTextError) -> [UInt8] {
        var bytes: [UInt8] = []
        var bits: UInt32 = 0
        var digitCount = 0
        var paddingCount = 0
        for (offset, byte) in text.enumerated() where !byte.isWhiteSpace {
            if byte == UInt8(ascii: "=") {
                paddingCount += 1
                continue
            }
            guard paddingCount == 0, let digit = value(byte) else {
                throw EncodedTextError(offset: offset, sentence: "this is not base64 (RFC 4648 §4)")
            }
            bits = bits << 6 | UInt32(digit)
            digitCount += 1
            if digitCount % 4 == 0 {
                bytes += [UInt8(bits >> 16 & 0xFF), UInt8(bits >> 8 & 0xFF), UInt8(bits & 0xFF)]
                bits = 0
            }
        }
        let rest = digitCount % 4
        guard rest != 1, paddingCount == 0 || rest != 0 && paddingCount == 4 - rest else {
            throw EncodedTextError(offset: text.count, sentence: "this base64 is cut off or wrongly padded")
        }
        if rest == 2 { bytes.append(UInt8(bits >> 4 & 0xFF)) }
        if rest == 3 { bytes += [UInt8(bits >> 10 & 0xFF), UInt8(bits >> 2 & 0xFF)] }
        return bytes
    }

    private static func value(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): byte - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): byte - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0") + 52
        case UInt8(ascii: "+"): 62
        case UInt8(ascii: "/"): 63
        default: nil
        }
    }
}

extension UInt8 {
    fileprivate var isWhiteSpace: Bool { self == 0x20 || self == 0x09 || self == 0x0A || self == 0x0D }
}

extension Base64Text {
    /// Four characters for every three bytes or the rest of them.
    package static func append(_ value: borrowing Span<UInt8>, to bytes: inout GrowingBytes) {
        bytes.reserve(value.count / 3 * 4 + 16)
        var index = 0
        while index < value.count {
            let count = min(3, value.count &- index)
            var group: UInt32 = 0
            for offset in 0..<3 { group = group << 8 | (offset < count ? UInt32(value[index &+ offset]) : 0) }
            var characters: UInt32 = 0
            for place in 0..<4 {
                let character =
                    place <= count
                    ? digit(UInt8(truncatingIfNeeded: group >> UInt32(18 &- 6 &* place)) & 63) : UInt8(ascii: "=")
                characters |= UInt32(character) << UInt32(8 &* place)
            }
            bytes.appendToReserved(UInt64(characters), byteCount: 4)
            index &+= count
        }
    }

    package static func encode(_ value: some Sequence<UInt8>) -> String {
        let value = Array(value)
        var bytes = GrowingBytes(capacity: value.count / 3 * 4 + 16)
        append(value.span, to: &bytes)
        return bytes.withSpan { bytes in
            unsafe bytes.withUnsafeBufferPointer { unsafe String(decoding: $0, as: UTF8.self) }
        }
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        switch value {
        case 0..<26: UInt8(ascii: "A") + value
        case 26..<52: UInt8(ascii: "a") + value - 26
        case 52..<62: UInt8(ascii: "0") + value - 52
        case 62: UInt8(ascii: "+")
        default: UInt8(ascii: "/")
        }
    }
}

/// base64url without padding, as JSON Web Tokens and keys have it (RFC 4648 §5, RFC 7515 §2).
extension Base64Text {
    package static func encodeURL(_ value: some Sequence<UInt8>) -> String {
        let characters = encode(value).utf8.compactMap { byte -> UInt8? in
            switch byte {
            case UInt8(ascii: "+"): UInt8(ascii: "-")
            case UInt8(ascii: "/"): UInt8(ascii: "_")
            case UInt8(ascii: "="): nil
            default: byte
            }
        }
        return String(decoding: characters, as: UTF8.self)
    }

    /// Refuses padding, white space and the two characters that are of base64 alone.
    package static func decodeURL(_ text: [UInt8]) throws(EncodedTextError) -> [UInt8] {
        var text = text
        for (offset, byte) in text.enumerated() {
            switch byte {
            case UInt8(ascii: "-"): text[offset] = UInt8(ascii: "+")
            case UInt8(ascii: "_"): text[offset] = UInt8(ascii: "/")
            case UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "="), 0x20, 0x09, 0x0A, 0x0D:
                throw EncodedTextError(
                    offset: offset, sentence: "this is not base64url without padding (RFC 4648 §5, RFC 7515 §2)")
            default: break
            }
        }
        return try decode(text)
    }
}
