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
                #"2:1 unknown key "zzzzzzzz" in a scenario; known keys: summary, spec, sequence, origins, guards, auth, exchanges, cases"#
            ]),
        ErrorRow(
            "an empty summary",
            yaml: #"""
                summary: ""
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                """#,
            messages: [
                #"1:10 expected a summary, found empty text"#
            ]),
        ErrorRow(
            "a list as summary",
            yaml: #"""
                summary: [s]
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                """#,
            messages: [
                #"1:10 expected a summary as text, found a list"#
            ]),
        ErrorRow(
            "a summary of nothing",
            yaml: #"""
                summary:
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                """#,
            messages: [
                #"1:9 expected a summary as text, found nothing"#
            ]),
        ErrorRow(
            "a missing list of exchanges",
            yaml: #"""
                summary: s
                """#,
            messages: [
                #"1:1 a scenario needs the key "exchanges""#
            ]),
        ErrorRow(
            "exchanges that are a mapping",
            yaml: #"""
                summary: s
                exchanges: { request: GET /a, reply: { status: 200 } }
                """#,
            messages: [
                #"2:12 expected exchanges as a list, found a mapping"#
            ]),
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
            messages: [
                #"2:11 unknown sequence "strickt"; did you mean "strict"?"#
            ]),
        ErrorRow(
            "a specification that is a mapping",
            yaml: #"""
                summary: s
                spec: { rfc: 9110 }
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                """#,
            messages: [
                #"2:7 expected a document and its section as text, found a mapping"#
            ]),
        ErrorRow(
            "origins that are a list",
            yaml: #"""
                summary: s
                origins: [other]
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                """#,
            messages: [
                #"2:10 expected origins as a mapping from name to origin, found a list"#
            ]),
        ErrorRow(
            "an origin with a bad name",
            yaml: #"""
                summary: s
                origins: { 1st: {} }
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                """#,
            messages: [
                #"2:12 "1st" cannot name an origin; use a letter, then letters, digits, '-' and '_'"#
            ]),
        ErrorRow(
            "an unknown role",
            yaml: #"""
                summary: s
                origins: { p: { role: sever } }
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                """#,
            messages: [
                #"2:23 unknown role "sever"; did you mean "server"?"#
            ]),
        ErrorRow(
            "a closed origin with connections",
            yaml: #"""
                summary: s
                origins: { p: { role: closed, connections: [{ at: accept, do: reset }] } }
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                """#,
            messages: [
                #"2:44 a closed origin has no connections"#
            ]),
        ErrorRow(
            "an exchange at a closed origin",
            yaml: #"""
                summary: s
                origins: { gone: { role: closed } }
                exchanges: [{ request: GET /a, origin: gone, reply: { status: 200 } }]
                """#,
            messages: [
                #"3:40 this can never match: the origin "gone" is closed"#
            ]),
        ErrorRow(
            "an exchange at an unknown origin",
            yaml: #"""
                summary: s
                origins: { other: {} }
                exchanges: [{ request: GET /a, origin: oter, reply: { status: 200 } }]
                """#,
            messages: [
                #"3:40 unknown origin "oter"; did you mean "other"?"#
            ]),
        ErrorRow(
            "an unknown position of a connection",
            yaml: #"""
                summary: s
                origins: { main: { connections: [{ at: request-haed 5, do: reset }, { at: handshake, do: reset }, { do: reset }] } }
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                """#,
            messages: [
                #"2:40 unknown position "request-haed 5" of a connection; permitted: accept, handshake, handshake MOMENT, request-head, request-head N, request-body N"#,
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
