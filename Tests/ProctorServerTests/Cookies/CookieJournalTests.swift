import ProctorHTTP
import ProctorJournal
import ProctorServer
import ProctorTestWire
import Testing

/// What the journal of a run says of cookies, from outside.
struct CookieJournalTests {
    /// `GET /` sets, everything else answers.
    static func yaml(_ reply: String, more: String = "") -> String {
        """
        summary: sets cookies
        exchanges:
          - request: "* /"
            reply: \(reply)
          - { request: "* /*", reply: { status: 200, body: ok } }
        \(more)
        """
    }

    static let setting = yaml("{ status: 200, headers: { Set-Cookie: a=1 }, body: ok }")

    /// What is said of cookies, and of heads and replies around it.
    static func lines(_ run: Run, untilClosed count: Int = 1) async throws -> [String] {
        try await run.journal.lines(untilClosed: count).filter {
            $0.contains(" head ") || $0.contains(" cookies") || $0.contains(" sent ")
        }
    }

    @Test func `a cookie is told of before the reply that sets it, and judged behind the head that carries it`()
        async throws
    {
        try await withRun(Self.setting) { run in
            let base = run.base
            _ = try await talk(to: base) { wire in
                [
                    try wire.ask("GET /x"), try wire.ask("GET /"), try wire.ask("GET /x", "Cookie: a=1"),
                    try wire.ask("GET /x"), try wire.ask("GET /x", "Cookie: a=2"),
                ]
            }
            #expect(
                try await Self.lines(run) == [
                    "c0 r0 head GET /x", "c0 r0 sent 200 40", "c0 r1 head GET /", "c0 r1 cookies set: stored",
                    "c0 r1 sent 200 57", "c0 r2 head GET /x", "c0 r2 cookies", "c0 r2 sent 200 40",
                    "c0 r3 head GET /x", "c0 r3 cookies missing", "c0 r3 sent 200 40", "c0 r4 head GET /x",
                    "c0 r4 cookies wrong-value", "c0 r4 sent 200 40",
                ])
            let verdicts = run.journal.cookieVerdicts
            #expect(verdicts.map(\.sent) == [[Array("a=1".utf8)], [], [Array("a=2".utf8)]])
            #expect(verdicts.allSatisfy { $0.expected == Array("a=1".utf8) })
            #expect(verdicts.map(\.conformsTo.count) == [2, 0, 0])
            #expect(verdicts[1].differences.first?.sentence.contains("http://a/x") == true)
        }
    }

    @Test func `a reply that is kept sets its cookies each time`() async throws {
        try await withRun(Self.setting) { run in
            let base = run.base
            _ = try await talk(to: base) { wire in [try wire.ask("GET /"), try wire.ask("GET /", "Cookie: a=1")] }
            let lines = try await Self.lines(run).filter { $0.contains("cookies") }
            #expect(lines == ["c0 r0 cookies set: stored", "c0 r1 cookies", "c0 r1 cookies set: replaced"])
        }
    }

    @Test func `a request with content is judged once, before its content is read`() async throws {
        try await withRun(Self.setting) { run in
            let base = run.base
            _ = try await talk(to: base) { wire in
                [try wire.ask("GET /"), try wire.ask("POST /x", "Cookie: b=1", "Content-Length: 3", body: "abc")]
            }
            let lines = try await run.journal.lines(untilClosed: 1).filter { $0.hasPrefix("c0 r1 ") }
            #expect(lines.prefix(2) == ["c0 r1 head POST /x", "c0 r1 cookies unknown missing"])
            #expect(lines.count { $0.contains("cookies") } == 1)
            #expect(lines.contains("c0 r1 body 3 complete"))
        }
    }

    @Test func `a scenario without cookies says nothing of them, unless a case asks`() async throws {
        let silent = Self.yaml("{ status: 200, body: ok }")
        let asking = Self.yaml(
            "{ status: 200, body: ok }",
            more: "cases: { keeps: { kind: should, client: { url: / }, cookies: conforming } }")
        for (yaml, expected) in [(silent, []), (asking, ["c0 r0 cookies unknown"])] {
            try await withRun(yaml) { run in
                _ = try await exchange(.request("GET /x", "Cookie: a=1"), with: run.base)
                #expect(try await Self.lines(run).filter { $0.contains("cookies") } == expected)
            }
        }
    }

    @Test func `hosts are told apart by what the request says, ports are not`() async throws {
        try await withRun(Self.setting) { run in
            let base = run.base
            try await onWire(
                base,
                "GET / HTTP/1.1\r\nHost: a.test:81\r\n\r\n", "GET /x HTTP/1.1\r\nHost: A.TEST:82\r\n\r\n",
                "GET /x HTTP/1.1\r\nHost: b.test\r\nCookie: a=1\r\n\r\n",
                "GET http://a.test/x HTTP/1.1\r\nHost: b.test\r\nCookie: a=1\r\n\r\n")
            let lines = try await Self.lines(run).filter { $0.contains("cookies") }
            #expect(
                lines == [
                    "c0 r0 cookies set: stored", "c0 r1 cookies missing", "c0 r2 cookies wrong-host", "c0 r3 cookies",
                ])
        }
    }

    @Test func `a proxy that answers itself does so for the URL that it is asked for`() async throws {
        let yaml = """
            summary: a proxy
            origins:
              main: {}
              proxy: { role: proxy }
            exchanges:
              - { request: GET /, reply: { status: 200 } }
              - origin: proxy
                request: "GET http://site.example/*"
                reply: { status: 200, headers: { Set-Cookie: a=1; Domain=site.example }, body: ok }
            """
        try await withRun(yaml) { run in
            let proxy = run.origins[1].url
            try await onWire(
                proxy, "GET http://site.example/x/y?z HTTP/1.1\r\nHost: site.example\r\n\r\n",
                "GET http://site.example/x/ HTTP/1.1\r\nHost: site.example\r\nCookie: a=1\r\n\r\n",
                "GET http://site.example/z HTTP/1.1\r\nHost: site.example\r\nCookie: a=1\r\n\r\n")
            let lines = try await Self.lines(run).filter { $0.contains("cookies") }
            #expect(
                lines == [
                    "c0 r0 cookies set: stored", "c0 r1 cookies", "c0 r1 cookies set: replaced",
                    "c0 r2 cookies wrong-path", "c0 r2 cookies set: stored",
                ])
        }
    }

    @Test func `a reset forgets, and a standing mount never knew`() async throws {
        try await withRun(Self.setting) { run in
            _ = try await exchange(.request("GET /"), with: run.base)
            run.reset()
            _ = try await exchange(.request("GET /x", "Cookie: a=1"), with: run.base)
            let lines = try await Self.lines(run).filter { $0.contains("cookies") }
            #expect(lines == ["c0 r0 cookies unknown"])
        }
        let scenario = try scenario(Self.setting)
        try await withServer([scenario]) { server in
            let got = try await exchange(.request("GET /test/one/", "Cookie: a=1"), with: server.base)
            #expect(got.text.status == 200 && got.text.values("Set-Cookie") == ["a=1"])
        }
    }
}

extension Journal {
    /// The verdicts on requests' cookies, in order.
    var cookieVerdicts: [CookieVerdict] {
        snapshot().entries.compactMap { entry in
            guard case .cookiesJudged(let verdict) = entry.event else { return nil }
            return verdict
        }
    }

    /// The notes on Set-Cookie fields, in order.
    var cookieNotes: [SetCookieNote] {
        snapshot().entries.flatMap { entry -> [SetCookieNote] in
            guard case .cookiesSet(let notes) = entry.event else { return [] }
            return notes
        }
    }
}

/// Sends requests on one connection, each when the reply to the one before is there.
func onWire(_ base: String, _ requests: String...) async throws {
    try await talk(to: base) { wire in
        for request in requests {
            try wire.send(request)
            _ = try wire.readReply()
        }
    }
}
