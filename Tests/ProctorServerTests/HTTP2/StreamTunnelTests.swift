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

    @Test func `DATA are the bytes of the tunnel, and END_STREAM is the FIN of each side`() async throws {
        let (head, content, end) = try await frames { frames in
            try frames.connect("home.example.org:80")
            let head = try frames.head()
            try frames.send(.data(Self.get, on: 1, endsStream: false))
            let content = try frames.content(until: "\r\n\r\nhome")
            try frames.send(.data([], on: 1, endsStream: true))
            return (head, content, try frames.reply())
        }
        #expect(head == [":status: 200"])
        #expect(content.hasPrefix("HTTP/1.1 200 OK\r\n"))
        #expect(end.endsStream && end.content.isEmpty && end.resetCode == nil)
    }

    @Test func `what the origin ends ends the stream, and another one goes on`() async throws {
        let (first, second) = try await frames { frames in
            try frames.connect("home.example.org:80")
            try frames.connect("home.example.org:80", on: 3)
            _ = try frames.head()
            _ = try frames.head()
            try frames.send(.data(Array("GET /close HTTP/1.1\r\nHost: home.example.org\r\n\r\n".utf8), on: 1))
            let first = try frames.reply()
            try frames.send(.data(Self.get, on: 3))
            return (first, try frames.content(on: 3, until: "\r\n\r\nhome"))
        }
        #expect(first.text.hasSuffix("\r\n\r\nbye") && first.endsStream)
        #expect(second.hasPrefix("HTTP/1.1 200 OK\r\n"))
    }

    @Test func `the reset of an origin is RST_STREAM with CONNECT_ERROR`() async throws {
        let (inReply, atOnce) = try await frames { frames in
            try frames.connect("home.example.org:80")
            _ = try frames.head()
            try frames.send(.data(Array("GET /reset HTTP/1.1\r\nHost: home.example.org\r\n\r\n".utf8), on: 1))
            let inReply = try frames.reply()
            try frames.connect("broken.example.org:80", on: 3)
            return (inReply, try frames.reply(on: 3))
        }
        #expect(inReply.text.hasSuffix("\r\n\r\n01234") && inReply.resetCode == .connectError)
        #expect(atOnce.sections == [[":status: 200"]] && atOnce.resetCode == .connectError)
    }

    @Test func `RST_STREAM of the client resets the connection to the origin`() async throws {
        let lines = try await withRun(yaml) { run in
            try await talk(to: try #require(run.origin("p"))) { wire in
                let frames = try FrameWire(wire)
                try frames.connect("home.example.org:80")
                _ = try frames.head()
                try frames.send(.data(Array(Self.get.prefix(10)), on: 1))
                try frames.send(.ping([0, 0, 0, 0, 0, 0, 0, 0]))
                _ = try frames.next(.ping)
                try frames.send(.resetStream(1, .cancel))
                // The connection of HTTP/2 goes on.
                try frames.connect("home.example.org:80", on: 3)
                _ = try frames.head()
                try frames.send(.data(Self.get, on: 3))
                _ = try frames.content(on: 3, until: "\r\n\r\nhome")
            }
            return try await run.journal.lines(untilClosed: 3)
        }
        #expect(lines.contains("c1 closed by client: reset"), "\(lines)")
        #expect(lines.contains("c0 tunnel to home.example.org:80 (main)"), "\(lines)")
    }

    @Test func `more than the windows hold comes whole through a tunnel`() async throws {
        let content = try await frames { frames in
            try frames.connect("home.example.org:80")
            _ = try frames.head()
            try frames.send(
                .data(
                    Array("GET /long HTTP/1.1\r\nHost: home.example.org\r\nConnection: close\r\n\r\n".utf8), on: 1))
            return try frames.reply().content
        }
        let start = try #require(content.firstRange(of: Array("\r\n\r\n".utf8))).upperBound
        #expect(content.count - start == 200_000)
    }

    @Test func `without a window the origin waits, and a window lets it go on`() async throws {
        let (first, isSilent, second) = try await frames { frames in
            try frames.send(.settings([Setting(.initialWindowSize, 10)]))
            try frames.connect("home.example.org:80")
            _ = try frames.head()
            try frames.send(.data(Self.get, on: 1))
            let first = try #require(try frames.next(.data)).payloadByteCount
            let isSilent = frames.wire.isSilent(milliseconds: 50)
            try frames.send(.windowUpdate(7, on: 1))
            return (first, isSilent, try frames.next(.data)?.payloadByteCount)
        }
        #expect(first == 10 && isSilent && second == 7)
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

    @Test func `an origin of TLS speaks it within the tunnel, and refuses what is none`() async throws {
        let reply = try await frames { frames in
            try frames.connect("home.example.org:443")
            _ = try frames.head()
            try frames.send(.data(Self.get, on: 1))
            return try frames.reply()
        }
        #expect(reply.text.hasPrefix("HTTP/1.1 400 ") && reply.endsStream)
    }

    @Test func `a refused CONNECT has a status and a page, and no tunnel`() async throws {
        let (forbidden, unknown, next) = try await frames { frames in
            try frames.connect("closed.example.org:80")
            let forbidden = try frames.reply()
            try frames.connect("nobody.example.org:80", on: 3)
            let unknown = try frames.reply(on: 3)
            try frames.connect("home.example.org:80", on: 5)
            _ = try frames.head()
            try frames.send(.data(Self.get, on: 5))
            return (forbidden, unknown, try frames.content(on: 5, until: "\r\n\r\nhome"))
        }
        #expect(forbidden.sections.first?.first == ":status: 403" && forbidden.text == "no tunnel\n")
        #expect(forbidden.endsStream)
        #expect(unknown.sections.first?.first == ":status: 502" && unknown.endsStream)
        #expect(next.hasPrefix("HTTP/1.1 200 OK\r\n"))
    }

    @Test func `a proxy that wants a credential says 407, and forwards behind it`() async throws {
        let (first, head) = try await frames(at: "gate") { frames in
            try frames.connect("home.example.org:80")
            let first = try frames.reply()
            try frames.connect("home.example.org:80", "proxy-authorization: Basic dXNlcjpwYXNz", on: 3)
            let head = try frames.head()
            try frames.send(.data(Self.get, on: 3))
            _ = try frames.content(on: 3, until: "\r\n\r\nhome")
            return (first, head)
        }
        #expect(first.sections.first?.first == ":status: 407" && first.endsStream)
        #expect(first.sections.first?.contains { $0.hasPrefix("proxy-authenticate: Basic ") } == true)
        #expect(head.first == ":status: 200")
    }

    @Test(arguments: ["p", "gate"])
    func `a request names scheme, authority and path, and is handed on`(_ proxy: String) async throws {
        let lines = try await withRun(yaml) { run in
            let text = try await talk(to: try #require(run.origin(proxy))) { wire in
                let frames = try FrameWire(wire)
                let credential = "proxy-authorization: Basic dXNlcjpwYXNz"
                try frames.request("GET /who", credential, authority: "home.example.org")
                return try frames.reply().text
            }
            #expect(text == "home")
            return try await run.journal.lines(untilClosed: 1)
        }
        #expect(lines.contains("c0 r0 head GET http://home.example.org/who"), "\(lines)")
        #expect(lines.contains("c0 r0 routed to main by absolute"), "\(lines)")
    }

    @Test func `a tunnel without an origin has the script of its reply`() async throws {
        let (pong, reply) = try await frames { frames in
            try frames.connect("echo.example.org:7")
            let head = try frames.head()
            try frames.send(.data(Array("ping".utf8), on: 1))
            let reply = try frames.reply()
            try frames.send(.data([], on: 1, endsStream: true))
            return (head, reply)
        }
        #expect(pong == [":status: 200"])
        #expect(reply.text == "pong" && reply.endsStream)
    }

    @Test func `a field section in a tunnel is a departure of the client`() async throws {
        let code = try await frames { frames in
            try frames.connect("home.example.org:80")
            _ = try frames.head()
            try frames.send(.headers(try frames.block([("x", "1")]), on: 1, endsStream: true))
            return try frames.reply().resetCode
        }
        #expect(code == .protocolError)
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
