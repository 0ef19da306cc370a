extension MacBinary {
    /// Reads an archive of any version, told by its CRC and signature; a fork beyond the bound is refused.
    ///
    /// Some writers leave the zeros behind the last fork off, so they may miss.
    public init(parsing bytes: [UInt8]) throws(CodingFailure) {
        var cursor = ByteCursor(bytes, format: "MacBinary")
        let header = try cursor.take(Self.block, "the header")
        let version = try Self.version(of: header)
        let lengths = try Self.lengths(in: header)
        try Self.skip(Self.number(header[120..<122]), in: &cursor, "the second header")
        let data = try cursor.take(lengths.data, "the data fork")
        if lengths.resource > 0 { _ = try cursor.take(Self.padding(lengths.data), "the end of the data fork") }
        if lengths.resource == 0 { Self.skipZeros(Self.padding(lengths.data), in: &cursor) }
        let resource = try cursor.take(lengths.resource, "the resource fork")
        Self.skipZeros(Self.padding(lengths.resource), in: &cursor)
        let comment = version == .one ? 0 : Self.number(header[99..<101])
        _ = try cursor.take(comment, "the comment")
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

    /// The header is whole; the bytes that must be zero in all versions are what tells it from other files.
    private static func version(of header: [UInt8]) throws(CodingFailure) -> Version {
        for place in [0, 74] where header[place] != 0 {
            throw CodingFailure(.corrupt, "MacBinary has a zero at byte \(place); this has not", offset: place)
        }
        guard 1...63 ~= header[1], !header[2..<2 + Int(header[1])].contains(0) else {
            throw CodingFailure(.corrupt, "MacBinary: a name has 1 to 63 bytes and no NUL", offset: 1)
        }
        if CRC16.of(header[..<124]) == UInt16(truncatingIfNeeded: number(header[124..<126])) {
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
        _ = try cursor.take(count + padding(count), part)
    }

    /// As many of them as are there; another byte stays.
    private static func skipZeros(_ count: Int, in cursor: inout ByteCursor) {
        var left = count
        while left > 0, cursor.takeZero() { left -= 1 }
    }

    private static func number(_ bytes: ArraySlice<UInt8>) -> Int {
        bytes.reduce(0) { $0 << 8 | Int($1) }
    }
}
