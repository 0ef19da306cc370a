extension SchemaRow {
    /// Good documents about how it is sent, and what is waited for.
    static let acceptedDelivery: [SchemaRow] = [
        SchemaRow(
            "paces",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: [{ status: 200, pace: { bytes: 1, every: 1us } }, { status: 200, pace: { bytes: 1099511627776, every: 10m, of: body } }, { status: 200, pace: { bytes: 1000, every: 10ms, of: reply } }] }]
            """#),
        SchemaRow(
            "slices",
            #"""
            summary: s
            exchanges:
              - request: GET /a
                reply:
                  - { status: 200, framing: chunked, body: abc, slice: every-byte }
                  - { status: 200, framing: chunked, body: abc, slice: mid-crlf }
                  - { status: 200, framing: chunked, body: abc, slice: mid-chunk-size }
                  - { status: 200, framing: chunked, body: abc, slice: mid-utf8 }
                  - { status: 200, framing: chunked, body: abc, slice: [1] }
                  - { status: 200, framing: chunked, body: abc, slice: [1, 7] }
                  - { status: 200, framing: chunked, body: abc, slice: { size: 100 } }
                  - { status: 200, framing: chunked, body: abc, slice: { random: 7 } }
                  - { status: 200, framing: chunked, body: abc, slice: { random: 0, count: 65536 } }
            """#),
        SchemaRow(
            "slices of raw replies",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: [{ raw: abc, slice: every-byte }, { raw: abc, slice: [1, 2] }, { raw: abc, slice: mid-chunk-size }, { raw: { repeat: x, bytes: 200000 }, slice: { size: 4 } }] }]
            """#),
        SchemaRow(
            "slices of a length that is not known",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: [{ status: 200, coding: gzip, body: { repeat: x, bytes: 10000000 }, slice: every-byte }, { status: 200, honours: ranges, body: { repeat: x, bytes: 10000000 }, slice: every-byte }] }]
            """#),
        SchemaRow(
            "honours",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: [{ status: 200, honours: ranges }, { status: 200, honours: [conditions, ranges], coding: gzip }] }]
            """#),
        SchemaRow(
            "interim replies and effects",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, interim: [100, { do: wait 200ms }, { status: 103, headers: { Link: </a> } }, { do: { await: informational, count: 2 } }, { do: reset, abrupt: true }] } }]
            """#),
        SchemaRow(
            "sync points",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, body: [a, { do: await data }, b], effects: [{ at: head, do: await created }, { at: end, do: { await: complete, task: 0, count: 1000000, within: 10m } }] } }]
            """#),
        SchemaRow(
            "sync points of every lane",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { effects: [{ at: head, do: await sessionInvalid }, { at: head, do: await p.start }, { at: head, do: await cacheValidated }, { at: head, do: await handler }, { at: head, do: await answer }] } }]
            """#),
        SchemaRow(
            "a sync point before an exchange is known",
            #"""
            summary: s
            origins: { main: { connections: [{ at: request-head 5, do: await resume, on: 0, request: 1 }, { at: request-body, do: close, request: 2-3, abrupt: true }] } }
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "roles and receive buffers",
            #"""
            summary: s
            origins: { main: { receive-buffer: 256 }, a: { role: unaccepting, receive-buffer: 1048576 }, b: { role: unreachable } }
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "a scenario of origins that do not serve",
            #"""
            summary: s
            origins: { main: { role: unreachable } }
            exchanges: []
            """#),
        SchemaRow(
            "portions and turns",
            #"""
            summary: s
            exchanges: [{ request: POST /a, reads: { bytes: 1000, every: 10ms }, turns: connection, reply: [{ status: 200 }, { status: 201 }] }, { request: POST /b, turns: request, reply: [{ status: 200 }, { status: 201 }] }]
            """#),
        SchemaRow(
            "forms and parts",
            #"""
            summary: s
            exchanges: [{ request: { method: POST, path: /a, form: { a: b, c: ["*", 1] } }, reply: { status: 200 } }, { request: { method: POST, path: /a, form: {} }, reply: { status: 200 } }, { request: { method: POST, path: "/{id}", parts: [{ name: "", filename: "*.txt", type: text/plain, body: { hex: "00" } }, { name: b }] }, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "facts about requests with bodies",
            #"""
            summary: s
            exchanges: [{ request: POST /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a }, facts: { "wire[0].framing": chunked, "wire[0].chunks": [5, 7], "wire[0].trailers.A": b, "wire[0].form.a": [b, c], "wire[0].parts": { min: 1 }, "wire[0].parts[0].name": a, "wire[0].parts[10].filename": null, "wire[0].parts[0].type": text/plain, "wire[0].parts[0].body": x } } }
            """#),
    ]
}
