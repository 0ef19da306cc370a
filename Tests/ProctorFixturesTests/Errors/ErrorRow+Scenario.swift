extension ErrorRow {
    static let scenarioRows: [ErrorRow] = [
        ErrorRow(
            "an unknown key of a scenario",
            yaml: #"""
                sumary: s
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                """#,
            messages: [
                #"1:1 unknown key "sumary" in a scenario; did you mean "summary"?"#,
                #"1:1 a scenario needs the key "summary""#,
            ]),
        ErrorRow(
            "an unknown key far from all",
            yaml: #"""
                summary: s
                zzzzzzzz: s
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                """#,
            messages: [
                #"2:1 unknown key "zzzzzzzz" in a scenario; known keys: summary, spec, sequence, origins, dns, guards, auth, tolerates, expect, state, library, exchanges, cases"#
            ]),
        ErrorRow(
            "an empty summary",
            yaml: #"""
                summary: ""
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                """#,
            messages: [#"1:10 expected a summary, found empty text"#]),
        ErrorRow(
            "a list as summary",
            yaml: #"""
                summary: [s]
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                """#,
            messages: [#"1:10 expected a summary as text, found a list"#]),
        ErrorRow(
            "a summary of nothing",
            yaml: #"""
                summary:
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                """#,
            messages: [#"1:9 expected a summary as text, found nothing"#]),
        ErrorRow(
            "a missing list of exchanges",
            yaml: #"""
                summary: s
                """#,
            messages: [#"1:1 a scenario needs the key "exchanges""#]),
        ErrorRow(
            "exchanges that are a mapping",
            yaml: #"""
                summary: s
                exchanges: { request: GET /a, reply: { status: 200 } }
                """#,
            messages: [#"2:12 expected exchanges as a list, found a mapping"#]),
        ErrorRow(
            "no exchange at all",
            yaml: #"""
                summary: s
                exchanges: []
                """#,
            messages: [
                #"2:12 a scenario needs at least one exchange; only origins with another role than server, with connections: effects or with TLS can do without"#
            ]),
        ErrorRow(
            "an unknown sequence",
            yaml: #"""
                summary: s
                sequence: strickt
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                """#,
            messages: [#"2:11 unknown sequence "strickt"; did you mean "strict"?"#]),
        ErrorRow(
            "a specification that is a mapping",
            yaml: #"""
                summary: s
                spec: { rfc: 9110 }
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                """#,
            messages: [#"2:7 expected a document and its section as text, found a mapping"#]),
        ErrorRow(
            "origins that are a list",
            yaml: #"""
                summary: s
                origins: [other]
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                """#,
            messages: [#"2:10 expected origins as a mapping from name to origin, found a list"#]),
        ErrorRow(
            "an origin with a bad name",
            yaml: #"""
                summary: s
                origins: { 1st: {} }
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                """#,
            messages: [#"2:12 "1st" cannot name an origin; use a letter, then letters, digits, '-' and '_'"#]),
        ErrorRow(
            "an unknown role",
            yaml: #"""
                summary: s
                origins: { p: { role: sever } }
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                """#,
            messages: [#"2:23 unknown role "sever"; did you mean "server"?"#]),
        ErrorRow(
            "a closed origin with connections",
            yaml: #"""
                summary: s
                origins: { p: { role: closed, connections: [{ at: accept, do: reset }] } }
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                """#,
            messages: [#"2:44 a closed origin has no connections"#]),
        ErrorRow(
            "an exchange at a closed origin",
            yaml: #"""
                summary: s
                origins: { gone: { role: closed } }
                exchanges: [{ request: GET /a, origin: gone, reply: { status: 200 } }]
                """#,
            messages: [#"3:40 this can never match: the origin "gone" is closed"#]),
        ErrorRow(
            "an exchange at an unknown origin",
            yaml: #"""
                summary: s
                origins: { other: {} }
                exchanges: [{ request: GET /a, origin: oter, reply: { status: 200 } }]
                """#,
            messages: [#"3:40 unknown origin "oter"; did you mean "other"?"#]),
        ErrorRow(
            "an unknown position of a connection",
            yaml: #"""
                summary: s
                origins: { main: { connections: [{ at: request-haed 5, do: reset }, { at: handshake, do: reset }, { do: reset }] } }
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                """#,
            messages: [
                #"2:40 unknown position "request-haed 5" of a connection; permitted: accept, handshake, handshake MOMENT, preface, request-head, request-head N, request-body N"#,
                #"2:75 "handshake" needs TLS, which the origin "main" does not speak; write scheme: https at the origin"#,
                #"2:99 a connection effect needs the key "at""#,
            ]),
        ErrorRow(
            "bad connection indexes",
            yaml: #"""
                summary: s
                origins: { main: { connections: [{ at: accept, do: reset, on: 3-1 }, { at: accept, do: reset, on: first }, { at: accept, do: reset, on: -1 }] } }
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                """#,
            messages: [
                #"2:63 expected connection indexes like 0 or 0-4, found "3-1"; the first connection is 0; at most 999999"#,
                #"2:99 expected connection indexes like 0 or 0-4, found "first"; the first connection is 0; at most 999999"#,
                #"2:137 expected connection indexes like 0 or 0-4, found "-1"; the first connection is 0; at most 999999"#,
            ]),
    ]
}

extension ErrorRow {
    /// Keys that suites of clients asked for, and what contradicts them.
    static let suiteRows: [ErrorRow] = [
        ErrorRow(
            "raw replies of no pieces, and of pieces that are none",
            yaml: #"""
                summary: s
                exchanges:
                  - request: GET /a
                    reply:
                      - raw: []
                      - raw: [a, { hexx: "00" }, { at: end, do: close }]
                      - { raw: a, tunnel: main }
                """#,
            messages: [
                #"5:14 a raw reply needs at least one piece"#,
                #"6:20 unknown key "hexx" in a piece of a raw reply; did you mean "hex"?"#,
                #"6:36 an effect in a raw reply stands where it is played; "at" goes under effects:"#,
                #"7:19 "tunnel" is what a proxy does, and the origin of this exchange is none; write origin: NAME with the name of an origin that has role: proxy"#,
            ]),
        ErrorRow(
            "field values that are generated",
            yaml: #"""
                summary: s
                exchanges:
                  - request: GET /a
                    reply:
                      - { status: 200, headers: { A: { repeat: a, bytes: 16777217 } } }
                      - { status: 200, headers: { A: { text: "a\nb" } } }
                      - { status: 200, headers: { A: { b: c } } }
                """#,
            messages: [
                #"5:38 the value of "A" has 16777217 bytes; at most 16777216 are permitted"#,
                #"6:38 a line break ends a field line; use raw: to send one"#,
                #"7:38 expected the value of "A", found a mapping with none of text, hex, base64, file, repeat, pattern, macbinary, binhex; if JSON is meant, quote it: '{"b": "c"}'"#,
            ]),
        ErrorRow(
            "JSON without quotes",
            yaml: #"""
                summary: s
                exchanges:
                  - request: { method: POST, path: /a, body: {"name": "it's", "tags": [1, true, null, 007]} }
                    reply: { status: 200, body: {"ok": {}} }
                  - request: { method: POST, path: /b, body: [1, 2] }
                    reply: { status: 200 }
                """#,
            messages: [
                #"3:46 expected a body, found a mapping with none of text, hex, base64, file, repeat, pattern, macbinary, binhex; if JSON is meant, quote it: '{"name": "it''s", "tags": [1, true, null, "007"]}'"#,
                #"4:33 expected a body, found a mapping with none of text, hex, base64, file, repeat, pattern, macbinary, binhex; if JSON is meant, quote it: '{"ok": {}}'"#,
                #"5:46 expected a body as text or as a mapping with one of text, hex, base64, file, repeat, pattern, macbinary, binhex, found a list; if JSON is meant, quote it: '[1, 2]'"#,
            ]),
        ErrorRow(
            "connections that can't stay",
            yaml: #"""
                summary: s
                exchanges:
                  - request: GET /a
                    reply:
                      - { status: 200, framing: close, then: keep }
                      - { status: 200, then: keep, effects: [{ at: end, do: close }] }
                      - { status: 200, then: stay }
                  - request: GET /b
                    reply: { status: 101, opaque: [], then: close }
                """#,
            messages: [
                #"5:46 the connection can't stay: framing: close ends the body by its end; write framing: length or chunked"#,
                #"6:30 the connection can't stay: the effect at 6:46 ends it"#,
                #"7:30 unknown end of a reply "stay"; permitted: keep, close"#,
                #"9:45 "then" does not go with "opaque", behind which no other request is read"#,
            ]),
        ErrorRow(
            "replies to ranges that nobody honours",
            yaml: #"""
                summary: s
                exchanges:
                  - request: GET /a
                    reply:
                      - { status: 200, unsatisfiable: { body: no } }
                      - { status: 200, honours: conditions, unsatisfiable: { body: no } }
                      - { status: 200, honours: ranges, unsatisfiable: { honours: ranges } }
                """#,
            messages: [
                #"5:24 "unsatisfiable" is the reply to ranges, and this reply does not honour them; write honours: ranges beside it"#,
                #"6:45 "unsatisfiable" is the reply to ranges, and this reply does not honour them; write honours: ranges beside it"#,
                #"7:58 "honours" has no place in the reply to ranges that are not there"#,
            ]),
        ErrorRow(
            "turns that nobody shares, and that decide nothing",
            yaml: #"""
                summary: s
                exchanges:
                  - { request: GET /a, reply: [{ status: 200 }, { status: 201 }], turns: { shared: one } }
                  - { request: GET /b, reply: { status: 200 }, turns: { shared: two } }
                  - { request: GET /c, reply: { status: 200 }, turns: { shared: two } }
                  - { request: GET /d, reply: { status: 200 }, turns: { shared: "a b" } }
                """#,
            messages: [
                #"3:74 no other exchange shares the turn "one"; write turns: { shared: one } at another exchange too"#,
                #"4:55 the turn "two" decides nothing: every exchange that shares it has one reply; write a list of replies at one of them"#,
                #"6:65 "a b" cannot name a turn that is shared; names have a letter, then letters, digits, '-' and '_'"#,
            ]),
        ErrorRow(
            "a shared turn in a strict sequence",
            yaml: #"""
                summary: s
                sequence: strict
                exchanges:
                  - { request: GET /a, reply: [{ status: 200 }, { status: 201 }], turns: { shared: one } }
                  - { request: GET /b, reply: { status: 200 }, turns: { shared: one } }
                """#,
            messages: [#"4:74 "shared" does not go with a strict sequence, which has one order for all already"#]),
        ErrorRow(
            "content that never comes and is compared",
            yaml: #"""
                summary: s
                exchanges:
                  - { request: { method: POST, path: /a, body: a }, expect: final, reply: { status: 417 } }
                """#,
            messages: [
                #"3:16 the content is never read with expect: final, so nothing can be compared with it; leave body:, json:, form: or parts: out, or write expect: ignore"#
            ]),
        ErrorRow(
            "certificates from files, and protocols that are not spoken",
            yaml: #"""
                summary: s
                origins:
                  main: { scheme: https, certificate: { file: none.pem } }
                  other: { scheme: https, tls: { alpn: [http/1.1, h2] } }
                  third: { scheme: https, tls: { plain-http: ignore } }
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                """#,
            messages: [
                #"3:39 a certificate needs the key "key"; the server proves with it that the certificate is its own"#,
                #"3:47 the file "none.pem" cannot be used: No such file or directory; looked for $FOLDER/none.pem"#,
                #"4:51 this origin does not speak HTTP/2, so a client that agrees on "h2" would wait for ever; write protocols: [h2, http/1.1] beside tls:, or alpn: { force: h2 } for a server that lies"#,
                #"5:46 unknown answer to plain HTTP "ignore"; permitted: answer, close"#,
            ]),
        ErrorRow(
            "schemes in other letters, and nonces that nobody may use",
            yaml: #"""
                summary: s
                guards:
                  a: { users: { u: p }, schemes: [{ basic: { spelled: BASICS } }] }
                  b: { users: { u: p }, schemes: [{ digest: { uses: [] } }, { digest: { uses: [0, -1], algorithm: SHA-256 } }] }
                  c: { users: { u: p }, schemes: [{ digest: { nonce: fixed, uses: 0 } }] }
                exchanges: [{ request: GET /a, auth: a, reply: { status: 200 } }, { request: GET /b, auth: [b], reply: { status: 200 } }, { request: GET /c, auth: c, reply: { status: 200 } }]
                """#,
            messages: [
                #"3:55 "BASICS" is no spelling of Basic: only the case of its letters may differ; write verbatim: TEXT to offer another scheme"#,
                #"4:53 a list of uses needs at least one number"#,
                #"4:83 uses is -1; permitted is 0 ... 1000000"#,
                #"5:61 "uses" does not go with a fixed nonce, which is never replaced; write nonce: { seed: 7 } for others that are the same in each run"#,
            ]),
        ErrorRow(
            "one size of members that leaves a rest",
            yaml: #"""
                summary: s
                exchanges:
                  - request: GET /a
                    reply:
                      - { status: 200, coding: { gzip: { members: [7] } }, body: twelve bytes }
                      - { status: 200, coding: { gzip: { members: [12] } }, body: twelve bytes }
                      - { status: 200, coding: { gzip: { members: [7, 1] } }, body: twelve bytes }
                      - { status: 200, coding: { negotiate: [br, { gzip: { members: [7] } }] }, body: "{{base}}" }
                """#,
            messages: [
                #"5:32 members: [7] makes one member of all, because the last one takes the rest; write members: [7, 5], or leave members: out"#,
                #"8:32 members: [7] makes one member of all, because the last one takes the rest; write members: [7, N], or leave members: out"#,
            ]),
    ]
}
