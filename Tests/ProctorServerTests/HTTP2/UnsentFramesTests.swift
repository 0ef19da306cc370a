import ProctorHTTP
import ProctorHTTP2
import ProctorJournal
import ProctorServer
import ProctorServing
import ProctorTestSupport
import ProctorTestWire
import Testing

/// What the journal says of frames of HTTP/2 that the system has not taken when the connection ends.
struct UnsentFramesTests {
    /// More than the system keeps for a client that does not read.
    private let yaml = """
        summary: a reply that nobody reads
        origins: { main: { protocols: [h2] } }
        exchanges:
          - request: GET /long
            reply: { status: 200, body: { pattern: offset, bytes: 16000000 } }
        """

    @Test func `frames and bytes that were not sent are not written as sent`() async throws {
        let (bytes, entries) = try await withRun(yaml) { run in
            let most = UInt32(Int32.max)
            let frames = try await onThread {
                let frames = try FrameWire(Wire(to: run.base), settings: [Setting(.initialWindowSize, most)])
                try frames.send(.windowUpdate(most - 65_535))
                try frames.request("GET /long")
                // Its acknowledgement stands behind what waits of the reply.
                try frames.send(.ping(Array(repeating: 1, count: 8)))
                return frames
            }
            _ = try await run.journal.lines { _ in
                run.journal.snapshot().entries.contains { Self.frame($0)?.type == "PING" }
            }
            await run.stop(grace: .zero)
            return (try await onThread { try frames.wire.readToEnd().bytes }, run.journal.snapshot().entries)
        }
        let sent = entries.compactMap(Self.frame).filter { $0.party == .server }
        #expect(sent.contains { $0.type == "HEADERS" })
        #expect(sent.allSatisfy { $0.offset + Frame.headByteCount + $0.byteCount <= bytes.count }, "\(bytes.count)")
        let replies = entries.compactMap { entry -> Int? in
            if case .replyAborted(let byteCount, _, _) = entry.event { byteCount } else { nil }
        }
        #expect(replies == [Self.byteCount(onStream: 1, of: bytes)])
    }

    private static func frame(_ entry: JournalEntry) -> FrameNote? {
        if case .frame(let note) = entry.event { note } else { nil }
    }

    /// The bytes of a stream's frames, the last of which may be cut.
    private static func byteCount(onStream stream: UInt32, of bytes: [UInt8]) -> Int {
        var rest = bytes[...]
        var count = 0
        while rest.count >= Frame.headByteCount {
            func number(_ range: Range<Int>) -> Int {
                rest.dropFirst(range.lowerBound).prefix(range.count).reduce(0) { $0 << 8 | Int($1) }
            }
            let frame = rest.prefix(Frame.headByteCount + number(0..<3))
            if number(5..<9) == Int(stream) { count += frame.count }
            rest = rest.dropFirst(frame.count)
        }
        return count
    }
}
