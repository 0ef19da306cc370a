/// Percent-escapes undone (RFC 3986 §2.1).
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
}
