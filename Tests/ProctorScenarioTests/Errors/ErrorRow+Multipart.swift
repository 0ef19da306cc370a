extension ErrorRow {
    static let multipartRows: [ErrorRow] = [
        ErrorRow(
            "a multipart body with mistakes",
            yaml: #"""
                summary: s
                exchanges:
                  - request: GET /a
                    reply:
                      - { status: 200, body: { multipart: [] , boundary: a } }
                      - { status: 200, body: { multipart: [{ body: a }] } }
                      - { status: 200, body: { multipart: [{ headers: { A: b } }], boundary: a } }
                      - { status: 200, body: { multipart: [{ body: a, name: b }], boundary: a } }
                      - { status: 200, body: { multipart: [{ body: a }, { do: wiat 1s }, { at: head, do: close }], boundary: a } }
                      - { status: 200, body: { multipart: [{ body: a }], boundary: a, epilogue: e, closed: false } }
                      - { status: 200, body: { multipart: { body: a }, boundary: a } }
                      - { status: 200, body: { multipart: [{ body: a }], boundary: a, preambel: a } }
                      - { status: 200, body: { multipart: [{ body: { hex: 0 } }], boundary: a } }
                """#,
            messages: [
                #"5:43 "multipart" needs at least one part"#,
                #"6:30 a multipart body needs the key "boundary""#,
                #"7:44 a part needs the key "body""#,
                #"8:55 unknown key "name" in a part; known keys: headers, body"#,
                #"9:63 unknown effect "wiat"; did you mean "wait"?"#,
                #"9:76 an effect between parts stands where it is played; "at" goes under effects:"#,
                #"10:71 an epilogue stands behind the closing delimiter, which closed: false leaves out"#,
                #"11:43 expected parts as a list, found a mapping"#,
                #"12:71 unknown key "preambel" in a multipart body; did you mean "preamble"?"#,
                #"13:60 expected pairs of hexadecimal digits; the last digit stands alone"#,
            ]),
        ErrorRow(
            "boundaries that are none",
            yaml: #"""
                summary: s
                exchanges:
                  - request: GET /a
                    reply:
                      - { status: 200, body: { multipart: [{ body: a }], boundary: "" } }
                      - { status: 200, body: { multipart: [{ body: a }], boundary: 12345678901234567890123456789012345678901234567890123456789012345678901 } }
                      - { status: 200, body: { multipart: [{ body: a }], boundary: "a b*c" } }
                      - { status: 200, body: { multipart: [{ body: a }], boundary: "ab " } }
                """#,
            messages: [
                #"5:68 a boundary has 1 to 70 characters (RFC 2046 §5.1.1), found 0"#,
                #"6:68 a boundary has 1 to 70 characters (RFC 2046 §5.1.1), found 71"#,
                #"7:72 a boundary is made of letters, digits, spaces and '()+_,-./:=? (RFC 2046 §5.1.1), found "a b*c""#,
                #"8:71 a boundary does not end with a space (RFC 2046 §5.1.1)"#,
            ]),
        ErrorRow(
            "Macintosh files with mistakes",
            yaml: #"""
                summary: s
                exchanges:
                  - request: GET /a
                    reply:
                      - { status: 200, body: { macbinary: a } }
                      - { status: 200, body: { macbinary: {} } }
                      - { status: 200, body: { macbinary: { name: "", type: TXT, creator: ttxtt } } }
                      - { status: 200, body: { binhex: { name: "ä", flags: 65536, created: 1 } } }
                      - { status: 200, body: { macbinary: { name: a, version: 4, created: -2082844800 } } }
                      - { status: 200, body: { macbinary: { name: a, version: 1, flags: 1 } } }
                      - { status: 200, body: { macbinary: { name: a, data: "{{base}}", resource: { pattern: offset, bytes: 16777217 } } } }
                      - { status: 200, body: { macbinary: { name: a }, text: b } }
                """#,
            messages: [
                #"5:43 expected a MacBinary file as a mapping, found "a""#,
                #"6:43 a MacBinary file needs the key "name""#,
                #"7:51 expected the name of a Macintosh file as 1 to 63 characters of ASCII, found """#,
                #"7:61 expected a type as 4 characters of ASCII, found "TXT""#,
                #"7:75 expected a creator as 4 characters of ASCII, found "ttxtt""#,
                #"8:48 expected the name of a Macintosh file as 1 to 63 characters of ASCII, found "ä""#,
                #"8:61 flags is 65536; permitted is 0 ... 65535"#,
                #"8:68 unknown key "created" in a BinHex file; did you mean "creator"?"#,
                #"9:63 version of MacBinary is 4; permitted is 1 ... 3"#,
                #"9:75 time in seconds since 1970 is -2082844800; permitted is -2082844799 ... 2212122495"#,
                #"10:43 MacBinary 1 has no place for the low byte of the flags; take version 2, or flags like 0x0100"#,
                #"11:61 late-bound text cannot stand in bytes that are made at load; write {{{{ where two braces themselves are meant"#,
                #"11:82 a resource fork has 16777217 bytes; at most 16777216 are permitted"#,
                #"12:30 a body needs exactly one of text, hex, base64, file, repeat, pattern, macbinary, binhex, found 2"#,
            ]),
    ]
}
