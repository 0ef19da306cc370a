extension ErrorRow {
    /// Digest as a guard offers it.
    static let digestRows: [ErrorRow] = [
        ErrorRow(
            "an algorithm that nobody knows",
            yaml: #"""
                summary: s
                guards:
                  g: { users: { u: p }, schemes: [{ digest: { algorithm: SHA-256-ses } }, { digest: { algorithm: sha256 } }, { digest: { algorithm: SHA-1 } }] }
                exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
                """#,
            messages: [
                #"3:58 unknown algorithm "SHA-256-ses"; did you mean "SHA-256-sess"?"#,
                #"3:98 unknown algorithm "sha256"; did you mean "SHA-256"?"#,
                #"3:133 unknown algorithm "SHA-1"; permitted: MD5, MD5-sess, SHA-256, SHA-256-sess, SHA-512-256, SHA-512-256-sess"#,
            ]),
        ErrorRow(
            "a qop that nobody knows",
            yaml: #"""
                summary: s
                guards:
                  g: { users: { u: p }, schemes: [{ digest: { qop: auht } }, { digest: { qop: [auth, none] } }, { digest: { qop: [] } }, { digest: { qop: [auth, auth] } }] }
                exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
                """#,
            messages: [
                #"3:52 unknown qop "auht"; did you mean "auth"?"#,
                #"3:86 unknown qop "none"; permitted: auth, auth-int"#,
                #"3:114 a list of qop needs at least one; write qop: none for a challenge without"#,
                #"3:146 "auth" stands here twice"#,
            ]),
        ErrorRow(
            "a nonce that is none",
            yaml: #"""
                summary: s
                guards:
                  g: { users: { u: p }, schemes: [{ digest: { nonce: seed } }, { digest: { nonce: { fixed: a, seed: 1 } } }, { digest: { nonce: { seed: -1 } } }, { digest: { nonce: { fixed: "" } } }, { digest: { nonce: {} } }, { digest: { nonce: { sed: 1 } } }] }
                exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
                """#,
            messages: [
                #"3:54 expected a nonce as random, fixed, { fixed: TEXT } or { seed: N }, found "seed""#,
                #"3:83 a nonce needs one of "fixed" and "seed""#,
                #"3:137 seed is -1; permitted is 0 ... 9223372036854775807"#,
                #"3:175 expected a nonce, found empty text"#,
                #"3:204 a nonce needs one of "fixed" and "seed""#,
                #"3:233 unknown key "sed" in a nonce; did you mean "seed"?"#,
            ]),
        ErrorRow(
            "a fixed nonce that is used up",
            yaml: #"""
                summary: s
                guards:
                  g: { users: { u: p }, schemes: [{ digest: { nonce: fixed, uses: 1, lifetime: 5s, info: [nextnonce] } }] }
                exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
                """#,
            messages: [
                #"3:61 "uses" does not go with a fixed nonce, which is never replaced; write nonce: { seed: 7 } for others that are the same in each run"#,
                #"3:70 "lifetime" does not go with a fixed nonce, which is never replaced; write nonce: { seed: 7 } for others that are the same in each run"#,
                #"3:90 "nextnonce" does not go with a fixed nonce, which is never replaced; write nonce: { seed: 7 } for others that are the same in each run"#,
            ]),
        ErrorRow(
            "uses and lifetimes that are none",
            yaml: #"""
                summary: s
                guards:
                  g: { users: { u: p }, schemes: [{ digest: { uses: a, lifetime: 0s, nonce-count: strict, userhash: maybe } }, { digest: { lifetime: 11m, uses: often, quoting: strict } }] }
                exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
                """#,
            messages: [
                #"3:53 expected uses as a whole number 0 ... 1000000, found "a""#,
                #"3:66 expected a duration like 200ms, 1.5s or 2m, more than 0 and at most 10m, found "0s""#,
                #"3:83 unknown nonce count "strict"; permitted: any, gapless"#,
                #"3:101 expected userhash as true or false, found "maybe""#,
                #"3:134 expected a duration like 200ms, 1.5s or 2m, more than 0 and at most 10m, found "11m""#,
                #"3:145 expected uses as a whole number 0 ... 1000000, found "often""#,
                #"3:161 unknown quoting "strict"; permitted: exact, any"#,
            ]),
        ErrorRow(
            "a nonce count without qop",
            yaml: #"""
                summary: s
                guards:
                  g: { users: { u: p }, schemes: [{ digest: { qop: none, nonce-count: gapless } }] }
                exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
                """#,
            messages: [
                #"3:58 "nonce-count" needs a qop: without it a credential has no nc (RFC 7616 §3.4)"#
            ]),
        ErrorRow(
            "a domain that is none",
            yaml: #"""
                summary: s
                guards:
                  g: { users: { u: p }, schemes: [{ digest: { domain: "/a /b" } }, { digest: { domain: [] } }, { digest: { domain: ["", "{{path.x}}", "{{now}}", "{{bse}}"] } }] }
                exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
                """#,
            messages: [
                #"3:55 expected a URI without white space, found "/a /b"; write several of them as a list"#,
                #"3:88 a list of URIs needs at least one"#,
                #"3:117 expected a URI without white space, found ""; write several of them as a list"#,
                #"3:122 {{path.x}} means nothing here: a guard answers requests of any pattern"#,
                #"3:136 {{now}} means nothing here: there is no reply whose moment it could be"#,
                #"3:147 unknown late-bound name "bse"; did you mean "base"?"#,
            ]),
        ErrorRow(
            "info that is none",
            yaml: #"""
                summary: s
                guards:
                  g: { users: { u: p }, schemes: [{ digest: { info: [] } }, { digest: { info: rspath } }, { digest: { info: [rspauth, wrong-rspauth] } }, { digest: { opaque: "a\nb", info: { rspauth: true } } }] }
                exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
                """#,
            messages: [
                #"3:53 a list of info needs at least one"#,
                #"3:79 unknown part of info "rspath"; did you mean "rspauth"?"#,
                #"3:109 "rspauth" does not go with "wrong-rspauth": a reply has one"#,
                #"3:161 opaque holds no line break; it would end the field"#,
                #"3:173 expected a part of info as text, found a mapping"#,
            ]),
    ]
}
