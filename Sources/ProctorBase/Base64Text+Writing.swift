extension Base64Text {
    /// Four characters for every three bytes that are begun.
    package static func append(_ value: ArraySlice<UInt8>, to bytes: inout [UInt8]) {
        var rest = value
        while !rest.isEmpty {
            let three = rest.prefix(3)
            rest = rest.dropFirst(3)
            var group: UInt32 = 0
            for byte in three { group = group << 8 | UInt32(byte) }
            group <<= UInt32(8 * (3 - three.count))
            for index in 0..<4 {
                guard index <= three.count else {
                    bytes.append(UInt8(ascii: "="))
                    continue
                }
                bytes.append(digit(UInt8(truncatingIfNeeded: group >> UInt32(18 - 6 * index)) & 63))
            }
        }
    }

    /// All of it as text.
    package static func of(_ value: some Sequence<UInt8>) -> String {
        var bytes: [UInt8] = []
        append(Array(value)[...], to: &bytes)
        return String(decoding: bytes, as: UTF8.self)
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
