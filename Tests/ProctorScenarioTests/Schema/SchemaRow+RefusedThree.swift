extension SchemaRow {
    /// Documents whose form is wrong, part three.
    static let refusedThree: [SchemaRow] = [
        SchemaRow(
            "abrupt beside wait",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { effects: [{ at: head, do: wait 1s, abrupt: true }] } }]
            """#),
        SchemaRow(
            "abrupt that is text",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { effects: [{ at: head, do: reset, abrupt: "true" }] } }]
            """#),
        SchemaRow(
            "a position in a body",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, body: [{ at: head, do: reset }] } }]
            """#),
        SchemaRow(
            "origins that are a list",
            #"""
            summary: s
            origins: [a]
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "an origin that is text",
            #"""
            summary: s
            origins: { a: server }
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "an origin with a bad name",
            #"""
            summary: s
            origins: { a b: {} }
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "an unknown key of an origin",
            #"""
            summary: s
            origins: { a: { port: 80 } }
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "an unknown role",
            #"""
            summary: s
            origins: { a: { role: gateway } }
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "a closed origin with connections",
            #"""
            summary: s
            origins: { a: { role: closed, connections: [] } }
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "a connection effect at a wrong position",
            #"""
            summary: s
            origins: { a: { connections: [{ at: head, do: reset }] } }
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "connection indexes in words",
            #"""
            summary: s
            origins: { a: { connections: [{ at: accept, do: reset, on: first }] } }
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "cases that are a list",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: []
            """#),
        SchemaRow(
            "a case with a bad name",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { "a b": { client: { url: /a } } }
            """#),
        SchemaRow(
            "a case without a client",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: {} }
            """#),
        SchemaRow(
            "an unknown key of a case",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a }, expect: x } }
            """#),
        SchemaRow(
            "an unknown kind",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { kind: may, client: { url: /a } } }
            """#),
        SchemaRow(
            "a lane with a word for a step",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a }, "task[a]": data } }
            """#),
        SchemaRow(
            "an expression that is a mapping",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a }, task: { a: b } } }
            """#),
        SchemaRow(
            "an expression of nothing",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a }, task: } }
            """#),
        SchemaRow(
            "a client that is text",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: GET /a } }
            """#),
        SchemaRow(
            "no steps",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: [] } }
            """#),
        SchemaRow(
            "a client without a URL",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: {} } }
            """#),
        SchemaRow(
            "an unknown key of a client",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, verb: GET } } }
            """#),
        SchemaRow(
            "a URL that leaves the machine",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: "http://apple.com/" } } }
            """#),
        SchemaRow(
            "a URL that names another host after two slashes",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: //example.com/ } } }
            """#),
        SchemaRow(
            "a relative URL",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: a } } }
            """#),
        SchemaRow(
            "a method that is no token",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, method: "G T" } } }
            """#),
        SchemaRow(
            "a body form without a body",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, bodyForm: file } } }
            """#),
        SchemaRow(
            "an unknown body form",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, body: a, bodyForm: paper } } }
            """#),
        SchemaRow(
            "an unknown task",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, task: walk } } }
            """#),
        SchemaRow(
            "an unknown answer to a redirect",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, onRedirect: go } } }
            """#),
        SchemaRow(
            "a change of nothing",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, onRedirect: { change: {} } } } }
            """#),
        SchemaRow(
            "no answers",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, onRedirect: [] } } }
            """#),
        SchemaRow(
            "a credential without a password",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, onChallenge: { use: user } } } }
            """#),
        SchemaRow(
            "an unknown answer to a challenge",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, onChallenge: maybe } } }
            """#),
        SchemaRow(
            "an unknown answer to a response",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, onResponse: maybe } } }
            """#),
        SchemaRow(
            "an unknown answer about a body stream",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, onBodyStream: maybe } } }
            """#),
        SchemaRow(
            "a cancel at an unknown event",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, cancelAt: lunch } } }
            """#),
        SchemaRow(
            "a suspension at the end",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, suspendAt: complete } } }
            """#),
        SchemaRow(
            "a timeout without a unit",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, timeout: 5 } } }
            """#),
        SchemaRow(
            "a negative resume",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: [{ url: /a }, { resume: -1 }] } }
            """#),
        SchemaRow(
            "an unknown fact",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a }, facts: { statis: 1 } } }
            """#),
        SchemaRow(
            "a fact of a request without its index",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a }, facts: { wire.body: 1 } } }
            """#),
        SchemaRow(
            "an unknown form of a fact",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a }, facts: { status: { equals: 1 } } } }
            """#),
        SchemaRow(
            "a fact without a bound",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a }, facts: { status: {} } } }
            """#),
        SchemaRow(
            "a bound that is text",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a }, facts: { status: { min: few } } } }
            """#),
        SchemaRow(
            "facts that are a list",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a }, facts: [status] } }
            """#),
        SchemaRow(
            "a fact that is the same and bounded",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a }, facts: { url: { same: url, min: 1 } } } }
            """#),
    ]
}
