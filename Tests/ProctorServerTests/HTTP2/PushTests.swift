import ProctorDocument
import ProctorHTTP2
import ProctorJournal
import ProctorScenario
import ProctorServer
import ProctorServing
import ProctorTestSupport
import ProctorTestWire
import Testing

/// Replies that are pushed, as the client sees them.
struct PushTests {
    private static let page = """
        summary: s
        origins: { main: { protocols: [h2] } }
        exchanges:
          - request: GET /page
            reply:
              status: 200
              body: page
              effects:
                - { at: head, do: push /style.css }
                - { at: head, do: { push: { method: HEAD, target: "/script.js?a", fields: { Accept: "{{host}}/x" } } } }
          - request: GET /style.css
            reply: { status: 200, headers: { X-Which: style }, body: style }
          - request: GET|HEAD /script.js?a
            reply: { status: 203, body: script }
        """

    /// What came on all streams up to the end of those that count.
    private struct Pushed {
        var promises: [UInt32: [String]] = [:]
        var replies: [UInt32: String] = [:]
        var ended: Set<UInt32> = []
        var resets: [UInt32: ErrorCode] = [:]
    }

    private static func read(_ count: Int, of frames: FrameWire) throws -> Pushed {
        let decoder = try #require(HeaderDecoder())
        var found = Pushed()
        func lines(_ range: Range<Int>, _ frame: ReadFrame) throws -> [String] {
            try decoder.decode(Array(frame.frame.payload[range])).fields.map {
                "\(String(decoding: $0.name, as: UTF8.self)): \(String(decoding: $0.value, as: UTF8.self))"
            }
        }
        while found.ended.count < count, let frame = try frames.next() {
            let stream = frame.frame.stream
            switch frame.content {
            case .pushPromise(let promised, let range, _):
                #expect(stream == 1)
                found.promises[promised] = try lines(range, frame)
            case .headers(let range, _, _):
                // A promise comes before what it promises (RFC 9113 §8.4.1).
                #expect(stream == 1 || found.promises[stream] != nil)
                found.replies[stream, default: ""] += try lines(range, frame)[0] + " "
            case .data(let range, _):
                found.replies[stream, default: ""] += String(decoding: frame.frame.payload[range], as: UTF8.self)
            case .resetStream(let code):
                found.resets[stream] = code
                found.ended.insert(stream)
            default: break
            }
            if frame.frame.endsStream { found.ended.insert(stream) }
        }
        return found
    }

    @Test func `a promise comes on the stream of the request, and its reply on a stream of its own`() async throws {
        try await withRun(Self.page) { run in
            let found = try await talk(to: run.base) { wire in
                let frames = try FrameWire(wire)
                try frames.request("GET /page")
                return try Self.read(3, of: frames)
            }
            let host = try #require(run.base.split(separator: "/").last?.split(separator: ":").first)
            #expect(
                found.promises == [
                    2: [":method: GET", ":scheme: http", ":authority: a", ":path: /style.css"],
                    4: [":method: HEAD", ":scheme: http", ":authority: a", ":path: /script.js?a", "accept: \(host)/x"],
                ])
            #expect(found.replies == [1: ":status: 200 page", 2: ":status: 200 style", 4: ":status: 203 "])
            let requestCount = run.journal.snapshot().entries.count { entry in
                if case .requestHead = entry.event { true } else { false }
            }
            #expect(requestCount == 1)
        }
    }

    @Test(arguments: [Setting(.enablePush, 0), Setting(.maxConcurrentStreams, 0)])
    func `a client that permits no push gets none`(_ setting: Setting) async throws {
        try await withRun(Self.page) { run in
            let found = try await talk(to: run.base) { wire in
                let frames = try FrameWire(wire, settings: [setting])
                try frames.request("GET /page")
                return try Self.read(1, of: frames)
            }
            #expect(found.promises.isEmpty && found.replies == [1: ":status: 200 page"])
            let actions = run.journal.snapshot().entries.compactMap { entry -> String? in
                if case .effectPlayed(let effect) = entry.event { effect.action } else { nil }
            }
            #expect(
                actions == [
                    "push /style.css: left out, not permitted", "push HEAD /script.js?a: left out, not permitted",
                ])
        }
    }

    @Test func `a pushed reply waits for the windows, and ends when the client resets it`() async throws {
        let yaml = """
            summary: s
            origins: { main: { protocols: [h2] } }
            exchanges:
              - request: GET /page
                reply: { status: 200, body: page, effects: [{ at: head, do: push /long }] }
              - request: GET /long
                reply: { status: 200, body: { pattern: offset, bytes: 1000000 } }
            """
        try await withRun(yaml) { run in
            let text = try await talk(to: run.base) { wire in
                let frames = try FrameWire(wire, settings: [Setting(.initialWindowSize, 100)])
                try frames.request("GET /page")
                // The first 100 bytes of the pushed reply, and then nothing of it.
                while let frame = try frames.next() {
                    if frame.frame.type == .data, frame.frame.stream == 2 { break }
                }
                try frames.send(.resetStream(2, .cancel))
                try frames.request("GET /page", on: 3)
                return try frames.reply(on: 3).text
            }
            #expect(text == "page")
        }
    }

    @Test func `a push that nothing answers fails its reply and is warned of`() async throws {
        let yaml = """
            summary: s
            origins: { main: { protocols: [h2] } }
            exchanges:
              - request: GET /page
                reply: { status: 200, body: page, effects: [{ at: body 2, do: push /nowhere }] }
            """
        try await withRun(yaml) { run in
            #expect(
                run.scenario.warnings.map(\.sentence) == [
                    "no exchange of the origin answers the pushed GET /nowhere"
                ])
            let reply = try await talk(to: run.base) { wire in
                let frames = try FrameWire(wire)
                try frames.request("GET /page")
                return try frames.reply()
            }
            #expect(reply.text == "pa" && reply.resetCode == .internalError)
        }
    }
}
