extension SchemaRow {
    /// Ways of sending and waiting whose form is wrong.
    static let refusedDelivery: [SchemaRow] = [
        SchemaRow(
            #"paces that are none: { status: 200, pace: 10ms }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, pace: 10ms } }]
            """#),
        SchemaRow(
            #"paces that are none: { status: 200, pace: { bytes: 0, every: 10ms } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, pace: { bytes: 0, every: 10ms } } }]
            """#),
        SchemaRow(
            #"paces that are none: { status: 200, pace: { bytes: 1, every: 10 } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, pace: { bytes: 1, every: 10 } } }]
            """#),
        SchemaRow(
            #"paces that are none: { status: 200, pace: { every: 10ms } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, pace: { every: 10ms } } }]
            """#),
        SchemaRow(
            #"paces that are none: { status: 200, pace: { bytes: 1 } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, pace: { bytes: 1 } } }]
            """#),
        SchemaRow(
            #"paces that are none: { status: 200, pace: { bytes: 1, every: 10ms, of: bdy } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, pace: { bytes: 1, every: 10ms, of: bdy } } }]
            """#),
        SchemaRow(
            #"paces that are none: { raw: a, pace: { bytes: 1, every: 10ms } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { raw: a, pace: { bytes: 1, every: 10ms } } }]
            """#),
        SchemaRow(
            #"slices that are none: { status: 200, slice: every-bite }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, slice: every-bite } }]
            """#),
        SchemaRow(
            #"slices that are none: { status: 200, slice: [] }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, slice: [] } }]
            """#),
        SchemaRow(
            #"slices that are none: { status: 200, slice: [0, 5] }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, slice: [0, 5] } }]
            """#),
        SchemaRow(
            #"slices that are none: { status: 200, slice: [1, 7, 7] }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, slice: [1, 7, 7] } }]
            """#),
        SchemaRow(
            #"slices that are none: { status: 200, slice: { size: 0 } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, slice: { size: 0 } } }]
            """#),
        SchemaRow(
            #"slices that are none: { status: 200, slice: { size: 5, count: 3 } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, slice: { size: 5, count: 3 } } }]
            """#),
        SchemaRow(
            #"slices that are none: { status: 200, slice: { count: 3 } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, slice: { count: 3 } } }]
            """#),
        SchemaRow(
            #"slices that are none: { status: 200, slice: { random: -1 } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, slice: { random: -1 } } }]
            """#),
        SchemaRow(
            #"slices that are none: { status: 200, slice: { random: 1, count: 1 } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, slice: { random: 1, count: 1 } } }]
            """#),
        SchemaRow(
            #"slices that are none: { status: 200, slice: { random: 1, count: 65537 } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, slice: { random: 1, count: 65537 } } }]
            """#),
        SchemaRow(
            #"slices beside what contradicts them: { status: 200, slice: every-byte, pace: { bytes: 1, every: 10ms } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, slice: every-byte, pace: { bytes: 1, every: 10ms } } }]
            """#),
        SchemaRow(
            #"slices beside what contradicts them: { effects: [{ at: head, do: close }], slice: every-byte }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { effects: [{ at: head, do: close }], slice: every-byte } }]
            """#),
        SchemaRow(
            #"honours that mean nothing: { status: 206, honours: [ranges] }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 206, honours: [ranges] } }]
            """#),
        SchemaRow(
            #"honours that mean nothing: { status: 200, honours: [range] }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, honours: [range] } }]
            """#),
        SchemaRow(
            #"honours that mean nothing: { status: 200, honours: [] }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, honours: [] } }]
            """#),
        SchemaRow(
            #"honours that mean nothing: { status: 200, honours: [ranges, ranges] }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, honours: [ranges, ranges] } }]
            """#),
        SchemaRow(
            #"honours that mean nothing: { raw: a, honours: ranges }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { raw: a, honours: ranges } }]
            """#),
        SchemaRow(
            #"effects between interim replies: { status: 200, interim: [{ do: wiat 1s }, { at: head, do: close }, { do: close, status: 100 }] }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, interim: [{ do: wiat 1s }, { at: head, do: close }, { do: close, status: 100 }] } }]
            """#),
        SchemaRow(
            #"sync points that are none: { effects: [{ at: head, do: await }] }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { effects: [{ at: head, do: await }] } }]
            """#),
        SchemaRow(
            #"sync points that are none: { effects: [{ at: head, do: await respons }] }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { effects: [{ at: head, do: await respons }] } }]
            """#),
        SchemaRow(
            #"sync points that are none: { effects: [{ at: head, do: await request }] }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { effects: [{ at: head, do: await request }] } }]
            """#),
        SchemaRow(
            #"sync points that are none: { effects: [{ at: head, do: await the end }] }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { effects: [{ at: head, do: await the end }] } }]
            """#),
        SchemaRow(
            #"sync points that are none: { effects: [{ at: head, do: { await: dta } }] }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { effects: [{ at: head, do: { await: dta } }] } }]
            """#),
        SchemaRow(
            #"sync points that are none: { effects: [{ at: head, do: { await: data, task: -1 } }] }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { effects: [{ at: head, do: { await: data, task: -1 } }] } }]
            """#),
        SchemaRow(
            #"sync points that are none: { effects: [{ at: head, do: { await: data, count: 0 } }] }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { effects: [{ at: head, do: { await: data, count: 0 } }] } }]
            """#),
        SchemaRow(
            #"sync points that are none: { effects: [{ at: head, do: { await: data, send: a } }] }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { effects: [{ at: head, do: { await: data, send: a } }] } }]
            """#),
        SchemaRow(
            #"sync points that are none: { effects: [{ at: head, do: { send: a, within: 1s } }] }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { effects: [{ at: head, do: { send: a, within: 1s } }] } }]
            """#),
        SchemaRow(
            #"sync points that are none: { effects: [{ at: head, do: { task: 1 } }] }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { effects: [{ at: head, do: { task: 1 } }] } }]
            """#),
        SchemaRow(
            #"sync points that are none: { effects: [{ at: head, do: await data, abrupt: true }] }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { effects: [{ at: head, do: await data, abrupt: true }] } }]
            """#),
        SchemaRow(
            #"roles with what belongs to servers: main: { role: unaccepting, connections: [{ at: accept, do: await created }] }"#,
            #"""
            summary: s
            origins: { a: { role: unaccepting, connections: [{ at: accept, do: await created }] } }
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            """#),
        SchemaRow(
            #"roles with what belongs to servers: far: { role: unreachable, receive-buffer: 4096 }"#,
            #"""
            summary: s
            origins: { far: { role: unreachable, receive-buffer: 4096 } }
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            """#),
        SchemaRow(
            #"roles with what belongs to servers: gone: { role: closed, connections: [], receive-buffer: 4096 }"#,
            #"""
            summary: s
            origins: { gone: { role: closed, connections: [], receive-buffer: 4096 } }
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            """#),
        SchemaRow(
            #"roles with what belongs to servers: wrong: { role: unaccepted, receive-buffer: 255 }"#,
            #"""
            summary: s
            origins: { wrong: { role: unaccepted, receive-buffer: 255 } }
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            """#),
        SchemaRow(
            #"requests of a connection that are none: { at: request-head, do: close, request: a }"#,
            #"""
            summary: s
            origins: { main: { connections: [{ at: request-head, do: close, request: a }] } }
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            """#),
        SchemaRow(
            #"requests of a connection that are none: { at: request-head, do: close, request: 1000000 }"#,
            #"""
            summary: s
            origins: { main: { connections: [{ at: request-head, do: close, request: 1000000 }] } }
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            """#),
        SchemaRow(
            #"requests of a connection that are none: { at: accept, do: close, request: 1 }"#,
            #"""
            summary: s
            origins: { main: { connections: [{ at: accept, do: close, request: 1 }] } }
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            """#),
        SchemaRow(
            #"portions and turns that are none: { request: GET /a, reads: { bytes: 0, every: 1s }, reply: { status: 200 } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reads: { bytes: 0, every: 1s }, reply: { status: 200 } }]
            """#),
        SchemaRow(
            #"portions and turns that are none: { request: GET /b, reads: { bytes: 1 }, reply: { status: 200 } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /b, reads: { bytes: 1 }, reply: { status: 200 } }]
            """#),
        SchemaRow(
            #"portions and turns that are none: { request: GET /c, reads: slowly, reply: { status: 200 } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /c, reads: slowly, reply: { status: 200 } }]
            """#),
        SchemaRow(
            #"portions and turns that are none: { request: GET /d, turns: connection, reply: { status: 200 } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /d, turns: connection, reply: { status: 200 } }]
            """#),
        SchemaRow(
            #"portions and turns that are none: { request: GET /e, turns: conection, reply: [{ status: 200 }, { status: 201 }] }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /e, turns: conection, reply: [{ status: 200 }, { status: 201 }] }]
            """#),
        SchemaRow(
            #"portions and turns that are none: { request: GET /f, turns: request, reply: [{ status: 200 }] }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /f, turns: request, reply: [{ status: 200 }] }]
            """#),
        SchemaRow(
            #"forms and parts that are none: { request: { method: POST, path: /a, body: a, form: {} }, reply: { status: 200 } }"#,
            #"""
            summary: s
            exchanges: [{ request: { method: POST, path: /a, body: a, form: {} }, reply: { status: 200 } }]
            """#),
        SchemaRow(
            #"forms and parts that are none: { request: { method: POST, path: /b, form: [a] }, reply: { status: 200 } }"#,
            #"""
            summary: s
            exchanges: [{ request: { method: POST, path: /b, form: [a] }, reply: { status: 200 } }]
            """#),
        SchemaRow(
            #"forms and parts that are none: { request: { method: POST, path: /c, form: { a: "{b}", c: { d: e }, f: "\\x" } }, reply: { status: 200 } }"#,
            #"""
            summary: s
            exchanges: [{ request: { method: POST, path: /c, form: { a: "{b}", c: { d: e }, f: "\\x" } }, reply: { status: 200 } }]
            """#),
        SchemaRow(
            #"forms and parts that are none: { request: { method: POST, path: /d, parts: [] }, reply: { status: 200 } }"#,
            #"""
            summary: s
            exchanges: [{ request: { method: POST, path: /d, parts: [] }, reply: { status: 200 } }]
            """#),
        SchemaRow(
            #"forms and parts that are none: { request: { method: POST, path: /e, parts: [{ filename: a }] }, reply: { status: 200 } }"#,
            #"""
            summary: s
            exchanges: [{ request: { method: POST, path: /e, parts: [{ filename: a }] }, reply: { status: 200 } }]
            """#),
        SchemaRow(
            #"forms and parts that are none: { request: { method: POST, path: /f, parts: [{ name: a, file: b }] }, reply: { status: 200 } }"#,
            #"""
            summary: s
            exchanges: [{ request: { method: POST, path: /f, parts: [{ name: a, file: b }] }, reply: { status: 200 } }]
            """#),
        SchemaRow(
            #"forms and parts that are none: { request: { method: POST, path: /g, parts: [{ name: a, body: "{{now}}" }], form: {} }, reply: { status: 200 } }"#,
            #"""
            summary: s
            exchanges: [{ request: { method: POST, path: /g, parts: [{ name: a, body: "{{now}}" }], form: {} }, reply: { status: 200 } }]
            """#),
        SchemaRow(
            #"facts about requests that cannot be: wire[0].chunk: []"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a }, facts: { "wire[0].chunk": [] } } }
            """#),
        SchemaRow(
            #"facts about requests that cannot be: wire[0].trailer.A: b"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a }, facts: { "wire[0].trailer.A": b } } }
            """#),
        SchemaRow(
            #"facts about requests that cannot be: wire[0].parts[0].nme: a"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a }, facts: { "wire[0].parts[0].nme": a } } }
            """#),
        SchemaRow(
            #"facts about requests that cannot be: wire[0].parts[a].name: a"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a }, facts: { "wire[0].parts[a].name": a } } }
            """#),
    ]
}
