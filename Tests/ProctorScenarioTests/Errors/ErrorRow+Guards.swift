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
            messages: [
                #"2:9 expected guards as a mapping from name to guard, found a list"#
            ]),
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
            messages: [
                #"4:3 the guard "gate" guards nothing; write auth: gate beside a request, or at the scenario"#
            ]),
        ErrorRow(
            "a guard of all exchanges that guards none",
            yaml: #"""
                summary: s
                auth: { users: { u: p }, schemes: [basic] }
                exchanges: [{ request: GET /a, auth: none, reply: { status: 200 } }]
                """#,
            messages: [
                #"2:1 "auth" guards nothing: every exchange says "auth" itself"#
            ]),
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
            messages: [
                #"2:7 unknown guard "lab"; write it under guards:, or write the guard itself here"#
            ]),
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
            messages: [
                #"3:6 a guard needs the key "schemes"; write schemes: [basic]"#
            ]),
        ErrorRow(
            "a guard that is text",
            yaml: #"""
                summary: s
                guards:
                  g: basic
                exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
                """#,
            messages: [
                #"3:6 expected a guard as a mapping, found "basic""#
            ]),
        ErrorRow(
            "an unknown key of a guard",
            yaml: #"""
                summary: s
                guards:
                  g: { user: { u: p }, schemes: [basic] }
                exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
                """#,
            messages: [
                #"3:8 unknown key "user" in a guard; did you mean "users"?"#
            ]),
        ErrorRow(
            "a guard in a reply",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: { status: 200, auth: lab } }]
                """#,
            messages: [
                #"2:54 "auth" is reserved for the exchange: write it beside "reply""#
            ]),
        ErrorRow(
            "realms that are none",
            yaml: #"""
                summary: s
                guards:
                  g: { realm: [], users: { u: p }, schemes: [basic] }
                exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
                """#,
            messages: [
                #"3:15 a list of realms needs at least one"#
            ]),
        ErrorRow(
            "a realm that would end the field",
            yaml: #"""
                summary: s
                guards:
                  g: { realm: ["lab", "la\r\nb"], users: { u: p }, schemes: [basic] }
                exchanges: [{ request: GET /a, auth: g, reply: { status: 200 } }]
                """#,
            messages: [
                #"3:26 a realm holds no line break; it would end the field"#
            ]),
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
            messages: [
                #"3:51 a list of replies needs at least one"#
            ]),
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
