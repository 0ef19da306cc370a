import ProctorBase
import ProctorCoding
import ProctorTestSupport
import Testing

@testable import ProctorFixtures
@testable import ProctorScenario

struct MultipartReadingTests {
    private func body(_ text: String) throws -> StructuredReply {
        try #require(try replies("{ status: 200, body: \(text) }").first).structured
    }

    @Test func `parts are written out with their delimiters`() throws {
        let reply = try body(
            #"{ multipart: [{ headers: { Content-Type: text/plain, X: [1, 2] }, body: "one" }, { body: two }], boundary: XYZ }"#
        )
        #expect(
            reply.pieces == [
                "--XYZ\r\nContent-Type: text/plain\r\nX: 1\r\nX: 2\r\n\r\none".bytes, "\r\n--XYZ\r\n\r\ntwo".bytes,
                "\r\n--XYZ--\r\n".bytes,
            ])
    }

    @Test func `preamble and epilogue stand around the parts`() throws {
        let reply = try body(#"{ multipart: [{ body: a }], boundary: b c, preamble: "before", epilogue: "after" }"#)
        #expect(reply.text == "before\r\n--b c\r\n\r\na\r\n--b c--\r\nafter")
    }

    @Test func `an open body ends with the content of its last part`() throws {
        #expect(
            try body("{ multipart: [{ body: a }, { body: b }], boundary: x, closed: false }").text
                == "--x\r\n\r\na\r\n--x\r\n\r\nb")
    }

    @Test func `effects stand before the delimiter of the next part`() throws {
        let reply = try body(
            "{ multipart: [{ do: wait 1s }, { body: a }, { do: await data }, { body: b }, { do: wait 2s }], boundary: x, preamble: p }"
        )
        let shape = reply.body.map { piece in
            switch piece {
            case .bytes(let source): String(decoding: source.literalBytes ?? [], as: UTF8.self)
            case .effect(.wait(let time)): "wait \(time)"
            case .effect(.await(let point)): "await \(point.event)"
            case .effect: "another effect"
            }
        }
        #expect(
            shape == [
                "p\r\n", "wait 1.0 seconds", "--x\r\n\r\na", "await data", "\r\n--x\r\n\r\nb", "wait 2.0 seconds",
                "\r\n--x--\r\n",
            ])
    }

    @Test func `a long part is a piece of its own behind its head`() throws {
        let reply = try body("{ multipart: [{ body: { pattern: offset, bytes: 1000000 } }], boundary: x }")
        #expect(reply.pieces == ["--x\r\n\r\n".bytes, nil, "\r\n--x--\r\n".bytes])
    }

    @Test func `late-bound text may stand in heads, parts and around them`() throws {
        let reply = try body(
            #"{ multipart: [{ headers: { Date: "{{now}}" }, body: "{{base}}" }], boundary: x, epilogue: "{{origin}}" }"#
        )
        let templates = reply.body.compactMap { piece -> Template? in
            if case .bytes(.template(let template)) = piece { template } else { nil }
        }
        #expect(templates.count == 2)
        #expect(templates.first?.parts.contains(.now(offsetSeconds: 0)) == true)
        #expect(templates.first?.parts.last == .base)
        #expect(templates.last?.parts.last == .origin(nil))
    }

    @Test func `every character that a boundary may have is permitted`() throws {
        let boundary = "'()+_,-./:=? 09azAZ"
        #expect(
            try body(#"{ multipart: [{ body: a }], boundary: "\#(boundary)" }"#).text.hasPrefix("--\(boundary)\r\n"))
    }

    @Test func `Macintosh files are packed at load`() throws {
        let folder = try TestFolder()
        try folder.write("from a file", to: "fork.bin")
        let reply = try #require(
            try replies(
                """
                { status: 200, body: [{ macbinary: { name: Read Me, type: TEXT, creator: ttxt, flags: 256, data: hello,
                  resource: { repeat: r, bytes: 300 }, created: 0, modified: 1700000000, version: 3 } },
                  { binhex: { name: a.txt, data: { file: fork.bin } } }, { macbinary: { name: b } }] }
                """.replacing("\n", with: " "), folder: folder.path
            ).first
        ).structured
        let first = try MacBinary(parsing: try #require(reply.pieces[0]))
        #expect(first.version == .three)
        #expect(
            first.file
                == (try ForkedFile(
                    name: "Read Me".bytes, type: "TEXT".bytes, creator: "ttxt".bytes, flags: 256, created: 0,
                    modified: 1_700_000_000, data: "hello".bytes,
                    resource: [UInt8](repeating: UInt8(ascii: "r"), count: 300))))
        let second = try BinHex(parsing: try #require(reply.pieces[1]))
        #expect(second.file == (try ForkedFile(name: "a.txt".bytes, data: "from a file".bytes)))
        #expect(try MacBinary(parsing: try #require(reply.pieces[2])).version == .two)
    }

    @Test func `a file that would make too much is refused`() {
        let fork = "{ macbinary: { name: a, data: { repeat: x, bytes: 16777216 } } }"
        let found = messages(
            "summary: s\nexchanges:\n  - request: GET /a\n    reply:\n      status: 200\n      body:\n"
                + String(repeating: "        - \(fork)\n", count: 5))
        #expect(
            found == [
                "11:41 all that is made while this file is loaded has more than 67108864 bytes; make several scenarios of it"
            ])
    }
}

