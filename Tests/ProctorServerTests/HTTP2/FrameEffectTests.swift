import ProctorGrading
import ProctorHTTP2
import ProctorScenario
import ProctorServer
import ProctorServing
import ProctorTestSupport
import ProctorTestWire
import Testing

/// Effects that send frames, as the client sees them.
struct FrameEffectTests {
    /// The frames of the server behind its SETTINGS, as far as `count` of them, for one request of a scenario.
    private func frames(
        _ reply: String, origin: String = "{ protocols: [h2] }", to line: String = "GET /", count: Int
    ) async throws -> [ReadFrame] {
        try await withRun(always(reply, more: "origins: { main: \(origin) }")) { run in
            try await talk(to: run.base) { wire in
                let frames = try FrameWire(wire)
                try frames.request(line)
                return try Self.read(count, of: frames)
            }
        }
    }

    private static func read(_ count: Int, of frames: FrameWire) throws -> [ReadFrame] {
        var found: [ReadFrame] = []
        var isFirst = true
        while found.count < count, let frame = try frames.next() {
            // The first SETTINGS, and the acknowledgement of ours.
            if frame.frame.type == .settings, isFirst || frame.frame.isAck {
                if !frame.frame.isAck { isFirst = false }
                continue
            }
            found.append(frame)
        }
        return found
    }

    private func types(_ frames: [ReadFrame]) -> [String] { frames.map { "\($0.frame.type) \($0.frame.stream)" } }

    @Test func `GOAWAY has its code and last stream, and the reply goes on`() async throws {
        let got = try await frames(
            "{ status: 200, body: hello, effects: [{ at: head, do: goaway ENHANCE_YOUR_CALM }] }", count: 3)
        #expect(types(got) == ["GOAWAY 0", "HEADERS 1", "DATA 1"])
        #expect(got[0].content == .goAway(lastStream: 1, .enhanceYourCalm, debug: 8..<8))
    }

