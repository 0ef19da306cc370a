extension SchemaRow {
    /// Good documents about what is sent.
    static let acceptedBodies: [SchemaRow] = [
        SchemaRow(
            "each coding by name",
            #"""
            summary: s
            exchanges:
              - request: GET /a
                reply:
                  - { status: 200, body: a, coding: gzip }
                  - { status: 200, body: a, coding: x-gzip }
                  - { status: 200, body: a, coding: deflate }
                  - { status: 200, body: a, coding: br }
                  - { status: 200, body: a, coding: zstd }
                  - { status: 200, body: a, coding: identity }
            """#),
        SchemaRow(
            "codings one after the other",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, coding: [gzip, { br: { level: 11 } }, { zstd: }, { identity: {} }], body: a } }]
            """#),
        SchemaRow(
            "every option of gzip",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, coding: { gzip: { level: 0, members: [5, 0, 7], name: "\u00e4.txt", comment: a b, extra: { hex: "00 ff" }, modified: 1700000000, header-checksum: true, checksum: wrong, length: wrong, missing: 5, trailing: { repeat: x, bytes: 65536 } } }, body: a } }]
            """#),
        SchemaRow(
            "every option of deflate, br and zstd",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: [{ status: 200, coding: { deflate: { level: 9, format: zlib, checksum: wrong, missing: 1, trailing: a } } }, { status: 200, coding: { deflate: { format: raw } } }, { status: 200, coding: { br: { level: 0, missing: 1048576 } } }, { status: 200, coding: { zstd: { level: 22, checksum: wrong, trailing: "" } } }] }]
            """#),
        SchemaRow(
            "a coding in full",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: [{ status: 200, coding: { apply: [gzip, br], says: "gzip, br, nothing", in: content } }, { status: 200, coding: { apply: gzip, says: null } }, { status: 200, coding: { apply: { gzip: { level: 1 } }, says: "" } }] }]
            """#),
        SchemaRow(
            "a coding by negotiation",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, headers: { Vary: Accept-Encoding }, coding: { negotiate: [br, { gzip: { level: 1 } }], in: content }, body: "{{base}} {{authority}}" } }]
            """#),
        SchemaRow(
            "transfer codings",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: [{ status: 200, framing: chunked, coding: { apply: gzip, in: transfer } }, { status: 200, framing: close, coding: { apply: gzip, in: transfer } }, { status: 200, framing: none, coding: { apply: gzip, in: transfer } }, { status: 200, headers: { Content-Length: 5 }, coding: { apply: gzip, in: transfer } }] }]
            """#),
        SchemaRow(
            "a Content-Encoding of the fixture's own",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: [{ status: 200, headers: { Content-Encoding: gzip } }, { status: 200, headers: { Content-Encoding: br }, coding: { apply: gzip, says: null } }, { status: 200, headers: { Content-Encoding: br }, framing: chunked, coding: { apply: gzip, in: transfer } }] }]
            """#),
        SchemaRow(
            "an effect beyond the bytes of a coded body",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, coding: gzip, body: abc, effects: [{ at: body 10, do: reset }] } }]
            """#),
        SchemaRow(
            "the spelling of chunks",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, framing: { chunked: [], extensions: [";a=b", ""], digits: lower, width: 64, last: missing } } }]
            """#),
        SchemaRow(
            "chunks with trailers",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, framing: { chunked: [1, 2], extensions: ;a, digits: upper, width: 1 }, trailers: { A: b } } }]
            """#),
        SchemaRow(
            "a multipart body",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, body: { multipart: [{ do: wait 1s }, { headers: { Content-Type: text/plain }, body: "{{now}}" }, { do: close, abrupt: true }, { body: { pattern: offset, bytes: 5 } }], boundary: "a'()+_,-./:=? b", preamble: "x\r\ny", epilogue: "{{base}}", closed: true } } }]
            """#),
        SchemaRow(
            "a multipart body without its end",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, body: { multipart: [{ headers: [{ A: b }, { A: c }], body: "" }], boundary: 1, preamble: "", closed: false } } }]
            """#),
        SchemaRow(
            "the longest boundary",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, body: { multipart: [{ body: a }], boundary: aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa } } }]
            """#),
        SchemaRow(
            "Macintosh files",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, body: [{ macbinary: { name: a } }, { macbinary: { name: "A b", type: TEXT, creator: ttxt, flags: 256, data: a, resource: { repeat: r, bytes: 300 }, created: 0, modified: -1, version: 1 } }, { binhex: { name: a, type: "????", creator: ttxt, flags: 65535, data: { base64: AP8= }, resource: "" } }] } }]
            """#),
    ]
}
