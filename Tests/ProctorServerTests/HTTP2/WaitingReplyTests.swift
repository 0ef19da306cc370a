import ProctorHTTP
import ProctorHTTP2
import ProctorJournal
import ProctorServer
import ProctorServing
import ProctorTestSupport
import ProctorTestWire
import Testing

/// Replies that wait for the client's windows without tasks.
struct WaitingReplyTests {
    private let yaml = """
        summary: long replies
        origins: { main: { protocols: [h2] } }
        exchanges:
          - request: GET /long
            reply: { status: 200, body: { pattern: offset, bytes: 200000 } }
        """

    @Test func `a run with many streams that wait stops at once`() async throws {
        let lines = try await withRun(yaml) { run in
            let base = run.base
            let clients = try await onThread {
                try (0..<20).map { _ in
                    let frames = try FrameWire(Wire(to: base), settings: [Setting(.initialWindowSize, 1)])
                    for number in 0..<50 { try frames.request("GET /long", on: UInt32(2 * number + 1)) }
                    for _ in 0..<50 { _ = try frames.next(.data) }
                    return frames
                }
            }
            await run.stop(grace: .zero)
            let endings = try await onThread { try clients.map { try $0.wire.readToEnd().ending } }
            #expect(endings.count == 20)
            return run.journal.snapshot().entries
        }
        let stopped = lines.count { entry in
            if case .replyAborted(_, "the server was stopped", _) = entry.event { true } else { false }
        }
        #expect(stopped == 1_000)
    }

    @Test func `a flood is told by counts, and every frame counts`() async throws {
        let count = 150
        let (_, entries) = try await withRun(yaml) { run in
            let acknowledged = try await talk(to: run.base) { wire in
                let frames = try FrameWire(wire)
                var bytes: [UInt8] = []
                for number in 0..<count {
                    FrameWriter.append(.ping(Array(repeating: UInt8(number), count: 8)), to: &bytes)
                }
                try wire.send(bytes)
                var acknowledged = 0
                while acknowledged < count, try frames.next(.ping) != nil { acknowledged += 1 }
                return acknowledged
            }
            _ = try await run.journal.lines(untilClosed: 1)
            return (acknowledged, run.journal.snapshot().entries)
        }
        let pings = entries.compactMap { entry -> FrameNote? in
            if case .frame(let note) = entry.event, note.type == "PING" { note } else { nil }
        }
        for party in JournalEvent.Party.allCases {
            let own = pings.filter { $0.party == party }
            #expect(own.reduce(0) { $0 + $1.count } == count)
            #expect(own.prefix(16).allSatisfy { $0.count == 1 })
        }
        #expect(pings.count < 2 * count)
    }
}
