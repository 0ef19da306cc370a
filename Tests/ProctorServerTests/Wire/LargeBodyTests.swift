import Foundation
import ProctorServer
import ProctorServing
import ProctorTestSupport
import ProctorTestWire
import Testing

/// Files that are sent; what becomes of changed ones stands in Tests/Data/conversations/replies/changed-files.md.
struct LargeBodyTests {
    @Test func `a sidecar file is sent byte for byte`() async throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 31 >> 3) }
        try Data(bytes).write(to: folder.url.appendingPathComponent("big.bin"))
        let yaml = always("{ status: 200, framing: { chunked: [ 1000000 ] }, body: [ { file: big.bin }, end ] }")
        let got = try await withRun(yaml, folder: folder.path) { run in
            try await exchange(.request("GET /"), with: run.base)
        }
        var wanted = Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)
        for start in [0, 1_000_000, 2_000_000] {
            wanted += Array("f4240\r\n".utf8) + bytes[start..<start + 1_000_000] + Array("\r\n".utf8)
        }
        wanted += Array("3\r\nend\r\n0\r\n\r\n".utf8)
        #expect(got == Wire.Received(wanted, .closed))
    }

    @Test func `a file that was named through a link is sent as long as the file behind it stays`() async throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        try Data("real".utf8).write(to: folder.url.appendingPathComponent("real.txt"))
        try Data("evil".utf8).write(to: folder.url.appendingPathComponent("evil.txt"))
        let link = folder.url.appendingPathComponent("link.txt")
        try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "real.txt")
        try await withRun(always("{ status: 200, body: { file: link.txt } }"), folder: folder.path) { run in
            #expect(try await exchange(.request("GET /"), with: run.base).text.hasSuffix("\r\n\r\nreal"))
            // Where the link leads now does not matter: the file that was looked at is the one that is sent.
            try FileManager.default.removeItem(at: link)
            try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "evil.txt")
            #expect(try await exchange(.request("GET /"), with: run.base).text.hasSuffix("\r\n\r\nreal"))
        }
    }
}
