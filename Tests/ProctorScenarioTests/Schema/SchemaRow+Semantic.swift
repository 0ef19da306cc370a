extension SchemaRow {
    /// Documents whose form is right and whose meaning is wrong: only the loader can tell.
    static let semantic: [SchemaRow] = [
        SchemaRow(
            "a scenario without exchanges",
            #"""
            summary: s
            exchanges: []
            """#),
        SchemaRow(
            "an origin that is not there",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 }, origin: other }]
            """#),
        SchemaRow(
            "an exchange at a closed origin",
            #"""
            summary: s
            origins: { a: { role: closed } }
            exchanges: [{ request: GET /a, origin: a, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "an exchange that another hides",
            #"""
            summary: s
            exchanges: [{ request: "* /*", reply: { status: 200 } }, { request: GET /a, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "a reply that is never played",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: [{ status: 200 }, { status: 201 }], times: 1 }]
            """#),
        SchemaRow(
            "a relative target",
            #"""
            summary: s
            exchanges: [{ request: GET a, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "a capture without an end",
            #"""
            summary: s
            exchanges: [{ request: "GET /{a", reply: { status: 200 } }]
            """#),
        SchemaRow(
            "a capture that is not there",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, body: "{{path.id}}" } }]
            """#),
        SchemaRow(
            "a late-bound name that is unknown",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, body: "{{bse}}" } }]
            """#),
        SchemaRow(
            "a body beside a status without one",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 204, body: a } }]
            """#),
        SchemaRow(
            "an effect behind the body",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, body: abc, effects: [{ at: body 4, do: reset }] } }]
            """#),
        SchemaRow(
            "a wait that is too long",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { effects: [{ at: head, do: wait 11m }] } }]
            """#),
        SchemaRow(
            "a file that is not there",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, body: { file: none.bin } } }]
            """#),
        SchemaRow(
            "base64 that is cut off",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, body: { base64: "YWJjZ" } } }]
            """#),
        SchemaRow(
            "a header with a line break",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, headers: { A: "b\nc" } } }]
            """#),
        SchemaRow(
            "an expression with a typing error",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a }, task: respons } }
            """#),
        SchemaRow(
            "a step that is not there",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a }, "task[1]": data } }
            """#),
        SchemaRow(
            "a resume of a later step",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: [{ url: /a }, { resume: 1 }] } }
            """#),
        SchemaRow(
            "bounds in the wrong order",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a }, facts: { status: { min: 2, max: 1 } } } }
            """#),
        SchemaRow(
            "bounds of what is no number",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a }, facts: { url: { min: 2 } } } }
            """#),
        SchemaRow(
            "a late-bound host that goes on",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: "{{base}}.example.com/" } } }
            """#),
        SchemaRow(
            "a timeout of nothing",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, timeout: 0s } } }
            """#),
        SchemaRow(
            "connection indexes in the wrong order",
            #"""
            summary: s
            origins: { a: { connections: [{ at: accept, do: reset, on: 3-1 }] } }
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            """#),
    ]
}
