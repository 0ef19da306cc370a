extension SchemaRow {
    /// Bodies and ways of sending them that only the loader can refuse.
    static let semanticBodies: [SchemaRow] = [
        SchemaRow(
            #"codings that are never served: { status: 200, coding: { negotiate: [br, identity] } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, coding: { negotiate: [br, identity] } } }]
            """#),
        SchemaRow(
            #"chunks that are too many: { status: 200, framing: { chunked: [1] }, body: { pattern: offset, bytes: 65537 } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, framing: { chunked: [1] }, body: { pattern: offset, bytes: 65537 } } }]
            """#),
        SchemaRow(
            #"options with values that they cannot have: { status: 200, coding: { gzip: { trailing: "{{base}}", extra: "a{{now}}" } } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, coding: { gzip: { trailing: "{{base}}", extra: "a{{now}}" } } } }]
            """#),
        SchemaRow(
            #"a coding in full that says too much or too little: { status: 200, coding: { negotiate: [br, { gzip: { level: 1 } }, br] } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, coding: { negotiate: [br, { gzip: { level: 1 } }, br] } } }]
            """#),
        SchemaRow(
            #"a coding beside what contradicts it: { status: 200, framing: length, coding: { apply: gzip, in: transfer } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, framing: length, coding: { apply: gzip, in: transfer } } }]
            """#),
        SchemaRow(
            #"a coding beside what contradicts it: { status: 200, coding: { apply: gzip, in: transfer } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, coding: { apply: gzip, in: transfer } } }]
            """#),
        SchemaRow(
            #"a coding beside what contradicts it: { status: 200, headers: { Content-encoding: gzip }, coding: gzip }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, headers: { Content-encoding: gzip }, coding: gzip } }]
            """#),
        SchemaRow(
            #"a coding beside what contradicts it: { status: 200, coding: gzip, body: [a, { do: wait 1s }, b] }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, coding: gzip, body: [a, { do: wait 1s }, b] } }]
            """#),
        SchemaRow(
            #"late-bound text of one request in a coded body: { status: 200, coding: gzip, body: "at {{now}}, {{ path.id }}" }"#,
            #"""
            summary: s
            exchanges: [{ request: "GET /{id}", reply: { status: 200, coding: gzip, body: "at {{now}}, {{ path.id }}" } }]
            """#),
        SchemaRow(
            #"late-bound text of one request in a coded body: { status: 200, coding: gzip, body: ["{{base}}", "{{authority}} {{path.id}}"] }"#,
            #"""
            summary: s
            exchanges: [{ request: "GET /{id}", reply: { status: 200, coding: gzip, body: ["{{base}}", "{{authority}} {{path.id}}"] } }]
            """#),
        SchemaRow(
            #"paces that are none: { status: 200, pace: { bytes: 1, every: 0ms } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, pace: { bytes: 1, every: 0ms } } }]
            """#),
        SchemaRow(
            #"paces that are none: { status: 200, pace: { bytes: 1, every: 11m } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, pace: { bytes: 1, every: 11m } } }]
            """#),
        SchemaRow(
            #"slices that are none: { status: 200, slice: [7, 1] }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, slice: [7, 1] } }]
            """#),
        SchemaRow(
            #"slices that are none: { raw: abc, slice: [1, 3] }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { raw: abc, slice: [1, 3] } }]
            """#),
        SchemaRow(
            #"slices beside what contradicts them: { status: 200, slice: mid-chunk-size, body: abc }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, slice: mid-chunk-size, body: abc } }]
            """#),
        SchemaRow(
            #"slices beside what contradicts them: { status: 200, slice: every-byte, body: { repeat: x, bytes: 65537 } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, slice: every-byte, body: { repeat: x, bytes: 65537 } } }]
            """#),
        SchemaRow(
            #"slices beside what contradicts them: { raw: { repeat: x, bytes: 200000 }, slice: { size: 3 } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { raw: { repeat: x, bytes: 200000 }, slice: { size: 3 } } }]
            """#),
        SchemaRow(
            #"honours that mean nothing: { status: 200, honours: ranges, framing: chunked, coding: { apply: gzip, in: transfer } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, honours: ranges, framing: chunked, coding: { apply: gzip, in: transfer } } }]
            """#),
        SchemaRow(
            #"effects between interim replies: { status: 200, interim: [100, { do: close }, 102] }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, interim: [100, { do: close }, 102] } }]
            """#),
        SchemaRow(
            #"a multipart body with mistakes: { status: 200, body: { multipart: [{ body: { hex: 0 } }], boundary: a } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, body: { multipart: [{ body: { hex: 0 } }], boundary: a } } }]
            """#),
        SchemaRow(
            #"boundaries that are none: { status: 200, body: { multipart: [{ body: a }], boundary: 12345678901234567890123456789012345678901234567890123456789012345678901 } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, body: { multipart: [{ body: a }], boundary: 12345678901234567890123456789012345678901234567890123456789012345678901 } } }]
            """#),
        SchemaRow(
            #"Macintosh files with mistakes: { status: 200, body: { macbinary: { name: a, version: 1, flags: 1 } } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, body: { macbinary: { name: a, version: 1, flags: 1 } } } }]
            """#),
        SchemaRow(
            #"Macintosh files with mistakes: { status: 200, body: { macbinary: { name: a, data: "{{base}}", resource: { pattern: offset, bytes: 16777217 } } } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, body: { macbinary: { name: a, data: "{{base}}", resource: { pattern: offset, bytes: 16777217 } } } } }]
            """#),
        SchemaRow(
            #"sync points that are none: { effects: [{ at: head, do: { await: data, within: 0s } }] }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { effects: [{ at: head, do: { await: data, within: 0s } }] } }]
            """#),
        SchemaRow(
            #"requests of a connection that are none: { at: request-head, do: close, request: 3-1 }"#,
            #"""
            summary: s
            origins: { main: { connections: [{ at: request-head, do: close, request: 3-1 }] } }
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            """#),
        SchemaRow(
            #"facts about requests that cannot be: wire[0].framing: chunkd"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a }, facts: { "wire[0].framing": chunkd } } }
            """#),
        SchemaRow(
            #"facts about requests that cannot be: wire[0].chunks: [5, few]"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a }, facts: { "wire[0].chunks": [5, few] } } }
            """#),
        SchemaRow(
            #"facts about requests that cannot be: wire[0].parts: [a]"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a }, facts: { "wire[0].parts": [a] } } }
            """#),
        SchemaRow(
            #"facts about requests that cannot be: wire[0].parts[0].body: [a]"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a }, facts: { "wire[0].parts[0].body": [a] } } }
            """#),
        SchemaRow(
            #"facts about requests that cannot be: wire[0].form.a: { min: 1 }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a }, facts: { "wire[0].form.a": { min: 1 } } } }
            """#),
        SchemaRow(
            #"facts about requests that cannot be: wire[0].violations: [bare-lg]"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a }, facts: { "wire[0].violations": [bare-lg] } } }
            """#),
        SchemaRow(
            #"exchanges that hide others by form and parts"#,
            #"""
            summary: s
            exchanges:
              - { request: { method: POST, path: /a, form: { a: "*" } }, reply: { status: 200 } }
              - { request: { method: POST, path: /a, form: { a: b } }, reply: { status: 200 } }
              - { request: { method: POST, path: /a, form: { a: "*" } }, reply: { status: 200 } }
              - { request: { method: POST, path: /a, parts: [{ name: a, filename: "*", body: b }] }, reply: { status: 200 } }
              - { request: { method: POST, path: /a, parts: [{ name: a, filename: "*", body: c }] }, reply: { status: 200 } }
              - { request: { method: POST, path: /a, parts: [{ name: a, filename: "*", body: b }] }, reply: { status: 200 } }
            """#),
    ]
}
