import ProctorJournal
import ProctorServer
import ProctorTestSupport
import ProctorTestWire
import Testing

/// Bytes beyond every bound, before, in and behind a request; what is told of fewer stands in pages of Tests/Data.
@Suite(.limit(minutes: 5))
struct FloodTests {
    private static let closing = """
        summary: closes
        exchanges:
          - { request: "POST /close", reads: all, reply: { status: 200, headers: { Connection: close }, body: ok } }
        """

    @Test func `of a flood the beginning is kept, and all of it counted`() async throws {
        try await withRun(always("{ status: 200 }")) { run in
            let line = "GET / HTTP/1.1\r\nHost: a\r\nA: " + String(repeating: "x", count: 100_000)
            _ = try await exchange(line, with: run.base)
            await run.stop(grace: Patience.whole)
            let received = run.journal.received
            #expect(received.reduce(0) { $0 + $1.byteCount } == line.utf8.count)
            #expect(received.allSatisfy { $0.kept.count <= ReceivedBytes.keptByteLimit })
            #expect(received.first.map { Array(line.utf8).starts(with: $0.kept) && $0.kept.count > 32_000 } == true)
        }
    }

    @Test func `of a long stream the beginning is kept, and all of it counted`() async throws {
        try await withRun(always(Self.switching), configure: { $0.limits.keptBodyByteCount = 100_000 }) { run in
            _ = try await talk(to: run.base) { wire in
                try wire.send(.request("GET /", "Upgrade: x", "Connection: Upgrade"))
                _ = try wire.readHead()
                try wire.send([UInt8](repeating: 0x61, count: 1 << 20))
                wire.finish()
                return try wire.readToEnd()
            }
            await run.stop(grace: Patience.whole)
            let received = run.journal.received
            #expect(received.reduce(0) { $0 + $1.byteCount } == 1 << 20)
            #expect(received.reduce(0) { $0 + $1.kept.count } == 100_000)
            #expect(received.count <= 4)
        }
    }

    private static let switching =
        #"{ raw: "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n" }"#

    @Test func `a client that closes in order is not waited for, and one that stays is not for ever`() async throws {
        let times = try await withRun(Self.closing, configure: { $0.limits.lingerDuration = .seconds(5) }) { run in
            try await talk(to: run.base) { wire in
                try wire.send(.request("POST /close", "Content-Length: 0"))
                _ = try wire.readToEnd()
            }
            let start = ContinuousClock.now
            await run.stop(grace: Patience.whole)
            return ContinuousClock.now - start
        }
        #expect(times < .seconds(4))
    }

    @Test func `surplus without end is read as far as the bound, and told of by its length`() async throws {
        try await withRun(Self.closing, configure: { $0.limits.lingerByteCount = 1 << 20 }) { run in
            let base = run.base
            try await onThread {
                let wire = try Wire(to: base)
                defer { wire.close() }
                try wire.send(.request("POST /close", "Content-Length: 0"))
                _ = try wire.readToEnd()
                let piece = [UInt8](repeating: 0x78, count: 64 << 10)
                for _ in 0..<64 { guard (try? wire.send(piece)) != nil else { break } }
            }
            await run.stop(grace: Patience.whole)
            let lines = run.journal.lines.filter { $0.contains("violation") }
            #expect(lines.count == 1)
            #expect(lines.first?.contains("bytes-after-request") == true)
        }
    }
}
