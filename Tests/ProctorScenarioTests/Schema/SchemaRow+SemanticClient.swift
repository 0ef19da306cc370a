extension SchemaRow {
    /// The same for what a client and a case say of callbacks.
    static let semanticClient: [SchemaRow] = [
        SchemaRow(
            "a moment that the task never comes to",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, cancelAt: progress } } }
            """#),
        SchemaRow(
            "a moment that a download never comes to",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, task: download, suspendAt: data } } }
            """#),
        SchemaRow(
            "a moment that a handler never comes to",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, task: handler, cancelAt: complete } } }
            """#),
        SchemaRow(
            "the end of a session at an event that never comes",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, session: { end: finish, endAt: progress } } } }
            """#),
        SchemaRow(
            "a second beginning",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, cancelAt: { event: before-resume, count: 2 } } } }
            """#),
        SchemaRow(
            "resume data of a data task",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, cancelAt: data, resumeData: true } } }
            """#),
        SchemaRow(
            "a session in a later step",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: [{ url: /a }, { url: /a, session: {} }] } }
            """#),
        SchemaRow(
            "a proxy that is not there",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, session: { proxy: other } } } }
            """#),
        SchemaRow(
            "a session's timeout of nothing",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, session: { requestTimeout: 0s } } } }
            """#),
        SchemaRow(
            "an unknown name of an error",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, protocol: [fail timedout] } } }
            """#),
        SchemaRow(
            "an error that is none",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, protocol: [fail ok] } } }
            """#),
        SchemaRow(
            "a code beyond 32 bits",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, protocol: [fail A#9999999999] } } }
            """#),
        SchemaRow(
            "a redirect with a space",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, protocol: [redirect /b c] } } }
            """#),
        SchemaRow(
            "a redirect to a late-bound name that is unknown",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, protocol: ["redirect {{base}}{{nwo}}"] } } }
            """#),
        SchemaRow(
            "a scripted wait that is too long",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, protocol: [wait 11m] } } }
            """#),
        SchemaRow(
            "a scripted block of nothing",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, protocol: [block 0s] } } }
            """#),
        SchemaRow(
            "an edge without its word",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a }, edges: wire request before task data } }
            """#),
        SchemaRow(
            "an edge of an unknown lane",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a }, edges: wir request after task data } }
            """#),
        SchemaRow(
            "an edge of a numbered wire",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a }, edges: "wire[1] request after task data" } }
            """#),
        SchemaRow(
            "an edge of a step that is not there",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a }, edges: "task[1] data after wire request" } }
            """#),
        SchemaRow(
            "an edge with an expression",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a }, edges: task data+ after wire request } }
            """#),
        SchemaRow(
            "an event that its lane never brings",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a }, task: progress } }
            """#),
        SchemaRow(
            "an event that a handler's task never brings",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, task: handler }, task: complete } }
            """#),
        SchemaRow(
            "an event that a download never brings",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, task: download }, download: becameStream } }
            """#),
    ]
}
