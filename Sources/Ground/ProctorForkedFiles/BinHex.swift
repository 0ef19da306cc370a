package import ProctorCoding

/// A Macintosh file as 7-bit text, BinHex 4.0 (RFC 1741 appendix A), which has no fields for times.
package struct BinHex: Sendable, Equatable {
    package let file: ForkedFile

    package init(_ file: ForkedFile) {
        self.file = file
    }

    /// The text, with lines that end in LF; the same file always gives the same bytes.
    package var bytes: [UInt8] {
        var parts: [UInt8] = []
        parts.reserveCapacity(file.data.count + file.resource.count + 96)
        parts.append(UInt8(clamping: file.name.count))
        // The byte after the name is the version, 0.
        parts += file.name + [0] + file.type + file.creator
        parts.appendBigEndian(file.flags)
        parts.appendBigEndian(UInt32(clamping: file.data.count))
        parts.appendBigEndian(UInt32(clamping: file.resource.count))
        parts.appendBigEndian(CRC16.checksum(of: parts))
        for fork in [file.data, file.resource] {
            parts += fork
            parts.appendBigEndian(CRC16.checksum(of: fork))
        }
        return BinHexText.write(BinHexRuns.pack(parts))
    }

    /// Reads the first file of a text; a fork beyond ``ForkedFile/forkBound`` is refused.
    ///
    /// The offset of a failure counts characters in the outer layer, and decoded bytes in the layers below it.
    package init(parsing text: [UInt8]) throws(CodingFailure) {
        let limit = 2 * ForkedFile.forkBound + 128
        var cursor = ByteCursor(
            try BinHexRuns.unpack(try BinHexText.read(text), limit: limit), format: "BinHex")
        let nameLength = try cursor.number(1, "the length of the name")
        guard 1...63 ~= nameLength else {
            throw CodingFailure(.corrupt, "BinHex: a name has 1 to 63 bytes, not \(nameLength)")
        }
        let name = try cursor.read(nameLength, "the name")
        guard !name.contains(0) else { throw CodingFailure(.corrupt, "BinHex: a name has no NUL", offset: 1) }
        _ = try cursor.read(1, "the version")
        let type = try cursor.read(4, "the type")
        let creator = try cursor.read(4, "the creator")
        let flags = try cursor.number(2, "the flags")
        let dataLength = try cursor.number(4, "the length of the data fork")
        let resourceLength = try cursor.number(4, "the length of the resource fork")
        try Self.checkCRC(of: "the header", since: 0, &cursor)
        let data = try Self.fork(dataLength, "the data fork", from: &cursor)
        let resource = try Self.fork(resourceLength, "the resource fork", from: &cursor)
        // Some writers add bytes after the last character that complete a group of three.
        guard cursor.left < 3 else {
            throw CodingFailure(
                .trailing, "BinHex: \(cursor.left) bytes stand behind the resource fork", offset: cursor.offset)
        }
        file = try ForkedFile(
            name: name, type: type, creator: creator, flags: UInt16(truncatingIfNeeded: flags), data: data,
            resource: resource)
    }

    private static func fork(
        _ length: Int, _ part: String, from cursor: inout ByteCursor
    ) throws(CodingFailure) -> [UInt8] {
        guard length <= ForkedFile.forkBound else {
            throw CodingFailure(
                .tooLarge, "BinHex: \(part) has \(length) bytes; \(ForkedFile.forkBound) is the bound",
                offset: cursor.offset)
        }
        let start = cursor.offset
        let fork = try cursor.read(length, part)
        try checkCRC(of: part, since: start, &cursor)
        return fork
    }

    private static func checkCRC(
        of part: String, since start: Int, _ cursor: inout ByteCursor
    ) throws(CodingFailure) {
        let crc = CRC16.checksum(of: cursor.taken(since: start))
        let offset = cursor.offset
        let expected = try cursor.number(2, "the CRC of \(part)")
        guard expected == Int(crc) else {
            throw CodingFailure(.checksum, "BinHex: the CRC of \(part) is wrong", offset: offset)
        }
    }
}

/// The outer layer of BinHex 4.0: six bits in one character, 64 characters a line, between colons (RFC 1741 appendix
/// A).
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
        func append(_ character: UInt8) {
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
                append(alphabet[Int(bits >> bitCount & 63)])
            }
        }
        if bitCount > 0 { append(alphabet[Int(bits << (6 - bitCount) & 63)]) }
        // The last colon may be the 65th character of its line, but is never alone on a line.
        text += [colon, UInt8(ascii: "\n")]
        return text
    }

    /// The complete bytes between the colons; other text, such as that of a mail, is ignored.
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

    /// The offset after the first colon that begins a line after the announcement line.
    private static func start(of text: [UInt8]) throws(CodingFailure) -> Int {
        // Writers end the announcement in different ways.
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

/// The middle layer of BinHex 4.0: a byte, 0x90 and a count encode a run; 0x90 and 0 encode 0x90 itself.
enum BinHexRuns {
    private static let mark: UInt8 = 0x90

    static func pack(_ bytes: [UInt8]) -> [UInt8] {
        var packed: [UInt8] = []
        packed.reserveCapacity(bytes.count)
        var offset = 0
        while offset < bytes.count {
            let byte = bytes[offset]
            var count = 1
            while count < 255, offset + count < bytes.count, bytes[offset + count] == byte { count += 1 }
            let isRun = count >= 3
            for _ in 0..<(isRun ? 1 : count) {
                packed.append(byte)
                if byte == mark { packed.append(0) }
            }
            if isRun { packed += [mark, UInt8(count)] }
            offset += count
        }
        return packed
    }

    /// Refuses more than `limit` bytes: two encoded bytes can decode to 255.
    static func unpack(_ packed: [UInt8], limit: Int) throws(CodingFailure) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(min(packed.count, limit))
        var offset = 0
        while offset < packed.count {
            let byte = packed[offset]
            offset += 1
            if byte != mark {
                bytes.append(byte)
            } else if offset == packed.count {
                throw CodingFailure(.truncated, "BinHex: a run ends before its count", offset: offset)
            } else {
                let count = Int(packed[offset])
                offset += 1
                if count == 0 {
                    bytes.append(mark)
                } else if let last = bytes.last {
                    bytes.append(contentsOf: repeatElement(last, count: count - 1))
                } else {
                    throw CodingFailure(.corrupt, "BinHex: a run of no byte stands at the beginning", offset: 0)
                }
            }
            guard bytes.count <= limit else {
                throw CodingFailure(.tooLarge, "BinHex: the runs give more than \(limit) bytes", offset: offset)
            }
        }
        return bytes
    }
}
