import ProctorCoding
import Testing

struct MacBinaryTests {
    static func file(flags: UInt16 = 0x2100, data: Int = 300, resource: Int = 129) throws -> ForkedFile {
        try ForkedFile(
            name: Array("Read Me".utf8), type: Array("TEXT".utf8), creator: Array("ttxt".utf8), flags: flags,
            created: 1_700_000_000, modified: -1_000_000_000, data: [UInt8](Sample.mixture.suffix(data)),
            resource: [UInt8](Sample.mixture.suffix(resource).reversed()))
    }

    @Test(arguments: MacBinary.Version.allCases, [(0, 0), (1, 0), (0, 1), (128, 128), (129, 127), (300, 5)])
    func `a file comes back from every version`(version: MacBinary.Version, sizes: (Int, Int)) throws {
        let archive = try MacBinary(Self.file(data: sizes.0, resource: sizes.1), version: version)
        let bytes = archive.bytes
        #expect(bytes.count.isMultiple(of: 128))
        #expect(try MacBinary(parsing: bytes) == archive)
    }

    @Test func `the header holds what the format says, at its place`() throws {
        let bytes = try MacBinary(Self.file(flags: 0x2134), version: .three).bytes
        #expect(Array(bytes[..<9]) == [0, 7] + Array("Read Me".utf8))
        #expect(bytes[65..<73].elementsEqual("TEXTttxt".utf8))
        #expect(bytes[73] == 0x21 && bytes[101] == 0x34)
        #expect(Array(bytes[83..<91]) == [0, 0, 1, 44, 0, 0, 0, 129])
        // 1700000000 seconds after 1970 are 3782844800 after 1904.
        #expect(Array(bytes[91..<95]) == [0xE1, 0x79, 0xA1, 0x80])
        #expect(bytes[102..<106].elementsEqual("mBIN".utf8))
        #expect(Array(bytes[122..<124]) == [130, 129])
    }

    /// The header of a file of 1994 as archives of the time hold it, with its CRC 0xFA10.
    private static let old: [UInt8] = {
        var header: [UInt8] = [0, 0x15] + Array("MacBinary II Standard".utf8)
        header += [UInt8](repeating: 0, count: 65 - header.count)
        header += Array("TEXTttxt".utf8) + [1] + [UInt8](repeating: 0, count: 9)
        header += [0, 0, 0x1C, 0xAF, 0, 0, 1, 0xDE, 0xEB, 0xC1, 0x24, 0xAE, 0xEB, 0xC1, 0x24, 0xAE]
        header += [UInt8](repeating: 0, count: 122 - header.count)
        return header + [0x81, 0x81, 0xFA, 0x10, 0, 0]
    }()

    @Test func `a header of 1994 is written and read alike`() throws {
        let forks =
            [UInt8](repeating: 1, count: 0x1CAF) + [UInt8](repeating: 0, count: 0x51)
            + [UInt8](repeating: 2, count: 0x1DE) + [UInt8](repeating: 0, count: 0x22)
        let archive = try MacBinary(parsing: Self.old + forks)
        #expect(archive.version == .two)
        #expect(archive.file.flags == 0x0100)
        #expect(archive.bytes == Self.old + forks)
    }

    @Test(arguments: MacBinary.Version.allCases)
    func `every shorter archive and every changed header is survived`(version: MacBinary.Version) throws {
        let archive = try MacBinary(Self.file(), version: version)
        let bytes = archive.bytes
        for count in 0..<bytes.count {
            // Only zeros behind the last fork may miss.
            guard count < 128 + 384 + 129 else { continue }
            let failure = #expect(throws: CodingFailure.self) { try MacBinary(parsing: Array(bytes.prefix(count))) }
            #expect(failure?.kind == .truncated)
        }
        for place in 0..<128 {
            var changed = bytes
            changed[place] ^= 0xFF
            // Behind the name, and where the window stood; the CRC of the later versions leaves out two bytes.
            let meansNothing = version == .one ? 9..<65 ~= place || 75..<82 ~= place : place >= 126
            #expect(((try? MacBinary(parsing: changed)) == archive) == meansNothing, "byte \(place)")
        }
    }

    @Test func `a wrong CRC, trailing bytes and a fork beyond the bound are told apart`() throws {
        let bytes = try MacBinary(Self.file()).bytes
        var changed = bytes
        changed[124] ^= 1
        #expect(throws: CodingFailure(.checksum, "MacBinary: the CRC of the header is wrong", offset: 124)) {
            try MacBinary(parsing: changed)
        }
        #expect(throws: CodingFailure(.trailing, "MacBinary: 1 bytes stand behind the archive", offset: bytes.count)) {
            try MacBinary(parsing: bytes + [0])
        }
        var large = try MacBinary(Self.file(flags: 0), version: .one).bytes
        large[83] = 0xFF
        #expect(throws: CodingFailure.self) { try MacBinary(parsing: large) }
    }

    @Test(arguments: [(300, 129), (5, 0)])
    func `the last block is filled with zeros`(data: Int, resource: Int) throws {
        let bytes = try MacBinary(Self.file(data: data, resource: resource)).bytes
        let end = bytes.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0
        var changed = bytes
        changed[bytes.count - 1] = 1
        let failure = #expect(throws: CodingFailure.self) { try MacBinary(parsing: changed) }
        #expect(failure?.kind == .trailing)
        #expect(failure?.offset == bytes.count - 1)
        #expect(try MacBinary(parsing: Array(bytes.prefix(max(end, 128)))) == MacBinary(parsing: bytes))
    }

    @Test func `values that no archive has room for are refused`() throws {
        for count in [0, 64] {
            let name = [UInt8](repeating: 0x61, count: count)
            #expect(throws: CodingFailure.self) { try ForkedFile(name: name) }
        }
        #expect(throws: CodingFailure.self) { try ForkedFile(name: [0x61], type: [1, 2, 3]) }
        #expect(throws: CodingFailure.self) { try ForkedFile(name: [0x61], created: -2_082_844_800) }
        #expect(throws: CodingFailure.self) { try ForkedFile(name: [0x61], modified: 2_212_122_496) }
        let flagged = try Self.file(flags: 1)
        #expect(throws: CodingFailure.self) { try MacBinary(flagged, version: .one) }
    }
}
