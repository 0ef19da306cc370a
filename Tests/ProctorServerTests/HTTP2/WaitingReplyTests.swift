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

    @Test(arguments: ["/short", "/trailers"]) func `a window of one byte takes a reply byte by byte`(
        path: String
    ) async throws {
        let (reply, lines) = try await talking(settings: [Setting(.initialWindowSize, 1)]) { frames in
            try frames.request("GET \(path)")
            return try frames.reply()
        }
        let text = path == "/short" ? "0123456789abcdef" : "0123456789"
        #expect(reply.text == text && reply.endsStream)
        #expect(reply.portions.filter { $0 > 0 } == Array(repeating: 1, count: text.count))
        #expect(reply.sections.last?.contains("x-end: yes") == (path == "/trailers"))
        #expect(lines.contains { $0.contains("r0 sent 200") })
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

    @Test func `a window that grows by SETTINGS lets a reply go on`() async throws {
        let (text, _) = try await talking(settings: [Setting(.initialWindowSize, 0)]) { frames in
            try frames.request("GET /short")
            _ = try frames.next(.headers)
            try frames.send(.settings([Setting(.initialWindowSize, 100)]))
            return try frames.content(until: "f")
        }
        #expect(text == "0123456789abcdef")
    }

    @Test func `a client that sends FIN has no more windows to give`() async throws {
        let (ending, lines) = try await talking(settings: [Setting(.initialWindowSize, 1)]) { frames in
            try frames.request("GET /short")
            _ = try frames.next(.data)
            frames.wire.finish()
            return try frames.wire.readToEnd().ending
        }
        #expect(ending == .closed)
        let isTold = lines.contains { $0.contains("r0 aborted") && $0.contains("the client closed the connection") }
        #expect(isTold, "\(lines)")
    }

    @Test func `a reply that nothing is taken of ends by its bound, and the connection goes on`() async throws {
        let (codes, lines) = try await talking(
            settings: [Setting(.initialWindowSize, 1)], configure: { $0.limits.progressDuration = .milliseconds(100) }
        ) { frames in
            _ = try frames.next(.settings)
            try frames.send(.settingsAck)
            try frames.request("GET /short", on: 1)
            let code = try frames.reply(on: 1, givesWindow: false).resetCode
            try frames.request("GET /short", on: 3)
            return [code, try frames.reply(on: 3).resetCode]
        }
        #expect(codes == [.cancel, nil])
        #expect(lines.contains { $0.contains("the client took nothing for too long") }, "\(lines)")
    }

    @Test func `a reset of a stream that waits is noted at once`() async throws {
        let (_, lines) = try await talking(settings: [Setting(.initialWindowSize, 1)]) { frames in
            try frames.request("GET /short", on: 1)
            _ = try frames.next(.data)
            try frames.send(.resetStream(1, .cancel))
            try frames.request("GET /short", on: 3)
            _ = try frames.reply(on: 3)
        }
        let aborted = try #require(
            lines.firstIndex { $0.contains("r0 aborted") && $0.contains("the stream was reset") })
        let next = try #require(lines.firstIndex { $0.contains("r1 head GET /short") })
        #expect(aborted < next)
    }

    // MARK: Bounds

    @Test func `streams beyond the bound of the server are refused, and no first one of a connection`() async throws {
        try await withRun(yaml, configure: { $0.limits.streamCount = 2 }) { run in
            let base = run.base
            let (codes, other) = try await onThread {
                let frames = try FrameWire(Wire(to: base), settings: [Setting(.initialWindowSize, 1)])
                for stream in [1, 3, 5] as [UInt32] { try frames.request("GET /short", on: stream) }
                let refused = try frames.reply(on: 5, givesWindow: false).resetCode
                let second = try FrameWire(Wire(to: base))
                try second.request("GET /short")
                let text = try second.reply().text
                return ([refused], text)
            }
            #expect(codes == [.refusedStream] && other == "0123456789abcdef")
            let refused = run.journal.snapshot().entries.compactMap { entry in
                if case .turnedAway(let refused) = entry.event { refused } else { nil }
            }
            #expect(refused == [TurnedAway(.streams, limit: 2, stream: 5)])
        }
    }

    @Test func `places of streams that have ended are free again`() async throws {
        let (result, _) = try await talking(
            settings: [Setting(.initialWindowSize, 1)], configure: { $0.limits.streamCount = 2 }
        ) { frames in
            var codes: [ErrorCode] = []
            var endedCount = 0
            for turn in 0..<3 {
                let first = UInt32(4 * turn + 1)
                for stream in [first, first + 2] {
                    try frames.request("GET /short", on: stream)
                    // Its reply has begun.
                    _ = try frames.next(.data)
                }
                for stream in [first, first + 2] { try frames.send(.windowUpdate(100, on: stream)) }
                var openCount = 2
                while openCount > 0, let frame = try frames.next() {
                    if case .resetStream(let code)? = frame.content { codes.append(code) }
                    if frame.frame.endsStream || frame.frame.type == .resetStream { openCount -= 1 }
                }
                endedCount += 2 - openCount
            }
            return (codes, endedCount)
        }
        #expect(result.0.isEmpty && result.1 == 6)
    }

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
