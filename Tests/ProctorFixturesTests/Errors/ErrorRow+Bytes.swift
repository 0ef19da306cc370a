extension ErrorRow {
    static let bytesRows: [ErrorRow] = [
        ErrorRow(
            "bytes of no form, two forms and a missing partner",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: [{ status: 200, body: {} }, { status: 200, body: { hex: "00", text: a } }, { status: 200, body: { repeat: a } }, { status: 200, body: { pattern: offset } }, { status: 200, body: { hex: "00", times: 3 } }, { status: 200, body: { hexx: "00" } }, { status: 200, body: }] }]
                """#,
            messages: [
                #"2:61 expected a body, found a mapping with none of text, hex, base64, file, repeat, pattern, macbinary, binhex; if JSON is meant, quote it: '{}'"#,
                #"2:88 a body needs exactly one of text, hex, base64, file, repeat, pattern, macbinary, binhex, found 2"#,
                #"2:135 "repeat" needs one of "times" and "bytes" beside it"#,
                #"2:173 "pattern" needs "bytes" beside it"#,
                #"2:230 "times" does not go with "hex""#,
                #"2:267 unknown key "hexx" in a body; did you mean "hex"?"#,
                #"2:304 expected a body as text or as a mapping with one of text, hex, base64, file, repeat, pattern, macbinary, binhex, found nothing"#,
            ]),
        ErrorRow(
            "hexadecimal digits that are none",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: [{ status: 200, body: { hex: "00 0g" } }, { status: 200, body: { hex: "000" } }, { status: 200, body: { hex: "0 0" } }] }]
                """#,
            messages: [
                #"2:73 expected pairs of hexadecimal digits, like 00 ff"#,
                #"2:113 expected pairs of hexadecimal digits; the last digit stands alone"#,
                #"2:150 expected pairs of hexadecimal digits, like 00 ff"#,
            ]),
        ErrorRow(
            "base64 that is none",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: [{ status: 200, body: { base64: "YW!=" } }, { status: 200, body: { base64: "YWJjZ" } }, { status: 200, body: { base64: "YQ=" } }] }]
                """#,
            messages: [
                #"2:74 this is not base64 (RFC 4648 §4)"#,
                #"2:120 this base64 is cut off or wrongly padded"#,
                #"2:162 this base64 is cut off or wrongly padded"#,
            ]),
        ErrorRow(
            "a repetition of nothing, or beyond the bound",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: [{ status: 200, body: { repeat: "", times: 3 } }, { status: 200, body: { repeat: ab, bytes: 1099511627777 } }, { status: 200, body: { repeat: ab, times: 549755813889 } }, { status: 200, body: { repeat: ab, times: 1, bytes: 1 } }] }]
                """#,
            messages: [
                #"2:71 expected the text to repeat, found empty text"#,
                #"2:131 bytes is 1099511627777; permitted is 0 ... 1099511627776"#,
                #"2:192 times is 549755813889; permitted is 0 ... 549755813888"#,
                #"2:231 "repeat" needs one of "times" and "bytes" beside it"#,
            ]),
        ErrorRow(
            "an unknown pattern",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: { status: 200, body: { pattern: ofset, bytes: 1 } } }]
                """#,
            messages: [#"2:71 unknown pattern "ofset"; did you mean "offset"?"#]),
        ErrorRow(
            "files that cannot be used",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: [{ status: 200, body: { file: none.bin } }, { status: 200, body: { file: ../a.bin } }, { status: 200, body: { file: /etc/passwd } }, { status: 200, body: { file: "" } }, { status: 200, body: { file: a/../../b } }] }]
                """#,
            messages: [
                #"2:69 the file "none.bin" cannot be used: No such file or directory; looked for $FOLDER/none.bin"#,
                #"2:112 the file "../a.bin" escapes the folder of the fixture; name a file beside the fixture or below, without .."#,
                #"2:155 the file "/etc/passwd" escapes the folder of the fixture; name a file beside the fixture or below, without .."#,
                #"2:201 expected a file name, found empty text"#,
                #"2:238 the file "a/../../b" escapes the folder of the fixture; name a file beside the fixture or below, without .."#,
            ]),
        ErrorRow(
            "late-bound names that are unknown",
            yaml: #"""
                summary: s
                origins: { other: {} }
                exchanges: [{ request: "GET /{id}", reply: { status: 200, headers: { A: "{{bas}}", B: "x {{origin.oter}}", C: "{{path.idd}}", D: "{{authority.x}}", E: "{{zzzzzzzzz}}" } } }]
                """#,
            messages: [
                #"3:74 unknown late-bound name "bas"; did you mean "base"?"#,
                #"3:90 unknown origin "oter"; did you mean "other"?"#,
                #"3:112 this exchange's request does not capture "idd"; did you mean "id"?"#,
                #"3:131 unknown origin "x"; permitted: main, other"#,
                #"3:153 unknown late-bound name "zzzzzzzzz"; permitted: base, origin, authority, host, port, now, path.id, origin.main, authority.main, host.main, port.main, url.main, origin.other, authority.other, host.other, port.other, url.other, request.method, request.target, request.path, request.body, request.number, request.json, request.query.NAME, request.header.NAME, request.cookie.NAME, request.form.NAME, connection.number, uuid, random 1-6"#,
            ]),
        ErrorRow(
            "a capture that the request does not have",
            yaml: #"""
                summary: s
                exchanges: [{ request: "GET /a", reply: { status: 200, body: "{{path.id}}" } }]
                """#,
            messages: [#"2:63 this exchange's request captures nothing; write {id} in its path"#]),
        ErrorRow(
            "late-bound text without an end",
            yaml: #"""
                summary: s
                exchanges: [{ request: "GET /a", reply: { status: 200, body: "a {{base" } }]
                """#,
            messages: [#"2:65 {{ without }}; write {{{{ where two braces themselves are meant"#]),
        ErrorRow(
            "a moment that cannot be read",
            yaml: #"""
                summary: s
                exchanges: [{ request: "GET /a", reply: { status: 200, body: "{{now + 1}} {{now * 2h}} {{now + 1ms}}" } }]
                """#,
            messages: [
                #"2:63 expected {{now + 1h}} or {{now - 30s}} in whole seconds, found "now + 1""#,
                #"2:75 expected {{now + 1h}} or {{now - 30s}} in whole seconds, found "now * 2h""#,
                #"2:88 expected {{now + 1h}} or {{now - 30s}} in whole seconds, found "now + 1ms""#,
            ]),
        ErrorRow(
            "late-bound text in a request's body that has no meaning there",
            yaml: #"""
                summary: s
                exchanges: [{ request: { method: POST, path: "/{id}", body: "{{path.id}} {{now}}" }, reply: { status: 200 } }]
                """#,
            messages: [
                #"2:62 {{path.id}} means nothing here: no request has been matched"#,
                #"2:74 {{now}} means nothing here: there is no reply whose moment it could be"#,
            ]),
    ]
}

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
