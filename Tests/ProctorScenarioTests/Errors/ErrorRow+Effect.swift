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
                #"2:81 unknown position "haed" of a reply; permitted: head, head N, body N, wire N, end (N up to 1099511627776)"#,
                #"2:108 the position "body" needs a number; body 0 is its first byte"#,
                #"2:135 unknown position "body x" of a reply; permitted: head, head N, body N, wire N, end (N up to 1099511627776)"#,
                #"2:164 unknown position "end 3" of a reply; permitted: head, head N, body N, wire N, end (N up to 1099511627776)"#,
                #"2:192 unknown position "body 1 2" of a reply; permitted: head, head N, body N, wire N, end (N up to 1099511627776)"#,
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
