extension SchemaRow {
    private static func origin(_ keys: String) -> String {
        """
        summary: s
        origins: { main: { \(keys) } }
        exchanges: [{ request: GET /a, reply: { status: 200 } }]
        """
    }

    private static func exchange(_ request: String, _ reply: String) -> String {
        """
        summary: s
        origins: { p: { role: proxy } }
        exchanges: [{ request: "\(request)", origin: p, reply: { \(reply) } }]
        """
    }

    /// What origins take, connections that are no HTTP any more, and facts of them and of replies.
    static let acceptedWire: [SchemaRow] = [
        SchemaRow(
            "an origin that accepts anything", origin("accepts: anything, limits: { line: 16, fields: 64, count: 0 }")),
        SchemaRow(
            "an origin with wide limits",
            origin("accepts: readable, limits: { line: 1048576, fields: 4194304, count: 10000 }")),
        SchemaRow("an origin with one limit", origin("limits: { count: 3 }, role: server")),
        SchemaRow(
            "every step behind a switch",
            exchange(
                "GET /a",
                "status: 101, opaque: [{ send: a }, { send: { hex: 00ff } }, { expect: b, within: 1s }, "
                    + "{ expect: { repeat: x, bytes: 10 } }, { read: 5, within: 20ms }, { do: wait 1ms }, { do: close, abrupt: true }]"
            )),
        SchemaRow("a script behind raw bytes", exchange("CONNECT *", "raw: x, opaque: []")),
        SchemaRow("a script behind a 2xx to CONNECT", exchange("CONNECT *", "status: 204, opaque: [{ do: reset }]")),
        SchemaRow(
            "facts of what came and was replied",
            """
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases:
              a:
                client: { url: /a }
                edges: ["wire request[1] after wire replied[0]", "task response(200) after wire replied(200)"]
                facts:
                  wire[0].reply.status: 200
                  wire[0].reply.headers.Content-Length: 0
                  wire[0].reply.body: ""
                  wire[0].reply.body.length: { max: 0 }
                  wire[0].withheld: false
                  wire[0].opaque: null
                  wire[0].opaque.length: { min: 1 }
                  wire[0].chunk-lines: ["05;a=b", "0"]
            """),
    ]

    static let refusedWire: [SchemaRow] = [
        SchemaRow("a word that accepts nothing", origin("accepts: everything")),
        SchemaRow("limits without any", origin("limits: {}")),
        SchemaRow("a limit that there is not", origin("limits: { head: 100 }")),
        SchemaRow("a line of no bytes", origin("limits: { line: 15 }")),
        SchemaRow("a head without end", origin("limits: { fields: 4194305 }")),
        SchemaRow("more field lines than can be", origin("limits: { count: 10001 }")),
        SchemaRow("a closed origin that accepts", origin("role: closed, accepts: anything")),
        SchemaRow("an unreachable origin with limits", origin("role: unreachable, limits: { count: 1 }")),
        SchemaRow("a script behind a reply of HTTP", exchange("GET /a", "status: 404, opaque: []")),
        SchemaRow(
            "a script behind effects alone", exchange("GET /a", "effects: [{ at: head, do: close }], opaque: []")),
        SchemaRow("a script beside a tunnel", exchange("CONNECT *", "status: 200, tunnel: main, opaque: []")),
        SchemaRow("a step of two", exchange("GET /a", "status: 101, opaque: [{ send: a, expect: b }]")),
        SchemaRow("a step of none", exchange("GET /a", "status: 101, opaque: [{ within: 1s }]")),
        SchemaRow("a bound of sending", exchange("GET /a", "status: 101, opaque: [{ send: a, within: 1s }]")),
        SchemaRow("nothing to read", exchange("GET /a", "status: 101, opaque: [{ read: 0 }]")),
        SchemaRow("a script that is none", exchange("GET /a", "status: 101, opaque: { send: a }")),
    ]

    /// What the schema can't know.
    static let semanticWire: [SchemaRow] = [
        SchemaRow("a line that goes into no head", origin("limits: { line: 100, fields: 64 }")),
        SchemaRow("a 2xx to a request that is no CONNECT", exchange("GET /a", "status: 200, opaque: []")),
        SchemaRow("a step behind the last", exchange("GET /a", "status: 101, opaque: [{ do: close }, { send: a }]")),
        SchemaRow("no byte expected", exchange("GET /a", "status: 101, opaque: [{ expect: \"\" }]")),
        SchemaRow(
            "replies in an expression",
            """
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { a: { client: { url: /a }, wire: request replied } }
            """),
        SchemaRow(
            "a word for what is withheld",
            """
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { a: { client: { url: /a }, facts: { "wire[0].withheld": yes please } } }
            """),
    ]
}
