extension SchemaRow {
    /// Good documents.
    static let accepted: [SchemaRow] = [
        SchemaRow(
            "the smallest scenario",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "numbers and booleans where text is wanted",
            #"""
            summary: 404
            spec: [9110, true]
            exchanges: [{ request: GET /a, reply: { status: 200, reason: 1.0, version: 2, body: false, headers: { A: 1, B: [2, x] } } }]
            """#),
        SchemaRow(
            "a specification as text",
            #"""
            summary: s
            spec: RFC 9110
            sequence: strict
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "method alternatives",
            #"""
            summary: s
            exchanges: [{ request: "GET|HEAD /a/{id}/*", reply: { status: 200 } }]
            """#),
        SchemaRow(
            "any method",
            #"""
            summary: s
            exchanges: [{ request: "* /a", reply: { status: 200 } }]
            """#),
        SchemaRow(
            "the asterisk-form",
            #"""
            summary: s
            exchanges: [{ request: OPTIONS *, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "the absolute form",
            #"""
            summary: s
            exchanges: [{ request: GET http://a.test/b, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "a mapped request",
            #"""
            summary: s
            exchanges: [{ request: { method: PUT, path: /a, query: { a: b, c: [d, 1] }, headers: { X: null, Y: z, Z: 1 }, body: x }, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "a mapped request for any method",
            #"""
            summary: s
            exchanges: [{ request: { method: "*", path: "*" }, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "a list of replies",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: [{ status: 200 }, { raw: x }, { effects: [] }] }]
            """#),
        SchemaRow(
            "exchange keys",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 }, origin: main, times: 1, reads: none, expect: ignore }]
            """#),
        SchemaRow(
            "reads as a number",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 }, reads: 0 }]
            """#),
        SchemaRow(
            "statuses at the bounds",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: [{ status: 100 }, { status: 999 }] }]
            """#),
        SchemaRow(
            "header lists",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, headers: [{ A: b }, { A: [c, 1] }] } }]
            """#),
        SchemaRow(
            "an empty header list",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, headers: [] } }]
            """#),
        SchemaRow(
            "bytes as hex",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, body: { hex: "00 Ff 1a" } } }]
            """#),
        SchemaRow(
            "bytes as base64",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, body: { base64: "YQ==" } } }]
            """#),
        SchemaRow(
            "bytes repeated some times",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, body: { repeat: ab, times: 0 } } }]
            """#),
        SchemaRow(
            "bytes repeated to a length",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, body: { repeat: 1, bytes: 7 } } }]
            """#),
        SchemaRow(
            "a pattern",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, body: { pattern: offset, bytes: 1099511627776 } } }]
            """#),
        SchemaRow(
            "text without late-bound parts",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, body: { text: "{{" } } }]
            """#),
        SchemaRow(
            "a body in pieces",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, body: [a, 1, { hex: "" }, { do: wait 1ms }, { do: reset, abrupt: true }, { do: { send: x } }] } }]
            """#),
        SchemaRow(
            "framing in words",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: [{ status: 200, framing: length }, { status: 200, framing: chunked }, { status: 200, framing: close }, { status: 200, framing: none }] }]
            """#),
        SchemaRow(
            "chunk sizes and trailers",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, framing: { chunked: [5, 7] }, trailers: { A: b } } }]
            """#),
        SchemaRow(
            "trailers after chunks",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, framing: chunked, trailers: [{ A: b }] } }]
            """#),
        SchemaRow(
            "interim replies",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, interim: [100, { status: 103, reason: Hints, headers: { A: b } }] } }]
            """#),
        SchemaRow(
            "every position and effect",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, body: abc, effects: [{ at: head, do: wait 1us }, { at: head 1, do: wait 1.5ms }, { at: body 1, do: send a b }, { at: wire 2, do: half-close }, { at: end, do: { send: { hex: "00" } } }, { at: end, do: wait 2m }, { at: end, do: close, abrupt: true }] } }]
            """#),
        SchemaRow(
            "an effect that stalls",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { effects: [{ at: head, do: stall }] } }]
            """#),
        SchemaRow(
            "origins",
            #"""
            summary: s
            origins: { main: { connections: [{ at: accept, do: reset, on: 0 }, { at: request-head 5, do: close, on: 1-3, abrupt: false }, { at: request-body, do: stall }] }, other: , gone: { role: closed }, more: {} }
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "no exchanges but closed",
            #"""
            summary: s
            origins: { main: { role: closed } }
            exchanges: []
            """#),
        SchemaRow(
            "no exchanges but effects on connections",
            #"""
            summary: s
            origins: { main: { connections: [{ at: accept, do: reset }] } }
            exchanges: []
            """#),
        SchemaRow(
            "an empty list of cases",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: {}
            """#),
        SchemaRow(
            "the smallest case",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a } } }
            """#),
        SchemaRow(
            "a client with everything",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, method: POST, headers: { A: b }, body: x, bodyForm: stream, task: upload, onRedirect: [follow, { change: { url: /b } }], onChallenge: { use: "a:b" }, onResponse: becomeDownload, onBodyStream: none, cancelAt: data, timeout: 1.5s } } }
            """#),
        SchemaRow(
            "single answers",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, onRedirect: refuse, onChallenge: never } } }
            """#),
        SchemaRow(
            "a client with late-bound URLs",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: [{ url: "{{origin}}/a" }, { url: "" }, { url: "HTTP://a:b@{{authority}}/" }, { resume: 0 }] } }
            """#),
        SchemaRow(
            "lanes",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { kind: observes, summary: t, spec: [a], client: [{ url: /a }, { url: /b }], wire: "request(GET /a)", task: data, "task[1]": data, download: progress, session: sessionInvalid, proto: p.init, protocolClient: data, with: "bodySent*" } }
            """#),
        SchemaRow(
            "with by lane",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a }, task: data, with: { task: "bodySent*" } } }
            """#),
        SchemaRow(
            "facts of every kind",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a }, facts: { wire.count: 1, "wire[0].method": GET, "wire[0].headers.Cookie": null, "wire[0].fields": [A, B], "wire[0].gap": { min: 1, max: 2.5 }, connections: { max: 1 }, "connection[0].end": reset, status: 200, "step[0].body.length": 3, url: { same: "wire[0].target" } } } }
            """#),
        SchemaRow(
            "an alias",
            #"""
            summary: s
            exchanges:
              - { request: GET /a, reply: &r { status: 200 } }
              - { request: GET /b, reply: *r }
            """#),
    ]
}
