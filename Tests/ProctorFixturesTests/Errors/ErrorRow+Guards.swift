import ProctorHTTP

extension ErrorRow {
    /// Guards, and where they are asked for.
    static let guardRows: [ErrorRow] = [
        ErrorRow(
            "guards that are no mapping",
            yaml: #"""
                summary: s
                guards: [lab]
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                """#,
            messages: [#"2:9 expected guards as a mapping from name to guard, found a list"#]),
        ErrorRow(
            "names that no guard can have",
            yaml: #"""
                summary: s
                guards:
                  none: { users: { u: p }, schemes: [basic] }
                  1st: { users: { u: p }, schemes: [basic] }
                auth: 1st
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                """#,
            messages: [
                #"3:3 "none" cannot name a guard: auth: none means no guard"#,
                #"4:3 "1st" cannot name a guard; use a letter, then letters, digits, '-' and '_'"#,
            ]),
        ErrorRow(
            "a guard that nobody asks for",
            yaml: #"""
                summary: s
                guards:
                  lab: { users: { u: p }, schemes: [basic] }
                  gate: { users: { u: p }, schemes: [basic] }
                exchanges: [{ request: GET /a, auth: lab, reply: { status: 200 } }]
                """#,
            messages: [#"4:3 the guard "gate" guards nothing; write auth: gate beside a request, or at the scenario"#]),
        ErrorRow(
            "a guard of all exchanges that guards none",
            yaml: #"""
                summary: s
                auth: { users: { u: p }, schemes: [basic] }
                exchanges: [{ request: GET /a, auth: none, reply: { status: 200 } }]
                """#,
            messages: [#"2:1 "auth" guards nothing: every exchange says "auth" itself"#]),
        ErrorRow(
            "a guard that is not there",
            yaml: #"""
                summary: s
                guards: { lab: { users: { u: p }, schemes: [basic] } }
                exchanges:
                  - { request: GET /a, auth: lba, reply: { status: 200 } }
                  - { request: GET /b, auth: [gatekeeper, lab], reply: { status: 200 } }
                  - { request: GET /c, auth: nome, reply: { status: 200 } }
                """#,
            messages: [
                #"4:30 unknown guard "lba"; did you mean "lab"?"#,
                #"5:31 unknown guard "gatekeeper"; permitted: lab"#,
                #"6:30 unknown guard "nome"; did you mean "none"?"#,
            ]),
        ErrorRow(
            "a guard where there are none",
            yaml: #"""
                summary: s
                auth: lab
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                """#,
            messages: [#"2:7 unknown guard "lab"; write it under guards:, or write the guard itself here"#]),
        ErrorRow(
            "asking for no guard in ways that are none",
            yaml: #"""
                summary: s
                guards: { lab: { users: { u: p }, schemes: [basic] } }
                exchanges:
                  - { request: GET /a, auth: , reply: { status: 200 } }
                  - { request: GET /b, auth: [], reply: { status: 200 } }
                  - { request: GET /c, auth: [lab, none], reply: { status: 200 } }
                  - { request: GET /d, auth: [[lab]], reply: { status: 200 } }
                """#,
            messages: [
                #"4:30 expected a guard as a name or as a mapping, found nothing; write auth: none for no guard"#,
                #"5:30 a list of guards needs at least one; write auth: none for no guard"#,
                #"6:36 "none" stands alone, in no list"#,
                #"7:31 expected a guard as a name or as a mapping, found a list; write auth: none for no guard"#,
            ]),
        ErrorRow(
            "two guards of one field",
            yaml: #"""
                summary: s
                guards:
                  lab: { users: { u: p }, schemes: [basic] }
                  gate: { proxy: true, users: { u: p }, schemes: [basic] }
                exchanges:
                  - { request: GET /a, auth: [gate, lab, { users: { u: p }, schemes: [basic] }], reply: { status: 200 } }
                  - { request: GET /b, auth: [gate, gate], reply: { status: 200 } }
                """#,
            messages: [
                #"6:42 "lab" and "exchange 0" both judge Authorization, which a request has once; offer the schemes of both by one guard, or give one of them proxy: true"#,
                #"7:37 "gate" and "gate" both judge Proxy-Authorization, which a request has once; offer the schemes of both by one guard, or give one of them proxy: true"#,
            ]),
        ErrorRow(
            "a guard of nothing",
            yaml: #"""
                summary: s
                guards:
                  g: {}
                exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
                """#,
            messages: [#"3:6 a guard needs the key "schemes"; write schemes: [basic]"#]),
        ErrorRow(
            "a guard that is text",
            yaml: #"""
                summary: s
                guards:
                  g: basic
                exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
                """#,
            messages: [#"3:6 expected a guard as a mapping, found "basic""#]),
        ErrorRow(
            "an unknown key of a guard",
            yaml: #"""
                summary: s
                guards:
                  g: { user: { u: p }, schemes: [basic] }
                exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
                """#,
            messages: [#"3:8 unknown key "user" in a guard; did you mean "users"?"#]),
        ErrorRow(
            "a guard in a reply",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: { status: 200, auth: lab } }]
                """#,
            messages: [#"2:54 "auth" is reserved for the exchange: write it beside "reply""#]),
        ErrorRow(
            "realms that are none",
            yaml: #"""
                summary: s
                guards:
                  g: { realm: [], users: { u: p }, schemes: [basic] }
                exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
                """#,
            messages: [#"3:15 a list of realms needs at least one"#]),
        ErrorRow(
            "a realm that would end the field",
            yaml: #"""
                summary: s
                guards:
                  g: { realm: ["lab", "la\r\nb"], users: { u: p }, schemes: [basic] }
                exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
                """#,
            messages: [#"3:26 a realm holds no line break; it would end the field"#]),
        ErrorRow(
            "an unknown layout",
            yaml: #"""
                summary: s
                guards:
                  g: { layout: oneline, proxy: yes, users: { u: p }, schemes: [basic] }
                exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
                """#,
            messages: [
                #"3:16 unknown layout "oneline"; did you mean "one-line"?"#,
                #"3:32 expected proxy as true or false, found "yes""#,
            ]),
        ErrorRow(
            "refusals that are none",
            yaml: #"""
                summary: s
                guards:
                  g: { users: { u: p }, schemes: [basic], refuse: [{ raw: x }, { status: 401, coding: gzip, framing: close, headers: { X: "{{path.id}}" } }, { effects: [{ at: body 1, do: close }] }] }
                exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
                """#,
            messages: [
                #"3:54 "raw" does not go with "refuse", whose challenges are added behind the fields; put the whole exchange into its own reply, or write verbatim: under schemes"#,
                #"3:124 {{path.id}} means nothing here: a guard answers requests of any pattern"#,
                #"3:154 this effect is never played: the body has 0 bytes"#,
            ]),
        ErrorRow(
            "a refusal with honours",
            yaml: #"""
                summary: s
                guards:
                  g: { users: { u: p }, schemes: [basic], refuse: { body: a, honours: ranges, trailers: { a: b } } }
                exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
                """#,
            messages: [
                #"3:62 "honours" changes a 200 into something else; this reply is a 401"#,
                #"3:79 trailers are sent after the last chunk only; add framing: chunked"#,
            ]),
        ErrorRow(
            "no refusal",
            yaml: #"""
                summary: s
                guards:
                  g: { users: { u: p }, schemes: [basic], refuse: [] }
                exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
                """#,
            messages: [#"3:51 a list of replies needs at least one"#]),
        ErrorRow(
            "an end that is none",
            yaml: #"""
                summary: s
                guards:
                  g: { users: { u: p }, schemes: [basic], gives-up: { reply: { stats: 403 }, aftr: 3 } }
                exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
                """#,
            messages: [
                #"3:53 gives-up needs the key "after""#,
                #"3:64 unknown key "stats" in a reply; did you mean "status"?"#,
                #"3:78 unknown key "aftr" in gives-up; did you mean "after"?"#,
            ]),
        ErrorRow(
            "an end after too many",
            yaml: #"""
                summary: s
                guards:
                  g: { users: { u: p }, schemes: [basic], gives-up: { after: 1000001, reply: { body: "{{path.x}}" } } }
                exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
                """#,
            messages: [
                #"3:62 number of refused credentials is 1000001; permitted is 0 ... 1000000"#,
                #"3:87 {{path.x}} means nothing here: a guard answers requests of any pattern"#,
            ]),
    ]
}

extension ErrorRow {
    /// Facts about guards.
    static let guardFactRows: [ErrorRow] = [
        ErrorRow(
            "facts about guards where there are none",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                cases:
                  a:
                    client: { url: /a }
                    facts: { auth.attempts: 0, "auth[lab].nc": 1, "wire[0].auth": null, "wire[0].auth.faults": null, "wire[0].credentials.qop": null }
                """#,
            messages: [
                #"6:14 "auth.attempts" is about guards, and this scenario has none; write guards: or auth:"#,
                #"6:32 "auth[lab].nc" is about guards, and this scenario has none; write guards: or auth:"#,
                #"6:51 "wire[0].auth" is about guards, and this scenario has none; write guards: or auth:"#,
                #"6:73 "wire[0].auth.faults" is about guards, and this scenario has none; write guards: or auth:"#,
            ]),
        ErrorRow(
            "facts about guards that nobody can measure",
            yaml: #"""
                summary: s
                auth: { users: { u: p }, schemes: [basic] }
                guards: { lab: { users: { u: p }, schemes: [basic] } }
                exchanges:
                  - { request: GET /a, reply: { status: 200 } }
                  - { request: GET /b, auth: lab, reply: { status: 200 } }
                cases:
                  a:
                    client: { url: /a }
                    facts: { auth.atempts: 1, "auth[lba].attempts": 1, "auth[lab].faillures": 1, "auth[].nc": 1, "auth[lab]": 1, "auth[exchange 1].nc": 1, "wire[0].auht": admitted, "wire[0].credential.qop": auth, "wire[0].credentials.": auth, auth: 1 }
                """#,
            messages: [
                #"10:14 unknown fact "auth.atempts"; did you mean "auth.attempts"?"#,
                #"10:31 unknown guard "lba"; did you mean "lab"?"#,
                #"10:56 unknown fact "auth[lab].faillures"; did you mean "auth[lab].failures"?"#,
                #"10:82 expected auth[GUARD].NAME with the name of a guard, found "auth[].nc""#,
                #"10:98 expected auth[GUARD].NAME with the name of a guard, found "auth[lab]""#,
                #"10:114 unknown guard "exchange 1"; permitted: lab, all exchanges"#,
                #"10:140 unknown fact "wire[0].auht"; did you mean "wire[0].auth"?"#,
                #"10:166 unknown fact "wire[0].credential.qop"; known after wire[0].: method, target, version, body, body.length, connection, origin, violations, fields, gap, framing, chunks, parts, auth, auth.faults, cookies, target-form, authority, chunk-lines, withheld, opaque, opaque.length, stream, reused, coalesced, headers.NAME, trailers.NAME, form.NAME, query.NAME, cookies.NAME, parts[N].NAME, credentials.NAME, proxy-credentials.NAME, reply.status, reply.headers.NAME, reply.body, reply.body.length"#,
                #"10:198 unknown fact "wire[0].credentials."; known after wire[0].: method, target, version, body, body.length, connection, origin, violations, fields, gap, framing, chunks, parts, auth, auth.faults, cookies, target-form, authority, chunk-lines, withheld, opaque, opaque.length, stream, reused, coalesced, headers.NAME, trailers.NAME, form.NAME, query.NAME, cookies.NAME, parts[N].NAME, credentials.NAME, proxy-credentials.NAME, reply.status, reply.headers.NAME, reply.body, reply.body.length"#,
                #"10:228 unknown fact "auth"; known facts: status, url, body, mime, suggestedName, expectedLength, error, body.length, textEncodingName, statusText, error.message, error.message.length, willCache.storage, metrics.protocol, stored.cookies, file, fileExists, files, temporaryFileExists, resumeData, messages, close.code, close.reason, protocol, events, events.count, retries, header.NAME, redirect[N].NAME, events[N].NAME, stored.cookies.NAME, stored.PROPERTY.NAME, cached.NAME, wire.count, connections, tunnels, tls.handshakes, tls.failures, h2.connections, h2.streams, ws.count, auth.attempts, auth.failures, auth.challenges, auth.scheme, auth.user, auth.nc, auth.faults, auth[GUARD].…, wire[N].…, connection[N].…, tls[N].…, stream[N].…, h2[N].…, ws[N].…, socks[N].…, dns[N].…, step[N].…"#,
            ]),
        ErrorRow(
            "values that no fact about guards has",
            yaml: #"""
                summary: s
                auth: { users: { u: p }, schemes: [basic] }
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                cases:
                  a:
                    client: { url: /a }
                    facts: { auth.attempts: many, auth.scheme: Digest, auth.nc: [1, 2a], auth.faults: [wrong-pasword], auth.user: [a, b], "auth[all exchanges].failures": { min: 0 }, auth.challenges: [1], "wire[0].auth": admited, "wire[0].auth.faults": bad, "wire[1].auth": refuse, "wire[1].credentials.qop": [a] }
                """#,
            messages: [
                #"7:29 "auth.attempts" is a number, found "many""#,
                #"7:48 the scheme is told in lower case, found "Digest"; did you mean "digest"?"#,
                #"7:69 nonce counts are told as decimal numbers, found "2a"; write a number, or a list of numbers: 1"#,
                #"7:88 unknown fault "wrong-pasword" of a credential; did you mean "wrong-password"?"#,
                #"7:115 "auth.user" is one value, not a list"#,
                #"7:184 "auth.challenges" is one value, not a list"#,
                #"7:205 unknown outcome "admited" of a guard; did you mean "admitted"?"#,
                #"7:237 unknown fault "bad" of a credential; permitted: \#(kinds)"#,
                #"7:258 unknown outcome "refuse" of a guard; did you mean "refused"?"#,
                #"7:293 "wire[1].credentials.qop" is one value, not a list"#,
            ]),
    ]

    private static let kinds = CredentialFault.Kind.allCases.map(\.rawValue).joined(separator: ", ")
}