    @Test(arguments: [("before", false), ("0", false), ("this", true), ("highest", true)])
    func `a body that GOAWAY cuts off is not judged as whole`(_ last: String, _ isWhole: Bool) async throws {
        let yaml = """
            summary: s
            origins: { main: { protocols: [h2] } }
            exchanges:
              - request: GET /
                reply: { status: 200, body: "0123456789", effects: [{ at: body 5, do: goaway NO_ERROR last \(last) }] }
            cases: { a: { client: { url: / }, facts: { "wire[0].reply.body": "0123456789" } } }
            """
        try await withRun(yaml) { run in
            let content = try await talk(to: run.base) { wire in
                let frames = try FrameWire(wire)
                try frames.request("GET /")
                return try frames.content(until: isWhole ? "9" : "4")
            }
            #expect(content == (isWhole ? "0123456789" : "01234"))
            _ = try await run.journal.lines(untilClosed: 1)
            let verdict = run.wireVerdict(of: try #require(run.scenario.cases.first))
            #expect(verdict.undecidedFactCount == (isWhole ? 0 : 1), "\(verdict)")
            #expect(verdict.failures.isEmpty, "\(verdict)")
        }
    }

    @Test(arguments: [("before", UInt32(0)), ("0", 0)])
    func `a reply that GOAWAY excludes is not sent`(_ last: String, _ number: UInt32) async throws {
        let yaml = """
            summary: s
            origins: { main: { protocols: [h2] } }
            exchanges:
              - request: GET /a
                reply: { status: 200, body: hello, effects: [{ at: head, do: goaway NO_ERROR last \(last) }] }
            """
        let frames = try await withRun(yaml) { run in
            try await talk(to: run.base) { wire in
                let frames = try FrameWire(wire)
                try frames.request("GET /a")
                try #require(try frames.next(.goAway)?.content == .goAway(lastStream: number, .noError, debug: 8..<8))
                try frames.send(.ping([1, 2, 3, 4, 5, 6, 7, 8]))
                return try frames.next()?.frame.type
            }
        }
        #expect(frames == .ping)
    }

    @Test func `streams are answered behind a GOAWAY with the most of them`() async throws {
        let text = try await withRun(
            always(
                "{ status: 200, body: hello, effects: [{ at: head, do: goaway NO_ERROR last most }] }",
                more: "origins: { main: { protocols: [h2] } }")
        ) { run in
            try await talk(to: run.base) { wire in
                let frames = try FrameWire(wire)
                try frames.request("GET /")
                _ = try frames.reply()
                try frames.request("GET /", on: 3)
                return try frames.reply(on: 3).text
            }
        }
        #expect(text == "hello")
    }

    @Test func `RST_STREAM ends the stream alone`() async throws {
        let yaml = """
            summary: s
            origins: { main: { protocols: [h2] } }
            exchanges:
              - request: GET /
                reply:
                  - { status: 200, body: hello, effects: [{ at: body 2, do: rst REFUSED_STREAM }] }
                  - { status: 200, body: again }
            """
        let got = try await withRun(yaml) { run in
            try await talk(to: run.base) { wire in
                let frames = try FrameWire(wire)
                try frames.request("GET /")
                let first = try frames.reply()
                try frames.request("GET /", on: 3)
                return [first, try frames.reply(on: 3)]
            }
        }
        #expect(got[0].text == "he" && got[0].resetCode == .refusedStream)
        #expect(got[1].text == "again" && got[1].endsStream)
    }

    @Test func `SETTINGS, PING and WINDOW_UPDATE stand where they are asked for`() async throws {
        let got = try await frames(
            """
            { status: 200, body: 0123456789, effects: [
              { at: head, do: { settings: { max-concurrent-streams: 1, unknown: { 0x2a2a: 7 } } } },
              { at: body 3, do: ping }, { at: body 6, do: window 100 }, { at: body 9, do: window 200 connection } ] }
            """, count: 8)
        #expect(
            types(got) == [
                "SETTINGS 0", "HEADERS 1", "DATA 1", "PING 0", "DATA 1", "WINDOW_UPDATE 1", "DATA 1", "WINDOW_UPDATE 0",
            ])
        #expect(
            got[0].content
                == .settings([Setting(.maxConcurrentStreams, 1), Setting(Setting.Identifier(rawValue: 0x2A2A), 7)]))
        #expect(got[5].content == .windowUpdate(100) && got[7].content == .windowUpdate(200))
    }

    @Test func `frames have padding, and blocks are divided`() async throws {
        let got = try await frames(
            """
            { status: 200, headers: { A: bbbbbbbbbbbbbbbbbbbbbbbbbbbb }, body: 0123456789,
              effects: [{ at: head, do: pad 3 }, { at: head, do: continuation 10 }] }
            """, count: 5)
        #expect(types(got).first == "HEADERS 1" && types(got).last == "DATA 1")
        let blocks = got.dropLast()
        #expect(blocks.count > 2 && blocks.dropFirst().allSatisfy { $0.frame.type == .continuation })
        guard case .headers(let range, _, let padding)? = got[0].content,
            case .data(let content, let more)? = got[4].content
        else { return #expect(Bool(false), "\(got)") }
        #expect(range.count == 10 && padding?.byteCount == 3 && content.count == 10 && more?.byteCount == 3)
    }

    @Test func `effects stand before frames, also within a field block`() async throws {
        let got = try await frames(
            """
            { status: 200, headers: { A: bbbbbbbbbbbbbbbbbbbb }, body: 0123456789, effects: [
              { at: head, do: continuation 16 }, { at: frame 1, do: ping }, { at: frame 2, do: window 9 } ] }
            """, count: 5)
        #expect(types(got) == ["HEADERS 1", "PING 0", "CONTINUATION 1", "WINDOW_UPDATE 1", "DATA 1"])
    }

    @Test func `the journal counts what goes out before a frame once`() async throws {
        let reply = """
            { status: 200, headers: { A: bbbbbbbbbbbbbbbbbbbb }, body: 0123456789, effects: [
              { at: head, do: continuation 16 }, { at: frame 1, do: ping } ] }
            """
        try await withRun(always(reply, more: "origins: { main: { protocols: [h2] } }")) { run in
            let byteCount = try await talk(to: run.base) { wire in
                let frames = try FrameWire(wire)
                try frames.request("GET /")
                return try Self.read(4, of: frames).reduce(0) { $0 + Frame.headByteCount + $1.frame.payload.count }
            }
            let lines = try await run.journal.lines(untilClosed: 1)
            #expect(lines.contains("c0 r0 sent 200 \(byteCount)"), "\(byteCount): \(lines)")
        }
    }

    @Test func `any frame can be written`() async throws {
        let got = try await frames(
            """
            { effects: [
              { at: head, do: { frame: { type: HEADERS, flags: [END_HEADERS], fields: { ":status": 200, X-Upper: a } } } },
              { at: head, do: { frame: { type: 0xfa, flags: 255, stream: 7, payload: abc } } },
              { at: head, do: { frame: { type: PUSH_PROMISE, fields: { ":path": /b }, promised: 2 } } },
              { at: head, do: { frame: { type: PING, payload: abc, length: 4 } } },
              { at: head, do: { send: { hex: "ff" } } },
              { at: head, do: { frame: { type: DATA, stream: idle, reserved: true } } } ] }
            """.replacing("0xfa", with: "250"), count: 5)
        #expect(types(got) == ["HEADERS 1", "type 0xfa 7", "PUSH_PROMISE 1", "PING 0", "DATA 3"])
        let decoder = try #require(HeaderDecoder())
        let names = try decoder.decode(got[0].frame.payload).fields.map { String(decoding: $0.name, as: UTF8.self) }
        #expect(names == [":status", "X-Upper"])
        #expect(got[1].frame.payload == Array("abc".utf8) && got[1].frame.flags.rawValue == 255)
        #expect(got[3].frame.payload == Array("abc".utf8) + [0xFF] && got[4].frame.hasReservedBit)
    }

    @Test func `an origin has its own SETTINGS, windows and acknowledgements`() async throws {
        let yaml = """
            summary: s
            origins:
              main:
                protocols: [h2]
                h2: { settings: { initial-window-size: 10, max-concurrent-streams: 7 }, window-updates: none, acknowledges: [ping] }
            exchanges:
              - { request: POST /, reply: { status: 200, interim: [{ do: window 5 }], body: "{{request.body}}" } }
            """
        let (settings, text, kinds) = try await withRun(yaml) { run in
            try await talk(to: run.base) { wire in
                let frames = try FrameWire(wire)
                let settings = try frames.next(.settings)?.content
                try frames.send(.settingsAck)
                try frames.request("POST /", endsStream: false)
                try frames.send(.data(Array("0123456789".utf8), on: 1, endsStream: true))
                try frames.send(.ping([1, 2, 3, 4, 5, 6, 7, 8]))
                var kinds: [FrameType] = []
                var text = ""
                var hasEnded = false
                // The acknowledgement and the end of the reply come in either order (RFC 9113 §6.7). One of SETTINGS
                // would have come before that of a later PING (§6.5.3).
                while !hasEnded || !kinds.contains(.ping), let frame = try frames.next() {
                    kinds.append(frame.frame.type)
                    if case .data(let range, _)? = frame.content {
                        text += String(decoding: frame.frame.payload[range], as: UTF8.self)
                    }
                    if frame.frame.endsStream { hasEnded = true }
                }
                return (settings, text, kinds)
            }
        }
        #expect(
            settings
                == .settings([
                    Setting(.maxHeaderListSize, 64 << 10), Setting(.initialWindowSize, 10),
                    Setting(.maxConcurrentStreams, 7),
                ]))
        #expect(text == "0123456789")
        #expect(!kinds.contains(.settings) && kinds.contains(.ping))
        #expect(kinds.count { $0 == .windowUpdate } == 1)
    }

    @Test func `frames may be as long as the origin says, once the client has acknowledged it`() async throws {
        let yaml = """
            summary: s
            origins: { main: { protocols: [h2], h2: { settings: { max-frame-size: 20000 } } } }
            exchanges:
              - { request: POST /, reply: { status: 200, body: got it } }
            """
        for (count, isRead) in [(20_000, true), (20_001, false)] {
            let last = try await withRun(yaml) { run in
                try await talk(to: run.base) { wire -> FrameType? in
                    let frames = try FrameWire(wire)
                    _ = try frames.next(.settings)
                    try frames.send(.settingsAck)
                    try frames.request("POST /", endsStream: false)
                    try frames.send(.data([UInt8](repeating: 0x61, count: count), on: 1, endsStream: true))
                    while let frame = try frames.next() {
                        if frame.frame.endsStream || frame.frame.type == .resetStream { return frame.frame.type }
                    }
                    return nil
                }
            }
            #expect(last == (isRead ? .data : .resetStream), "\(count)")
        }
    }

    @Test func `a preface is what the fixture writes`() async throws {
        // An empty SETTINGS frame behind a PING, which a server must not send first.
        let got = try await withRun(
            always(
                "{ status: 200, body: hello }",
                more: """
                    origins: { main: { protocols: [h2], h2: { preface: { hex: "000008060000000000 0102030405060708 000000040000000000" } } } }
                    """)
        ) { run in
            try await talk(to: run.base) { wire in
                let frames = try FrameWire(wire)
                try frames.request("GET /")
                let first = try frames.next()?.frame.type
                try frames.send(.settingsAck)
                let reply = try frames.reply()
                return (first, reply.text, reply.goAway)
            }
        }
        #expect(got.0 == .ping && got.1 == "hello" && got.2 == nil)
    }

    @Test func `effects behind the preface come before any reply`() async throws {
        let yaml = """
            summary: s
            origins:
              main:
                protocols: [h2]
                connections:
                  - { at: preface, on: 0, do: goaway HTTP_1_1_REQUIRED }
                  - { at: preface, on: 0, do: close }
            exchanges:
              - { request: GET /, reply: { status: 200, body: hello } }
            """
        let got = try await withRun(yaml) { run in
            let first = try await talk(to: run.base) { wire in
                let frames = try FrameWire(wire)
                let goAway = try frames.next(.goAway)?.content
                return (goAway, try frames.next() == nil)
            }
            let second = try await talk(to: run.base) { wire in
                let frames = try FrameWire(wire)
                try frames.request("GET /")
                return try frames.reply().text
            }
            return (first.0, first.1, second)
        }
        #expect(got.0 == .goAway(lastStream: 0, .http11Required, debug: 8..<8) && got.1 && got.2 == "hello")
    }

    @Test func `SETTINGS that are never acknowledged end the connection`() async throws {
        let yaml = always("{ status: 200, body: hello }", more: "origins: { main: { protocols: [h2] } }")
        let content = try await withRun(yaml, configure: { $0.limits.progressDuration = .milliseconds(80) }) { run in
            try await talk(to: run.base) { wire in
                let frames = try FrameWire(wire)
                try frames.request("GET /")
                return try frames.next(.goAway)?.content
            }
        }
        guard case .goAway(_, let code, _)? = content else { return #expect(Bool(false), "no GOAWAY came") }
        #expect(code == .settingsTimeout)
    }

    @Test func `over HTTP/1.1 the reply fails with the reason`() async throws {
        let text = try await withRun(
            always(
                "{ status: 200, body: hello, effects: [{ at: head, do: rst CANCEL }] }",
                more: "origins: { main: { protocols: [h2, http/1.1] } }")
        ) { run in
            try await talk(to: run.base) { wire in
                try wire.send(Array("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n".utf8))
                return String(decoding: try wire.readToEnd().bytes, as: UTF8.self)
            }
        }
        #expect(text.hasPrefix("HTTP/1.1 500 "))
        #expect(text.contains("\"rst\" sends frames of HTTP/2, and this connection speaks HTTP/1.1"))
    }
}
