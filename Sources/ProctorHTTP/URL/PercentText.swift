/// Percent-escapes (RFC 3986 §2.1).
enum PercentText {
    /// Nil where a `%` escapes nothing and `isStrict` forbids that; else it stays.
    static func decode(_ text: some Collection<UInt8>, isStrict: Bool = false) -> [UInt8]? {
        let bytes = Array(text)
        var decoded: [UInt8] = []
        var index = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "%"), let byte = bytes.escapedByte(at: index) {
                decoded.append(byte)
                index += 3
            } else {
                if isStrict, bytes[index] == UInt8(ascii: "%") { return nil }
                decoded.append(bytes[index])
                index += 1
            }
        }
        return decoded
    }

    /// `%` and two digits, in capitals as §2.1 wants them.
    static func append(_ byte: UInt8, to text: inout [UInt8]) {
        text.append(UInt8(ascii: "%"))
        text.append(digit(byte >> 4))
        text.append(digit(byte & 0x0F))
    }

    private static func digit(_ value: UInt8) -> UInt8 {
        value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "A") + value - 10
    }
}
