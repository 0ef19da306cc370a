package import ProctorCoding

/// A Macintosh file in one piece: 128 bytes of header, then both forks, each padded to a multiple of 128 bytes.
package struct MacBinary: Sendable, Equatable {
    package enum Version: Int, Sendable, CaseIterable {
        /// Without a CRC, and without the low byte of the Finder's flags.
        case one = 1
        /// With a CRC-16 of the header.
        case two = 2
        /// With the CRC and the signature `mBIN`.
        case three = 3
    }

    package let file: ForkedFile
    package let version: Version

    static let block = 128
    static let signature = Array("mBIN".utf8)

    /// Refuses flags that the first version cannot hold.
    package init(_ file: ForkedFile, version: Version = .two) throws(CodingFailure) {
        guard version != .one || file.flags & 0xFF == 0 else {
            throw CodingFailure(
                .usage, "MacBinary 1 has no place for the low byte of the flags; take version 2, or flags like 0x0100")
        }
        (self.file, self.version) = (file, version)
    }

    /// The archive; the same file always gives the same bytes.
    package var bytes: [UInt8] {
        var bytes = header
        bytes.reserveCapacity(bytes.count + file.data.count + file.resource.count + 2 * Self.block)
        for fork in [file.data, file.resource] {
            bytes += fork
            bytes += [UInt8](repeating: 0, count: Self.padding(fork.count))
        }
        return bytes
    }

    static func padding(_ count: Int) -> Int { (block - count % block) % block }

    private var header: [UInt8] {
        var header: [UInt8] = [0, UInt8(clamping: file.name.count)]
        header += file.name
        header += [UInt8](repeating: 0, count: max(0, 65 - header.count))
        header += file.type + file.creator
        header.append(UInt8(file.flags >> 8))
        // A zero, the position in the window, the folder, not protected, a zero.
        header += [UInt8](repeating: 0, count: 9)
        header.appendBigEndian(UInt32(clamping: file.data.count))
        header.appendBigEndian(UInt32(clamping: file.resource.count))
        header.appendBigEndian(file.created.flatMap(MacTime.seconds) ?? 0)
        header.appendBigEndian(file.modified.flatMap(MacTime.seconds) ?? 0)
        // The length of the comment, 0.
        header += [0, 0]
        header.append(UInt8(file.flags & 0xFF))
        header += version == .three ? Self.signature : [0, 0, 0, 0]
        header += [UInt8](repeating: 0, count: 122 - header.count)
        guard version != .one else { return header + [UInt8](repeating: 0, count: Self.block - header.count) }
        // The version of the writer, and the lowest version that can read the archive, the second.
        header += [version == .three ? 130 : 129, 129]
        header.appendBigEndian(CRC16.checksum(of: header))
        return header + [0, 0]
    }
}

extension MacBinary {
    /// Reads an archive of any version, which its CRC and signature show; a fork beyond the bound is refused.
    ///
    /// Some writers omit the zeros after the last fork, so they may be missing.
    package init(parsing bytes: [UInt8]) throws(CodingFailure) {
        var cursor = ByteCursor(bytes, format: "MacBinary")
        let header = try cursor.read(Self.block, "the header")
        let version = try Self.version(of: header)
        let lengths = try Self.lengths(in: header)
        try Self.skip(Self.number(header[120..<122]), in: &cursor, "the second header")
        let data = try cursor.read(lengths.data, "the data fork")
        if lengths.resource > 0 { _ = try cursor.read(Self.padding(lengths.data), "the end of the data fork") }
        if lengths.resource == 0 { Self.skipZeros(Self.padding(lengths.data), in: &cursor) }
        let resource = try cursor.read(lengths.resource, "the resource fork")
        Self.skipZeros(Self.padding(lengths.resource), in: &cursor)
        let comment = version == .one ? 0 : Self.number(header[99..<101])
        _ = try cursor.read(comment, "the comment")
        Self.skipZeros(Self.padding(comment), in: &cursor)
        guard cursor.left == 0 else {
            throw CodingFailure(
                .trailing, "MacBinary: \(cursor.left) bytes stand behind the archive", offset: cursor.offset)
        }
        let low = version == .one ? 0 : UInt16(header[101])
        let file = try ForkedFile(
            name: Array(header[2..<2 + Int(header[1])]), type: Array(header[65..<69]),
            creator: Array(header[69..<73]), flags: UInt16(header[73]) << 8 | low,
            created: MacTime.unix(ofSeconds: Self.number(header[91..<95])),
            modified: MacTime.unix(ofSeconds: Self.number(header[95..<99])), data: data, resource: resource)
        try self.init(file, version: version)
    }

    /// The header is complete; bytes that are zero in all versions distinguish it from other files.
    private static func version(of header: [UInt8]) throws(CodingFailure) -> Version {
        for place in [0, 74] where header[place] != 0 {
            throw CodingFailure(.corrupt, "MacBinary has a zero at byte \(place); this has not", offset: place)
        }
        guard 1...63 ~= header[1], !header[2..<2 + Int(header[1])].contains(0) else {
            throw CodingFailure(.corrupt, "MacBinary: a name has 1 to 63 bytes and no NUL", offset: 1)
        }
        if CRC16.checksum(of: header[..<124]) == UInt16(truncatingIfNeeded: number(header[124..<126])) {
            guard header[123] <= 129 else {
                throw CodingFailure(
                    .unsupported, "MacBinary: a reader of version \(header[123]) is wanted, this is one of 129",
                    offset: 123)
            }
            return header[102..<106].elementsEqual(signature) ? .three : .two
        }
        guard header[82] == 0, header[99...].allSatisfy({ $0 == 0 }) else {
            throw CodingFailure(.checksum, "MacBinary: the CRC of the header is wrong", offset: 124)
        }
        return .one
    }

    private static func lengths(in header: [UInt8]) throws(CodingFailure) -> (data: Int, resource: Int) {
        let lengths = (data: number(header[83..<87]), resource: number(header[87..<91]))
        for (part, length) in [("data", lengths.data), ("resource", lengths.resource)] {
            guard length <= ForkedFile.forkBound else {
                throw CodingFailure(
                    .tooLarge, "MacBinary: the \(part) fork has \(length) bytes; \(ForkedFile.forkBound) is the bound",
                    offset: 83)
            }
        }
        return lengths
    }

    private static func skip(_ count: Int, in cursor: inout ByteCursor, _ part: String) throws(CodingFailure) {
        _ = try cursor.read(count + padding(count), part)
    }

    /// Skips at most `count` zeros, and stops at another byte.
    private static func skipZeros(_ count: Int, in cursor: inout ByteCursor) {
        var left = count
        while left > 0, cursor.takeZero() { left -= 1 }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.reduce(0) { $0 << 8 | Int($1) }
    }
}
