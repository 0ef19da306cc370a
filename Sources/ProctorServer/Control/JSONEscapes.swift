internal import ProctorBase

/// What JSON may write and YAML may not.
enum JSONEscapes {
    /// Writes each pair of escaped surrogates (RFC 8259 §7) as the one escape that YAML has for the character.
    static func joiningSurrogates(of json: [UInt8]) -> [UInt8] {
        var joined: [UInt8] = []
        joined.reserveCapacity(json.count)
        var rest = json[...]
        while let byte = rest.first {
            guard byte == UInt8(ascii: "\\") else {
                joined.append(byte)
                rest = rest.dropFirst()
                continue
            }
            if let scalar = surrogatePair(at: rest) {
                let digits = String(scalar, radix: 16)
                joined += Array("\\U\(String(repeating: "0", count: 8 - digits.count))\(digits)".utf8)
                rest = rest.dropFirst(12)
            } else {
                // Two at once: an escaped backslash begins no escape.
                joined += rest.prefix(2)
                rest = rest.dropFirst(2)
            }
        }
        return joined
    }

    private static func surrogatePair(at bytes: ArraySlice<UInt8>) -> UInt32? {
        guard let high = unit(at: bytes), (0xD800...0xDBFF).contains(high),
            let low = unit(at: bytes.dropFirst(6)), (0xDC00...0xDFFF).contains(low)
        else { return nil }
        return 0x1_0000 + (high - 0xD800) << 10 + (low - 0xDC00)
    }

    /// The UTF-16 code unit of `\uXXXX`.
    private static func unit(at bytes: ArraySlice<UInt8>) -> UInt32? {
        let escape = bytes.prefix(6)
        guard escape.count == 6, escape.starts(with: "\\u".utf8) else { return nil }
        var unit: UInt32 = 0
        for digit in escape.dropFirst(2) {
            guard let value = digit.hexadecimalValue else { return nil }
            unit = unit << 4 | UInt32(value)
        }
        return unit
    }
}
