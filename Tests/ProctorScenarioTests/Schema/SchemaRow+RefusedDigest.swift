extension SchemaRow {
    /// Digest, refusals, credentials and facts about guards in forms that are wrong.
    static let refusedDigest: [SchemaRow] = [
        SchemaRow(
            "an unknown algorithm",
            #"""
            summary: s
            guards: { g: { users: { u: p }, schemes: [{ digest: { algorithm: SHA-1 } }] } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "an algorithm in small letters",
            #"""
            summary: s
            guards: { g: { users: { u: p }, schemes: [{ digest: { algorithm: md5 } }] } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "an unknown qop",
            #"""
            summary: s
            guards: { g: { users: { u: p }, schemes: [{ digest: { qop: auth-conf } }] } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "none among qops",
            #"""
            summary: s
            guards: { g: { users: { u: p }, schemes: [{ digest: { qop: [auth, none] } }] } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "no qop in a list",
            #"""
            summary: s
            guards: { g: { users: { u: p }, schemes: [{ digest: { qop: [] } }] } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "a qop twice",
            #"""
            summary: s
            guards: { g: { users: { u: p }, schemes: [{ digest: { qop: [auth, auth] } }] } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "a domain of nothing",
            #"""
            summary: s
            guards: { g: { users: { u: p }, schemes: [{ digest: { domain: [] } }] } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "userhash as a word",
            #"""
            summary: s
            guards: { g: { users: { u: p }, schemes: [{ digest: { userhash: on } }] } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "an unknown nonce",
            #"""
            summary: s
            guards: { g: { users: { u: p }, schemes: [{ digest: { nonce: seeded } }] } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "a nonce of nothing",
            #"""
            summary: s
            guards: { g: { users: { u: p }, schemes: [{ digest: { nonce: {} } }] } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "a nonce fixed and of a seed",
            #"""
            summary: s
            guards: { g: { users: { u: p }, schemes: [{ digest: { nonce: { fixed: a, seed: 1 } } }] } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "a seed below 0",
            #"""
            summary: s
            guards: { g: { users: { u: p }, schemes: [{ digest: { nonce: { seed: -1 } } }] } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "an empty nonce",
            #"""
            summary: s
            guards: { g: { users: { u: p }, schemes: [{ digest: { nonce: { fixed: "" } } }] } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "no uses",
            #"""
            summary: s
            guards: { g: { users: { u: p }, schemes: [{ digest: { uses: -1 } }] } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "a lifetime without a unit",
            #"""
            summary: s
            guards: { g: { users: { u: p }, schemes: [{ digest: { lifetime: 5 } }] } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "an unknown quoting",
            #"""
            summary: s
            guards: { g: { users: { u: p }, schemes: [{ digest: { quoting: strict } }] } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "an unknown nonce count",
            #"""
            summary: s
            guards: { g: { users: { u: p }, schemes: [{ digest: { nonce-count: strict } }] } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "unknown info",
            #"""
            summary: s
            guards: { g: { users: { u: p }, schemes: [{ digest: { info: proof } }] } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "a proof right and wrong",
            #"""
            summary: s
            guards: { g: { users: { u: p }, schemes: [{ digest: { info: [rspauth, wrong-rspauth] } }] } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "no info in a list",
            #"""
            summary: s
            guards: { g: { users: { u: p }, schemes: [{ digest: { info: [] } }] } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "a raw refusal",
            #"""
            summary: s
            guards: { g: { users: { u: p }, schemes: [basic], refuse: { raw: x } } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "no refusals",
            #"""
            summary: s
            guards: { g: { users: { u: p }, schemes: [basic], refuse: [] } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "a refusal with honours",
            #"""
            summary: s
            guards: { g: { users: { u: p }, schemes: [basic], refuse: { body: x, honours: ranges } } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "a refusal with trailers and a length",
            #"""
            summary: s
            guards: { g: { users: { u: p }, schemes: [basic], refuse: { trailers: { a: b }, framing: length } } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "an unknown key of a refusal",
            #"""
            summary: s
            guards: { g: { users: { u: p }, schemes: [basic], refuse: { stats: 401 } } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "an end after nothing",
            #"""
            summary: s
            guards: { g: { users: { u: p }, schemes: [basic], gives-up: {} } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "an end before the first",
            #"""
            summary: s
            guards: { g: { users: { u: p }, schemes: [basic], gives-up: { after: -1 } } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "a raw end with a status",
            #"""
            summary: s
            guards: { g: { users: { u: p }, schemes: [basic], gives-up: { after: 1, reply: { raw: x, status: 403 } } } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "a guard in a reply",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, auth: lab } }]
            """#),
        SchemaRow(
            "a credential of nothing",
            #"""
            summary: s
            origins: { p: { role: proxy } }
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, onChallenge: { use: {} } } } }
            """#),
        SchemaRow(
            "a user without a password of a client",
            #"""
            summary: s
            origins: { p: { role: proxy } }
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, onChallenge: { use: { user: u } } } } }
            """#),
        SchemaRow(
            "a token beside a user",
            #"""
            summary: s
            origins: { p: { role: proxy } }
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, onChallenge: { use: { user: u, password: p, token: T } } } } }
            """#),
        SchemaRow(
            "an empty token",
            #"""
            summary: s
            origins: { p: { role: proxy } }
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, onChallenge: { use: { token: "" } } } } }
            """#),
        SchemaRow(
            "a fact about guards that is unknown",
            #"""
            summary: s
            auth: { users: { u: p }, schemes: [basic] }
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a }, facts: { auth.tries: 1 } } }
            """#),
        SchemaRow(
            "a fact about a guard without a name",
            #"""
            summary: s
            auth: { users: { u: p }, schemes: [basic] }
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a }, facts: { "auth[].nc": 1 } } }
            """#),
        SchemaRow(
            "a fact about the guards of a request that is unknown",
            #"""
            summary: s
            auth: { users: { u: p }, schemes: [basic] }
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a }, facts: { "wire[0].auth.scheme": x } } }
            """#),
    ]
}
