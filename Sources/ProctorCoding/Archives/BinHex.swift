/// A Macintosh file as text of 7 bits, BinHex 4.0 (RFC 1741 appendix A); it keeps no times.
public struct BinHex: Sendable, Equatable {
    /// What is packed.
    public let file: ForkedFile

    /// Any file has a place.
    public init(_ file: ForkedFile) {
        self.file = file
    }

    /// The text, with lines that end in LF; the same file gives the same bytes.
    public var bytes: [UInt8] {
        var parts: [UInt8] = []
        parts.reserveCapacity(file.data.count + file.resource.count + 96)
        parts.append(UInt8(clamping: file.name.count))
        // The version is 0.
        parts += file.name + [0] + file.type + file.creator
        parts.appendBigEndian(file.flags)
        parts.appendBigEndian(UInt32(clamping: file.data.count))
        parts.appendBigEndian(UInt32(clamping: file.resource.count))
        parts.appendBigEndian(CRC16.of(parts))
        for fork in [file.data, file.resource] {
            parts += fork
            parts.appendBigEndian(CRC16.of(fork))
        }
        return BinHexText.write(BinHexRuns.pack(parts))
    }

    /// Reads the first file of a text; a fork beyond ``ForkedFile/forkBound`` is refused.
    ///
    /// A failure's offset counts characters in the outer layer, and behind it the bytes that they stand for.
    public init(parsing text: [UInt8]) throws(CodingFailure) {
        let limit = 2 * ForkedFile.forkBound + 128
        var cursor = ByteCursor(
            try BinHexRuns.unpack(try BinHexText.read(text), limit: limit), format: "BinHex")
        let nameLength = try cursor.number(1, "the length of the name")
        guard 1...63 ~= nameLength else {
            throw CodingFailure(.corrupt, "BinHex: a name has 1 to 63 bytes, not \(nameLength)")
        }
        let name = try cursor.take(nameLength, "the name")
        guard !name.contains(0) else { throw CodingFailure(.corrupt, "BinHex: a name has no NUL", offset: 1) }
        _ = try cursor.take(1, "the version")
        let type = try cursor.take(4, "the type")
        let creator = try cursor.take(4, "the creator")
        let flags = try cursor.number(2, "the flags")
        let dataLength = try cursor.number(4, "the length of the data fork")
        let resourceLength = try cursor.number(4, "the length of the resource fork")
        try Self.checkCRC(of: "the header", since: 0, &cursor)
        let data = try Self.fork(dataLength, "the data fork", &cursor)
        let resource = try Self.fork(resourceLength, "the resource fork", &cursor)
        // The last characters of a careless writer may hold bytes that fill up a group of three.
        guard cursor.left < 3 else {
            throw CodingFailure(
                .trailing, "BinHex: \(cursor.left) bytes stand behind the resource fork", offset: cursor.offset)
        }
        file = try ForkedFile(
            name: name, type: type, creator: creator, flags: UInt16(truncatingIfNeeded: flags), data: data,
            resource: resource)
    }

    private static func fork(
        _ length: Int, _ part: String, _ cursor: inout ByteCursor
    ) throws(CodingFailure) -> [UInt8] {
        guard length <= ForkedFile.forkBound else {
            throw CodingFailure(
                .tooLarge, "BinHex: \(part) has \(length) bytes; \(ForkedFile.forkBound) is the bound",
                offset: cursor.offset)
        }
        let start = cursor.offset
        let fork = try cursor.take(length, part)
        try checkCRC(of: part, since: start, &cursor)
        return fork
    }

    private static func checkCRC(
        of part: String, since start: Int, _ cursor: inout ByteCursor
    ) throws(CodingFailure) {
        let crc = CRC16.of(cursor.taken(since: start))
        let offset = cursor.offset
        let told = try cursor.number(2, "the CRC of \(part)")
        guard told == Int(crc) else {
            throw CodingFailure(.checksum, "BinHex: the CRC of \(part) is wrong", offset: offset)
        }
    }
}
