extension ErrorRow {
    /// Typical mistakes of an author who has not read the whole reference.
    static let guardHintRows: [ErrorRow] = [
        ErrorRow(
            "a token that allows too little",
            yaml: #"""
                summary: s
                guards:
                  g: { tokens: [T, { token: U, scope: read }], schemes: [{ bearer: { scope: admin } }] }
                  h: { tokens: { token: T, scope: read }, schemes: [{ bearer: { scope: "read write" } }] }
                exchanges:
                  - { request: GET /g, auth: g, reply: { status: 200 } }
                  - { request: GET /h, auth: h, reply: { status: 200 } }
                """#,
            messages: [
                #"3:58 no request ever passes: no token has the scope admin; write { token: T, scope: admin }"#,
                #"4:53 no request ever passes: no token has the scope "read write"; write { token: T, scope: "read write" }"#,
            ]),
        ErrorRow(
            "tokens that are all expired",
            yaml: #"""
                summary: s
                guards:
                  g: { tokens: { token: T, expired: true }, schemes: [bearer] }
                  h: { tokens: [{ token: T, scope: a, expired: true }], schemes: [{ bearer: { scope: a } }] }
                exchanges:
                  - { request: GET /g, auth: g, reply: { status: 200 } }
                  - { request: GET /h, auth: h, reply: { status: 200 } }
                """#,
            messages: [
                #"3:55 no request ever passes: every token is expired; add a token without expired:"#,
                #"4:67 no request ever passes: every token is expired; add a token without expired: and with scope: a"#,
            ]),
        ErrorRow(
            "a scheme twice, with nothing that differs",
            yaml: #"""
                summary: s
                guards:
                  g: { users: { u: p }, schemes: [basic, digest, basic: { charset: UTF-8 }, digest: { algorithm: MD5 }, basic, verbatim: x, verbatim: x] }
                  h: { tokens: T, schemes: [{ bearer: { in: [form, header] } }, { bearer: { in: [header, form] } }] }
                exchanges:
                  - { request: GET /g, auth: g, reply: { status: 200 } }
                  - { request: GET /h, auth: h, reply: { status: 200 } }
                """#,
            messages: [
                #"3:77 "digest" stands here twice, with nothing that differs; leave one out, or write verbatim: TEXT for a challenge alone"#,
                #"3:105 "basic" stands here twice, with nothing that differs; leave one out, or write verbatim: TEXT for a challenge alone"#,
                #"4:65 "bearer" stands here twice, with nothing that differs; leave one out, or write verbatim: TEXT for a challenge alone"#,
            ]),
        ErrorRow(
            "refusals that refuse nothing",
            yaml: #"""
                summary: s
                guards:
                  g: { users: { u: p }, schemes: [basic], refuse: [{ status: 200 }, { status: 403 }, { status: 399 }] }
                  h: { proxy: true, users: { u: p }, schemes: [basic], refuse: { status: 302 } }
                exchanges:
                  - { request: GET /g, auth: g, reply: { status: 200 } }
                  - { request: GET /h, auth: h, reply: { status: 200 } }
                """#,
            messages: [
                #"3:62 a refusal is 401 (407 of a proxy) or another status from 400 on, found 200; write status: 401, or leave it out"#,
                #"3:96 a refusal is 401 (407 of a proxy) or another status from 400 on, found 399; write status: 401, or leave it out"#,
                #"4:74 a refusal is 401 (407 of a proxy) or another status from 400 on, found 302; write status: 407, or leave it out"#,
            ]),
        ErrorRow(
            "refusals of another place",
            yaml: #"""
                summary: s
                guards:
                  g: { users: { u: p }, schemes: [basic], refuse: { status: 407 } }
                  h: { proxy: true, users: { u: p }, schemes: [basic], refuse: [{ status: 407 }, { status: 401 }] }
                exchanges:
                  - { request: GET /g, auth: g, reply: { status: 200 } }
                  - { request: GET /h, auth: h, reply: { status: 200 } }
                """#,
            messages: [
                #"3:61 407 is the refusal of a proxy, which this guard is not; write proxy: true beside "refuse", or status: 401"#,
                #"4:92 401 is the refusal of an origin, and this guard has proxy: true; write status: 407, or leave proxy: true out"#,
            ]),
        ErrorRow(
            "keys of a guard that stand elsewhere",
            yaml: #"""
                summary: s
                guards:
                  g: { users: { u: p }, schemes: [{ digest: { stale: true, realm: x } }] }
                  h: { users: { u: p }, says: { realm: x }, schemes: [basic] }
                exchanges:
                  - { request: GET /g, auth: g, reply: { status: 200 } }
                  - { request: GET /h, auth: h, reply: { status: 200 } }
                """#,
            messages: [
                #"3:47 unknown key "stale" in digest; a nonce grows stale by uses: or lifetime:"#,
                #"3:60 unknown key "realm" in digest; realm is a key of the guard"#,
                #"4:25 unknown key "says" in a guard; says stands in a scheme: { basic: { says: … } }"#,
            ]),
        ErrorRow(
            "words of Digest in a form that is none",
            yaml: #"""
                summary: s
                guards:
                  g: { users: { u: p }, schemes: [{ digest: { algorithm: [MD5, SHA-256] } }, { digest: { qop: "auth,auth-int" } }, { digest: { qop: } }] }
                exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
                """#,
            messages: [
                #"3:58 a challenge has one algorithm, found a list; write a digest item for each"#,
                #"3:95 unknown qop "auth,auth-int"; write [auth, auth-int]"#,
                #"3:133 expected a qop, found nothing; write none for a challenge without"#,
            ]),
        ErrorRow(
            "numbers in place of a mapping",
            yaml: #"""
                summary: s
                guards:
                  g: { users: { u: p }, schemes: [basic], gives-up: 3, refuse: 401 }
                  h: { users: { u: p }, schemes: [basic], gives-up: never, refuse: [401, denied] }
                exchanges:
                  - { request: GET /g, auth: g, reply: { status: 200 } }
                  - { request: GET /h, auth: h, reply: { status: 200 } }
                """#,
            messages: [
                #"3:53 expected gives-up as a mapping, found "3"; write { after: 3 }"#,
                #"3:64 expected a reply as a mapping, found "401"; write { status: 401 }"#,
                #"4:53 expected gives-up as a mapping, found "never""#,
                #"4:69 expected a reply as a mapping, found "401"; write { status: 401 }"#,
                #"4:74 expected a reply as a mapping, found "denied""#,
            ]),
        ErrorRow(
            "accounts in a form that is none",
            yaml: #"""
                summary: s
                guards:
                  g: { users: u:p, schemes: [basic] }
                  h: { tokens: { T: read }, schemes: [bearer] }
                  i: { tokens: [{ tokn: T }], schemes: [bearer] }
                exchanges:
                  - { request: GET /g, auth: g, reply: { status: 200 } }
                  - { request: GET /h, auth: h, reply: { status: 200 } }
                  - { request: GET /i, auth: i, reply: { status: 200 } }
                """#,
            messages: [
                #"3:15 expected users as a mapping from name to password, found "u:p"; write users: { user: pass }"#,
                #"4:18 unknown key "T" in a token; write { token: T, scope: read }"#,
                #"5:17 a token needs the key "token""#,
                #"5:19 unknown key "tokn" in a token; did you mean "token"?"#,
            ]),
        ErrorRow(
            "a pause that is asked for by a key of its own",
            yaml: #"""
                summary: s
                exchanges:
                  - { request: GET /a, reply: { status: 200 } }
                  - { request: GET /r-delay, reply: { status: 200, delay: 1s } }
                  - { request: GET /r-wait, reply: { status: 200, wait: 1s } }
                  - { request: GET /r-sleep, reply: { status: 200, sleep: 1s } }
                  - { request: GET /r-latency, reply: { status: 200, latency: 1s } }
                  - { request: GET /e-delay, delay: 1s, reply: { status: 200 } }
                  - { request: GET /e-wait, wait: 1s, reply: { status: 200 } }
                  - { request: GET /e-sleep, sleep: 1s, reply: { status: 200 } }
                  - { request: GET /e-latency, latency: 1s, reply: { status: 200 } }
                """#,
            messages: [
                #"4:52 unknown key "delay" in a reply; a pause is an effect of the reply: effects: [{ at: head, do: wait 1s }]"#,
                #"5:51 unknown key "wait" in a reply; a pause is an effect of the reply: effects: [{ at: head, do: wait 1s }]"#,
                #"6:52 unknown key "sleep" in a reply; a pause is an effect of the reply: effects: [{ at: head, do: wait 1s }]"#,
                #"7:54 unknown key "latency" in a reply; a pause is an effect of the reply: effects: [{ at: head, do: wait 1s }]"#,
                #"8:30 unknown key "delay" in an exchange; a pause is an effect of the reply: effects: [{ at: head, do: wait 1s }]"#,
                #"9:29 unknown key "wait" in an exchange; a pause is an effect of the reply: effects: [{ at: head, do: wait 1s }]"#,
                #"10:30 unknown key "sleep" in an exchange; a pause is an effect of the reply: effects: [{ at: head, do: wait 1s }]"#,
                #"11:32 unknown key "latency" in an exchange; a pause is an effect of the reply: effects: [{ at: head, do: wait 1s }]"#,
            ]),
        ErrorRow(
            "keys of TLS by other names",
            yaml: #"""
                summary: s
                origins:
                  main: { scheme: https, tls: { version: 1.3, certificate: valid, tickets: none } }
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                """#,
            messages: [
                #"3:33 unknown key "version" in tls; did you mean "versions"?"#,
                #"3:47 unknown key "certificate" in tls; write it beside "tls""#,
                #"3:67 unknown key "tickets" in tls; did you mean "resumption"?"#,
            ]),
        ErrorRow(
            "an exchange that says guard",
            yaml: #"""
                summary: s
                guards: { lab: { users: { u: p }, schemes: [basic] } }
                exchanges:
                  - { request: GET /a, guard: lab, reply: { status: 200 } }
                  - { request: GET /b, guards: [lab], reply: { status: 200 } }
                """#,
            messages: [
                #"4:24 unknown key "guard" in an exchange; did you mean "auth"?"#,
                #"5:24 unknown key "guards" in an exchange; did you mean "auth"?"#,
            ]),
        ErrorRow(
            "nothing is said of use where there are other errors",
            yaml: #"""
                summary: s
                guards:
                  lab: { user: { u: p }, schemes: [basic] }
                  gate: { users: { u: p }, schemes: [verbatim] }
                auth: lba
                exchanges: [{ request: GET /a, auth: none, reply: { status: 200 } }]
                """#,
            messages: [
                #"3:10 unknown key "user" in a guard; did you mean "users"?"#,
                #"4:38 "verbatim" needs the text of a challenge; write verbatim: "" for an empty field"#,
                #"5:7 unknown guard "lba"; did you mean "lab"?"#,
            ]),
        ErrorRow(
            "a challenge answered with text",
            yaml: #"""
                summary: s
                guards: { lab: { users: { u: p }, schemes: [digest] } }
                auth: lab
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                cases:
                  a:
                    client: { url: /a, onChallenge: ["u:p", use] }
                """#,
            messages: [
                #"7:38 unknown challenge answer "u:p"; write { use: "u:p" }"#,
                #"7:45 unknown challenge answer "use"; write { use: "user:password" }"#,
            ]),
        ErrorRow(
            "facts about guards in a form that is none",
            yaml: #"""
                summary: s
                guards: { lab: { users: { u: p }, schemes: [digest] } }
                auth: lab
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                cases:
                  a:
                    client: { url: /a }
                    facts: { auth.lab.attempts: 1, auth.lab.atempts: 1, auth.nc: '00000001', auth.attempts: one, auth.scheme: Digest }
                """#,
            messages: [
                #"8:14 unknown fact "auth.lab.attempts"; write "auth[lab].attempts""#,
                #"8:36 unknown fact "auth.lab.atempts"; known after auth.: attempts, failures, challenges, scheme, user, nc, faults"#,
                #"8:66 nonce counts are told as decimal numbers, found "00000001"; write a number, or a list of numbers: 1"#,
                #"8:93 "auth.attempts" is a number, found "one""#,
                #"8:111 the scheme is told in lower case, found "Digest"; did you mean "digest"?"#,
            ]),
    ]
}
