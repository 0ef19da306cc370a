/// The outer layer of BinHex 4.0: six bits in one character, 64 characters a line, between colons (RFC 1741 appendix A).
enum BinHexText {
    static let announcement = "(This file must be converted with BinHex 4.0)"
    private static let lineLength = 64
    private static let colon = UInt8(ascii: ":")
    private static let alphabet = Array("!\"#$%&'()*+,-012345689@ABCDEFGHIJKLMNPQRSTUVXYZ[`abcdefhijklmpqr".utf8)
    private static let values: [UInt8?] = {
        var values = [UInt8?](repeating: nil, count: 256)
        for (value, character) in alphabet.enumerated() { values[Int(character)] = UInt8(value) }
        return values
    }()

    static func write(_ bytes: [UInt8]) -> [UInt8] {
        var text = Array(announcement.utf8) + Array("\n\n".utf8)
        text.reserveCapacity(text.count + bytes.count / 3 * 4 + bytes.count / 48 + 8)
        text.append(colon)
        var column = 1
        func put(_ character: UInt8) {
            if column == lineLength {
                text.append(UInt8(ascii: "\n"))
                column = 0
            }
            text.append(character)
            column += 1
        }
        var bits: UInt32 = 0
        var bitCount: UInt32 = 0
        for byte in bytes {
            bits = bits << 8 | UInt32(byte)
            bitCount += 8
            while bitCount >= 6 {
                bitCount -= 6
                put(alphabet[Int(bits >> bitCount & 63)])
            }
        }
        if bitCount > 0 { put(alphabet[Int(bits << (6 - bitCount) & 63)]) }
        // The last colon may be the 65th of its line: it never stands alone.
        text += [colon, UInt8(ascii: "\n")]
        return text
    }

    /// Whole bytes of what stands between the colons; what is around them is a letter's and ignored.
    static func read(_ text: [UInt8]) throws(CodingFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        let start = try start(of: text)
        bytes.reserveCapacity((text.count - start) / 4 * 3)
        var bits: UInt32 = 0
        var bitCount: UInt32 = 0
        let values = values
        for (offset, character) in text[start...].enumerated() {
            if character == colon { return bytes }
            guard !isSpace(character) else { continue }
            guard let value = values[Int(character)] else {
                throw CodingFailure(
                    .corrupt, "BinHex: the byte 0x\(String(character, radix: 16)) is not of the alphabet",
                    offset: start + offset)
            }
            bits = bits << 6 & 0xFFFF | UInt32(value)
            bitCount += 6
            if bitCount >= 8 {
                bitCount -= 8
                bytes.append(UInt8(truncatingIfNeeded: bits >> bitCount))
            }
        }
        throw CodingFailure(.truncated, "BinHex: the colon at the end is missing", offset: text.count)
    }

    /// Behind the first colon that begins a line after the line that announces it.
    private static func start(of text: [UInt8]) throws(CodingFailure) -> Int {
        // Its end differs among writers.
        let mark = Array(announcement.utf8.prefix(27))
        var isAnnounced = false
        var lineStart = 0
        while lineStart < text.count {
            if isAnnounced, text[lineStart] == colon { return lineStart + 1 }
            if text[lineStart...].starts(with: mark) { isAnnounced = true }
            let end = text[lineStart...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? text.count
            lineStart = end + 1
        }
        throw CodingFailure(
            .corrupt, isAnnounced ? "BinHex: no line begins with a colon" : "BinHex: no line says \(announcement)")
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x0A || byte == 0x0D || byte == 0x20 || byte == 0x09
    }
}
