extension SchemaRow {
    /// Guards as they may be written.
    static let acceptedGuards: [SchemaRow] = [
        SchemaRow(
            "a guard with every key",
            #"""
            summary: s
            guards: { g: { realm: [lab, ""], users: { user: pass, "": 12, "Jäsøn Doe": "" }, tokens: [T, { token: U==, scope: "read write", expired: true }, { token: V, scope: [a, b c] }], proxy: true, layout: one-line, schemes: [basic, digest, bearer], refuse: [{}, { status: 418, body: no, effects: [{ at: end, do: close }] }, { framing: chunked, trailers: { a: b } }], gives-up: { after: 0, reply: { raw: x } } } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "every scheme",
            #"""
            summary: s
            guards: { g: { users: { u: p }, tokens: { token: T, scope: a b }, schemes: [{ basic: }, { basic: { charset: UTF-8, says: { realm: null, Realm: '"x"', n: 5 } } }, { digest: }, { bearer: }, { bearer: { scope: "a b", in: query, says: { error: x } } }, { bearer: { scope: [a], in: [header, form] } }, { ntlm: { offer-only: [TlRM, AA==] } }, { negotiate: { offer-only: [] } }, { verbatim: "" }, { verbatim: 'Unheard a="b", Other' }] } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "one scheme without a list",
            #"""
            summary: s
            guards: { g: { users: { u: p }, schemes: basic, refuse: { status: 401 }, gives-up: { after: 3 } } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "every word of Digest",
            #"""
            summary: s
            guards: { g: { users: { u: p }, schemes: [{ digest: { algorithm: SHA-512-256-sess, qop: [auth-int, auth], opaque: x, domain: ["{{base}}/a", /b], userhash: true, charset: UTF-8, nonce: { seed: 7 }, uses: 1, lifetime: 5s, nonce-count: gapless, info: [rspauth, nextnonce], says: { qop: auth, nonce: null } } }] } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "Digest by its other words",
            #"""
            summary: s
            guards: { g: { users: { u: p }, schemes: [{ digest: { algorithm: null, qop: none, domain: /a, nonce: fixed, info: wrong-rspauth } }] } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "a fixed nonce of one's own",
            #"""
            summary: s
            guards: { g: { users: { u: p }, schemes: [{ digest: { nonce: { fixed: "a b" }, nonce-count: any, quoting: any, userhash: false } }] } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "guards where they are asked for",
            #"""
            summary: s
            guards: { lab: { users: { u: p }, schemes: [basic] }, gate: { proxy: true, users: { u: p }, schemes: [basic] } }
            auth: [gate, { users: { u: p }, schemes: [basic] }]
            exchanges:
              - { request: GET /a, reply: { status: 200 } }
              - { request: GET /b, auth: none, reply: { status: 200 } }
              - { request: GET /c, auth: lab, reply: { status: 200 } }
              - { request: GET /d, auth: { users: { u: p }, schemes: [basic] }, reply: { status: 200 } }
            """#),
        SchemaRow(
            "a guard whose name looks like a boolean",
            #"""
            summary: s
            guards: { false: { users: { u: p }, schemes: [basic] }, true: { proxy: true, users: { u: p }, schemes: [basic] } }
            auth: false
            exchanges: [{ request: GET /a, reply: { status: 200 } }, { request: GET /b, auth: [true, false], reply: { status: 200 } }]
            """#),
        SchemaRow(
            "a proxy and what it is asked",
            #"""
            summary: s
            origins: { p: { role: proxy, connections: [{ at: accept, do: wait 1ms }], receive-buffer: 4096 } }
            exchanges:
              - { request: GET http://example.test/a, origin: p, reply: { status: 200 } }
              - { request: "CONNECT {host}:{port}", origin: p, reply: { status: 407 } }
              - { request: { method: CONNECT, path: "*" }, reply: { status: 403 } }
            cases: { c: { client: { url: "http://example.test/a", session: { proxy: p } } } }
            """#),
        SchemaRow(
            "credentials in parts",
            #"""
            summary: s
            origins: { p: { role: proxy } }
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, onChallenge: [{ use: { user: "a:b", password: "" }, persistence: session }, { use: { token: T } }, { twice: { token: 12 } }, { cancel-task-then-use: { user: u, password: p } }] } } }
            """#),
        SchemaRow(
            "facts about guards",
            #"""
            summary: s
            auth: { users: { u: p }, schemes: [basic] }
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a }, facts: { auth.attempts: 2, auth.failures: { min: 1 }, auth.challenges: 2, auth.scheme: digest, auth.user: user, auth.nc: [1, 2], auth.faults: [wrong-password], "auth[all exchanges].attempts": 1, "wire[0].auth": gaveUp, "wire[1].auth.faults": null, "wire[1].credentials.qop": auth, "wire[1].proxy-credentials.token68": x } } }
            """#),
    ]
}
