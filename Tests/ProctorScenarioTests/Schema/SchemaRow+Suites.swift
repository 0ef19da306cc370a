extension SchemaRow {
    /// Keys that suites of clients asked for.
    static let acceptedSuites: [SchemaRow] = [
        SchemaRow(
            "raw replies in pieces",
            #"""
            summary: s
            origins: { p: { role: proxy } }
            exchanges:
              - { request: GET /a, reply: { raw: ["HTTP/1.1 200 OK\r\n", { hex: "0d" }, { do: wait 1ms }, { repeat: a, times: 3 }, "{{host.main}}:{{port}}"] } }
              - { request: CONNECT *, origin: p, reply: { raw: "HTTP/1.1 200 OK\r\n\r\n", tunnel: main } }
            """#),
        SchemaRow(
            "field values that are generated",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, headers: { A: { repeat: a, bytes: 40960 }, B: [b, { hex: "ff" }] } } }]
            """#),
        SchemaRow(
            "connections that stay and end",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: [{ status: 200, then: keep }, { raw: abc, then: keep }, { status: 200, then: close, framing: close }] }]
            """#),
        SchemaRow(
            "ranges that are not there",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: [{ status: 200, honours: [ranges, conditions], unsatisfiable: { headers: { Content-Range: bytes */1 }, body: no, framing: chunked } }, { status: 200, honours: ranges, unsatisfiable: { raw: abc } }] }]
            """#),
        SchemaRow(
            "a turn that is shared, and content that never comes",
            #"""
            summary: s
            exchanges:
              - { request: GET /a, turns: { shared: t }, reply: [{ status: 200 }, { status: 201 }] }
              - { request: POST /b, turns: { shared: t }, expect: final, reply: { status: 417 } }
            """#),
        SchemaRow(
            "127.0.0.1, and a port of TLS that answers no plain HTTP",
            #"""
            summary: s
            origins: { main: { host: 127.0.0.1 }, gone: { host: 127.0.0.1, role: closed }, tls: { scheme: https, tls: { plain-http: close, alpn: { force: h2 } } } }
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "schemes in other letters, and nonces for nobody",
            #"""
            summary: s
            guards:
              a: { users: { u: p }, schemes: [{ basic: { spelled: bASIC } }, { digest: { spelled: DIGEST, uses: 0 } }, { ntlm: { offer-only: [], spelled: Ntlm } }] }
              b: { tokens: T, schemes: [{ bearer: { spelled: BEARER } }] }
              c: { users: { u: p }, schemes: [{ digest: { uses: [0, 1] } }] }
            exchanges: [{ request: GET /a, auth: a, reply: { status: 200 } }, { request: GET /b, auth: b, reply: { status: 200 } }, { request: GET /c, auth: c, reply: { status: 200 } }]
            """#),
    ]

    /// What of them is wrong by its form.
    static let refusedSuites: [SchemaRow] =
        [
            "a raw reply of no pieces: { raw: [] }",
            "a piece that is none: { raw: [{ hexx: '00' }] }",
            "a field value that is none: { status: 200, headers: { A: { b: c } } }",
            "a connection that stays and ends: { status: 200, framing: close, then: keep }",
            "an end that is none: { status: 200, then: stay }",
            "a reply to ranges that nobody honours: { status: 200, unsatisfiable: { body: a } }",
            "a reply to ranges beside conditions: { status: 200, honours: conditions, unsatisfiable: { body: a } }",
            "a reply to ranges that honours some: { status: 200, honours: ranges, unsatisfiable: { honours: ranges } }",
            "a reply to ranges beside raw bytes: { raw: a, unsatisfiable: { body: a } }",
        ].map { text in
            let name = text.prefix { $0 != ":" }
            return SchemaRow(
                String(name), "summary: s\nexchanges: [{ request: GET /a, reply:\(text.dropFirst(name.count + 1)) }]")
        } + [
            SchemaRow(
                "a turn without a name",
                "summary: s\nexchanges: [{ request: GET /a, turns: { shared: '' }, reply: [{ status: 200 }, { status: 201 }] }]"
            ),
            SchemaRow(
                "a certificate without its key",
                "summary: s\norigins: { main: { scheme: https, certificate: { file: a.pem } } }\nexchanges: []"),
            SchemaRow(
                "a protocol that is not spoken",
                "summary: s\norigins: { main: { scheme: https, tls: { alpn: [http/1.1, h2] } } }\nexchanges: []"),
            SchemaRow(
                "an answer to plain HTTP that is none",
                "summary: s\norigins: { main: { scheme: https, tls: { plain-http: no } } }\nexchanges: []"),
            SchemaRow(
                "another scheme than the one that is offered",
                "summary: s\nauth: { users: { u: p }, schemes: [{ basic: { spelled: digest } }] }\n"
                    + "exchanges: [{ request: GET /a, reply: { status: 200 } }]"),
            SchemaRow(
                "nonces for fewer than nobody",
                "summary: s\nauth: { users: { u: p }, schemes: [{ digest: { uses: [0, -1] } }] }\n"
                    + "exchanges: [{ request: GET /a, reply: { status: 200 } }]"),
        ]

    /// What of them only the loader can tell.
    static let semanticSuites: [SchemaRow] = [
        SchemaRow(
            "a turn that nobody shares",
            "summary: s\nexchanges: [{ request: GET /a, turns: { shared: t }, reply: [{ status: 200 }, { status: 201 }] }]"
        ),
        SchemaRow(
            "a tunnel of no proxy", "summary: s\nexchanges: [{ request: GET /a, reply: { raw: a, tunnel: main } }]"),
        SchemaRow(
            "one size of members that leaves a rest",
            "summary: s\nexchanges: [{ request: GET /a, reply: { status: 200, coding: { gzip: { members: [1] } }, body: abc } }]"
        ),
        SchemaRow(
            "content that never comes and is compared",
            "summary: s\nexchanges: [{ request: { method: POST, path: /a, body: a }, expect: final, reply: { status: 417 } }]"
        ),
        SchemaRow(
            "a certificate that is not there",
            "summary: s\norigins: { main: { scheme: https, certificate: { file: a.pem, key: a.key } } }\nexchanges: []"),
    ]
}
