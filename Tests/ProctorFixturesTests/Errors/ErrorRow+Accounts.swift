extension ErrorRow {
    /// Who may pass a guard.
    static let accountRows: [ErrorRow] = [
        ErrorRow(
            "users that are none",
            yaml: #"""
                summary: s
                guards:
                  g: { users: [u], schemes: [basic] }
                exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
                """#,
            messages: [
                #"3:15 expected users as a mapping from name to password, found a list; write users: { user: pass }"#
            ]),
        ErrorRow(
            "no users",
            yaml: #"""
                summary: s
                guards:
                  g: { users: {}, schemes: [basic] }
                exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
                """#,
            messages: [#"3:15 users need at least one"#]),
        ErrorRow(
            "a user without a password",
            yaml: #"""
                summary: s
                guards:
                  g: { users: { u: }, schemes: [basic] }
                exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
                """#,
            messages: [#"3:20 expected the password of "u", found nothing; write "" for an empty one"#]),
        ErrorRow(
            "a user and a password that would end the field",
            yaml: #"""
                summary: s
                guards:
                  g: { users: { "u\nv": p, w: "p\rq" }, schemes: [digest] }
                exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
                """#,
            messages: [#"3:19 a user holds no line break; it would end the field"#]),
        ErrorRow(
            "a user that Basic cannot send",
            yaml: #"""
                summary: s
                guards:
                  g: { users: { "a:b": p, "c\td": p, e: "p\u0007", f: p }, schemes: [digest, basic] }
                exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
                """#,
            messages: [
                #"3:17 no client ever passes as "a:b": the user has a colon, which Basic can't send; expected a name without one (RFC 7617 §2); let a guard that offers no basic know this user"#,
                #"3:27 no client ever passes as "c\td": user or password has a control character; expected none (RFC 7617 §2); let a guard that offers no basic know this user"#,
                #"3:38 no client ever passes as "e": user or password has a control character; expected none (RFC 7617 §2); let a guard that offers no basic know this user"#,
            ]),
        ErrorRow(
            "Basic and Digest without users",
            yaml: #"""
                summary: s
                guards:
                  g: { schemes: [basic, { digest: { qop: none } }] }
                exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
                """#,
            messages: [
                #"3:18 "basic" needs "users", or no request ever passes; write users: { user: pass }, or verbatim: TEXT for a challenge alone"#,
                #"3:25 "digest" needs "users", or no request ever passes; write users: { user: pass }, or verbatim: TEXT for a challenge alone"#,
            ]),
        ErrorRow(
            "Bearer without tokens",
            yaml: #"""
                summary: s
                guards:
                  g: { schemes: [bearer] }
                exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
                """#,
            messages: [
                #"3:18 "bearer" needs "tokens", or no request ever passes; write tokens: [TOKEN], or verbatim: TEXT for a challenge alone"#
            ]),
        ErrorRow(
            "users that nobody asks for",
            yaml: #"""
                summary: s
                guards:
                  g: { users: { u: p }, tokens: [T], schemes: [{ verbatim: x }] }
                exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
                """#,
            messages: [
                #"3:8 no scheme here takes users; offer basic or digest or ntlm or negotiate"#,
                #"3:25 no scheme here takes tokens; offer bearer"#,
            ]),
        ErrorRow(
            "tokens that are none",
            yaml: #"""
                summary: s
                guards:
                  g: { tokens: [], schemes: [bearer] }
                exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
                """#,
            messages: [#"3:16 a list of tokens needs at least one"#]),
        ErrorRow(
            "tokens that no field can carry",
            yaml: #"""
                summary: s
                guards:
                  g: { tokens: [a b, "=", "", a=b, { token: ä }, { scope: a }, "a\nb"], schemes: [bearer] }
                exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
                """#,
            messages: [
                #"3:17 expected a token of letters, digits and -._~+/ with = at its end only (RFC 6750 §2.1), found "a b""#,
                #"3:22 expected a token of letters, digits and -._~+/ with = at its end only (RFC 6750 §2.1), found "=""#,
                #"3:27 expected a token of letters, digits and -._~+/ with = at its end only (RFC 6750 §2.1), found """#,
                #"3:31 expected a token of letters, digits and -._~+/ with = at its end only (RFC 6750 §2.1), found "a=b""#,
                #"3:45 expected a token of letters, digits and -._~+/ with = at its end only (RFC 6750 §2.1), found "ä""#,
                #"3:51 a token needs the key "token""#,
                #"3:67 a token holds no line break; it would end the field"#,
            ]),
        ErrorRow(
            "a token twice",
            yaml: #"""
                summary: s
                guards:
                  g: { tokens: [T, { token: T, expired: true }, { token: U, expired: perhaps, use: 1 }], schemes: [bearer] }
                exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
                """#,
            messages: [
                #"3:20 the token "T" stands here twice"#,
                #"3:70 expected expired as true or false, found "perhaps""#,
                #"3:79 unknown key "use" in a token; known keys: token, scope, expired"#,
            ]),
        ErrorRow(
            "scopes that are none",
            yaml: #"""
                summary: s
                guards:
                  g: { tokens: [{ token: T, scope: "a  b" }, { token: U, scope: ['a"', b] }], schemes: [{ bearer: { scope: "" } }] }
                exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
                """#,
            messages: [
                #"3:36 expected scopes parted by one space, of printable ASCII without " and \ (RFC 6750 §3), found "a  b""#,
                #"3:66 expected scopes parted by one space, of printable ASCII without " and \ (RFC 6750 §3), found "a\"""#,
                #"3:108 expected scopes parted by one space, of printable ASCII without " and \ (RFC 6750 §3), found """#,
            ]),
    ]
}
