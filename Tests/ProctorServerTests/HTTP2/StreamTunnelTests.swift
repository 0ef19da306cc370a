import ProctorHTTP
import ProctorHTTP2
import ProctorServer
import ProctorServing
import ProctorTestSupport
import ProctorTestWire
import Testing

/// Tunnels on streams of a proxy that speaks HTTP/2 (RFC 9113 §8.5), frame by frame.
@Suite(.limit(minutes: 5))
struct StreamTunnelTests {
    private let yaml = """
        summary: a proxy of HTTP/2
        origins:
          main: { host: home.example.org }
          slow: { host: slow.example.org, receive-buffer: 4096 }
          p: { role: proxy, protocols: [h2] }
        exchanges:
          - { request: POST /take, reply: { status: 200, body: "taken" } }
          - { request: POST /take, origin: slow, reads: none, reply: [{ effects: [{ at: head, do: stall }] }] }
        """

    private func frames<Result: Sendable>(
        at proxy: String = "p", _ body: @escaping @Sendable (FrameWire) throws -> Result
    ) async throws -> Result {
        try await withRun(yaml) { run in
            let address = try #require(run.origin(proxy))
            return try await talk(to: address) { try body(FrameWire($0)) }
        }
    }

    @Test func `an origin that does not read gives no window back for ever`() async throws {
        let sent = try await frames { frames in
            try frames.connect("slow.example.org:80")
            _ = try frames.head()
            let head = "POST /take HTTP/1.1\r\nHost: slow.example.org\r\nContent-Length: 10000000\r\n\r\n"
            try frames.send(.data(Array(head.utf8), on: 1))
            var (window, connection, sent) = (65_535 - head.utf8.count, 65_535 - head.utf8.count, 0)
            let piece = [UInt8](repeating: 0x78, count: 8_192)
            while sent < 10_000_000 {
                if min(window, connection) < piece.count {
                    guard !frames.wire.isSilent(milliseconds: 300), let frame = try frames.next() else { break }
                    guard case .windowUpdate(let increment)? = frame.content else { continue }
                    if frame.frame.stream == 0 { connection += Int(increment) } else { window += Int(increment) }
                    continue
                }
                try frames.send(.data(piece, on: 1))
                (window, connection, sent) = (window - piece.count, connection - piece.count, sent + piece.count)
            }
            return sent
        }
        #expect(sent < 1_000_000, "\(sent)")
    }
}
