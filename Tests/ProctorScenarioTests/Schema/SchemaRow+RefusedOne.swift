extension SchemaRow {
    /// Documents whose form is wrong, part one.
    static let refusedOne: [SchemaRow] = [
        SchemaRow(
            "text",
            #"""
            a
            """#),
        SchemaRow(
            "a list",
            #"""
            - a
            """#),
        SchemaRow(
            "no summary",
            #"""
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "no exchanges",
            #"""
            summary: s
            """#),
        SchemaRow(
            "an empty summary",
            #"""
            summary: ""
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "a summary of nothing",
            #"""
            summary:
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "a summary that is a list",
            #"""
            summary: [a]
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "an unknown key",
            #"""
            sumary: s
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "guards that no name can be",
            #"""
            auth: a b
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "a key given twice",
            #"""
            summary: s
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "a merge key",
            #"""
            summary: s
            <<: { a: b }
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "a list of exchanges that is a mapping",
            #"""
            summary: s
            exchanges: {}
            """#),
        SchemaRow(
            "an unknown sequence",
            #"""
            summary: s
            sequence: loose
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "a specification of nothing",
            #"""
            summary: s
            spec:
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "an unquoted template",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, headers: { Location: {{base}} } } }]
            """#),
        SchemaRow(
            "an exchange that is text",
            #"""
            summary: s
            exchanges: [GET /a]
            """#),
        SchemaRow(
            "an exchange without a request",
            #"""
            summary: s
            exchanges: [{ reply: { status: 200 } }]
            """#),
        SchemaRow(
            "an exchange without a reply",
            #"""
            summary: s
            exchanges: [{ request: GET /a }]
            """#),
        SchemaRow(
            "an unknown key of an exchange",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 }, time: 1 }]
            """#),
        SchemaRow(
            "times of zero",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 }, times: 0 }]
            """#),
        SchemaRow(
            "times beyond the bound",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 }, times: 1000001 }]
            """#),
        SchemaRow(
            "times in quotes",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 }, times: "1" }]
            """#),
        SchemaRow(
            "times with a fraction",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 }, times: 1.5 }]
            """#),
        SchemaRow(
            "an unknown way of reading",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 }, reads: some }]
            """#),
        SchemaRow(
            "a negative number of bytes to read",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 }, reads: -1 }]
            """#),
        SchemaRow(
            "an unknown expectation",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 }, expect: wait }]
            """#),
        SchemaRow(
            "a request without a target",
            #"""
            summary: s
            exchanges: [{ request: GET, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "a request with a space in its target",
            #"""
            summary: s
            exchanges: [{ request: GET /a b, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "a request with a method that is no token",
            #"""
            summary: s
            exchanges: [{ request: "G@T /a", reply: { status: 200 } }]
            """#),
        SchemaRow(
            "a request that is a list",
            #"""
            summary: s
            exchanges: [{ request: [GET], reply: { status: 200 } }]
            """#),
        SchemaRow(
            "a mapped request without a path",
            #"""
            summary: s
            exchanges: [{ request: { method: GET }, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "a mapped request without a method",
            #"""
            summary: s
            exchanges: [{ request: { path: /a }, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "an unknown key of a request",
            #"""
            summary: s
            exchanges: [{ request: { method: GET, path: /a, url: /a }, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "a query that is text",
            #"""
            summary: s
            exchanges: [{ request: { method: GET, path: /a, query: a=b }, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "a query name that is meant as a pattern",
            #"""
            summary: s
            exchanges: [{ request: { method: GET, path: /a, query: { "*": "*" } }, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "a query value of nothing",
            #"""
            summary: s
            exchanges: [{ request: { method: GET, path: /a, query: { a: } }, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "a header condition with a bad name",
            #"""
            summary: s
            exchanges: [{ request: { method: GET, path: /a, headers: { "a b": c } }, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "a header condition that is a list",
            #"""
            summary: s
            exchanges: [{ request: { method: GET, path: /a, headers: { A: [c] } }, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "an empty reply",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: {} }]
            """#),
        SchemaRow(
            "a reply that is a number",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: 200 }]
            """#),
        SchemaRow(
            "no replies",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: [] }]
            """#),
        SchemaRow(
            "a reply without a status",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { body: a } }]
            """#),
        SchemaRow(
            "an unknown key of a reply",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, header: {} } }]
            """#),
        SchemaRow(
            "a reserved key of a reply",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, auth: basic } }]
            """#),
        SchemaRow(
            "a status below the bound",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 99 } }]
            """#),
        SchemaRow(
            "a status above the bound",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 1000 } }]
            """#),
        SchemaRow(
            "a status in quotes",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: "200" } }]
            """#),
        SchemaRow(
            "a status in words",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: OK } }]
            """#),
        SchemaRow(
            "a status of nothing",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: } }]
            """#),
    ]
}