struct RequestBodyReadingTests {
    private func exchange(_ keys: String) throws -> Exchange {
        try #require(try load("summary: s\nexchanges: [{ \(keys) }]").exchanges.first)
    }

    @Test func `a form holds names with one pattern or several`() throws {
        let exchange = try exchange(
            #"request: { method: POST, path: /a, form: { a: "b c", d: [1, "*x", "\\*"] } }, reply: { status: 200 }"#)
        guard case .form(let items)? = exchange.request.body else {
            Issue.record("\(String(describing: exchange.request.body))")
            return
        }
        #expect(items.map(\.name) == ["a", "d", "d", "d"].map(\.bytes))
        #expect(items.map(\.value.exactBytes) == ["b c".bytes, "1".bytes, nil, "*".bytes])
    }

    @Test func `parts hold names, patterns and content`() throws {
        let exchange = try exchange(
            #"request: { method: POST, path: /a, parts: [{ name: f, filename: "*.txt", type: text/plain, body: { hex: "00" } }, { name: g }] }, reply: { status: 200 }"#
        )
        guard case .parts(let parts)? = exchange.request.body, parts.count == 2 else {
            Issue.record("\(String(describing: exchange.request.body))")
            return
        }
        #expect(parts.map(\.name) == ["f".bytes, "g".bytes])
        #expect(parts[0].fileName == .text(BytePattern(parts: [.wildcard, .literal(".txt".bytes)])))
        #expect(parts[0].contentType?.exactBytes == "text/plain".bytes)
        #expect(parts[0].body?.literalBytes == [0])
        #expect(parts[1].fileName == nil && parts[1].contentType == nil && parts[1].body == nil)
    }

    @Test func `reading can be slow, and turns can be those of connections`() throws {
        let slow = try exchange("request: POST /a, reads: { bytes: 1000, every: 10ms }, reply: { status: 200 }")
        #expect(slow.reads == .paced(byteCount: 1000, interval: .milliseconds(10)))
        #expect(slow.turns == .request)
        let byConnection = try exchange(
            "request: GET /a, turns: connection, reply: [{ status: 200 }, { status: 201 }]")
        #expect(byConnection.turns == .connection)
    }

    @Test func `roles and receive buffers are read`() throws {
        let scenario = try load(
            """
            summary: s
            origins: { main: { receive-buffer: 4096 }, a: { role: unaccepting, receive-buffer: 256 }, b: { role: unreachable } }
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            """)
        #expect(scenario.origins.map(\.role) == [.server, .unaccepting, .unreachable])
        #expect(scenario.origins.map(\.receiveBufferByteCount) == [4096, 256, nil])
    }

    @Test func `the names of facts are written as they were read`() throws {
        let names = [
            "wire[0].framing", "wire[1].chunks", "wire[0].trailers.X-A", "wire[0].form.a.b", "wire[0].parts",
            "wire[2].parts[3].name", "wire[0].parts[0].filename", "wire[0].parts[0].type", "wire[0].parts[0].body",
        ]
        for name in names { #expect(try FactName(parsing: name).text == name) }
        #expect(try FactName(parsing: "wire[2].parts[3].type") == .wire(index: 2, .part(index: 3, .type)))
        #expect(try FactName(parsing: "wire[0].trailers.A") == .wire(index: 0, .trailer("A")))
    }
}

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
        let wanted: [Slicing?] = [
            nil, .everyByte, .midCRLF, .midChunkSize, .midUTF8, .offsets([1, 7]), .size(100),
            .random(seed: 7, count: 3), .random(seed: 7, count: 12),
        ]
        #expect(slicings == wanted)
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
