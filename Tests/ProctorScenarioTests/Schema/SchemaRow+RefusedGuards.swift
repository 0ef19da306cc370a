extension SchemaRow {
    /// Guards, who may pass them, and what they offer, in forms that are wrong.
    static let refusedGuards: [SchemaRow] = [
        SchemaRow(
            "guards as a list",
            #"""
            summary: s
            guards: [g]
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "a guard called none",
            #"""
            summary: s
            guards: { none: { users: { u: p }, schemes: [basic] } }
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "a guard with a name that is none",
            #"""
            summary: s
            guards: { "a b": { users: { u: p }, schemes: [basic] } }
            exchanges: [{ request: GET /a, auth: "a b", reply: { status: 200 } }]
            """#),
        SchemaRow(
            "a guard without schemes",
            #"""
            summary: s
            guards: { g: { users: { u: p } } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "an unknown key of a guard",
            #"""
            summary: s
            guards: { g: { user: { u: p }, schemes: [{ verbatim: x }] } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "an empty list of guards",
            #"""
            summary: s
            exchanges: [{ request: GET /a, auth: [], reply: { status: 200 } }]
            """#),
        SchemaRow(
            "auth of nothing",
            #"""
            summary: s
            auth:
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "none in a list",
            #"""
            summary: s
            auth: [none]
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "guards in a list of a list",
            #"""
            summary: s
            auth: [[{ users: { u: p }, schemes: [basic] }]]
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "no realms",
            #"""
            summary: s
            guards: { g: { realm: [], users: { u: p }, schemes: [basic] } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "a realm with a line break",
            #"""
            summary: s
            guards: { g: { realm: "a\nb", users: { u: p }, schemes: [basic] } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "no users",
            #"""
            summary: s
            guards: { g: { users: {}, schemes: [basic] } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "a user with a line break",
            #"""
            summary: s
            guards: { g: { users: { "a\nb": p }, schemes: [digest] } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "a user without a password",
            #"""
            summary: s
            guards: { g: { users: { u: }, schemes: [basic] } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "users as a list",
            #"""
            summary: s
            guards: { g: { users: [u], schemes: [basic] } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "no tokens",
            #"""
            summary: s
            guards: { g: { tokens: [], schemes: [bearer] } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "a token with a space",
            #"""
            summary: s
            guards: { g: { tokens: a b, schemes: [bearer] } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "a scope with two spaces",
            #"""
            summary: s
            guards: { g: { tokens: [{ token: T, scope: "a  b" }], schemes: [bearer] } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "a token without its text",
            #"""
            summary: s
            guards: { g: { tokens: [{ scope: a }], schemes: [bearer] } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "expired as a text",
            #"""
            summary: s
            guards: { g: { tokens: [{ token: T, expired: "true" }], schemes: [bearer] } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "proxy as a word",
            #"""
            summary: s
            guards: { g: { proxy: yes, users: { u: p }, schemes: [basic] } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "an unknown layout",
            #"""
            summary: s
            guards: { g: { layout: line, users: { u: p }, schemes: [basic] } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "no schemes",
            #"""
            summary: s
            guards: { g: { schemes: [] } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "an unknown scheme",
            #"""
            summary: s
            guards: { g: { schemes: [kerberos] } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "two schemes in one",
            #"""
            summary: s
            guards: { g: { users: { u: p }, schemes: [{ basic: {}, digest: {} }] } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "a scheme of several messages by name alone",
            #"""
            summary: s
            guards: { g: { schemes: [ntlm] } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "verbatim without text",
            #"""
            summary: s
            guards: { g: { schemes: [verbatim] } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "verbatim of nothing",
            #"""
            summary: s
            guards: { g: { schemes: [{ verbatim: }] } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "messages as a text",
            #"""
            summary: s
            guards: { g: { schemes: [{ ntlm: { offer-only: TlRM } }] } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "a message that is no token68",
            #"""
            summary: s
            guards: { g: { schemes: [{ negotiate: { offer-only: ["a b"] } }] } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "negotiate without offer-only",
            #"""
            summary: s
            guards: { g: { schemes: [{ negotiate: {} }] } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "an unknown key of basic",
            #"""
            summary: s
            guards: { g: { users: { u: p }, schemes: [{ basic: { realm: x } }] } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "an unknown charset",
            #"""
            summary: s
            guards: { g: { users: { u: p }, schemes: [{ basic: { charset: latin1 } }] } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "says as a list",
            #"""
            summary: s
            guards: { g: { users: { u: p }, schemes: [{ basic: { says: [realm] } }] } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "a parameter with a line break",
            #"""
            summary: s
            guards: { g: { users: { u: p }, schemes: [{ basic: { says: { a: "b\nc" } } }] } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "a parameter that is no token",
            #"""
            summary: s
            guards: { g: { users: { u: p }, schemes: [{ basic: { says: { "a b": c } } }] } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "an unknown place of a token",
            #"""
            summary: s
            guards: { g: { tokens: T, schemes: [{ bearer: { in: body } }] } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "no place of a token",
            #"""
            summary: s
            guards: { g: { tokens: T, schemes: [{ bearer: { in: [] } }] } }
            exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
            """#),
    ]
}
