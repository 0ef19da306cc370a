extension ErrorRow {
    /// What a guard offers.
    static let schemeRows: [ErrorRow] = [
        ErrorRow(
            "no schemes",
            yaml: #"""
                summary: s
                guards:
                  g: { schemes: [] }
                exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
                """#,
            messages: [#"3:17 a list of schemes needs at least one"#]),
        ErrorRow(
            "a scheme that nobody knows",
            yaml: #"""
                summary: s
                guards:
                  g: { users: { u: p }, schemes: [Basic, digst, kerberos, [basic], { basic: {}, digest: {} }, { hoba: {} }] }
                exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
                """#,
            messages: [
                #"3:35 unknown scheme "Basic"; did you mean "basic"?"#,
                #"3:42 unknown scheme "digst"; did you mean "digest"?"#,
                #"3:49 unknown scheme "kerberos"; permitted: basic, digest, bearer, ntlm, negotiate, verbatim; write verbatim: TEXT to offer any other"#,
                #"3:59 expected a scheme as text, found a list"#,
                #"3:68 expected a scheme as a name or as a mapping with one key, found 2 keys; write each scheme as an item of its own"#,
                #"3:97 unknown scheme "hoba"; permitted: basic, digest, bearer, ntlm, negotiate, verbatim; write verbatim: TEXT to offer any other"#,
            ]),
        ErrorRow(
            "an unknown key of a scheme",
            yaml: #"""
                summary: s
                guards:
                  g: { users: { u: p }, tokens: [T], schemes: [{ basic: { chrset: UTF-8 } }, { digest: { algoritm: MD5 } }, { bearer: { realm: x } }, { ntlm: { offer-only: [], x: y } }] }
                exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
                """#,
            messages: [
                #"3:59 unknown key "chrset" in basic; did you mean "charset"?"#,
                #"3:90 unknown key "algoritm" in digest; did you mean "algorithm"?"#,
                #"3:121 unknown key "realm" in bearer; known keys: scope, in, says, spelled"#,
                #"3:161 unknown key "x" in ntlm; known keys: offer-only, spelled"#,
            ]),
        ErrorRow(
            "a scheme with text behind it",
            yaml: #"""
                summary: s
                guards:
                  g: { users: { u: p }, tokens: [T], schemes: [{ basic: x }, { digest: MD5 }, { bearer: read }, { negotiate: [TlRM] }] }
                exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
                """#,
            messages: [
                #"3:57 expected basic as a mapping, found "x""#,
                #"3:72 expected digest as a mapping, found "MD5""#,
                #"3:89 expected bearer as a mapping, found "read""#,
                #"3:110 expected negotiate as a mapping, found a list"#,
            ]),
        ErrorRow(
            "charsets that no challenge names",
            yaml: #"""
                summary: s
                guards:
                  g: { users: { u: p }, schemes: [{ basic: { charset: latin1 } }, { digest: { charset: utf8 } }] }
                exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
                """#,
            messages: [
                #"3:55 unknown charset "latin1"; permitted: UTF-8"#,
                #"3:88 unknown charset "utf8"; did you mean "UTF-8"?"#,
            ]),
        ErrorRow(
            "NTLM without users",
            yaml: #"""
                summary: s
                guards:
                  g: { schemes: [ntlm] }
                exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
                """#,
            messages: [
                #"3:18 "ntlm" needs "users", or no request ever passes; write users: { user: pass }, or verbatim: TEXT for a challenge alone"#
            ]),
        ErrorRow(
            "options of NTLM",
            yaml: #"""
                summary: s
                guards:
                  g: { users: { u: p }, schemes: [{ ntlm: { challenge: 0123 } }, { ntlm: { tme: true } }, { ntlm: { spelled: NTLN } }] }
                exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
                """#,
            messages: [
                #"3:56 expected a challenge of 16 hexadecimal digits, found "0123""#,
                #"3:76 unknown key "tme" in ntlm; did you mean "time"?"#,
                #"3:110 "NTLN" is no spelling of NTLM: only the case of its letters may differ; write verbatim: TEXT to offer another scheme"#,
            ]),
        ErrorRow(
            "schemes of several messages without them",
            yaml: #"""
                summary: s
                guards:
                  g: { users: { u: p }, schemes: [ntlm, { ntlm: { offer-only: [a b, ""] } }, { negotiate: { offer-only: TlRM } }] }
                exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
                """#,
            messages: [
                #"3:64 expected a message of letters, digits and -._~+/ with = at its end only (RFC 9110 §11.2), found "a b""#,
                #"3:69 expected a message of letters, digits and -._~+/ with = at its end only (RFC 9110 §11.2), found """#,
                #"3:105 expected messages as a list, found "TlRM""#,
            ]),
        ErrorRow(
            "Negotiate without mechanisms, and with what belongs to another",
            yaml: #"""
                summary: s
                guards:
                  a: { users: { u: p }, schemes: [{ negotiate: { mechanisms: [] } }] }
                  b: { users: { u: p }, schemes: [{ negotiate: { mechanisms: [ntlm, ntlm], legs: 4 } }] }
                  c: { users: { u: p }, schemes: [{ negotiate: { mechanisms: stub, target: LAB, proof: maybe } }] }
                  d: { users: { u: p }, schemes: [{ negotiate: { legs: 2, spelled: negotiated } }] }
                  e: { schemes: [negotiate] }
                auth: [a]
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                """#,
            messages: [
                #"3:62 a list of mechanisms needs at least one"#,
                #"4:69 "ntlm" stands here twice"#,
                #"4:76 "legs" is of stub, which is not accepted here; write mechanisms: stub, or leave it out"#,
                #"4:82 legs is 4; permitted is 2 ... 3"#,
                #"5:68 "target" is of ntlm, which is not accepted here; write mechanisms: ntlm, or leave it out"#,
                #"5:88 unknown proof "maybe"; permitted: right, wrong, none"#,
                #"6:50 "legs" is of stub, which is not accepted here; write mechanisms: stub, or leave it out"#,
                #"6:68 "negotiated" is no spelling of Negotiate: only the case of its letters may differ; write verbatim: TEXT to offer another scheme"#,
                #"7:18 "negotiate" needs "users", or no request ever passes; write users: { user: pass }, or verbatim: TEXT for a challenge alone"#,
            ]),
        ErrorRow(
            "a challenge without text",
            yaml: #"""
                summary: s
                guards:
                  g: { schemes: [verbatim, { verbatim: }, { verbatim: [x] }, { verbatim: "a\r\nb" }] }
                exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
                """#,
            messages: [
                #"3:18 "verbatim" needs the text of a challenge; write verbatim: "" for an empty field"#,
                #"3:28 "verbatim" needs the text of a challenge; write verbatim: "" for an empty field"#,
                #"3:55 expected a challenge as text, found a list"#,
                #"3:76 a challenge holds no line break; it would end the field"#,
            ]),
        ErrorRow(
            "places of a token that are none",
            yaml: #"""
                summary: s
                guards:
                  g: { tokens: [T], schemes: [{ bearer: { in: [] } }, { bearer: { in: body } }, { bearer: { in: [header, cookie] } }] }
                exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
                """#,
            messages: [
                #"3:47 a list of places needs at least one"#,
                #"3:71 unknown place of a token "body"; permitted: header, form, query"#,
                #"3:106 unknown place of a token "cookie"; permitted: header, form, query"#,
            ]),
        ErrorRow(
            "words of a challenge that cannot be said",
            yaml: #"""
                summary: s
                guards:
                  g: { users: { u: p }, schemes: [{ basic: { says: [realm] } }, { basic: { says: { "re alm": x, realm: "a\nb", Realm: c, ream: null } } }, { digest: { says: { qop: [auth], nonse: null } } }] }
                exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
                """#,
            messages: [
                #"3:52 expected says as a mapping from parameter to text, found a list"#,
                #"3:84 expected the name of a parameter as a token (RFC 9110 §11.2), found "re alm"; write verbatim: TEXT for a challenge like that"#,
                #"3:106 the parameter "realm" holds no line break; it would end the field"#,
                #"3:112 the parameter "Realm" stands here twice, whatever its case"#,
                #"3:122 a challenge of Basic has no "ream" that could be left out; did you mean "realm"?"#,
                #"3:165 expected the parameter "qop" as text, found a list"#,
                #"3:173 a challenge of Digest has no "nonse" that could be left out; did you mean "nonce"?"#,
            ]),
    ]
}

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
                  g: { users: { u: p }, schemes: [{ digest: { uses: a, lifetime: 0s, nonce-count: strict, userhash: maybe } }, { digest: { lifetime: 11m, uses: often, quoting: exact } }] }
                exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
                """#,
            messages: [
                #"3:53 expected uses as a whole number 0 ... 1000000, found "a""#,
                #"3:66 expected a duration like 200ms, 1.5s or 2m, more than 0 and at most 10m, found "0s""#,
                #"3:83 unknown nonce count "strict"; permitted: any, gapless"#,
                #"3:101 expected userhash as true or false, found "maybe""#,
                #"3:134 expected a duration like 200ms, 1.5s or 2m, more than 0 and at most 10m, found "11m""#,
                #"3:145 expected uses as a whole number 0 ... 1000000, found "often""#,
                #"3:152 unknown key "quoting" in digest; wrong quotes are tolerated, but where the scenario says tolerates: { except: digest-quoting }"#,
            ]),
        ErrorRow(
            "tolerances that are none",
            yaml: #"""
                summary: s
                tolerates: { except: digest-quotes }
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                cases: { c: { tolerates: all, client: { url: /a } }, d: { tolerates: {}, client: { url: /a } } }
                """#,
            messages: [
                #"2:22 unknown departure "digest-quotes"; did you mean "digest-quoting"?"#,
                #"4:26 expected none or { except: … }, found "all""#,
                #"4:70 tolerances needs the key "except"; write tolerates: { except: digest-quoting }, or none"#,
            ]),
        ErrorRow(
            "a nonce count without qop",
            yaml: #"""
                summary: s
                guards:
                  g: { users: { u: p }, schemes: [{ digest: { qop: none, nonce-count: gapless } }] }
                exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
                """#,
            messages: [#"3:58 "nonce-count" needs a qop: without it a credential has no nc (RFC 7616 §3.4)"#]),
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
