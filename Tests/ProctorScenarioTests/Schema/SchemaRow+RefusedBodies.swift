extension SchemaRow {
    /// Bodies whose form is wrong.
    static let refusedBodies: [SchemaRow] = [
        SchemaRow(
            #"codings that are never served: { status: 200, coding: [gzip, gzip, gzip, gzip, gzip, gzip, gzip, gzip, gzip] }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, coding: [gzip, gzip, gzip, gzip, gzip, gzip, gzip, gzip, gzip] } }]
            """#),
        SchemaRow(
            #"a coding that is none: { status: 200, body: a, coding: gzp }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, body: a, coding: gzp } }]
            """#),
        SchemaRow(
            #"a coding that is none: { status: 200, body: a, coding: [gzip, Br, zstandard] }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, body: a, coding: [gzip, Br, zstandard] } }]
            """#),
        SchemaRow(
            #"a coding that is none: { status: 200, body: a, coding: [] }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, body: a, coding: [] } }]
            """#),
        SchemaRow(
            #"a coding that is none: { status: 200, body: a, coding: { brotli: { level: 1 } } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, body: a, coding: { brotli: { level: 1 } } } }]
            """#),
        SchemaRow(
            #"a coding that is none: { status: 200, body: a, coding: { gzip: , br: } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, body: a, coding: { gzip: , br: } } }]
            """#),
        SchemaRow(
            #"a coding that is none: { status: 200, body: a, coding: { gzip: 9 } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, body: a, coding: { gzip: 9 } } }]
            """#),
        SchemaRow(
            #"a coding that is none: { status: 200, body: a, coding: null }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, body: a, coding: null } }]
            """#),
        SchemaRow(
            #"options that a coding does not know: { status: 200, coding: { deflate: { name: a.txt } } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, coding: { deflate: { name: a.txt } } } }]
            """#),
        SchemaRow(
            #"options that a coding does not know: { status: 200, coding: { br: { checksum: wrong } } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, coding: { br: { checksum: wrong } } } }]
            """#),
        SchemaRow(
            #"options that a coding does not know: { status: 200, coding: { zstd: { format: raw } } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, coding: { zstd: { format: raw } } } }]
            """#),
        SchemaRow(
            #"options that a coding does not know: { status: 200, coding: { identity: { level: 1 } } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, coding: { identity: { level: 1 } } } }]
            """#),
        SchemaRow(
            #"options that a coding does not know: { status: 200, coding: { gzip: { levle: 1 } } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, coding: { gzip: { levle: 1 } } } }]
            """#),
        SchemaRow(
            #"options that a coding does not know: { status: 200, coding: { x-gzip: { format: raw } } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, coding: { x-gzip: { format: raw } } } }]
            """#),
        SchemaRow(
            #"options that a coding does not know: { status: 200, coding: { deflate: { format: raw, checksum: wrong } } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, coding: { deflate: { format: raw, checksum: wrong } } } }]
            """#),
        SchemaRow(
            #"options with values that they cannot have: { status: 200, coding: { gzip: { level: 10, missing: -1, checksum: right, length: false } } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, coding: { gzip: { level: 10, missing: -1, checksum: right, length: false } } } }]
            """#),
        SchemaRow(
            #"options with values that they cannot have: { status: 200, coding: { deflate: { level: -1, format: zlb } } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, coding: { deflate: { level: -1, format: zlb } } } }]
            """#),
        SchemaRow(
            #"options with values that they cannot have: { status: 200, coding: { br: { level: 12 } } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, coding: { br: { level: 12 } } } }]
            """#),
        SchemaRow(
            #"options with values that they cannot have: { status: 200, coding: { zstd: { level: 0 } } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, coding: { zstd: { level: 0 } } } }]
            """#),
        SchemaRow(
            #"options with values that they cannot have: { status: 200, coding: { gzip: { members: [], name: "a\u0100", comment: "a\0", modified: 4294967296 } } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, coding: { gzip: { members: [], name: "a\u0100", comment: "a\0", modified: 4294967296 } } } }]
            """#),
        SchemaRow(
            #"options with values that they cannot have: { status: 200, coding: { gzip: { members: [5, -7], header-checksum: yes, extra: { repeat: a, bytes: 65536 } } } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, coding: { gzip: { members: [5, -7], header-checksum: yes, extra: { repeat: a, bytes: 65536 } } } } }]
            """#),
        SchemaRow(
            #"options with values that they cannot have: { status: 200, coding: { gzip: { trailing: { pattern: offset, bytes: 65537 }, missing: 1048577 } } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, coding: { gzip: { trailing: { pattern: offset, bytes: 65537 }, missing: 1048577 } } } }]
            """#),
        SchemaRow(
            #"a coding in full that says too much or too little: { status: 200, coding: { says: gzip } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, coding: { says: gzip } } }]
            """#),
        SchemaRow(
            #"a coding in full that says too much or too little: { status: 200, coding: { apply: gzip, negotiate: [br, gzip] } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, coding: { apply: gzip, negotiate: [br, gzip] } } }]
            """#),
        SchemaRow(
            #"a coding in full that says too much or too little: { status: 200, coding: { negotiate: [br, gzip], says: br } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, coding: { negotiate: [br, gzip], says: br } } }]
            """#),
        SchemaRow(
            #"a coding in full that says too much or too little: { status: 200, coding: { negotiate: [br, gzip], says: null } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, coding: { negotiate: [br, gzip], says: null } } }]
            """#),
        SchemaRow(
            #"a coding in full that says too much or too little: { status: 200, coding: { negotiate: [br, gzip], in: transfer } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, coding: { negotiate: [br, gzip], in: transfer } } }]
            """#),
        SchemaRow(
            #"a coding in full that says too much or too little: { status: 200, coding: { apply: gzip, says: [gzip] } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, coding: { apply: gzip, says: [gzip] } } }]
            """#),
        SchemaRow(
            #"a coding in full that says too much or too little: { status: 200, coding: { apply: gzip, says: "a\nb" } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, coding: { apply: gzip, says: "a\nb" } } }]
            """#),
        SchemaRow(
            #"a coding in full that says too much or too little: { status: 200, coding: { apply: gzip, in: transfers } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, coding: { apply: gzip, in: transfers } } }]
            """#),
        SchemaRow(
            #"a coding in full that says too much or too little: { status: 200, coding: { apply: gzip, gzip: { level: 1 } } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, coding: { apply: gzip, gzip: { level: 1 } } } }]
            """#),
        SchemaRow(
            #"a coding beside what contradicts it: { raw: a, coding: gzip }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { raw: a, coding: gzip } }]
            """#),
        SchemaRow(
            #"chunks that cannot be sent: { status: 200, framing: { chunked: [5, 0] } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, framing: { chunked: [5, 0] } } }]
            """#),
        SchemaRow(
            #"chunks that cannot be sent: { status: 200, framing: { chunked: [5, -1] } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, framing: { chunked: [5, -1] } } }]
            """#),
        SchemaRow(
            #"chunks that cannot be sent: { status: 200, framing: { chunked: 5 } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, framing: { chunked: 5 } } }]
            """#),
        SchemaRow(
            #"chunks that cannot be sent: { status: 200, framing: { extensions: ;a } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, framing: { extensions: ;a } } }]
            """#),
        SchemaRow(
            #"chunks that cannot be sent: { status: 200, framing: { chunked: [], extensions: ";a\r\n", digits: uper, width: 0, last: mising } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, framing: { chunked: [], extensions: ";a\r\n", digits: uper, width: 0, last: mising } } }]
            """#),
        SchemaRow(
            #"chunks that cannot be sent: { status: 200, framing: { chunked: [], width: 65, extension: a, extensions: [a, [b]] } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, framing: { chunked: [], width: 65, extension: a, extensions: [a, [b]] } } }]
            """#),
        SchemaRow(
            #"chunks that cannot be sent: { status: 200, framing: { chunked: [], last: missing }, trailers: { A: b } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, framing: { chunked: [], last: missing }, trailers: { A: b } } }]
            """#),
        SchemaRow(
            #"chunks that cannot be sent: { status: 200, framing: close, trailers: { A: b } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, framing: close, trailers: { A: b } } }]
            """#),
        SchemaRow(
            #"a multipart body with mistakes: { status: 200, body: { multipart: [] , boundary: a } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, body: { multipart: [] , boundary: a } } }]
            """#),
        SchemaRow(
            #"a multipart body with mistakes: { status: 200, body: { multipart: [{ body: a }] } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, body: { multipart: [{ body: a }] } } }]
            """#),
        SchemaRow(
            #"a multipart body with mistakes: { status: 200, body: { multipart: [{ headers: { A: b } }], boundary: a } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, body: { multipart: [{ headers: { A: b } }], boundary: a } } }]
            """#),
        SchemaRow(
            #"a multipart body with mistakes: { status: 200, body: { multipart: [{ body: a, name: b }], boundary: a } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, body: { multipart: [{ body: a, name: b }], boundary: a } } }]
            """#),
        SchemaRow(
            #"a multipart body with mistakes: { status: 200, body: { multipart: [{ body: a }, { do: wiat 1s }, { at: head, do: close }], boundary: a } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, body: { multipart: [{ body: a }, { do: wiat 1s }, { at: head, do: close }], boundary: a } } }]
            """#),
        SchemaRow(
            #"a multipart body with mistakes: { status: 200, body: { multipart: [{ body: a }], boundary: a, epilogue: e, closed: false } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, body: { multipart: [{ body: a }], boundary: a, epilogue: e, closed: false } } }]
            """#),
        SchemaRow(
            #"a multipart body with mistakes: { status: 200, body: { multipart: { body: a }, boundary: a } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, body: { multipart: { body: a }, boundary: a } } }]
            """#),
        SchemaRow(
            #"a multipart body with mistakes: { status: 200, body: { multipart: [{ body: a }], boundary: a, preambel: a } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, body: { multipart: [{ body: a }], boundary: a, preambel: a } } }]
            """#),
        SchemaRow(
            #"boundaries that are none: { status: 200, body: { multipart: [{ body: a }], boundary: "" } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, body: { multipart: [{ body: a }], boundary: "" } } }]
            """#),
        SchemaRow(
            #"boundaries that are none: { status: 200, body: { multipart: [{ body: a }], boundary: "a b*c" } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, body: { multipart: [{ body: a }], boundary: "a b*c" } } }]
            """#),
        SchemaRow(
            #"boundaries that are none: { status: 200, body: { multipart: [{ body: a }], boundary: "ab " } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, body: { multipart: [{ body: a }], boundary: "ab " } } }]
            """#),
        SchemaRow(
            #"Macintosh files with mistakes: { status: 200, body: { macbinary: a } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, body: { macbinary: a } } }]
            """#),
        SchemaRow(
            #"Macintosh files with mistakes: { status: 200, body: { macbinary: {} } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, body: { macbinary: {} } } }]
            """#),
        SchemaRow(
            #"Macintosh files with mistakes: { status: 200, body: { macbinary: { name: "", type: TXT, creator: ttxtt } } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, body: { macbinary: { name: "", type: TXT, creator: ttxtt } } } }]
            """#),
        SchemaRow(
            #"Macintosh files with mistakes: { status: 200, body: { binhex: { name: "ä", flags: 65536, created: 1 } } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, body: { binhex: { name: "ä", flags: 65536, created: 1 } } } }]
            """#),
        SchemaRow(
            #"Macintosh files with mistakes: { status: 200, body: { macbinary: { name: a, version: 4, created: -2082844800 } } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, body: { macbinary: { name: a, version: 4, created: -2082844800 } } } }]
            """#),
        SchemaRow(
            #"Macintosh files with mistakes: { status: 200, body: { macbinary: { name: a }, text: b } }"#,
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200, body: { macbinary: { name: a }, text: b } } }]
            """#),
    ]
}
