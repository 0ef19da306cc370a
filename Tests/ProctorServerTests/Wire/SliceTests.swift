import ProctorTestSupport
import ProctorTestWire
import Testing

@testable import ProctorReplies
@testable import ProctorServer

/// Slices of long content, and of a client that does not read; others stand in Tests/Data/conversations/replies/slices.md.
struct SliceTests {
    @Test(arguments: ["{ pattern: offset, bytes: 300000 }", "{ repeat: ab, bytes: 300000 }"])
    func `generated content is cut too, the same for the same seed`(body: String) async throws {
        let plain = always("{ status: 200, body: \(body) }")
        let whole = try await withRun(plain) { run in try await exchange(.request("GET /"), with: run.base) }
        let yaml = always("{ status: 200, body: \(body), slice: { random: 7, count: 9 } }")
        try await withRun(yaml) { run in
            let pieces = try await talk(to: run.base) { wire in
                try wire.send(.request("GET /", "Connection: close"))
                return try wire.readPieces()
            }
            #expect(Array(pieces.joined()) == whole.bytes)
            let lines = try await run.journal.lines(untilClosed: 1)
            #expect(lines.contains("c0 r0 slices 9 by queue"))
            // A long slice may come in several reads, but none reaches over a cut.
            var random = SplitMix64(seed: 7)
            let cuts = Set((0..<8).map { _ in random.next(in: 1..<whole.bytes.count) })
            let ends = Set(pieces.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) })
            #expect(cuts.count == 8 && cuts.isSubset(of: ends))
        }
    }

    @Test func `a peer that does not read keeps the next slice back`() async throws {
        let reply = "{ status: 200, body: abcdef, slice: [ 41 ], headers: { X: y } }"
        try await withRun(always(reply)) { run in
            let seen = try await talk(to: run.base) { wire in
                try wire.send(.request("GET /", "Connection: close"))
                // The first slice stands in the queue; what is peeked at is not read.
                let first = try wire.read(1)
                let isWaiting = run.journal.lines.allSatisfy { !$0.contains("sent 200") }
                let rest = try wire.readToEnd()
                return (first, isWaiting, rest)
            }
            #expect(seen.0 == Array("H".utf8) && seen.1)
            #expect(seen.2.text == "TTP/1.1 200 OK\r\nX: y\r\nContent-Length: 6\r\n\r\nabcdef")
        }
    }
}
