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
            messages: [
                #"2:71 unknown pattern "ofset"; did you mean "offset"?"#
            ]),
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
                #"3:153 unknown late-bound name "zzzzzzzzz"; permitted: base, origin, authority, host, port, now, path.id, origin.main, authority.main, host.main, port.main, origin.other, authority.other, host.other, port.other"#,
            ]),
        ErrorRow(
            "a capture that the request does not have",
            yaml: #"""
                summary: s
                exchanges: [{ request: "GET /a", reply: { status: 200, body: "{{path.id}}" } }]
                """#,
            messages: [
                #"2:63 this exchange's request captures nothing; write {id} in its path"#
            ]),
        ErrorRow(
            "late-bound text without an end",
            yaml: #"""
                summary: s
                exchanges: [{ request: "GET /a", reply: { status: 200, body: "a {{base" } }]
                """#,
            messages: [
                #"2:65 {{ without }}; write {{{{ where two braces themselves are meant"#
            ]),
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
