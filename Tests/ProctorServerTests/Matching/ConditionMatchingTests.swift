import ProctorHTTP
import ProctorScenario
import ProctorTestSupport
import ProctorTestWire
import Testing

@testable import ProctorJournal
@testable import ProctorReplies
@testable import ProctorServer

/// Conditions on values, content and cookies, and what is said where they do not hold.
struct ConditionMatchingTests {
    struct Row: Sendable, CustomTestStringConvertible {
        /// The keys of the request besides its method; without `path` it is any.
        let keys: String
        let matching: [String]
        let others: [(request: String, differences: [String])]
        var testDescription: String { keys }

        init(_ keys: String, _ matching: [String], _ others: [(String, [String])]) {
            self.keys = keys
            self.matching = matching
            self.others = others.map { (request: $0.0, differences: $0.1) }
        }
    }

    private static func post(_ body: String, _ fields: String...) -> String {
        let lines = ["POST / HTTP/1.1", "Host: a", "Content-Length: \(body.utf8.count)"] + fields
        return lines.joined(separator: "\r\n") + "\r\n\r\n" + body
    }

    static let values: [Row] = [
        Row(
            "path: '/*', headers: { X: { matches: '[0-9]+' } }",
            [.request("GET /", "X: 12"), .request("GET /", "X: a", "X: 1")],
            [
                (
                    .request("GET /", "X: 12a"),
                    [#"header X: wanted { matches: "[0-9]+" }, got "12a"; from byte 2 on it does not match, "a""#]
                ),
                (.request("GET /"), [#"header X: wanted { matches: "[0-9]+" }, got none"#]),
            ]),
        Row(
            "path: '/*', headers: { X: { not: 'a*' } }", [.request("GET /"), .request("GET /", "X: b")],
            [
                (
                    .request("GET /", "X: b", "X: ab"), [#"header X: wanted { not: "a*" }, got "b" and "ab""#]
                )
            ]),
        Row(
            "path: '/*', headers: { X: { any of: [a, null] }, Y: { not: null } }",
            [.request("GET /", "Y: 1"), .request("GET /", "X: a", "Y:")],
            [
                (
                    .request("GET /", "X: b"),
                    [
                        #"header X: wanted { any of: ["a", null] }, got "b""#,
                        "header Y: wanted { not: null }, got none",
                    ]
                )
            ]),
        Row(
            "path: /a, query: { page: { any of: [{ matches: '[0-9]+' }, null] }, q: '*' }",
            [.request("GET /a?q=x"), .request("GET /a?q=&page=2")],
            [
                (
                    .request("GET /a?page=x&q="),
                    [
                        #"target: wanted /a?page={ any of: [{ matches: "[0-9]+" }, null] }&q=* (in any order), got /a?page=x&q="#
                    ]
                )
            ]),
        // The first item that fits is not always the right one.
        Row(
            "path: /a, query: { t: [{ any of: [a, b] }, { any of: [a] }] }",
            [.request("GET /a?t=a&t=b"), .request("GET /a?t=b&t=a")], []),
        Row(
            "path: { matches: '/items/(?<id>[0-9]+)' }, where: { id: { not: '0' } }",
            [.request("GET /items/12"), "GET http://a/items/1 HTTP/1.1\r\nHost: a\r\n\r\n"],
            [
                (.request("GET /items/0"), [#"where id: wanted { not: "0" }, got "0""#]),
                (
                    .request("GET /items/1/x"),
                    [
                        #"target: wanted { matches: "/items/(?<id>[0-9]+)" }, got /items/1/x; from byte 8 on it does not match, "/x""#
                    ]
                ),
            ]),
        Row(
            "path: '/{id}', where: { id: { matches: '[a-f]+' } }", [.request("GET /abc")],
            [
                (
                    .request("GET /abz"),
                    [#"where id: wanted { matches: "[a-f]+" }, got "abz"; from byte 2 on it does not match, "z""#]
                )
            ]),
        Row(
            "path: '/*', cookies: { session: { matches: '[0-9]+' }, tracker: null }",
            [.request("GET /", "Cookie: a=b; session=12"), .request("GET /", "Cookie: x", "Cookie: session=1;y=")],
            [
                (
                    .request("GET /", "Cookie: Session=12; tracker=1"),
                    [
                        #"cookie session: wanted { matches: "[0-9]+" }, got none"#,
                        #"cookie tracker: wanted none, got "1""#,
                    ]
                )
            ]),
        Row(
            "path: '/*', not: { headers: { X: a } }, any of: [{ headers: { Y: b } }, { query: { z: '1' } }]",
            [.request("GET /", "Y: b"), .request("GET /?z=1", "X: b")],
            [
                (.request("GET /", "X: a", "Y: b"), [#"not: wanted none of {"headers": {"X": "a"}}, got all of it"#]),
                (
                    .request("GET /"),
                    [#"any of: wanted {"headers": {"Y": "b"}} or {"query": {"z": "1"}}, got neither"#]
                ),
            ]),
        Row(
            "path: '/*', headers: { X: { matches: '(a+)+' } }", [.request("GET /", "X: aa")],
            [
                (
                    .request("GET /", "X: " + String(repeating: "a", count: 40) + "!"),
                    [
                        #"header X: wanted { matches: "(a+)+" }, got ""# + String(repeating: "a", count: 40)
                            + #"!"; no answer, since the search ends after 500000 steps"#
                    ]
                )
            ]),
        Row(
            "path: '/*', headers: { X: { not: { matches: '(a+)+' } } }", [.request("GET /", "X: b")],
            [
                (
                    .request("GET /", "X: " + String(repeating: "a", count: 40) + "!"),
                    [
                        #"header X: wanted { not: { matches: "(a+)+" } }, got ""# + String(repeating: "a", count: 40)
                            + #"!"; no answer, since the search ends after 500000 steps"#
                    ]
                )
            ]),
        Row(
            "path: '/*', tls: { sni: a }", [],
            [(.request("GET /"), [#"tls: wanted { sni: "a" }, got a connection without TLS"#])]),
    ]

    static let contents: [Row] = [
        Row(
            "path: /, body: { matches: 'a[0-9]+' }", [post("a1")],
            [
                (
                    post("a1b"),
                    [#"body: wanted { matches: "a[0-9]+" }, got 3 bytes; from byte 2 on it does not match, "b""#]
                ),
                (post("a"), [#"body: wanted { matches: "a[0-9]+" }, got 1 byte; more is wanted behind byte 1"#]),
            ]),
        Row(
            "path: /, body: { contains: needle }", [post("a needle here"), post("needle")],
            [
                (
                    post("a nee\nneed"),
                    [#"body: wanted { contains: "needle" }, got 10 bytes without it; nearest at byte 6, "need""#]
                ), (post("xxx"), [#"body: wanted { contains: "needle" }, got 3 bytes without it"#]),
            ]),
        Row(
            "path: /, json: { id: any number, tags: { unordered: [a, b] } }",
            [post(#"{"tags":["b","a"],"id":1e3}"#), post("\n{\"id\": 0,\r\n \"tags\": [\"a\", \"b\"]}\n")],
            [
                (post(#"{"id":"1","tags":[]}"#), [#"json /id: wanted any number, got "1""#]),
                (
                    post(#"{"id":1,"#),
                    [
                        "body: wanted JSON, got content that is no JSON: the line ends where a key in double quotes is expected, at byte 8"
                    ]
                ), (post(""), ["body: wanted JSON, got no content"]),
                (
                    post("nil"),
                    [
                        #"body: wanted JSON, got content that is no JSON: expected a value, not 'n', at byte 0 from where it is "nil""#
                    ]
                ),
            ]),
        Row(
            "path: /, not: { json: { dry: true } }", [post(#"{"dry":false}"#), post("x")],
            [(post(#"{"dry":true}"#), [#"not: wanted none of {"json": {"dry": true}}, got all of it"#])]),
        Row(
            "path: /, form: { a: { matches: '[0-9]' }, b: { any of: [x, null] } }",
            [
                post("a=1", "Content-Type: application/x-www-form-urlencoded"),
                post("b=x&a=1", "Content-Type: application/x-www-form-urlencoded"),
            ],
            [
                (
                    post("a=12&b=y", "Content-Type: application/x-www-form-urlencoded"),
                    [
                        #"form field a: wanted { matches: "[0-9]" }, got "12""#,
                        #"form field b: wanted { any of: ["x", null] }, got "y""#,
                    ]
                )
            ]),
    ]

    @Test(arguments: values + contents)
    func `conditions are asked, and what does not hold is said in the words of the fixture`(_ row: Row) throws {
        let compiled = CompiledScenario(
            try conditionScenario("request: { method: '*', \(row.keys) }"), checkHashes: { _ in })
        for text in row.matching {
            let plain = try view(text)
            #expect(compiled.exchanges[0].verdict(on: plain) == .holds, "\(text)")
            #expect(compiled.exchanges[0].matchesHead(of: plain), "\(text)")
            // As the stage does it, before its lock is taken.
            let request = try view(text, comparison: compiled.comparison(for: plain.head))
            #expect(compiled.compare(request, origin: 0, headsAlone: true))
            #expect(compiled.compare(request, origin: 0, headsAlone: false))
            compiled.prepare(request, origin: 0)
            #expect(compiled.exchanges[0].verdict(on: request) == .holds)
        }
        for other in row.others {
            let request = try view(other.request)
            #expect(compiled.exchanges[0].verdict(on: request) == .fails, "\(other.request)")
            let miss = NearestExchange(request: request, origin: 0).miss(
                in: compiled, isUsedUp: { _ in false }, next: nil)
            #expect(miss.differences == other.differences)
        }
    }

    /// The check that TLS is spoken is about files; here a scenario without it is made of one with it.
    private func conditionScenario(_ request: String) throws -> Scenario {
        let origins = request.contains("tls:") ? "origins: { main: { scheme: https } }" : ""
        return try scenario(
            """
            summary: conditions
            \(origins)
            exchanges:
              - \(request)
                reply: { status: 200 }
            """)
    }

    private func view(
        _ text: String, security: SecurityFacts? = nil, comparison: Comparison? = nil
    ) throws -> RequestView {
        let parsed = try RequestView(parsing: text)
        let decoding = DecodedBody(parsed.head, body: parsed.body, gap: nil) { nil }
        return RequestView(
            head: parsed.head, target: parsed.head.target, body: parsed.body, decoding: decoding, security: security,
            comparison: comparison)
    }

    @Test func `facts of TLS are asked one by one`() throws {
        let compiled = CompiledScenario(
            try scenario(
                """
                summary: tls
                origins: { main: { scheme: https, tls: { client-certificate: request } } }
                exchanges:
                  - request: { method: GET, path: /, tls: { sni: "*.example.org", alpn: null, identity: { not: null } } }
                    reply: { status: 200 }
                """))
        let wanted = try view(
            .request("GET /"),
            security: SecurityFacts(serverName: Array("a.example.org".utf8), identity: Array("alice".utf8)))
        #expect(compiled.exchanges[0].verdict(on: wanted) == .holds)
        let request = try view(.request("GET /"), security: SecurityFacts(applicationProtocol: Array("h2".utf8)))
        let miss = NearestExchange(request: request, origin: 0).miss(
            in: compiled, isUsedUp: { _ in false }, next: nil)
        #expect(
            miss.differences == [
                #"tls sni: wanted "*.example.org", got none"#, #"tls alpn: wanted none, got "h2""#,
                "tls identity: wanted { not: null }, got none",
            ])
    }
}

/// One scenario with every condition, asked from outside.
@Suite(.limit(minutes: 5))
struct ConditionWireTests {
    private let yaml = """
        summary: conditions
        exchanges:
          - request: { method: GET, path: { matches: "/items/(?<id>[0-9]+)" }, cookies: { role: admin } }
            reply: { status: 200, body: "item {{path.id}} for an admin" }
          - request: { method: GET, path: "/items/{id}", where: { id: { not: { matches: "0+" } } } }
            reply: { status: 200, body: "item {{path.id}}" }
          - request: { method: GET, path: /search, query: { q: "*", page: { any of: [{ matches: "[0-9]+" }, null] } } }
            reply: { status: 200, body: found }
          - request:
              method: POST
              path: /items
              headers: { Content-Type: { any of: [application/json, { matches: "application/.*[+]json" }] } }
              json: { name: any string, price: 1.50, tags: { unordered: [a, b] } }
            reply: { status: 201, body: created }
          - request: { method: POST, path: /items, json: { contains: { id: { matches: "[a-f0-9]{4}" } } } }
            reply: { status: 200, body: part }
          - request: { method: POST, path: /items, body: { matches: "(?s)<.*>" }, not: { headers: { X-Dry: "*" } } }
            reply: { status: 200, body: markup }
          - request: { method: POST, path: /items, any of: [{ body: { contains: needle } }, { json: { at: { /0: 1 } } }] }
            reply: { status: 200, body: either }
        """

    private func curl(_ words: String...) async throws -> String {
        try await ChildProcess.run(["/usr/bin/env", "curl", "-sS", "--max-time", "60"] + words).out
    }

    @Test func `curl finds each exchange by its conditions`() async throws {
        try await withRun(yaml) { run in
            let items = run.base + "/items"
            #expect(try await curl("-b", "a=b; role=admin", items + "/12") == "item 12 for an admin")
            #expect(try await curl("-b", "role=user", items + "/12") == "item 12")
            #expect(try await curl(run.base + "/search?q=x") == "found")
            #expect(try await curl(run.base + "/search?page=3&q=") == "found")
            let json = #"{ "tags": ["b", "a"], "price": 15e-1, "name": "lamp" }"#
            #expect(try await curl("-H", "Content-Type: application/vnd.x+json", "-d", json, items) == "created")
            #expect(try await curl("-d", #"[{"id":"00ff"}]"#, items) == "part")
            #expect(try await curl("-d", "<a>\n</a>", items) == "markup")
            #expect(try await curl("-d", "a needle", "-H", "X-Dry: 1", items) == "either")
            #expect(try await curl("-d", "[1.0]", items) == "either")
            let miss = try await curl("-H", "Content-Type: application/json", "-d", json + "x", items)
            #expect(miss.contains("nearest: POST /items"))
            let other = try await curl("-H", "Content-Type: application/json", "-d", #"{"name":1}"#, items)
            #expect(other.contains("json /name: wanted any string, got 1"), "\(other)")
            let zero = try await curl(items + "/00")
            // The miss names the nearest exchange alone.
            #expect(zero.contains(#"cookie role: wanted "admin", got none"#), "\(zero)")
        }
    }

    @Test func `content in any pieces is the same`() async throws {
        try await withRun(yaml) { run in
            let json = #"{"id":"beef"}"#
            let head = "POST /items HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n"
            let chunks = json.utf8.map { "1\r\n\(Character(Unicode.Scalar($0)))\r\n" }.joined()
            let received = try await exchange(head + chunks + "0\r\n\r\n", with: run.base)
            #expect(received.text.hasSuffix("part"), "\(received.text)")
        }
    }

    @Test func `facts of TLS choose the exchange`() async throws {
        let secured = """
            summary: tls
            origins: { main: { scheme: https } }
            exchanges:
              - { request: { method: GET, path: /, tls: { alpn: h2 } }, reply: { status: 200, body: two } }
              - { request: { method: GET, path: /, tls: { alpn: { any of: [http/1.1, null] }, identity: null } }, reply: { status: 200, body: one } }
            """
        try await withRun(secured) { run in
            let outcome = try await ChildProcess.run([
                "/usr/bin/env", "curl", "-sS", "--max-time", "60", "--cacert", run.trust ?? "", run.base + "/",
            ])
            #expect(outcome.out == "one", "\(outcome.err)")
        }
    }
}
