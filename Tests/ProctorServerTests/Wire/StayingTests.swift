import ProctorServer
import Testing

/// What becomes of a connection behind a reply, where the fixture says so itself.
struct StayingTests {
    private static let old = "GET / HTTP/1.0\r\nHost: a\r\n\r\n"

    private func yaml(_ reply: String) -> String {
        """
        summary: stays
        exchanges:
          - { request: GET /, reply: \(reply) }
          - { request: GET /last, reply: { status: 200, headers: { Connection: close }, body: last } }
        """
    }

    @Test(
        arguments: [
            "{ status: 200, body: ok, then: keep }",
            "{ status: 200, headers: { Connection: close }, body: ok, then: keep }",
            "{ version: HTTP/1.0, status: 200, body: ok, then: keep }",
            #"{ raw: "HTTP/1.0 200 OK\r\nContent-Length: 2\r\n\r\nok", then: keep }"#,
        ],
        [
            String.request("GET /", "Connection: close"), String.request("GET /"), StayingTests.old,
        ])
    func `a connection that is to stay does, whatever request and reply say`(_ reply: String, _ request: String)
        async throws
    {
        try await withRun(yaml(reply)) { run in
            let got = try await talk(to: run.base) { wire in
                try wire.send(request)
                let first = try wire.readReply()
                try wire.send(.request("GET /last"))
                return [first, try wire.readToEnd().text]
            }
            #expect(got[0].hasSuffix("\r\n\r\nok") && got[1].hasSuffix("\r\n\r\nlast"), "\(got)")
            let lines = try await run.journal.lines(untilClosed: 1)
            // Who said close was not to ask again (RFC 9112 §9.6).
            #expect(lines.contains { $0.contains("violation request-after-close") } == request.contains("close"))
            #expect(lines.last == "c0 closed by server: closed")
        }
    }

    @Test func `a connection that is to end does, whatever request and reply say`() async throws {
        try await withRun(yaml("{ status: 200, headers: { Connection: keep-alive }, body: ok, then: close }")) { run in
            let got = try await exchange(.request("GET /"), with: run.base)
            #expect(got.text.hasSuffix("\r\n\r\nok") && got.ending == .closed)
        }
    }

    private static let post = String.request("POST /up", "Content-Length: 5", "Expect: 100-continue")

    private static let final = """
        summary: answers before the content
        exchanges:
          - { request: POST /up, expect: final, reply: { status: 417 } }
          - { request: GET /last, reply: { status: 200, headers: { Connection: close }, body: last } }
        """

    @Test func `content that stays with the client is not looked for in the next request`() async throws {
        try await withRun(Self.final) { run in
            let got = try await talk(to: run.base) { wire in
                try wire.send(Self.post)
                let first = try wire.readReply()
                try wire.send(.request("GET /last"))
                return [first, try wire.readToEnd().text]
            }
            #expect(got[0].hasPrefix("HTTP/1.1 417 ") && got[1].hasSuffix("\r\n\r\nlast"), "\(got)")
            let lines = try await run.journal.lines(untilClosed: 1)
            #expect(lines.contains("c0 r1 head GET /last") && !lines.contains { $0.contains("continue") }, "\(lines)")
            #expect(!lines.contains { $0.contains("violation") })
        }
    }

    @Test func `content that came all the same is read to its end`() async throws {
        try await withRun(Self.final) { run in
            let got = try await exchange(Self.post + "hello" + .request("GET /last"), with: run.base)
            #expect(got.text.hasPrefix("HTTP/1.1 417 ") && got.text.hasSuffix("\r\n\r\nlast"), "\(got.text)")
            let lines = try await run.journal.lines(untilClosed: 1)
            #expect(lines.contains("c0 r0 body 5 complete"), "\(lines)")
        }
    }

    @Test func `who does not ask is read before the reply`() async throws {
        try await withRun(Self.final) { run in
            let request = String.request("POST /up", "Content-Length: 5") + "hello"
            let got = try await exchange(request + .request("GET /last"), with: run.base)
            #expect(got.text.hasPrefix("HTTP/1.1 417 ") && got.text.hasSuffix("\r\n\r\nlast"), "\(got.text)")
            let lines = try await run.journal.lines(untilClosed: 1)
            let (body, sent) = (
                lines.firstIndex(of: "c0 r0 body 5 complete"), lines.firstIndex { $0.contains("sent 417") }
            )
            #expect(body ?? .max < sent ?? .min, "\(lines)")
        }
    }
}
