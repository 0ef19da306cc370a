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
            messages: [
                #"3:17 a list of schemes needs at least one"#
            ]),
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
            "schemes of several messages without them",
            yaml: #"""
                summary: s
                guards:
                  g: { schemes: [ntlm, { negotiate: {} }, { ntlm: { offer-only: [a b, ""] } }, { ntlm: { offer-only: TlRM } }] }
                exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
                """#,
            messages: [
                #"3:18 "ntlm" needs "offer-only": nothing of it is verified; write ntlm: { offer-only: [] } to admit the first message"#,
                #"3:37 negotiate needs the key "offer-only""#,
                #"3:66 expected a message of letters, digits and -._~+/ with = at its end only (RFC 9110 §11.2), found "a b""#,
                #"3:71 expected a message of letters, digits and -._~+/ with = at its end only (RFC 9110 §11.2), found """#,
                #"3:102 expected messages as a list, found "TlRM""#,
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
