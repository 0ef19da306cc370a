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
          secure: { scheme: https, host: home.example.org }
          slow: { host: slow.example.org, receive-buffer: 4096 }
          broken: { host: broken.example.org, connections: [{ at: accept, do: reset }] }
          p: { role: proxy, protocols: [h2] }
          gate: { role: proxy, protocols: [h2] }
        guards:
          lab: { proxy: true, users: { user: pass }, schemes: [basic] }
        exchanges:
          - { request: GET /who, reply: { status: 200, body: home } }
          - { request: GET /long, reply: { status: 200, body: { pattern: offset, bytes: 200000 } } }
          - { request: POST /take, reply: { status: 200, body: "taken" } }
          - { request: POST /take, origin: slow, reads: none, reply: [{ effects: [{ at: head, do: stall }] }] }
          - { request: GET /reset, reply: { status: 200, body: 0123456789, effects: [{ at: body 5, do: reset }] } }
          - { request: GET /close, reply: { status: 200, headers: { Connection: close }, body: bye } }
          - { request: "CONNECT closed.example.org:{port}", origin: p, reply: { status: 403, body: "no tunnel\\n" } }
          - { request: "CONNECT echo.example.org:7", origin: p,
              reply: { status: 200, opaque: [{ expect: "ping" }, { send: "pong" }, { do: half-close }] } }
          - { request: "* *", origin: gate, auth: lab, reply: { forward: true } }
        """

    private func frames<Result: Sendable>(
        at proxy: String = "p", _ body: @escaping @Sendable (FrameWire) throws -> Result
    ) async throws -> Result {
        try await withRun(yaml) { run in
            let address = try #require(run.origin(proxy))
            return try await talk(to: address) { try body(FrameWire($0)) }
        }
    }

    private static let get = Array("GET /who HTTP/1.1\r\nHost: home.example.org\r\n\r\n".utf8)

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

    @Test func `a server that stops ends its tunnels in order`() async throws {
        try await withRun(yaml) { run in
            let address = try #require(run.origin("p"))
            let frames = try await onThread { () -> FrameWire in
                let frames = try FrameWire(Wire(to: address))
                try frames.connect("home.example.org:80")
                _ = try frames.head()
                try frames.send(.data(Self.get, on: 1))
                _ = try frames.content(until: "\r\n\r\nhome")
                return frames
            }
            async let stopped: Void = run.stop(grace: Patience.whole)
            let ending = try await onThread { () -> (Bool, Wire.Ending) in
                let reply = try frames.reply()
                try frames.send(.data([], on: 1, endsStream: true))
                return (reply.endsStream, try frames.wire.readToEnd().ending)
            }
            await stopped
            #expect(ending == (true, .closed))
        }
    }
}
