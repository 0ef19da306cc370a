extension ErrorRow {
    static let effectRows: [ErrorRow] = [
        ErrorRow(
            "effects that are none",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: { effects: [{ at: head, do: rest }, { at: head, do: close now }, { at: head, do: wait }, { at: head, do: wait 1 }, { at: head, do: wait 11m }, { at: head, do: send }, { at: head }, { do: reset }, { at: head, do: awiat response }, { at: head, do: { awaits: response } }, { at: head, do: { sent: a } }, { at: head, do: [reset] }] } }]
                """#,
            messages: [
                #"2:67 unknown effect "rest"; did you mean "reset"?"#,
                #"2:91 "close" takes nothing after it, found "now""#,
                #"2:120 expected a duration like 200ms, 1.5s or 2m after wait, found """#,
                #"2:144 expected a duration like 200ms, 1.5s or 2m after wait, found "1""#,
                #"2:170 a wait of 11m is too long; at most 10m is permitted"#,
                #"2:198 send needs the text to send; do: send TEXT, or do: { send: BYTES }"#,
                #"2:206 an effect needs the key "do""#,
                #"2:220 an effect needs the key "at""#,
                #"2:251 unknown effect "awiat"; did you mean "await"?"#,
                #"2:287 unknown key "awaits" in an effect; did you mean "await"?"#,
                #"2:327 unknown key "sent" in an effect; did you mean "send"?"#,
                #"2:356 expected an effect as text, found a list"#,
            ]),
        ErrorRow(
            "abrupt beside what cannot be abrupt",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: { status: 200, body: abc, effects: [{ at: head, do: wait 1s, abrupt: true }, { at: body 1, do: reset, abrupt: yes }] } }]
                """#,
            messages: [
                #"2:100 "abrupt" goes with close and reset only"#,
                #"2:149 expected abrupt as true or false, found "yes""#,
            ]),
        ErrorRow(
            "positions that are none",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: { status: 200, body: abc, effects: [{ at: haed, do: wait 1s }, { at: body, do: wait 1s }, { at: body x, do: wait 1s }, { at: end 3, do: wait 1s }, { at: body 1 2, do: wait 1s }] } }]
                """#,
            messages: [
                #"2:81 unknown position "haed" of a reply; permitted: head, head N, body N, wire N, frame N, end (N up to 1099511627776)"#,
                #"2:108 the position "body" needs a number; body 0 is its first byte"#,
                #"2:135 unknown position "body x" of a reply; permitted: head, head N, body N, wire N, frame N, end (N up to 1099511627776)"#,
                #"2:164 unknown position "end 3" of a reply; permitted: head, head N, body N, wire N, frame N, end (N up to 1099511627776)"#,
                #"2:192 unknown position "body 1 2" of a reply; permitted: head, head N, body N, wire N, frame N, end (N up to 1099511627776)"#,
            ]),
        ErrorRow(
            "effects beyond the bytes of the reply",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: [{ status: 200, body: abc, effects: [{ at: body 4, do: reset }] }, { raw: abc, effects: [{ at: wire 4, do: wait 1s }, { at: body 1, do: wait 1s }, { at: head 1, do: wait 1s }] }, { effects: [{ at: body 1, do: reset }] }] }]
                """#,
            messages: [
                #"2:76 this effect is never played: the body has 3 bytes"#,
                #"2:128 this effect is never played: the raw reply has 3 bytes"#,
                #"2:157 this effect is never played: a raw reply has no head and body of its own; count with wire N"#,
                #"2:186 this effect is never played: a raw reply has no head and body of its own; count with wire N"#,
                #"2:230 this effect is never played: a reply of effects alone has no bytes"#,
            ]),
        ErrorRow(
            "effects after the end of the reply",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: { status: 200, body: abc, effects: [{ at: body 2, do: wait 1s }, { at: body 1, do: reset }, { at: end, do: close }] } }]
                """#,
            messages: [
                #"2:75 this effect is never played: the reply ends with the effect at 2:104"#,
                #"2:131 this effect is never played: the reply ends with the effect at 2:104"#,
            ]),
        ErrorRow(
            "an effect with a position in a body",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: { status: 200, body: [a, { at: body 1, do: reset }, { do: rset }, { hx: a }] } }]
                """#,
            messages: [
                #"2:66 an effect in a body stands where it is played; "at" goes under effects:"#,
                #"2:97 unknown effect "rset"; did you mean "reset"?"#,
                #"2:107 unknown key "hx" in a piece of a body; did you mean "hex"?"#,
            ]),
        ErrorRow(
            "an exchange that an identical one hides",
            yaml: #"""
                summary: s
                exchanges:
                  - { request: GET /a, reply: { status: 200 } }
                  - { request: GET /a, reply: { status: 404 } }
                """#,
            messages: [
                #"4:5 "GET /a" can never match: "GET /a" at line 3 takes every such request; put it before, or give the other one times:"#
            ]),
        ErrorRow(
            "an exchange that a wider one hides",
            yaml: #"""
                summary: s
                exchanges:
                  - { request: "* /a/*", reply: { status: 200 } }
                  - { request: "GET|HEAD /a/{id}", reply: { status: 404 } }
                  - { request: { method: PUT, path: /a/b, query: { c: d }, body: x }, reply: { status: 404 } }
                """#,
            messages: [
                #"4:5 "GET|HEAD /a/{id}" can never match: "* /a/*" at line 3 takes every such request; put it before, or give the other one times:"#,
                #"5:5 "PUT /a/b" can never match: "* /a/*" at line 3 takes every such request; put it before, or give the other one times:"#,
            ]),
    ]
}

extension ErrorRow {
    static let syncRows: [ErrorRow] = [
        ErrorRow(
            "sync points that are none",
            yaml: #"""
                summary: s
                exchanges:
                  - request: GET /a
                    reply:
                      - { effects: [{ at: head, do: await }] }
                      - { effects: [{ at: head, do: await respons }] }
                      - { effects: [{ at: head, do: await request }] }
                      - { effects: [{ at: head, do: await the end }] }
                      - { effects: [{ at: head, do: { await: dta } }] }
                      - { effects: [{ at: head, do: { await: data, task: -1 } }] }
                      - { effects: [{ at: head, do: { await: data, count: 0 } }] }
                      - { effects: [{ at: head, do: { await: data, within: 0s } }] }
                      - { effects: [{ at: head, do: { await: data, send: a } }] }
                      - { effects: [{ at: head, do: { send: a, within: 1s } }] }
                      - { effects: [{ at: head, do: { task: 1 } }] }
                      - { effects: [{ at: head, do: await data, abrupt: true }] }
                """#,
            messages: [
                #"5:37 await needs the name of an event; like do: await response"#,
                #"6:37 unknown event "respons"; did you mean "response"?"#,
                #"7:37 "request" is an event of the wire, which no client reports; what arrived is known without waiting"#,
                #"8:37 unknown event "the end"; the names are those of the expressions of a case"#,
                #"9:46 unknown event "dta"; did you mean "data"?"#,
                #"10:58 task is -1; permitted is 0 ... 999999"#,
                #"11:59 count is 0; permitted is 1 ... 1000000"#,
                #"12:60 expected a duration like 200ms, 1.5s or 2m, more than 0 and at most 10m, found "0s""#,
                #"13:52 "send" does not go with "await"; write two effects"#,
                #"14:48 "within" goes with "await" only"#,
                #"15:37 an effect needs the key "send""#,
                #"15:39 "task" goes with "await" only"#,
                #"16:49 "abrupt" goes with close and reset only"#,
            ]),
        ErrorRow(
            "roles with what belongs to servers",
            yaml: #"""
                summary: s
                origins:
                  main: { role: unaccepting, connections: [{ at: accept, do: await created }] }
                  far: { role: unreachable, receive-buffer: 4096 }
                  gone: { role: closed, connections: [], receive-buffer: 4096 }
                  wrong: { role: unaccepted, receive-buffer: 255 }
                exchanges:
                  - { request: GET /a, reply: { status: 200 } }
                  - { request: GET /b, origin: far, reply: { status: 200 } }
                  - { request: GET /c, origin: gone, reply: { status: 200 } }
                """#,
            messages: [
                #"3:43 an unaccepting origin has no connections"#,
                #"4:29 an unreachable origin receives nothing"#,
                #"5:38 a closed origin has no connections"#,
                #"5:42 a closed origin receives nothing"#,
                #"6:18 unknown role "unaccepted"; did you mean "unaccepting"?"#,
                #"6:46 receive buffer is 255; permitted is 256 ... 1048576"#,
                #"8:5 this can never match: the origin "main" never accepts a connection"#,
                #"9:32 this can never match: the origin "far" cannot be reached"#,
                #"10:32 this can never match: the origin "gone" is closed"#,
            ]),
        ErrorRow(
            "requests of a connection that are none",
            yaml: #"""
                summary: s
                origins:
                  main:
                    connections:
                      - { at: request-head, do: close, request: a }
                      - { at: request-head, do: close, request: 3-1 }
                      - { at: request-head, do: close, request: 1000000 }
                      - { at: accept, do: close, request: 1 }
                exchanges:
                  - { request: GET /a, reply: { status: 200 } }
                """#,
            messages: [
                #"5:49 expected request indexes like 0 or 0-4, found "a"; the first request is 0; at most 999999"#,
                #"6:49 expected request indexes like 0 or 0-4, found "3-1"; the first request is 0; at most 999999"#,
                #"7:49 expected request indexes like 0 or 0-4, found "1000000"; the first request is 0; at most 999999"#,
                #"8:34 "request" means nothing at accept, which comes before the first one"#,
            ]),
        ErrorRow(
            "portions and turns that are none",
            yaml: #"""
                summary: s
                exchanges:
                  - { request: GET /a, reads: { bytes: 0, every: 1s }, reply: { status: 200 } }
                  - { request: GET /b, reads: { bytes: 1 }, reply: { status: 200 } }
                  - { request: GET /c, reads: slowly, reply: { status: 200 } }
                  - { request: GET /d, turns: connection, reply: { status: 200 } }
                  - { request: GET /e, turns: conection, reply: [{ status: 200 }, { status: 201 }] }
                  - { request: GET /f, turns: request, reply: [{ status: 200 }] }
                """#,
            messages: [
                #"3:40 bytes is 0; permitted is 1 ... 1099511627776"#,
                #"4:31 reads needs the key "every""#,
                #"5:31 expected reads as all, none, a number of bytes or { bytes: N, every: TIME }, found "slowly""#,
                #"6:24 "turns" needs a list of two replies or more, which take turns"#,
                #"7:31 unknown kind of turns "conection"; did you mean "connection"?"#,
                #"8:24 "turns" needs a list of two replies or more, which take turns"#,
            ]),
        ErrorRow(
            "forms and parts that are none",
            yaml: #"""
                summary: s
                exchanges:
                  - { request: { method: POST, path: /a, body: a, form: {} }, reply: { status: 200 } }
                  - { request: { method: POST, path: /b, form: [a] }, reply: { status: 200 } }
                  - { request: { method: POST, path: /c, form: { a: "{b}", c: { d: e }, f: "\\x" } }, reply: { status: 200 } }
                  - { request: { method: POST, path: /d, parts: [] }, reply: { status: 200 } }
                  - { request: { method: POST, path: /e, parts: [{ filename: a }] }, reply: { status: 200 } }
                  - { request: { method: POST, path: /f, parts: [{ name: a, file: b }] }, reply: { status: 200 } }
                  - { request: { method: POST, path: /g, parts: [{ name: a, body: "{{now}}" }], form: {} }, reply: { status: 200 } }
                """#,
            messages: [
                #"3:51 "form" does not go with "body": at most one of body, json, form and parts"#,
                #"4:48 expected a form as a mapping from name to value, found a list"#,
                #"5:53 {b} captures nothing here: only the target and the fields of a request are captured from; write * for anything, \{ for the character itself"#,
                #"5:65 unknown key "d" in a condition; known keys: matches, not, any of"#,
                #"5:77 a backslash stands before *, {, } or another backslash only"#,
                #"6:49 a multipart body has one part at least (RFC 2046 §5.1.1)"#,
                #"7:50 a part needs the key "name""#,
                #"8:61 unknown key "file" in a part; known keys: name, filename, type, body"#,
                #"9:68 {{now}} means nothing here: there is no reply whose moment it could be"#,
                #"9:81 "form" does not go with "parts": at most one of body, json, form and parts"#,
            ]),
        ErrorRow(
            "facts about requests that cannot be",
            yaml: #"""
                summary: s
                exchanges: [{ request: POST /a, reply: { status: 200 } }]
                cases:
                  c:
                    client: { url: /a }
                    facts:
                      wire[0].framing: chunkd
                      wire[0].chunks: [5, few]
                      wire[0].chunk: []
                      wire[0].trailer.A: b
                      wire[0].parts: [a]
                      wire[0].parts[0].nme: a
                      wire[0].parts[a].name: a
                      wire[0].parts[0].body: [a]
                      wire[0].form.a: { min: 1 }
                      wire[0].violations: [bare-lg]
                """#,
            messages: [
                #"7:24 unknown framing "chunkd" of a request; did you mean "chunked"?"#,
                #"8:27 the chunks of a request are numbers of bytes, expected "few""#,
                #"9:7 unknown fact "wire[0].chunk"; did you mean "wire[0].chunks"?"#,
                #"10:7 unknown fact "wire[0].trailer.A"; known after wire[0].: method, target, version, body, body.length, connection, origin, violations, fields, gap, framing, chunks, parts, auth, auth.faults, cookies, target-form, authority, chunk-lines, withheld, opaque, opaque.length, stream, reused, coalesced, headers.NAME, trailers.NAME, form.NAME, query.NAME, cookies.NAME, parts[N].NAME, credentials.NAME, proxy-credentials.NAME, reply.status, reply.headers.NAME, reply.body, reply.body.length"#,
                #"11:22 "wire[0].parts" is one value, not a list"#,
                #"12:7 unknown fact "wire[0].parts[0].nme"; did you mean "wire[0].parts[0].name"?"#,
                #"13:7 expected wire[0].parts[N].NAME with N from 0 to 999999, found "wire[0].parts[a].name""#,
                #"14:30 "wire[0].parts[0].body" is one value, not a list"#,
                #"15:23 "wire[0].form.a" is no number; min and max mean nothing"#,
                #"16:28 unknown violation "bare-lg"; did you mean "bare-lf"?"#,
            ]),
        ErrorRow(
            "exchanges that hide others by form and parts",
            yaml: #"""
                summary: s
                exchanges:
                  - { request: { method: POST, path: /a, form: { a: "*" } }, reply: { status: 200 } }
                  - { request: { method: POST, path: /a, form: { a: b } }, reply: { status: 200 } }
                  - { request: { method: POST, path: /a, form: { a: "*" } }, reply: { status: 200 } }
                  - { request: { method: POST, path: /a, parts: [{ name: a, filename: "*", body: b }] }, reply: { status: 200 } }
                  - { request: { method: POST, path: /a, parts: [{ name: a, filename: "*", body: c }] }, reply: { status: 200 } }
                  - { request: { method: POST, path: /a, parts: [{ name: a, filename: "*", body: b }] }, reply: { status: 200 } }
                """#,
            messages: [
                #"5:5 "POST /a" can never match: "POST /a" at line 3 takes every such request; put it before, or give the other one times:"#,
                #"8:5 "POST /a" can never match: "POST /a" at line 6 takes every such request; put it before, or give the other one times:"#,
            ]),
    ]
}
