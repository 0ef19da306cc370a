import Foundation
import ProctorCoding
import ProctorTestSupport
import Testing

struct TarArchiveTests {
    /// A header as POSIX describes it, with its sum.
    static func header(_ path: String, byteCount: Int, mode: String = "0000644", kind: Character = "0") -> [UInt8] {
        var header = [UInt8](repeating: 0, count: 512)
        func write(_ text: String, at place: Int) {
            for (index, byte) in text.utf8.enumerated() { header[place + index] = byte }
        }
        let octal = String(byteCount, radix: 8)
        write(path, at: 0)
        write(mode, at: 100)
        write(String(repeating: "0", count: 11 - octal.count) + octal, at: 124)
        write(String(kind), at: 156)
        write("ustar", at: 257)
        write("00", at: 263)
        write(String(repeating: " ", count: 8), at: 148)
        let sum = String(header.reduce(0) { $0 + Int($1) }, radix: 8)
        write(String(repeating: "0", count: 6 - sum.count) + sum + "\0 ", at: 148)
        return header
    }

    static func entry(_ path: String, _ content: String, mode: String = "0000644") -> [UInt8] {
        let bytes = Array(content.utf8)
        return header(path, byteCount: bytes.count, mode: mode) + bytes
            + [UInt8](repeating: 0, count: (512 - bytes.count % 512) % 512)
    }

    static let end = [UInt8](repeating: 0, count: 1_024)

    @Test func `files stand where the archive says, with their mode`() throws {
        let bytes =
            Self.header("a/", byteCount: 0, mode: "0000755", kind: "5") + Self.entry("a/one.yaml", "first")
            + Self.entry("run", "", mode: "0000755") + Self.entry("long", String(repeating: "x", count: 512)) + Self.end
        let files = try TarArchive(parsing: bytes).files
        #expect(files.map(\.path) == ["a/one.yaml", "run", "long"])
        #expect(files.map(\.isExecutable) == [false, true, false])
        #expect(String(decoding: bytes[files[0].range], as: UTF8.self) == "first")
        #expect(files[1].range.isEmpty && files[2].range.count == 512)
    }

    @Test func `an archive that is cut anywhere is refused`() throws {
        let bytes = Self.entry("one", "first") + Self.end
        for count in 0..<bytes.count {
            #expect(throws: CodingFailure.self, "\(count)") { try TarArchive(parsing: Array(bytes[..<count])) }
        }
        #expect(try TarArchive(parsing: bytes).files.count == 1)
        // Writers fill up to a record.
        #expect(try TarArchive(parsing: bytes + Self.end).files.count == 1)
        let failure = try #require(throws: CodingFailure.self) { try TarArchive(parsing: bytes + Self.end + [1]) }
        #expect(failure.kind == .trailing && failure.offset == bytes.count + 1_024)
    }

    @Test(arguments: ["/etc/passwd", "../up", "a/../../b", "a//b", ".", "", "a/./b"])
    func `a path that leaves the folder is refused`(path: String) throws {
        let failure = try #require(throws: CodingFailure.self) {
            try TarArchive(parsing: Self.entry(path, "x") + Self.end)
        }
        #expect(failure.kind == .corrupt && failure.sentence.contains("path below"))
    }

    @Test func `links, repeated paths and other forms are refused with their place`() throws {
        func kind(_ bytes: [UInt8]) throws -> CodingFailure.Kind {
            try #require(throws: CodingFailure.self) { try TarArchive(parsing: bytes) }.kind
        }
        #expect(try kind(Self.header("l", byteCount: 0, kind: "2") + Self.end) == .unsupported)
        #expect(try kind(Self.entry("a", "x") + Self.entry("a", "y") + Self.end) == .corrupt)
        var bytes = Self.entry("a", "x") + Self.end
        bytes[0] ^= 1
        #expect(try kind(bytes) == .checksum)
        bytes[257] = UInt8(ascii: "U")
        #expect(try kind(bytes) == .corrupt)
    }

    @Test func `a number that is none is refused`() throws {
        var header = Self.header("a", byteCount: 0)
        // The sum stays: a nine for an eight's place.
        header[124] = UInt8(ascii: "9")
        header[125] = UInt8(ascii: "0") - 9
        #expect(throws: CodingFailure.self) { try TarArchive(parsing: header + Self.end) }
    }

    @Test func `what the system's tar writes is read`() async throws {
        let deep = String(repeating: "folder/", count: 18)
        let folder = try TestFolder(["in/\(deep)one": "1", "in/two": String(repeating: "2", count: 5_000)])
        let outcome = try await ChildProcess.run(
            ["/usr/bin/env", "tar", "--format", "ustar", "-cf", "-", "folder", "two"], in: "\(folder.path)/in")
        #expect(outcome.status == 0, "\(outcome.err)")
        let files = try TarArchive(parsing: outcome.output).files
        #expect(Set(files.map(\.path)) == ["\(deep)one", "two"])
        let second = try #require(files.first { $0.path == "two" })
        #expect(outcome.output[second.range].allSatisfy { $0 == UInt8(ascii: "2") } && second.range.count == 5_000)
    }
}
