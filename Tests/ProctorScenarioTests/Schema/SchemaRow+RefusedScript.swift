extension SchemaRow {
    /// Scripts, edges and rules whose form is wrong.
    static let refusedScript: [SchemaRow] = [
        SchemaRow(
            "a script in a word",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, protocol: finish } } }
            """#),
        SchemaRow(
            "an unknown protocol call",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, protocol: [finsh] } } }
            """#),
        SchemaRow(
            "a protocol call with too much",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, protocol: [finish now] } } }
            """#),
        SchemaRow(
            "a protocol call on an unknown thread",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, protocol: [{ call: finish, thread: main }] } } }
            """#),
        SchemaRow(
            "a protocol call of nothing",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, protocol: [{ thread: other }] } } }
            """#),
        SchemaRow(
            "a protocol call with an unknown key",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, protocol: [{ call: finish, on: other }] } } }
            """#),
        SchemaRow(
            "a response without a status",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, protocol: [response] } } }
            """#),
        SchemaRow(
            "a status below 100",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, protocol: [response 99] } } }
            """#),
        SchemaRow(
            "a status with a zero",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, protocol: [response 0200] } } }
            """#),
        SchemaRow(
            "a response with half a type",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, protocol: [response 200 html] } } }
            """#),
        SchemaRow(
            "a response with two types",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, protocol: [response 200 text/html text/plain] } } }
            """#),
        SchemaRow(
            "a response stored twice",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, protocol: [response 200 memory allowed] } } }
            """#),
        SchemaRow(
            "a response with two spaces",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, protocol: [response 200  text/html] } } }
            """#),
        SchemaRow(
            "a response with a type between two words",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, protocol: [response 200 memory text/html allowed] } } }
            """#),
        SchemaRow(
            "a failure without a code",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, protocol: [fail] } } }
            """#),
        SchemaRow(
            "a failure with a positive code",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, protocol: [fail 1004] } } }
            """#),
        SchemaRow(
            "a failure with a long code",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, protocol: [fail -100000] } } }
            """#),
        SchemaRow(
            "a failure with a domain in two words",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, protocol: [fail My Domain#1] } } }
            """#),
        SchemaRow(
            "a failure without a number",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, protocol: [fail A#] } } }
            """#),
        SchemaRow(
            "a failure with a plus sign",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, protocol: [fail A#+5] } } }
            """#),
        SchemaRow(
            "a redirect to nowhere",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, protocol: [redirect] } } }
            """#),
        SchemaRow(
            "a redirect to a status",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, protocol: [redirect 302] } } }
            """#),
        SchemaRow(
            "a redirect with another status",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, protocol: [redirect 200 /b] } } }
            """#),
        SchemaRow(
            "a redirect to a network path",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, protocol: [redirect //b/c] } } }
            """#),
        SchemaRow(
            "a redirect that leaves the machine",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, protocol: [redirect 307 http://apple.com/] } } }
            """#),
        SchemaRow(
            "a challenge without a kind",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, protocol: [challenge] } } }
            """#),
        SchemaRow(
            "an unknown challenge",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, protocol: [challenge kerberos] } } }
            """#),
        SchemaRow(
            "a wait without a time",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, protocol: [wait] } } }
            """#),
        SchemaRow(
            "a wait without a unit",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, protocol: [wait 50] } } }
            """#),
        SchemaRow(
            "an edge that is a mapping",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a }, edges: { wire: request } } }
            """#),
        SchemaRow(
            "an edge within a list",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a }, edges: [[task]] } }
            """#),
        SchemaRow(
            "a rule beyond the last",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a }, breaks: R59 } }
            """#),
        SchemaRow(
            "rule zero",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a }, breaks: [R0] } }
            """#),
        SchemaRow(
            "a rule with a zero before it",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a }, breaks: R05 } }
            """#),
        SchemaRow(
            "a rule as a number",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a }, breaks: 5 } }
            """#),
        SchemaRow(
            "a handler lane with a word for a step",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a }, "handler[a]": handler(ok) } }
            """#),
    ]
}
