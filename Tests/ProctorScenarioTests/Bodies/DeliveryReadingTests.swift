import ProctorScenario
import Testing

struct DeliveryReadingTests {
    @Test func `chunks are read with their spelling`() throws {
        let framings = try replies(
            "{ status: 200, framing: chunked }", "{ status: 200, framing: { chunked: [] } }",
            "{ status: 200, framing: { chunked: [5, 7], extensions: ;a=b, digits: upper, width: 4 }, trailers: { A: b } }",
            "{ status: 200, framing: { chunked: [1], extensions: [;a, \"\"], digits: lower, last: missing } }"
        ).map { try $0.structured.framing }
        #expect(
            framings == [
                .chunked(ChunkStyle()), .chunked(ChunkStyle()),
                .chunked(ChunkStyle(sizes: [5, 7], extensions: [";a=b".bytes], usesCapitals: true, digitCount: 4)),
                .chunked(ChunkStyle(sizes: [1], extensions: [";a".bytes, []], hasLastChunk: false)),
            ])
    }

    @Test func `a pace is of the body unless it says that it is of the reply`() throws {
        let paces = try replies(
            "{ status: 200 }", "{ status: 200, pace: { bytes: 1000, every: 10ms } }",
            "{ status: 200, pace: { bytes: 1, every: 1.5s, of: reply } }"
        ).map { try $0.structured.pace }
        #expect(
            paces == [
                nil, Pace(byteCount: 1000, interval: .milliseconds(10)),
                Pace(byteCount: 1, interval: .milliseconds(1500), scope: .reply),
            ])
    }

    @Test func `slices are read in each of their forms`() throws {
        let slicings = try replies(
            "{ status: 200 }", "{ status: 200, slice: every-byte }", "{ status: 200, slice: mid-crlf }",
            "{ status: 200, framing: chunked, slice: mid-chunk-size }", "{ status: 200, slice: mid-utf8 }",
            "{ status: 200, slice: [1, 7] }", "{ status: 200, slice: { size: 100 } }",
            "{ status: 200, slice: { random: 7, count: 3 } }", "{ status: 200, slice: { random: 7 } }"
        ).map { try $0.structured.slicing }
        #expect(
            slicings == [
                nil, .everyByte, .midCRLF, .midChunkSize, .midUTF8, .offsets([1, 7]), .size(100),
                .random(seed: 7, count: 3), .random(seed: 7, count: 12),
            ])
    }

    @Test func `raw bytes are sliced too`() throws {
        let reply = try #require(try replies("{ raw: abcdef, slice: [2, 4] }").first)
        #expect(reply.rawSlicing == .offsets([2, 4]))
        #expect(try replies("{ status: 200, slice: every-byte }").first?.rawSlicing == nil)
    }

    @Test func `honours are read as one word or a list`() throws {
        let honours = try replies(
            "{ status: 200 }", "{ status: 200, honours: ranges }", "{ status: 200, honours: [conditions, ranges] }"
        ).map { try $0.structured.honours }
        #expect(honours == [[], [.ranges], [.ranges, .conditions]])
    }

    @Test func `interim replies and effects keep their order`() throws {
        let reply = try #require(
            try replies(
                "{ status: 200, interim: [100, { do: wait 200ms }, { status: 103, headers: { Link: </a> } }, { do: reset, abrupt: true }] }"
            ).first
        ).structured
        #expect(reply.interim.count == 4)
        guard case .reply(let first) = reply.interim[0], case .effect(.wait(let time)) = reply.interim[1],
            case .reply(let second) = reply.interim[2], case .effect(.reset(abrupt: true)) = reply.interim[3]
        else {
            Issue.record("\(reply.interim)")
            return
        }
        #expect(first.status == 100 && second.status == 103 && second.headers.count == 1)
        #expect(time == .milliseconds(200))
    }

    @Test func `sync points are read in both forms and at every place`() throws {
        let scenario = try load(
            """
            summary: s
            origins: { main: { connections: [{ at: request-body 3, do: await resume, on: 1, request: 2-4 }] } }
            exchanges:
              - request: GET /a
                reply:
                  status: 200
                  interim: [{ do: await created }]
                  body: [a, { do: { await: data, task: 1, count: 2, within: 2s } }, b]
                  effects: [{ at: head, do: await response }, { at: end, do: await data }]
            """)
        #expect(
            scenario.syncPoints == [
                SyncPoint(event: "resume"), SyncPoint(event: "created"),
                SyncPoint(event: "data", task: 1, count: 2, limit: .seconds(2)), SyncPoint(event: "response"),
                SyncPoint(event: "data"),
            ])
        #expect(scenario.awaitedEvents == ["created", "data", "response", "resume"])
        let effect = try #require(scenario.origins.first?.connectionEffects.first)
        #expect(effect.connections == 1...1)
        #expect(effect.requests == 2...4)
    }

    @Test func `a scenario that awaits nothing asks for no reports`() throws {
        let scenario = try load("summary: s\nexchanges: [{ request: GET /a, reply: { status: 200 } }]")
        #expect(scenario.awaitedEvents == nil)
        #expect(scenario.heldMilliseconds == 0)
    }

    @Test func `the deadline allows for waits, paces and slow reading`() throws {
        func held(_ exchange: String, body: String = "") throws -> Int {
            try load(
                "summary: s\nexchanges: [{ request: POST /a, \(exchange) }]\n"
                    + "cases: { c: { client: { method: POST, url: /a\(body) } } }"
            ).heldMilliseconds
        }
        #expect(try held("reply: { status: 200, interim: [{ do: wait 300ms }], body: [a, { do: wait 1s }] }") == 1300)
        #expect(
            try held("reply: { status: 200, body: { repeat: x, bytes: 100 }, pace: { bytes: 10, every: 20ms } }") == 180
        )
        #expect(
            try held(
                "reads: { bytes: 10, every: 20ms }, reply: { status: 200 }", body: ", body: { repeat: x, bytes: 101 }")
                == 200)
        #expect(
            try held(
                "reply: { status: 200, body: { repeat: x, bytes: 1000000000000 }, pace: { bytes: 1, every: 10m } }")
                == 120_000)
        #expect(try held("reply: [{ status: 200, effects: [{ at: head, do: wait 10m }] }, { status: 200 }]") == 120_000)
    }
}
