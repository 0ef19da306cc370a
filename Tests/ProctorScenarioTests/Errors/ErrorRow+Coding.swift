extension ErrorRow {
    static let codingRows: [ErrorRow] = [
        ErrorRow(
            "a coding that is none",
            yaml: #"""
                summary: s
                exchanges:
                  - request: GET /a
                    reply:
                      - { status: 200, body: a, coding: gzp }
                      - { status: 200, body: a, coding: [gzip, Br, zstandard] }
                      - { status: 200, body: a, coding: [] }
                      - { status: 200, body: a, coding: { brotli: { level: 1 } } }
                      - { status: 200, body: a, coding: { gzip: , br: } }
                      - { status: 200, body: a, coding: { gzip: 9 } }
                      - { status: 200, body: a, coding: null }
                """#,
            messages: [
                #"5:41 unknown coding "gzp"; did you mean "gzip"?"#,
                #"6:48 unknown coding "Br"; did you mean "br"?"#,
                #"6:52 unknown coding "zstandard"; HTTP calls it "zstd""#,
                #"7:41 a list of codings needs at least one"#,
                #"8:43 unknown coding "brotli"; HTTP calls it "br""#,
                #"9:41 a coding with options is a mapping with one key, its name; found 2 keys"#,
                #"10:49 expected the coding gzip as a mapping, found "9""#,
                #"11:41 expected a coding as text, found nothing"#,
            ]),
        ErrorRow(
            "codings that are never served",
            yaml: #"""
                summary: s
                exchanges:
                  - request: GET /a
                    reply:
                      - { status: 200, coding: [gzip, gzip, gzip, gzip, gzip, gzip, gzip, gzip, gzip] }
                      - { status: 200, coding: [gzip, gzip, gzip, gzip, gzip, gzip, gzip, gzip] }
                      - { status: 200, coding: { negotiate: [br, identity] } }
                """#,
            messages: [
                #"5:32 coding has 9 items; at most 8 are permitted"#,
                #"7:50 identity is not negotiated: it is what is sent when nothing else is acceptable; leave it out"#,
            ]),
        ErrorRow(
            "options that a coding does not know",
            yaml: #"""
                summary: s
                exchanges:
                  - request: GET /a
                    reply:
                      - { status: 200, coding: { deflate: { name: a.txt } } }
                      - { status: 200, coding: { br: { checksum: wrong } } }
                      - { status: 200, coding: { zstd: { format: raw } } }
                      - { status: 200, coding: { identity: { level: 1 } } }
                      - { status: 200, coding: { gzip: { levle: 1 } } }
                      - { status: 200, coding: { x-gzip: { format: raw } } }
                      - { status: 200, coding: { deflate: { format: raw, checksum: wrong } } }
                """#,
            messages: [
                #"5:45 "name" is an option of gzip, not of deflate; deflate has level, format, checksum, missing, trailing"#,
                #"6:40 "checksum" is an option of gzip, deflate, zstd, not of br; br has level, missing, trailing"#,
                #"7:42 "format" is an option of deflate, not of zstd; zstd has level, checksum, missing, trailing"#,
                #"8:46 "level" is an option of gzip, deflate, br, zstd, not of identity; identity has missing, trailing"#,
                #"9:42 unknown key "levle" in the coding gzip; did you mean "level"?"#,
                #"10:44 "format" is an option of deflate, not of x-gzip; x-gzip has level, members, name, comment, extra, modified, header-checksum, checksum, length, missing, trailing"#,
                #"11:58 raw deflate has no checksum that could be wrong (RFC 1951)"#,
            ]),
        ErrorRow(
            "options with values that they cannot have",
            yaml: #"""
                summary: s
                exchanges:
                  - request: GET /a
                    reply:
                      - { status: 200, coding: { gzip: { level: 10, missing: -1, checksum: right, length: false } } }
                      - { status: 200, coding: { deflate: { level: -1, format: zlb } } }
                      - { status: 200, coding: { br: { level: 12 } } }
                      - { status: 200, coding: { zstd: { level: 0 } } }
                      - { status: 200, coding: { gzip: { members: [], name: "a\u0100", comment: "a\0", modified: 4294967296 } } }
                      - { status: 200, coding: { gzip: { members: [5, -7], header-checksum: yes, extra: { repeat: a, bytes: 65536 } } } }
                      - { status: 200, coding: { gzip: { trailing: { pattern: offset, bytes: 65537 }, missing: 1048577 } } }
                      - { status: 200, coding: { gzip: { trailing: "{{base}}", extra: "a{{now}}" } } }
                """#,
            messages: [
                #"5:49 level of gzip is 10; permitted is 0 ... 9"#,
                #"5:62 missing is -1; permitted is 0 ... 1048576"#,
                #"5:76 unknown checksum "right"; permitted: wrong"#,
                #"5:91 unknown length "false"; permitted: wrong"#,
                #"6:52 level of deflate is -1; permitted is 0 ... 9"#,
                #"6:64 unknown format of deflate "zlb"; did you mean "zlib"?"#,
                #"7:47 level of br is 12; permitted is 0 ... 11"#,
                #"8:49 level of zstd is 0; permitted is 1 ... 22"#,
                #"9:51 members needs at least one number of bytes"#,
                #"9:61 the name in a gzip header is ISO 8859-1 without NUL (RFC 1952 §2.3.1), found "Ā""#,
                #"9:81 the comment in a gzip header is ISO 8859-1 without NUL (RFC 1952 §2.3.1), found "\x00""#,
                #"9:98 time in seconds since 1970 is 4294967296; permitted is 0 ... 4294967295"#,
                #"10:55 number of bytes is -7; permitted is 0 ... 1099511627776"#,
                #"10:77 expected header-checksum as true or false, found "yes""#,
                #"10:89 the extra field has 65536 bytes; at most 65535 are permitted"#,
                #"11:52 what trails a coding has 65537 bytes; at most 65536 are permitted"#,
                #"11:96 missing is 1048577; permitted is 0 ... 1048576"#,
                #"12:53 late-bound text cannot stand in bytes that are made at load; write {{{{ where two braces themselves are meant"#,
                #"12:73 late-bound text cannot stand in bytes that are made at load; write {{{{ where two braces themselves are meant"#,
            ]),
        ErrorRow(
            "a coding in full that says too much or too little",
            yaml: #"""
                summary: s
                exchanges:
                  - request: GET /a
                    reply:
                      - { status: 200, coding: { says: gzip } }
                      - { status: 200, coding: { apply: gzip, negotiate: [br, gzip] } }
                      - { status: 200, coding: { negotiate: [br, gzip], says: br } }
                      - { status: 200, coding: { negotiate: [br, gzip], says: null } }
                      - { status: 200, coding: { negotiate: [br, { gzip: { level: 1 } }, br] } }
                      - { status: 200, coding: { negotiate: [br, gzip], in: transfer } }
                      - { status: 200, coding: { apply: gzip, says: [gzip] } }
                      - { status: 200, coding: { apply: gzip, says: "a\nb" } }
                      - { status: 200, coding: { apply: gzip, in: transfers } }
                      - { status: 200, coding: { apply: gzip, gzip: { level: 1 } } }
                """#,
            messages: [
                #"5:32 a coding needs "apply" or "negotiate""#,
                #"6:34 "apply" does not go with "negotiate": one of them says what is done"#,
                #"7:57 "says" does not go with "negotiate", whose field names the coding that was chosen"#,
                #"8:57 "says" does not go with "negotiate", whose field names the coding that was chosen"#,
                #"9:74 "br" stands twice: only the first can be chosen"#,
                #"10:61 a transfer coding is not negotiated: Accept-Encoding is about content codings; use apply:"#,
                #"11:53 expected what the field says as text, found a list"#,
                #"12:55 what the field says holds no line break; use raw: to send one"#,
                #"13:51 unknown place "transfers"; did you mean "transfer"?"#,
                #"14:47 unknown key "gzip" in a coding; known keys: apply, negotiate, says, in"#,
            ]),
        ErrorRow(
            "a coding beside what contradicts it",
            yaml: #"""
                summary: s
                exchanges:
                  - request: GET /a
                    reply:
                      - { raw: a, coding: gzip }
                      - { status: 200, framing: length, coding: { apply: gzip, in: transfer } }
                      - { status: 200, coding: { apply: gzip, in: transfer } }
                      - { status: 200, headers: { Content-encoding: gzip }, coding: gzip }
                      - { status: 200, coding: gzip, body: [a, { do: wait 1s }, b] }
                """#,
            messages: [
                #"5:19 "coding" does not go with "raw", which is sent verbatim"#,
                #"6:24 a transfer coding does not go with Content-Length (RFC 9112 §6.1); say framing: chunked, close or none"#,
                #"7:24 a transfer coding does not go with Content-Length (RFC 9112 §6.1); say framing: chunked, close or none"#,
                #"8:53 "coding" writes Content-Encoding itself; say coding: { apply: …, says: null } to write it here"#,
                #"9:48 an effect between pieces has no place in a coded body; count with at: body N, which means byte N of what is coded"#,
            ]),
        ErrorRow(
            "late-bound text of one request in a coded body",
            yaml: #"""
                summary: s
                exchanges:
                  - request: "GET /{id}"
                    reply:
                      - { status: 200, coding: gzip, body: "at {{now}}, {{ path.id }}" }
                      - { status: 200, coding: gzip, body: ["{{base}}", "{{authority}} {{path.id}}"] }
                """#,
            messages: [
                #"5:48 {{now}} cannot stand in a coded body, which is coded once for all requests; {{base}}, {{origin}} and {{authority}} can"#,
                #"5:57 {{path.id}} cannot stand in a coded body, which is coded once for all requests; {{base}}, {{origin}} and {{authority}} can"#,
                #"6:72 {{path.id}} cannot stand in a coded body, which is coded once for all requests; {{base}}, {{origin}} and {{authority}} can"#,
            ]),
    ]
}
