extension SchemaRow {
    /// Answers, moments and sessions whose form is wrong.
    static let refusedClient: [SchemaRow] = [
        SchemaRow(
            "credentials twice",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, onChallenge: { use: "a:b", twice: "a:b" } } } }
            """#),
        SchemaRow(
            "a persistence alone",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, onChallenge: { persistence: none } } } }
            """#),
        SchemaRow(
            "an unknown persistence",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, onChallenge: { use: "a:b", persistence: forever } } } }
            """#),
        SchemaRow(
            "a credential as an answer's name",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, onChallenge: twice } } }
            """#),
        SchemaRow(
            "an unknown answer about a cache",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, onWillCache: keep } } }
            """#),
        SchemaRow(
            "an unknown cache policy",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, cachePolicy: cache } } }
            """#),
        SchemaRow(
            "a delay without a unit",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, answerAfter: 300 } } }
            """#),
        SchemaRow(
            "a moment with an unknown key",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, cancelAt: { event: data, times: 1 } } } }
            """#),
        SchemaRow(
            "a moment without an event",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, cancelAt: { count: 1 } } } }
            """#),
        SchemaRow(
            "a count of nothing",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, cancelAt: { event: data, count: 0 } } } }
            """#),
        SchemaRow(
            "moments in a list",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, cancelAt: [data] } } }
            """#),
        SchemaRow(
            "an event of another lane",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, cancelAt: p.start } } }
            """#),
        SchemaRow(
            "a suspension at the end, in full",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, suspendAt: { event: complete, count: 2 } } } }
            """#),
        SchemaRow(
            "a suspension that begins nowhere",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, suspendFor: 1s } } }
            """#),
        SchemaRow(
            "resume data of no cancel",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, task: download, resumeData: true } } }
            """#),
        SchemaRow(
            "resume data in words",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, task: download, cancelAt: progress, resumeData: maybe } } }
            """#),
        SchemaRow(
            "an end's moment without an end",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, session: { endAt: data } } } }
            """#),
        SchemaRow(
            "an unknown end of a session",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, session: { end: cancel } } } }
            """#),
        SchemaRow(
            "an unknown key of a session",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, session: { ends: finish } } } }
            """#),
        SchemaRow(
            "unknown delegates",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, session: { delegates: all } } } }
            """#),
        SchemaRow(
            "an unknown queue",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, session: { queue: operation } } } }
            """#),
        SchemaRow(
            "unknown cookies",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, session: { cookies: none } } } }
            """#),
        SchemaRow(
            "a cache that is too large",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, session: { cache: 1073741825 } } } }
            """#),
        SchemaRow(
            "a session in a word",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, session: finish } } }
            """#),
    ]
}
