extension SchemaRow {
    /// Documents whose form is wrong, part two.
    static let refusedTwo: [SchemaRow] = [
        SchemaRow(
            "a reason with a line break",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, reason: "a\nb" } }]
            """#),
        SchemaRow(
            "headers that are text",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, headers: "A: b" } }]
            """#),
        SchemaRow(
            "a header of nothing",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, headers: { A: } } }]
            """#),
        SchemaRow(
            "a header that is a mapping",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, headers: { A: { b: c } } } }]
            """#),
        SchemaRow(
            "a header without values",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, headers: { A: [] } } }]
            """#),
        SchemaRow(
            "a header item of two fields",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, headers: [{ A: b, C: d }] } }]
            """#),
        SchemaRow(
            "an empty header item",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, headers: [{}] } }]
            """#),
        SchemaRow(
            "a header name that is empty",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, headers: { "": b } } }]
            """#),
        SchemaRow(
            "raw beside a status",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { raw: x, status: 200 } }]
            """#),
        SchemaRow(
            "raw beside headers",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { raw: x, headers: {} } }]
            """#),
        SchemaRow(
            "trailers without chunks",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, trailers: { A: b } } }]
            """#),
        SchemaRow(
            "trailers with a length",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, framing: length, trailers: { A: b } } }]
            """#),
        SchemaRow(
            "an unknown framing",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, framing: chunks } }]
            """#),
        SchemaRow(
            "no chunk sizes",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, framing: { chunked: [0] } } }]
            """#),
        SchemaRow(
            "a chunk of no bytes",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, framing: { chunked: [0] } } }]
            """#),
        SchemaRow(
            "an unknown key of framing",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, framing: { chunk: [1] } } }]
            """#),
        SchemaRow(
            "an interim status that is final",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, interim: [200] } }]
            """#),
        SchemaRow(
            "an interim reply without a status",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, interim: [{ reason: a }] } }]
            """#),
        SchemaRow(
            "interim that is a number",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, interim: 100 } }]
            """#),
        SchemaRow(
            "a body of nothing",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, body: } }]
            """#),
        SchemaRow(
            "a body without a form",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, body: {} } }]
            """#),
        SchemaRow(
            "a body of two forms",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, body: { hex: "00", text: a } } }]
            """#),
        SchemaRow(
            "an unknown form of bytes",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, body: { hexa: "00" } } }]
            """#),
        SchemaRow(
            "hexadecimal digits that are none",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, body: { hex: "0g" } } }]
            """#),
        SchemaRow(
            "an odd number of hexadecimal digits",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, body: { hex: "000" } } }]
            """#),
        SchemaRow(
            "base64 with a strange character",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, body: { base64: "a*bc" } } }]
            """#),
        SchemaRow(
            "a file above the fixture",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, body: { file: ../a } } }]
            """#),
        SchemaRow(
            "a file by an absolute path",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, body: { file: /etc/passwd } } }]
            """#),
        SchemaRow(
            "a file without a name",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, body: { file: "" } } }]
            """#),
        SchemaRow(
            "a repetition without a number",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, body: { repeat: a } } }]
            """#),
        SchemaRow(
            "a repetition with two numbers",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, body: { repeat: a, times: 1, bytes: 1 } } }]
            """#),
        SchemaRow(
            "a repetition of nothing",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, body: { repeat: "", times: 1 } } }]
            """#),
        SchemaRow(
            "a negative repetition",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, body: { repeat: a, times: -1 } } }]
            """#),
        SchemaRow(
            "an unknown pattern",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, body: { pattern: random, bytes: 1 } } }]
            """#),
        SchemaRow(
            "a pattern without a length",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, body: { pattern: offset } } }]
            """#),
        SchemaRow(
            "a pattern beyond the bound",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, body: { pattern: offset, bytes: 1099511627777 } } }]
            """#),
        SchemaRow(
            "a list in a body",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, body: [[a]] } }]
            """#),
        SchemaRow(
            "an effect without a position",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { effects: [{ do: reset }] } }]
            """#),
        SchemaRow(
            "an effect without an action",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { effects: [{ at: head }] } }]
            """#),
        SchemaRow(
            "effects that are a mapping",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { effects: { at: head, do: reset } } }]
            """#),
        SchemaRow(
            "an unknown position",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { effects: [{ at: tail, do: reset }] } }]
            """#),
        SchemaRow(
            "a position without its number",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, effects: [{ at: body, do: reset }] } }]
            """#),
        SchemaRow(
            "a position with a word for a number",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, effects: [{ at: body one, do: reset }] } }]
            """#),
        SchemaRow(
            "an unknown effect",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { effects: [{ at: head, do: rest }] } }]
            """#),
        SchemaRow(
            "a wait without a unit",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { effects: [{ at: head, do: wait 5 }] } }]
            """#),
        SchemaRow(
            "an effect with too many words",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { effects: [{ at: head, do: reset now }] } }]
            """#),
        SchemaRow(
            "send without text",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { effects: [{ at: head, do: send }] } }]
            """#),
        SchemaRow(
            "a sync point",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { effects: [{ at: head, do: await dat }] } }]
            """#),
    ]
}
