import ProctorHTTP2
import ProctorServer
import ProctorServing
import ProctorTestSupport
import ProctorTestWire
import Testing

/// Replies on streams, frame by frame.
struct StreamReplyTests {
    /// What one request gets from an origin that speaks HTTP/2.
    private func reply(
        _ reply: String, to line: String = "GET /", settings: [Setting] = [],
        _ body: @escaping @Sendable (FrameWire) throws -> FrameWire.Reply = { try $0.reply() }
    ) async throws -> FrameWire.Reply {
        try await withRun(always(reply, more: "origins: { main: { protocols: [h2] } }")) { run in
            try await talk(to: run.base) { wire in
                let frames = try FrameWire(wire, settings: settings)
                try frames.request(line)
                return try body(frames)
            }
        }
    }

    @Test func `status, fields and content are HEADERS and DATA`() async throws {
        let got = try await reply("{ status: 200, headers: { Content-Type: text/plain }, body: hello }")
        #expect(got.sections == [[":status: 200", "content-type: text/plain", "content-length: 5"]])
        #expect(got.text == "hello" && got.portions == [5] && got.endsStream)
    }

    @Test func `a reply without content ends with HEADERS`() async throws {
        let got = try await reply("{ status: 204 }")
        #expect(got.sections == [[":status: 204"]] && got.portions.isEmpty && got.endsStream)
    }

    @Test func `HEAD gets the fields of GET, and no DATA`() async throws {
        let got = try await reply("{ status: 200, body: hello }", to: "HEAD /")
        #expect(got.sections == [[":status: 200", "content-length: 5"]] && got.portions.isEmpty && got.endsStream)
    }

    @Test func `what HTTP/1.1 alone has is left out`() async throws {
        let got = try await reply(
            """
            { status: 200, reason: Fine, framing: chunked, body: hello,
              headers: { Connection: close, Keep-Alive: timeout=5, Upgrade: x, X-Letter-Case: Kept } }
            """)
        #expect(got.sections == [[":status: 200", "x-letter-case: Kept"]] && got.text == "hello")
    }

    @Test func `trailers are the last section`() async throws {
        let got = try await reply("{ status: 200, framing: chunked, body: hello, trailers: { Digest: x } }")
        #expect(got.sections == [[":status: 200"], ["digest: x"]])
        #expect(got.text == "hello" && got.endsStream)
    }

    @Test func `interim replies are sections of their own, and 101 is none`() async throws {
        let got = try await reply(
            "{ status: 200, body: hello, interim: [ { status: 103, headers: { Link: </a> } }, 101 ] }")
        #expect(got.sections.map(\.first) == [":status: 103", ":status: 200"])
        #expect(got.sections.first == [":status: 103", "link: </a>"])
    }

    @Test func `long content comes in frames that the client takes`() async throws {
        let got = try await reply("{ status: 200, body: { pattern: offset, bytes: 300000 } }")
        #expect(got.content.count == 300_000 && got.endsStream)
        #expect(got.portions.allSatisfy { $0 <= 16_384 })
        let isRight = got.content.enumerated().allSatisfy { offset, byte in
            byte == UInt8(truncatingIfNeeded: (UInt64(offset) &* 0x9E37_79B9_7F4A_7C15) >> 56)
        }
        #expect(isRight)
    }

    /// Each write counts for the turn of a connection, which is over behind 64 of them.
    @Test func `a reply of many small pieces comes whole to a client that sends nothing meanwhile`() async throws {
        let got = try await reply(
            "{ status: 200, body: { pattern: offset, bytes: 300 }, pace: { bytes: 1, every: 1ms } }")
        #expect(got.content.count == 300 && got.endsStream)
    }

    @Test func `no more comes than the window has room for`() async throws {
        let got = try await reply(
            "{ status: 200, body: { pattern: offset, bytes: 1000 } }", settings: [Setting(.initialWindowSize, 300)]
        ) { frames in
            var sizes: [Int] = []
            while sizes.reduce(0, +) < 300, let frame = try frames.next(.data) { sizes.append(frame.payloadByteCount) }
            #expect(sizes.reduce(0, +) == 300)
            #expect(frames.wire.isSilent(milliseconds: 50))
            try frames.send(.windowUpdate(700, on: 1))
            return try frames.reply()
        }
        #expect(got.content.count == 700 && got.endsStream)
    }

    @Test func `a window that SETTINGS make larger lets a stream go on`() async throws {
        let got = try await reply("{ status: 200, body: 0123456789 }", settings: [Setting(.initialWindowSize, 0)]) {
            frames in
            // HEADERS need no window.
            _ = try frames.next(.headers)
            #expect(frames.wire.isSilent(milliseconds: 50))
            try frames.send(.settings([Setting(.initialWindowSize, 10)]))
            return try frames.reply()
        }
        #expect(got.text == "0123456789")
    }

    @Test func `slices are frames`() async throws {
        let got = try await reply("{ status: 200, body: 0123456789, slice: [4, 8] }")
        #expect(got.portions == [4, 4, 2] && got.text == "0123456789")
    }

    @Test func `content is coded and cut to ranges as on HTTP/1.1`() async throws {
        let got = try await withRun(
            always(
                "{ status: 200, honours: [ ranges ], body: 0123456789, headers: { ETag: '\"a\"' } }",
                more: "origins: { main: { protocols: [h2] } }")
        ) { run in
            try await talk(to: run.base) { wire in
                let frames = try FrameWire(wire)
                try frames.request("GET /", "range: bytes=2-4")
                return try frames.reply()
            }
        }
        #expect(got.sections.first?.first == ":status: 206" && got.text == "234")
        #expect(got.sections.first?.contains("content-range: bytes 2-4/10") == true)
    }
}
