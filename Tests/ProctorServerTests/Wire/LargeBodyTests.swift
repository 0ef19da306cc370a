import Foundation
import ProctorServer
import ProctorServing
import ProctorTestSupport
import ProctorTestWire
import Testing

/// Bodies that are not kept in memory.
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

    @Test func `a file that was cut since load ends the reply, and the journal says why`() async throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let file = folder.url.appendingPathComponent("cut.txt")
        try Data("0123456789".utf8).write(to: file)
        try await withRun(always("{ status: 200, body: { file: cut.txt } }"), folder: folder.path) { run in
            try Data("0123".utf8).write(to: file)
            let got = try await exchange(.request("GET /"), with: run.base)
            #expect(got == Wire.Received("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n", .closed))
            let lines = try await run.journal.lines(untilClosed: 1)
            #expect(
                lines.contains {
                    $0.hasPrefix("c0 r0 aborted 39: ")
                        && $0.contains("cut.txt has changed since it was loaded: it has 4 bytes now, and had 10")
                })
        }
    }

    /// What may stand where a sidecar file stood, and what the journal says of it.
    enum Change: String, Sendable, CaseIterable {
        case rewritten = "it was written anew"
        case replaced = "another file stands there now"
        case linked = "Too many levels of symbolic links"
        case gone = "No such file"

        func apply(to file: URL) throws {
            let path = file.path
            let manager = FileManager.default
            let other = file.deletingLastPathComponent().appendingPathComponent("other")
            switch self {
            case .rewritten:
                let descriptor = try FileHandle(forWritingTo: file)
                try descriptor.write(contentsOf: Data("9876543210".utf8))
                try descriptor.close()
                try manager.setAttributes([.modificationDate: Date(timeIntervalSince1970: 1_000)], ofItemAtPath: path)
            case .replaced:
                try Data("9876543210".utf8).write(to: other)
                try manager.removeItem(at: file)
                try manager.moveItem(at: other, to: file)
            case .linked:
                try Data("9876543210".utf8).write(to: other)
                try manager.removeItem(at: file)
                try manager.createSymbolicLink(at: file, withDestinationURL: other)
            case .gone: try manager.removeItem(at: file)
            }
        }
    }

    @Test(arguments: Change.allCases, [false, true])
    func `a file that is not the one that was loaded is never sent`(change: Change, isCoded: Bool) async throws {
        let folder = try TestFolder()
        defer { folder.remove() }
        let file = folder.url.appendingPathComponent("body.txt")
        try Data("0123456789".utf8).write(to: file)
        let coding = isCoded ? ", coding: gzip" : ""
        try await withRun(always("{ status: 200, body: { file: body.txt }\(coding) }"), folder: folder.path) { run in
            try change.apply(to: file)
            let got = try await exchange(.request("GET /"), with: run.base)
            #expect(!got.text.contains("9876543210") && got.ending == .closed)
            let lines = try await run.journal.lines(untilClosed: 1)
            #expect(lines.contains { $0.contains(" aborted ") && $0.contains(change.rawValue) }, "\(lines)")
        }
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

    @Test func `a generated body of many pieces has every byte in its place`() async throws {
        let count = 6_000_001
        let reply = "{ status: 200, body: { pattern: offset, bytes: \(count) } }"
        let got = try await withRun(always(reply)) { run in
            try await talk(to: run.base) { wire in
                try wire.send(.request("GET /"))
                wire.finish()
                let head = try wire.readHead()
                let body = try wire.drain { offset, byte in
                    byte == UInt8(truncatingIfNeeded: (UInt64(offset) &* 0x9E37_79B9_7F4A_7C15) >> 56)
                }
                return (head, body.byteCount, body.isRight, body.ending)
            }
        }
        #expect(got.0 == "HTTP/1.1 200 OK\r\nContent-Length: \(count)\r\n\r\n")
        #expect(got.1 == count && got.2 && got.3 == .closed)
    }

    @Test func `a body of a terabyte is begun at once, chunked or not`() async throws {
        for framing in ["length", "chunked"] {
            let reply = "{ status: 200, framing: \(framing), body: { repeat: x, bytes: 1099511627776 } }"
            let head = try await withRun(always(reply)) { run in
                try await talk(to: run.base) { wire in
                    try wire.send(.request("GET /"))
                    let head = try wire.readHead()
                    _ = try wire.read(1_000_000)
                    return head
                }
            }
            #expect(head.hasPrefix("HTTP/1.1 200 OK\r\n"))
        }
    }
}
