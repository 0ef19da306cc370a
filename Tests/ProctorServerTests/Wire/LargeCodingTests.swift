import Foundation
import ProctorServer
import ProctorServing
import ProctorTestSupport
import ProctorTestWire
import Testing

/// Content that is coded outside memory, while others are answered.
struct LargeCodingTests {
    private static func yaml(_ byteCount: Int, _ options: String) -> String {
        """
        summary: large coded content
        exchanges:
          - request: GET /large
            reply: { status: 200, body: { pattern: offset, bytes: \(byteCount) }, \(options) }
          - request: GET /first
            reply: { status: 200, body: { pattern: offset, bytes: \(4 << 20) }, \(options) }
          - request: GET /one/*
            reply: { status: 200, body: small }
        """
    }

    private static let ok = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nsmall"

    @Test func `a body of 64 MiB is coded in bounded memory, and gzip agrees`() async throws {
        let count = 64 << 20
        let got = try await ServedChild.serve(Self.yaml(count, "coding: gzip")) { child in
            // What a process keeps from then on whatever the length: code that is read, tables of the runtime.
            _ = try Self.gunzip("/one/first", of: child.base)
            let before = child.anonymousByteCount
            // The second one is sent from the same file.
            let replies = try (0..<2).map { _ in try Self.gunzip("/one/large", of: child.base) }
            return (replies, Sanitizer.isOn ? 0 : child.anonymousByteCount - before)
        }
        let tail = (count - 1000..<count).map { UInt8(truncatingIfNeeded: (UInt64($0) &* 0x9E37_79B9_7F4A_7C15) >> 56) }
        for reply in got.0 {
            #expect(reply.head.hasPrefix("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nContent-Length: "))
            #expect(reply.byteCount == "\(count)")
            #expect(reply.tail == tail)
        }
        #expect(got.1 < 8 << 20, "the server has grown by \(got.1) bytes")
    }

    /// What the outside judge makes of the content: its length and its last 1000 bytes.
    private static func gunzip(
        _ target: String, of base: String
    ) throws -> (head: String, byteCount: String, tail: [UInt8]) {
        let wire = try Wire(to: base)
        defer { wire.close() }
        try wire.send(.request("GET \(target)", "Connection: close"))
        let head = try wire.readHead()
        let file = "/tmp/proctor-\(UUID().uuidString).gz"
        defer { try? FileManager.default.removeItem(atPath: file) }
        try Data(try wire.readToEnd().bytes).write(to: URL(fileURLWithPath: file))
        let count = try ChildProcess.runNow(["/bin/sh", "-c", "gzip -dc \(file) | wc -c"])
        let tail = try ChildProcess.runNow(["/bin/sh", "-c", "gzip -dc \(file) | tail -c 1000"])
        return (head, count.out.trimmingCharacters(in: .whitespacesAndNewlines), tail.output)
    }

    @Test func `long coding does not delay other clients, and ends with the server`() async throws {
        // Brotli takes most of a minute for this.
        let yaml = Self.yaml(30 << 20, "coding: { br: { level: 11 } }")
        let (seen, took) = try await withRun(yaml) { run in
            let large = try await onThread {
                let wire = try Wire(to: run.base)
                try wire.send(.request("GET /large"))
                return wire
            }
            let small = try await exchange(.request("GET /one/1"), with: run.base)
            #expect(small == Wire.Received(Self.ok, .closed))
            let start = ContinuousClock.now
            await run.stop()
            let end = try await onThread {
                defer { large.close() }
                return try large.readToEnd()
            }
            return (end, ContinuousClock.now - start)
        }
        #expect(seen.bytes.isEmpty && seen.ending != .silent)
        #expect(took < Patience.whole)
    }

    @Test func `a client that leaves while its content is coded does not affect other clients`() async throws {
        let count = 8 << 20
        try await withRun(Self.yaml(count, "coding: deflate, framing: close")) { run in
            try await talk(to: run.base) { wire in
                try wire.send(.request("GET /large"))
                wire.reset()
            }
            let got = try await exchange(.request("GET /large"), with: run.base)
            #expect(
                got.text.hasPrefix("HTTP/1.1 200 OK\r\nContent-Encoding: deflate\r\n\r\n") && got.bytes.count > 10_000)
            #expect(got.ending == .closed)
            let lines = try await run.journal.lines(untilClosed: 2)
            #expect(lines.contains { $0.hasPrefix("c1 r1 sent 200 ") || $0.hasPrefix("c1 r0 sent 200 ") })
            #expect(lines.contains { $0.hasPrefix("c0 closed by client") })
        }
    }

    @Test func `a client that leaves ends coding that would take for ever, and another waits for its own`() async throws
    {
        let yaml = Self.yaml(1 << 40, "coding: gzip, framing: close")
        try await withRun(yaml) { run in
            for rudely in [true, false] {
                try await talk(to: run.base) { wire in
                    try wire.send(.request("GET /large"))
                    #expect(wire.isSilent(milliseconds: 100))
                    if rudely { wire.reset() } else { wire.close() }
                }
            }
            let lines = try await run.journal.lines(untilClosed: 2)
            #expect(lines.count { $0.contains("aborted") && $0.contains("the client") } == 2)
        }
    }

    @Test func `where no temporary file can be made the reply fails, and the journal says why`() async throws {
        let got = try await onThread {
            let folder = "/tmp/proctor-\(UUID().uuidString.prefix(8))"
            try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
            defer { try? FileManager.default.removeItem(atPath: folder) }
            try Data(Self.yaml(4 << 20, "coding: { gzip: { level: 0 } }").utf8).write(
                to: URL(fileURLWithPath: "\(folder)/one.yaml"))
            let journal = "\(folder)/journal.jsonl"
            let process = try ChildProcess(
                [BuiltProduct.proctor, "serve", folder, "--port", "0", "--journal", journal],
                environment: ["TMPDIR": "/nonexistent"])
            let base = try JSONDecoder().decode(Ready.self, from: Data(try process.readLine())).base
            let large = try exchangeNow(.request("GET /one/large"), with: base)
            let small = try exchangeNow(.request("GET /one/one/1"), with: base)
            process.send(signal: SIGTERM)
            _ = try process.waitUntilExit()
            return (large, small, try String(contentsOfFile: journal, encoding: .utf8))
        }
        #expect(got.0 == Wire.Received([], .closed))
        #expect(got.1 == Wire.Received(Self.ok, .closed))
        #expect(got.2.contains("the content can't be coded: a new file in /nonexistent: No such file or directory"))
    }

    private struct Ready: Decodable {
        let base: String
    }
}
