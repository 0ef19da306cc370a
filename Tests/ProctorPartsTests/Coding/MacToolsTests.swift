import Foundation
import ProctorCoding
import ProctorForkedFiles
import ProctorTestSupport
import Testing

/// Our archives before the tools that Macintosh users had on Unix.
@Suite(.enabled(if: MacTools.areAvailable, "macutils is only installed on Linux"), .limit(minutes: 5))
struct MacToolsTests {
    private static func file(flags: UInt16 = 0x2100, data: Int = 300, resource: Int = 129) throws -> ForkedFile {
        try ForkedFile(
            name: Array("Read Me".utf8), type: Array("TEXT".utf8), creator: Array("ttxt".utf8), flags: flags,
            created: 1_700_000_000, modified: -1_000_000_000, data: [UInt8](Sample.mixture.suffix(data)),
            resource: [UInt8](Sample.mixture.suffix(resource).reversed()))
    }

    @Test(arguments: [(0, 0), (1, 0), (0, 1), (300, 129), (70_000, 500)])
    func `hexbin reads our BinHex, and gives a MacBinary that we read`(sizes: (Int, Int)) async throws {
        let file = try Self.file(data: sizes.0, resource: sizes.1)
        let outcome = try await ChildProcess.run([MacTools.hexbin, "-s"], input: BinHex(file).bytes)
        #expect(outcome.status == 0, "\(outcome.err)")
        let other = try MacBinary(parsing: outcome.output).file
        #expect(other.name == file.name && other.type == file.type && other.creator == file.creator)
        #expect(other.data == file.data && other.resource == file.resource)
    }

    @Test func `hexbin refuses a wrong CRC`() async throws {
        var bytes = BinHex(try Self.file()).bytes
        let place = bytes.count - 6
        bytes[place] = bytes[place] == UInt8(ascii: "!") ? UInt8(ascii: "\"") : UInt8(ascii: "!")
        #expect(throws: CodingFailure.self) { try BinHex(parsing: bytes) }
        let outcome = try await ChildProcess.run([MacTools.hexbin, "-s"], input: bytes)
        #expect(outcome.status != 0 || outcome.err.contains("CRC"))
    }

    @Test(arguments: MacBinary.Version.allCases)
    func `binhex and hexbin carry our MacBinary through`(version: MacBinary.Version) async throws {
        let file = try Self.file()
        let folder = try TestFolder()
        defer { folder.remove() }
        let path = "\(folder.path)/archive.bin"
        try Data(MacBinary(file, version: version).bytes).write(to: URL(fileURLWithPath: path))
        let outcome = try await ChildProcess.run([MacTools.binhex, path], in: folder.path)
        #expect(outcome.status == 0, "\(outcome.err)")
        let other = try BinHex(parsing: outcome.output).file
        #expect(other.name == file.name && other.type == file.type && other.creator == file.creator)
        #expect(other.data == file.data && other.resource == file.resource)
    }

    @Test(arguments: MacBinary.Version.allCases)
    func `macunpack hands our MacBinary on, byte for byte`(version: MacBinary.Version) async throws {
        // It takes the flag 0x0100 away, and leaves the CRC as it was.
        let bytes = try MacBinary(Self.file(flags: 0x2000), version: version).bytes
        let outcome = try await ChildProcess.run([MacTools.macunpack, "-s"], input: bytes)
        #expect(outcome.status == 0, "\(outcome.err)")
        #expect(outcome.output == bytes)
        let broken = try await ChildProcess.run([MacTools.macunpack, "-s"], input: [1] + bytes.dropFirst())
        #expect(broken.status != 0)
    }
}

enum MacTools {
    static let hexbin = "/usr/bin/hexbin"
    static let binhex = "/usr/bin/binhex"
    static let macunpack = "/usr/bin/macunpack"

    /// `Scripts/install-packages.sh test` installs them wherever there are Debian's packages.
    static var areAvailable: Bool {
        #if canImport(Darwin)
            false
        #else
            true
        #endif
    }
}
