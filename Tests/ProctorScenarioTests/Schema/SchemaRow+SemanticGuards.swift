extension SchemaRow {
    /// Guards whose form is right and whose meaning is wrong.
    static let semanticGuards: [SchemaRow] = [
        SchemaRow(
            "a guard that guards nothing",
            #"""
            summary: s
            guards: { g: { users: { u: p }, schemes: [basic] } }
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "a guard that is not there",
            #"""
            summary: s
            auth: lab
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "auth of all exchanges that say it themselves",
            #"""
            summary: s
            auth: { users: { u: p }, schemes: [basic] }
            exchanges: [{ request: GET /a, auth: none, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "two guards of one field",
            #"""
            summary: s
            auth: [{ users: { u: p }, schemes: [basic] }, { users: { u: p }, schemes: [basic] }]
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "a user that Basic cannot send",
            #"""
            summary: s
            guards: { g: { users: { "a:b": p }, schemes: [basic] } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "Basic without users",
            #"""
            summary: s
            guards: { g: { schemes: [basic] } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "Digest without users",
            #"""
            summary: s
            guards: { g: { schemes: [{ digest: {} }] } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "Bearer without tokens",
            #"""
            summary: s
            guards: { g: { schemes: [bearer] } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "users without a scheme",
            #"""
            summary: s
            guards: { g: { users: { u: p }, schemes: [{ verbatim: x }] } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "tokens without a scheme",
            #"""
            summary: s
            guards: { g: { tokens: [T], schemes: [{ verbatim: x }] } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "a token twice",
            #"""
            summary: s
            guards: { g: { tokens: [T, T], schemes: [bearer] } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "a parameter twice",
            #"""
            summary: s
            guards: { g: { users: { u: p }, schemes: [{ basic: { says: { a: b, A: c } } }] } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "a parameter left out that is not there",
            #"""
            summary: s
            guards: { g: { users: { u: p }, schemes: [{ basic: { says: { nonce: null } } }] } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "a fixed nonce that is used up",
            #"""
            summary: s
            guards: { g: { users: { u: p }, schemes: [{ digest: { nonce: fixed, uses: 1 } }] } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "a nonce count without qop",
            #"""
            summary: s
            guards: { g: { users: { u: p }, schemes: [{ digest: { qop: none, nonce-count: gapless } }] } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "a domain with a space",
            #"""
            summary: s
            guards: { g: { users: { u: p }, schemes: [{ digest: { domain: "/a /b" } }] } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "a lifetime of nothing",
            #"""
            summary: s
            guards: { g: { users: { u: p }, schemes: [{ digest: { lifetime: 0s } }] } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "a capture in a refusal",
            #"""
            summary: s
            guards: { g: { users: { u: p }, schemes: [basic], refuse: { body: "{{path.id}}" } } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "an effect behind the end of a refusal",
            #"""
            summary: s
            guards: { g: { users: { u: p }, schemes: [basic], refuse: { body: a, effects: [{ at: body 2, do: close }] } } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "a name that nobody has, without a proxy",
            #"""
            summary: s
            origins: { p: { role: proxy } }
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: "http://example.test/" } } }
            """#),
        SchemaRow(
            "a fact about guards where there are none",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a }, facts: { auth.nc: 1 } } }
            """#),
        SchemaRow(
            "a fact about a guard that is not there",
            #"""
            summary: s
            auth: { users: { u: p }, schemes: [basic] }
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a }, facts: { "auth[lab].nc": 1 } } }
            """#),
        SchemaRow(
            "an outcome that is unknown",
            #"""
            summary: s
            auth: { users: { u: p }, schemes: [basic] }
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a }, facts: { "wire[0].auth": accepted } } }
            """#),
        SchemaRow(
            "a fault that is unknown",
            #"""
            summary: s
            auth: { users: { u: p }, schemes: [basic] }
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a }, facts: { auth.faults: bad } } }
            """#),
    ]
}
