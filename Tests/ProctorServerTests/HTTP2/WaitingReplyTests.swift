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
          - request: GET /short
            reply: { status: 200, body: 0123456789abcdef }
          - request: GET /trailers
            reply: { status: 200, framing: chunked, body: "0123456789", trailers: { x-end: "yes" } }
          - request: GET /long
            reply: { status: 200, body: { pattern: offset, bytes: 200000 } }
          - request: GET /effect
            reply: { status: 200, body: { pattern: offset, bytes: 150000 }, effects: [{ at: body 100000, do: wait 1ms }] }
        """

    private func talking<Result: Sendable>(
        settings: [Setting] = [], configure: (inout ServerConfiguration) -> Void = { _ in },
        _ body: @escaping @Sendable (FrameWire) throws -> Result
    ) async throws -> (result: Result, lines: [String]) {
        try await withRun(yaml, configure: configure) { run in
            let result = try await talk(to: run.base) { try body(FrameWire($0, settings: settings)) }
            return (result, try await run.journal.lines(untilClosed: 1))
        }
    }

    @Test func `long replies side by side come whole, beside one that has an effect`() async throws {
        let windows = [Setting(.initialWindowSize, 2_000_000)]
        let (contents, _) = try await talking(settings: windows) { frames in
            try frames.send(.windowUpdate(8_000_000))
            for (stream, path) in [(1, "/long"), (3, "/long"), (5, "/effect")] as [(UInt32, String)] {
                try frames.request("GET \(path)", on: stream)
            }
            var contents: [UInt32: [UInt8]] = [:]
            var ends = 0
            while ends < 3, let frame = try frames.next() {
                if case .data(let range, _)? = frame.content {
                    contents[frame.frame.stream, default: []] += frame.frame.payload[range]
                }
                if frame.frame.endsStream { ends += 1 }
            }
            return contents
        }
        #expect(contents[1]?.count == 200_000 && contents[1] == contents[3])
        #expect(contents[5] == contents[1].map { Array($0.prefix(150_000)) })
    }

    // MARK: Bounds

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
            if case .replyAborted(_, "the server was stopped") = entry.event { true } else { false }
        }
        #expect(stopped == 1_000)
    }

    // MARK: Floods

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
