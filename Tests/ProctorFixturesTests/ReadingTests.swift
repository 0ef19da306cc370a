import ProctorBase
import ProctorDocument
import ProctorTestSupport
import Testing

@testable import ProctorFixtures
@testable import ProctorNotation
@testable import ProctorScenario

struct ReadingTests {
    @Test func `the example of the design is read as it is meant`() throws {
        let scenario = try load(
            #"""
            # yaml-language-server: $schema=../scenario.schema.json
            summary: A 302 turns POST into GET and drops the body
            spec: RFC 9110 §15.4.3
            exchanges:
              - request: POST /form
                reply: { status: 302, headers: { Location: "{{base}}/done" } }
              - request: GET /done
                reply: { status: 200, body: "ok\n" }
            cases:
              follow:
                kind: should
                client: { method: POST, url: /form, body: a=1 }
                wire: request(POST /form) request(GET /done)
                task: redirect(302) response(200) data+ complete(ok)
                facts: { body: "ok\n", "wire[1].body": "" }
              refuse:
                client: { method: POST, url: /form, body: a=1, onRedirect: refuse }
                wire: request(POST /form)
                task: redirect(302) response(302) data* complete(ok)
            """#, id: "redirect/302-post-becomes-get")
        #expect(scenario.id == "redirect/302-post-becomes-get")
        #expect(scenario.spec == ["RFC 9110 §15.4.3"])
        #expect(scenario.sequence == .free)
        #expect(scenario.origins.map(\.name) == ["main"])
        #expect(scenario.rootReason == nil)
        #expect(scenario.exchanges.map(\.request.text) == ["POST /form", "GET /done"])
        #expect(scenario.exchanges.first?.request.methods == ["POST".bytes])
        #expect(scenario.exchanges.first?.request.target.exactBytes == "/form".bytes)
        let first = try structured(scenario, 0)
        #expect(first.status == 302)
        #expect(first.version == "HTTP/1.1")
        #expect(first.headers.map(\.name) == ["Location".bytes])
        #expect(first.headers.first?.value.parts == [.base, .literal("/done".bytes)])
        #expect(first.framing == .unspecified)
        #expect(scenario.cases.map(\.name) == ["follow", "refuse"])
        #expect(scenario.cases.map(\.kind) == [.should, .must])
        let follow = try #require(scenario.cases.first)
        #expect(follow.client.first?.body?.literalBytes == "a=1".bytes)
        #expect(follow.wire?.text == "request(POST /form) request(GET /done)")
        #expect(follow.lanes.keys.sorted() == ["task"])
        #expect(follow.facts.map(\.name) == [.client(step: 0, .body), .wire(index: 1, .body)])
        #expect(follow.facts.first?.expected == .text(Template(parts: [.literal("ok\n".bytes)])))
        #expect(follow.facts.last?.expected == .text(Template(parts: [])))
    }

    private func structured(_ scenario: Scenario, _ exchange: Int, turn: Int = 0) throws -> StructuredReply {
        let replies = try #require(scenario.exchanges.dropFirst(exchange).first).replies
        guard case .structured(let reply)? = try #require(replies.dropFirst(turn).first).message else {
            throw Wrong()
        }
        return reply
    }

    private struct Wrong: Error {}

    @Test func `what YAML takes for a number or a boolean is text where text is wanted`() throws {
        let scenario = try load(
            """
            summary: no
            exchanges:
              - request: GET /a
                reply: { status: 200, reason: 1.0, headers: { A: 010, B: yes, C: "null" }, body: false }
            """)
        #expect(scenario.summary == "no")
        let reply = try structured(scenario, 0)
        #expect(reply.reason == "1.0")
        #expect(reply.headers.map { $0.value.literalBytes } == ["010".bytes, "yes".bytes, "null".bytes])
        guard case .bytes(let body)? = reply.body.first else { throw Wrong() }
        #expect(body.literalBytes == "false".bytes)
    }

    @Test func `headers keep order, case and duplicates in each of their forms`() throws {
        let scenario = try load(
            """
            summary: s
            exchanges:
              - request: GET /a
                reply:
                  - { status: 200, headers: { b: 1, A: [2, 3], a: 4 } }
                  - { status: 200, headers: [{ b: 1 }, { A: 2 }, { b: 3 }] }
            """)
        #expect(try structured(scenario, 0).headers.map(\.name) == ["b", "A", "A", "a"].map(\.bytes))
        #expect(try structured(scenario, 0, turn: 1).headers.map(\.name) == ["b", "A", "b"].map(\.bytes))
    }

    @Test func `bytes are read in each of their forms`() throws {
        let folder = try TestFolder()
        try folder.write("12345", to: "below/body.bin")
        let scenario = try load(
            """
            summary: s
            exchanges:
              - request: GET /a
                reply:
                  status: 200
                  body:
                    - { text: "{{base}}" }
                    - { hex: "00 Ff 10" }
                    - { base64: "AP8Q YQ==" }
                    - { base64: "YWI" }
                    - { repeat: ab, times: 3 }
                    - { repeat: ab, bytes: 5 }
                    - { pattern: offset, bytes: 1099511627776 }
                    - { file: below/body.bin }
                    - { do: wait 1.5ms }
                    - { do: reset, abrupt: true }
            """, folder: folder.path)
        let pieces = try structured(scenario, 0).body
        let sources = pieces.compactMap { piece -> ByteSource? in
            if case .bytes(let source) = piece { source } else { nil }
        }
        #expect(
            sources.map(\.literalBytes) == [
                "{{base}}".bytes, [0, 255, 16], [0, 255, 16, 97], "ab".bytes, nil, nil, nil, nil,
            ])
        #expect(sources.map(\.byteCount) == [8, 3, 4, 2, 6, 5, 1 << 40, 5])
        guard case .file(let file)? = sources.last else { throw Wrong() }
        #expect(file.path == "\(folder.path)/below/body.bin")
        guard case .effect(.wait(let time))? = pieces.dropLast().last else { throw Wrong() }
        #expect(time == .microseconds(1500))
        guard case .effect(.reset(abrupt: true))? = pieces.last else { throw Wrong() }
    }

    @Test func `an exchange's own keys are read`() throws {
        let scenario = try load(
            """
            summary: s
            sequence: strict
            origins: { other: , main: { connections: [{ at: request-head 5, do: half-close, on: 1-2 }] } }
            exchanges:
              - request: { method: "*", path: "*", headers: { Cookie: null, X: "a{n}*" }, query: { a: [1, "{b}"] }, body: z }
                origin: other
                times: 3
                reads: 10
                expect: ignore
                reply: [{ status: 200 }, { effects: [{ at: head, do: stall }] }, { raw: "x", effects: [{ at: wire 1, do: { send: { hex: "00" } } }] }]
            """)
        #expect(scenario.sequence == .strict)
        #expect(scenario.origins.map(\.name) == ["main", "other"])
        let effect = try #require(scenario.origins.first?.connectionEffects.first)
        #expect(effect.position == .requestHead(5))
        #expect(effect.connections == 1...2)
        let exchange = try #require(scenario.exchanges.first)
        #expect(exchange.origin == 1)
        #expect(exchange.times == 3)
        #expect(exchange.reads == .bytes(10))
        #expect(exchange.expectation == .ignore)
        #expect(exchange.request.methods == nil)
        #expect(exchange.request.target.exactBytes == "*".bytes)
        #expect(exchange.request.headers.map { $0.value == .absent } == [true, false])
        #expect(exchange.request.query?.map(\.value.exactBytes) == ["1".bytes, nil])
        guard case .exact(let body)? = exchange.request.body else { throw Wrong() }
        #expect(body.literalBytes == "z".bytes)
        #expect(exchange.replies.map { $0.message == nil } == [false, true, false])
        #expect(exchange.replies.map(\.effects.count) == [0, 1, 1])
    }

    @Test func `a reply's own keys are read`() throws {
        let scenario = try load(
            """
            summary: s
            exchanges:
              - request: GET /a
                reply:
                  status: 200
                  reason: ""
                  version: ICY
                  framing: { chunked: [5, 7] }
                  trailers: { X: 1 }
                  interim: [102, { status: 103, reason: Hints, headers: { Link: </a> } }]
                  body: abc
                  effects:
                    - { at: end, do: close }
                    - { at: body 3, do: wait 2m }
                    - { at: head, do: send x y }
            """)
        let reply = try structured(scenario, 0)
        #expect(reply.reason == "")
        #expect(reply.version == "ICY")
        #expect(reply.framing == .chunked(ChunkStyle(sizes: [5, 7])))
        #expect(reply.trailers.count == 1)
        let interim = reply.interim.compactMap { piece in
            if case .reply(let interim) = piece { interim } else { nil }
        }
        #expect(interim.map(\.status) == [102, 103])
        #expect(interim.map(\.reason) == [nil, "Hints"])
        let effects = scenario.exchanges.first?.replies.first?.effects ?? []
        #expect(effects.map(\.position) == [.end, .body(3), .head(0)])
        guard case .send(let bytes)? = effects.last?.action else { throw Wrong() }
        #expect(bytes.literalBytes == "x y".bytes)
    }
}

/// What can be served and is rarely meant.
struct WarningTests {
    private func warnings(_ request: String, _ raw: String) throws -> [Diagnostic] {
        try load("summary: s\nexchanges: [{ request: \(request), reply: { raw: \(raw) } }]").warnings
    }

    @Test(
        arguments: [#""* /a""#, "GET|HEAD /a"],
        [
            #""HTTP/1.1 200 OK\r\n\r\nbody""#, #""HTTP/1.1 200 OK\n\nbody""#,
            #"["HTTP/1.1 200 OK\r\n\r\n", { hex: "61" }]"#,
            #"["HTTP/1.1 200 OK\r\n\r\n", { repeat: a, times: 2 }]"#,
        ])
    func `a raw reply with a body that HEAD can reach is told`(_ request: String, _ raw: String) throws {
        let found = try warnings(request, raw)
        #expect(found.count == 1 && found[0].level == .warning && found[0].location.line == 2)
        #expect(
            found.first?.description.hasSuffix(
                ": warning: HEAD can reach this raw reply, which sends its body to it too (RFC 9110 §9.3.2); "
                    + "write GET where only GET is meant, or an exchange for HEAD before it") == true, "\(found)")
    }

    @Test(arguments: [
        ("GET /a", #""HTTP/1.1 200 OK\r\n\r\nbody""#), ("HEAD /a", #""HTTP/1.1 200 OK\r\n\r\nbody""#),
        (#""* /a""#, #""HTTP/1.1 204 No Content\r\n\r\n""#),
        (#""* /a""#, #""HTTP/1.1 302 Found\r\nLocation: {{base}}/\r\n\r\n""#),
    ])
    func `what HEAD does not reach, what has no body, and what is meant is not`(_ request: String, _ raw: String) throws
    {
        #expect(try warnings(request, raw).isEmpty)
    }

    @Test func `errors stay errors`() {
        let (_, diagnostics) = ScenarioLoader.parse("summary: s\n".bytes, id: "a", file: "a.yaml")
        #expect(diagnostics.map(\.level) == [.error])
    }
}
