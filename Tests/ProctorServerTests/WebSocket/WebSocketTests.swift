import ProctorCoding
import ProctorGrading
import ProctorJournal
import ProctorScenario
import ProctorServer
import ProctorTestSupport
import ProctorTestWire
import ProctorWebSocket
import Testing

/// Replies that open a WebSocket (RFC 6455, RFC 7692), over HTTP/1.1.
@Suite(.limit(minutes: 5))
struct WebSocketTests {
    private func yaml(_ reply: String, facts: String = "ws.count: 1") -> String {
        """
        summary: a WebSocket
        exchanges:
          - { request: GET /, reply: { \(reply) } }
        cases:
          case: { client: { url: / }, facts: { \(facts) } }
        """
    }

    /// What the client reads, and the lines of the journal about the WebSocket.
    private func play<Result: Sendable>(
        _ reply: String, facts: String = "ws.count: 1",
        configure: (inout ServerConfiguration) -> Void = { _ in },
        _ body: @escaping @Sendable (inout WebSocketClient) throws -> Result
    ) async throws -> (result: Result, lines: [String], verdict: WireVerdict) {
        try await withRun(yaml(reply, facts: facts), configure: configure) { run in
            let result = try await talk(to: run.base) { wire in
                var client = WebSocketClient(wire)
                return try body(&client)
            }
            await run.stop(grace: Patience.whole)
            let lines = run.journal.lines.filter { $0.contains(" ws ") }.map { String($0.dropFirst("c0 r0 ws ".count)) }
            return (result, lines, run.wireVerdict(of: run.scenario.cases[0]))
        }
    }

    // MARK: Handshakes

    @Test func `the reply is computed from the request`() async throws {
        let reply = "websocket: { turns: [{ close: 1000 }], protocol: [chat, superchat], deflate: true }"
        let (head, lines, _) = try await play(reply) { client in
            try client.wire.send(
                WebSocketClient.opening(
                    "/", "Sec-WebSocket-Protocol: other, superchat, chat",
                    "Sec-WebSocket-Extensions: x, permessage-deflate; client_max_window_bits"))
            return try client.wire.readHead()
        }
        #expect(
            head == "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Accept: \(WebSocketClient.accept)\r\nSec-WebSocket-Protocol: superchat\r\n"
                + "Sec-WebSocket-Extensions: permessage-deflate\r\n\r\n")
        #expect(lines.first == "the WebSocket is open: protocol superchat, permessage-deflate")
    }

    @Test(arguments: [
        (
            "headers: { Sec-WebSocket-Accept: wrong, sec-websocket-protocol: nobody }, websocket: []",
            [
                "Upgrade: websocket", "Connection: Upgrade", "Sec-WebSocket-Accept: wrong",
                "sec-websocket-protocol: nobody",
            ]
        ),
        (
            "websocket: { turns: [], leave-out: [Sec-WebSocket-Accept, Upgrade] }", ["Connection: Upgrade"]
        ),
        (
            "headers: { Upgrade: h2c }, websocket: []",
            ["Connection: Upgrade", "Sec-WebSocket-Accept: \(WebSocketClient.accept)", "Upgrade: h2c"]
        ),
    ])
    func `each field may be wrong or missing`(reply: String, fields: [String]) async throws {
        let (head, _, _) = try await play(reply) { client in
            try client.open()
            return client.head
        }
        #expect(head.split(separator: "\r\n").dropFirst().map(String.init) == fields)
    }

    @Test func `behind another status the reply is one of HTTP`() async throws {
        let reply =
            "status: 503, body: later, websocket: { turns: [{ send: never }], leave-out: [Upgrade, Connection] }"
        let ((first, second), lines, _) = try await play(reply, facts: "ws.count: 0") { client in
            try client.wire.send(WebSocketClient.opening())
            let first = try client.wire.readReply()
            try client.wire.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            return (first, try client.wire.readReply())
        }
        #expect(first.hasPrefix("HTTP/1.1 503 ") && first.hasSuffix("later") && second.hasSuffix("later"))
        #expect(!lines.contains { $0.contains("open") })
    }

    @Test(arguments: [
        ("Upgrade: -", 426, "upgrade-missing"), ("Sec-WebSocket-Version: 8", 426, "version-not-13"),
        ("Sec-WebSocket-Key: -", 400, "key-missing"), ("Sec-WebSocket-Key: abc", 400, "key-not-base64"),
        ("Connection: close", 400, "connection-missing"),
    ])
    func `a request that is no handshake is refused with the section`(
        line: String, status: Int, kind: String
    ) async throws {
        let (reply, lines, verdict) = try await play("websocket: [{ send: never }]", facts: "ws.count: 0") { client in
            try client.wire.send(WebSocketClient.opening("/", line))
            return try client.wire.readReply()
        }
        #expect(reply.hasPrefix("HTTP/1.1 \(status) ") && reply.contains("Sec-WebSocket-Version: 13"))
        #expect(reply.contains(kind) && reply.contains("RFC 6455 §"))
        #expect(reply.contains("Upgrade: websocket") == (status == 426))
        #expect(lines.count == 1 && lines[0].hasPrefix("handshake: \(kind) at byte "))
        #expect(verdict.outcome == .fail)
    }

    @Test func `strict false accepts a wrong handshake`() async throws {
        let (head, lines, _) = try await play("websocket: { turns: [{ close: 1000 }], strict: false }") { client in
            try client.wire.send(WebSocketClient.opening("/", "Sec-WebSocket-Version: 7"))
            return try client.wire.readHead()
        }
        #expect(head.hasPrefix("HTTP/1.1 101 "))
        #expect(lines[0].hasPrefix("handshake: version-not-13") && lines[1] == "the WebSocket is open")
    }

    // MARK: Turns

    @Test func `messages go both ways`() async throws {
        let reply = """
            websocket: [{ send: "{{request.path}}" }, { expect: world }, { send: { hex: 00ff } }, { send: { json: { a: 1 } } },
            { any-order: [{ text: "b*" }, { json: { c: any number } }, { binary: { hex: 0102 } }] }, { close: 1000, reason: bye }]
            """
        let facts = """
            "ws[0].messages": [world, '{"c":3}', "bcd", "0102"], "ws[0].close": 1000, "ws[0].close-reason": "",
            "ws[0].frames": [text, text, text, binary, close], "ws[0].pings": [], "ws[0].protocol": null, "ws[0].request": 0,
            "ws[0].violations": null
            """
        let (frames, lines, verdict) = try await play(reply, facts: facts) { client in
            try client.open()
            var frames = [try client.frame()]
            try client.send(.masked(.text, "world"))
            frames += [try client.frame(), try client.frame()]
            try client.send(
                .masked(.text, #"{"c":3}"#), .masked(.text, "bcd"), .masked(.binary, "\u{1}\u{2}"))
            frames.append(try client.frame())
            try client.send(.maskedClose(1000))
            #expect(try client.wire.readToEnd() == Wire.Received([], .closed))
            return frames
        }
        #expect(
            frames == [
                WebSocketFrame(.text, payload: Array("/".utf8)), WebSocketFrame(.binary, payload: [0x00, 0xFF]),
                WebSocketFrame(.text, payload: Array(#"{"a":1}"#.utf8)),
                .close(.normalClosure, reason: Array("bye".utf8)),
            ])
        #expect(lines.contains(#"client: text of 5 bytes, masked: "world""#))
        #expect(lines.contains(#"wanted a text message "world""#))
        #expect(verdict.failures.isEmpty, "\(verdict)")
    }

    @Test func `the first frames come in one write with the head`() async throws {
        try await withRun(yaml("websocket: [{ send: one }, ping, { do: wait 300ms }, { send: two }]")) { run in
            let pieces = try await talk(to: run.base) { wire in
                try wire.send(WebSocketClient.opening())
                wire.finish()
                return try wire.readPieces()
            }
            let first = try #require(pieces.first)
            #expect(first.suffix(7) == [0x81, 3] + Array("one".utf8) + [0x89, 0])
        }
    }

    @Test func `an echo answers messages, Pings and the Close`() async throws {
        let ((frames, close), lines, _) = try await play("websocket: [{ echo: true }]") { client in
            try client.open()
            try client.send(
                .masked(.text, "fr", isFinal: false), .masked(.ping, "p"), .masked(.continuation, "ag"),
                .masked(.binary, "\u{0}"), .masked(.pong, "alone"), .masked(.text))
            let frames = try (0..<4).map { _ in try client.frame() }
            try client.send(.maskedClose(4001))
            return (frames, try client.close())
        }
        #expect(
            frames == [
                WebSocketFrame(.pong, payload: Array("p".utf8)), WebSocketFrame(.text, payload: Array("frag".utf8)),
                WebSocketFrame(.binary, payload: [0]), WebSocketFrame(.text),
            ])
        #expect(close == "4001 ")
        #expect(lines.contains(#"client: continuation of 2 bytes, masked: "frag""#))
        #expect(lines.contains("client: text of 2 bytes, masked, without FIN"))
    }

    @Test func `an echo of a number ends, and Pings and the Close may go unanswered`() async throws {
        let reply = "websocket: { turns: [{ echo: 1 }, { send: over }], pongs: false, close-reply: false }"
        let (texts, _, _) = try await play(reply) { client in
            try client.open()
            try client.send(.masked(.ping, "p"), .masked(.text, "a"))
            let texts = [try client.text(), try client.text()]
            try client.send(.masked(.text, "b"), .maskedClose(1000))
            #expect(client.wire.isSilent(milliseconds: 100))
            return texts
        }
        #expect(texts == ["a", "over"])
    }

    @Test func `fragments and frames go out as they are written`() async throws {
        let reply = """
            websocket: [{ send: abcde, fragments: [1, 0, 3] }, { send: abcde, fragments: 2, as: binary },
            { frame: { opcode: 11, fin: false, rsv1: true, rsv3: true, payload: x } },
            { frame: { opcode: ping, mask: true, key: { hex: 00000001 }, payload: { hex: 00000000 } } },
            { frame: { opcode: text, length-form: 64, length: 2, payload: ab } }, { frame: { opcode: text, length: 300 } }, { do: close }]
            """
        let (bytes, _, _) = try await play(reply) { client in
            try client.open()
            return try client.wire.readToEnd().bytes
        }
        let expected: [[UInt8]] = [
            [0x01, 1, 0x61], [0x00, 0], [0x00, 3] + Array("bcd".utf8), [0x80, 1, 0x65],
            [0x02, 2, 0x61, 0x62], [0x00, 2, 0x63, 0x64], [0x80, 1, 0x65],
            [0x5B, 1, 0x78], [0x89, 0x84, 0, 0, 0, 1, 0, 0, 0, 1], [0x81, 127, 0, 0, 0, 0, 0, 0, 0, 2, 0x61, 0x62],
            [0x81, 126, 1, 44],
        ]
        #expect(bytes == expected.flatMap(\.self))
    }

    @Test func `what did not come fails the case by its words`() async throws {
        let facts = "ws.count: 1"
        let (close, lines, verdict) = try await play("websocket: [{ expect: { text: 'a*' } }]", facts: facts) {
            client in
            try client.open()
            try client.send(.masked(.ping), .masked(.text, "other"))
            #expect(try client.frame().opcode == .pong)
            return try client.close()
        }
        #expect(close == "1008 this was not expected")
        #expect(lines.contains(#"wanted a text message "a*", got a text message "other""#))
        #expect(
            verdict.failures.map(\.sentence) == [
                #"request 0, GET /: wanted a text message "a*", got a text message "other""#
            ])
        let (_, silent, late) = try await play("websocket: [{ expect: pong, within: 50ms }]") { client in
            try client.open()
            return try client.wire.readToEnd().bytes
        }
        #expect(silent.contains("wanted a pong, got nothing in time") && late.outcome == .fail)
        let (_, ended, _) = try await play("websocket: [{ expect: { close: 1000 } }]") { client in
            try client.open()
            client.wire.finish()
            return try client.wire.readToEnd().bytes
        }
        #expect(ended.contains("wanted a close 1000, got the end of the connection"))
        #expect(ended.contains { $0.hasPrefix("frames: ended-without-close at byte 0") })
    }

    // MARK: Violations

    @Test(arguments: [
        (WebSocketFrame(.text, payload: [0x61]), "1002 mask-missing", "RFC 6455 §5.1"),
        (.masked(.text, "a", reserved: .rsv1), "1002 reserved-bit", "RFC 6455 §5.2"),
        (.masked(.continuation, "a"), "1002 continuation-without-start", "RFC 6455 §5.4"),
        (.masked(Opcode(rawValue: 3)), "1002 unknown-opcode", "RFC 6455 §5.2"),
        (.maskedClose(1005), "1002 bad-close-code", "RFC 6455 §7.4"),
        (
            WebSocketFrame(.text, maskingKey: MaskingKey(0), payload: [0xC3, 0x28]), "1007 bad-utf8",
            "RFC 6455 §8.1"
        ),
    ])
    func `a wrong frame ends the conversation by the code that the RFC demands`(
        frame: WebSocketFrame, close: String, section: String
    ) async throws {
        let (got, lines, verdict) = try await play("websocket: [{ echo: true }]") { client in
            try client.open()
            try client.send(.masked(.text, "ok"))
            #expect(try client.text() == "ok")
            try client.send(frame)
            return try client.close()
        }
        #expect(got == close)
        let kind = close.dropFirst(5)
        #expect(lines.contains { $0.hasPrefix("frames: \(kind) at byte ") && $0.hasSuffix("(\(section))") }, "\(lines)")
        #expect(verdict.outcome == .fail)
        let fact = "\"ws[0].violations\": [\(kind)]"
        let (_, _, asked) = try await play("websocket: [{ echo: true }]", facts: fact) { client in
            try client.open()
            try client.send(frame)
            return try client.close()
        }
        #expect(asked.failures.isEmpty, "\(asked)")
    }

    @Test func `strict false reads on behind wrong frames`() async throws {
        let (texts, lines, _) = try await play("websocket: { turns: [{ echo: 2 }], strict: false }") { client in
            try client.open()
            try client.send(WebSocketFrame(.text, payload: Array("bare".utf8)), .masked(.text, "rsv", reserved: .rsv2))
            return [try client.text(), try client.text()]
        }
        #expect(texts == ["bare", "rsv"])
        #expect(lines.count { $0.hasPrefix("frames: ") } == 3, "\(lines)")
    }

    // MARK: Compression

    @Test func `messages are compressed as agreed, with and without context`() async throws {
        let reply =
            "websocket: { turns: [{ send: abcabcabc }, { send: abcabcabc }, { send: plain, compress: false }, { echo: 1 }], deflate: "
        for (wish, isSmaller) in [("true", true), ("{ server-no-context-takeover: true }", false)] {
            let (frames, lines, _) = try await play(reply + wish + " }") { client in
                try client.open("/", "Sec-WebSocket-Extensions: permessage-deflate")
                var frames = try (0..<3).map { _ in try client.frame() }
                let deflater = try MessageDeflater()
                var sent = WebSocketFrame.masked(.text, reserved: .rsv1)
                sent.payload = deflater.deflate(Array("squeezed squeezed".utf8).span)
                try client.send(sent)
                frames.append(try client.frame())
                return frames
            }
            #expect(frames.map(\.reserved) == [.rsv1, .rsv1, [], .rsv1])
            #expect((frames[1].payload.count < frames[0].payload.count) == isSmaller)
            #expect(frames[2].payload == Array("plain".utf8))
            #expect(
                lines.contains { $0.hasPrefix("client: text of") && $0.hasSuffix(#"with RSV1: "squeezed squeezed""#) })
        }
    }

    // MARK: Bounds

    @Test func `a message beyond the limit gets 1009, compressed or not`() async throws {
        let reply = "websocket: { turns: [{ echo: true }], message-limit: 1000, deflate: true }"
        let (bomb, _, verdict) = try await play(reply) { client in
            try client.open("/", "Sec-WebSocket-Extensions: permessage-deflate")
            let deflater = try MessageDeflater()
            var sent = WebSocketFrame.masked(.binary, reserved: .rsv1)
            sent.payload = deflater.deflate([UInt8](repeating: 0, count: 50_000_000).span)
            try client.send(sent)
            return try client.close()
        }
        #expect(bomb == "1009 message-too-long" && verdict.outcome == .fail)
        let (long, lines, _) = try await play(reply) { client in
            try client.open()
            for index in 0..<3 {
                try client.send(
                    .masked(index == 0 ? .text : .continuation, String(repeating: "a", count: 400), isFinal: false))
            }
            return try client.close()
        }
        #expect(long == "1009 message-too-long", "\(lines)")
        let (announced, _, _) = try await play("websocket: [{ echo: true }]") { client in
            try client.open()
            var frame = WebSocketFrame.masked(.text)
            frame.departures.statedByteCount = 1 << 40
            try client.send(frame)
            return try client.close()
        }
        #expect(announced == "1009 frame-too-long")
    }

    @Test func `a flood of frames is bounded by their number`() async throws {
        let (close, _, _) = try await play("websocket: { turns: [{ echo: true }], pongs: false }") { client in
            try client.open()
            let ping = WebSocketFrame.masked(.ping).bytes
            let some = Array([[UInt8]](repeating: ping, count: 10_000).joined())
            for _ in 0..<10 { try client.wire.send(some) }
            try client.wire.send(ping)
            return try client.close()
        }
        #expect(close == "1008 no more than 100000 frames are read")
    }

    @Test func `endless fragments without content are bounded`() async throws {
        let (close, _, _) = try await play("websocket: [{ echo: true }]") { client in
            try client.open()
            try client.send(.masked(.text, "a", isFinal: false))
            let piece = WebSocketFrame.masked(.continuation, isFinal: false).bytes
            try client.wire.send(Array([[UInt8]](repeating: piece, count: 65_536).joined()))
            return try client.close()
        }
        #expect(close == "1009 too-many-fragments")
    }

    // MARK: Effects, scripts, TLS

    @Test func `effects stand between turns, and a pace acts on the frames`() async throws {
        let (ending, lines, _) = try await play("websocket: [{ send: a }, { do: wait 10ms }, { do: reset }]") {
            client in
            try client.open()
            return try client.wire.readToEnd().ending
        }
        #expect(ending == .reset)
        #expect(lines.first == "the WebSocket is open")
        try await withRun(yaml("slice: every-byte, websocket: [{ send: abc }, { do: close }]")) { run in
            let pieces = try await talk(to: run.base) { wire in
                try wire.send(WebSocketClient.opening())
                return try wire.readPieces()
            }
            #expect(pieces.suffix(5) == [[0x81], [3], [0x61], [0x62], [0x63]])
        }
    }

    @Test func `what a client said before it left is read, where a frame is still being sent too`() async throws {
        let reply = "slice: every-byte, websocket: [{ send: { repeat: a, bytes: 5000 } }, { send: too late }]"
        let (_, lines, _) = try await play(reply) { client in
            try client.open()
            // The client leaves behind it, and takes no more of the frame.
            try client.send(.maskedClose(1002))
        }
        #expect(lines.contains("client: close of 2 bytes, masked: 1002 \"\""), "\(lines)")
        #expect(!lines.contains { $0.contains("too late") })
    }

    @Test func `a script returns a websocket`() async throws {
        let script = #"script: "return { websocket = { { send = 'made of ' .. request.target }, { close = 1000 } } }""#
        let (text, lines, _) = try await play(script) { client in
            try client.open()
            return try client.text()
        }
        #expect(text == "made of /" && lines.first == "the WebSocket is open")
    }
}
