extension ErrorRow {
    static let deliveryRows: [ErrorRow] = [
        ErrorRow(
            "chunks that cannot be sent",
            yaml: #"""
                summary: s
                exchanges:
                  - request: GET /a
                    reply:
                      - { status: 200, framing: { chunked: [5, 0] } }
                      - { status: 200, framing: { chunked: [5, -1] } }
                      - { status: 200, framing: { chunked: 5 } }
                      - { status: 200, framing: { extensions: ;a } }
                      - { status: 200, framing: { chunked: [], extensions: ";a\r\n", digits: uper, width: 0, last: mising } }
                      - { status: 200, framing: { chunked: [], width: 65, extension: a, extensions: [a=1, [b]] } }
                      - { status: 200, framing: { chunked: [], last: missing }, trailers: { A: b } }
                      - { status: 200, framing: close, trailers: { A: b } }
                """#,
            messages: [
                #"5:48 a chunk of 0 bytes is the last chunk; send one with raw: or an effect send"#,
                #"6:48 chunk size is -1; permitted is 1 ... 1099511627776"#,
                #"7:44 expected chunk sizes as a list, found "5""#,
                #"8:33 framing needs the key "chunked""#,
                #"9:63 an extension holds no line break; use raw: to send one"#,
                #"9:78 unknown kind of digits "uper"; did you mean "upper"?"#,
                #"9:91 width is 0; permitted is 1 ... 64"#,
                #"9:100 unknown last chunk "mising"; did you mean "missing"?"#,
                #"10:55 width is 65; permitted is 1 ... 64"#,
                #"10:59 unknown key "extension" in framing; did you mean "extensions"?"#,
                #"10:86 an extension begins with ';', found "a=1"; use raw: for anything else"#,
                #"10:91 expected an extension as text, found a list"#,
                #"11:65 trailers are sent after the last chunk, which last: missing leaves out"#,
                #"12:40 trailers are sent after the last chunk only; add framing: chunked"#,
            ]),
        ErrorRow(
            "chunks that are too many",
            yaml: #"""
                summary: s
                exchanges:
                  - request: GET /a
                    reply:
                      - { status: 200, framing: { chunked: [1] }, body: { pattern: offset, bytes: 65537 } }
                      - { status: 200, framing: { chunked: [1] }, body: { pattern: offset, bytes: 65536 } }
                      - { status: 200, framing: { chunked: [10, 1] }, body: { pattern: offset, bytes: 65545 } }
                      - { status: 200, framing: { chunked: [10, 1] }, body: { pattern: offset, bytes: 65546 } }
                      - { status: 200, framing: { chunked: [1] }, body: { pattern: offset, bytes: 65537 }, coding: gzip }
                      - status: 200
                        framing: { chunked: [1], extensions: ";EXTENSION" }
                        body: { pattern: offset, bytes: 60000 }
                """#.replacing("EXTENSION", with: String(repeating: "a", count: 2047)),
            messages: [
                "5:33 65537 bytes make more than 65536 chunks; at most 65536 are permitted",
                "8:33 65546 bytes make more than 65536 chunks; at most 65536 are permitted",
                "11:18 60000 bytes make more than 32768 chunks; at most 32768 are permitted with these extensions, "
                    + "which may have 67108864 bytes in all",
            ]),
        ErrorRow(
            "paces that are none",
            yaml: #"""
                summary: s
                exchanges:
                  - request: GET /a
                    reply:
                      - { status: 200, pace: 10ms }
                      - { status: 200, pace: { bytes: 0, every: 10ms } }
                      - { status: 200, pace: { bytes: 1, every: 0ms } }
                      - { status: 200, pace: { bytes: 1, every: 11m } }
                      - { status: 200, pace: { bytes: 1, every: 10 } }
                      - { status: 200, pace: { every: 10ms } }
                      - { status: 200, pace: { bytes: 1 } }
                      - { status: 200, pace: { bytes: 1, every: 10ms, of: bdy } }
                      - { raw: a, pace: { bytes: 1, every: 10ms } }
                """#,
            messages: [
                #"5:30 expected a pace as a mapping, found "10ms""#,
                #"6:39 bytes is 0; permitted is 1 ... 1099511627776"#,
                #"7:49 expected a duration like 200ms, 1.5s or 2m, more than 0 and at most 10m, found "0ms""#,
                #"8:49 expected a duration like 200ms, 1.5s or 2m, more than 0 and at most 10m, found "11m""#,
                #"9:49 expected a duration like 200ms, 1.5s or 2m, more than 0 and at most 10m, found "10""#,
                #"10:30 a pace needs the key "bytes""#,
                #"11:30 a pace needs the key "every""#,
                #"12:59 unknown part of a reply "bdy"; did you mean "body"?"#,
                #"13:19 "pace" does not go with "raw", which is sent verbatim"#,
            ]),
        ErrorRow(
            "slices that are none",
            yaml: #"""
                summary: s
                exchanges:
                  - request: GET /a
                    reply:
                      - { status: 200, slice: every-bite }
                      - { status: 200, slice: [] }
                      - { status: 200, slice: [0, 5] }
                      - { status: 200, slice: [1, 7, 7] }
                      - { status: 200, slice: [7, 1] }
                      - { status: 200, slice: { size: 0 } }
                      - { status: 200, slice: { size: 5, count: 3 } }
                      - { status: 200, slice: { count: 3 } }
                      - { status: 200, slice: { random: -1 } }
                      - { status: 200, slice: { random: 1, count: 1 } }
                      - { status: 200, slice: { random: 1, count: 65537 } }
                      - { raw: abc, slice: [1, 3] }
                """#,
            messages: [
                #"5:31 unknown slicing "every-bite"; did you mean "every-byte"?"#,
                #"6:31 a list of offsets needs at least one"#,
                #"7:32 offset is 0; permitted is 1 ... 1099511627776"#,
                #"8:38 offsets ascend: 7 stands after 7"#,
                #"9:35 offsets ascend: 1 stands after 7"#,
                #"10:39 size of slices is 0; permitted is 1 ... 1099511627776"#,
                #"11:42 "count" does not go with "size""#,
                #"12:31 a slicing needs "size" or "random""#,
                #"13:41 seed is -1; permitted is 0 ... 9223372036854775807"#,
                #"14:51 count of slices is 1; permitted is 2 ... 65536"#,
                #"15:51 count of slices is 65537; permitted is 2 ... 65536"#,
                #"16:32 nothing is cut here: the raw reply has 3 bytes"#,
            ]),
        ErrorRow(
            "slices beside what contradicts them",
            yaml: #"""
                summary: s
                exchanges:
                  - request: GET /a
                    reply:
                      - { status: 200, slice: every-byte, pace: { bytes: 1, every: 10ms } }
                      - { effects: [{ at: head, do: close }], slice: every-byte }
                      - { status: 200, slice: mid-chunk-size, body: abc }
                      - { status: 200, slice: every-byte, body: { repeat: x, bytes: 65537 } }
                      - { raw: { repeat: x, bytes: 200000 }, slice: { size: 3 } }
                """#,
            messages: [
                #"5:24 "slice" does not go with "pace": both of them say where writes end"#,
                #"6:47 "slice" needs "status" or "raw": a reply of effects alone has nothing to cut"#,
                #"7:31 mid-chunk-size needs chunks; add framing: chunked"#,
                #"8:31 slices of 1 byte make more than 65536 of 65537 bytes; at most 65536 are permitted"#,
                #"9:53 slices of 3 bytes make more than 65536 of 200000 bytes; at most 65536 are permitted"#,
            ]),
        ErrorRow(
            "honours that mean nothing",
            yaml: #"""
                summary: s
                exchanges:
                  - request: GET /a
                    reply:
                      - { status: 206, honours: [ranges] }
                      - { status: 200, honours: [range] }
                      - { status: 200, honours: [] }
                      - { status: 200, honours: [ranges, ranges] }
                      - { status: 200, honours: ranges, framing: chunked, coding: { apply: gzip, in: transfer } }
                      - { raw: a, honours: ranges }
                """#,
            messages: [
                #"5:24 "honours" changes a 200 into something else; this reply is a 206"#,
                #"6:34 unknown part of a request "range"; did you mean "ranges"?"#,
                #"7:33 honours needs at least one of ranges and conditions"#,
                #"8:42 "ranges" stands twice"#,
                #"9:24 "honours" does not go with in: transfer; ranges and conditions are about content codings"#,
                #"10:19 "honours" does not go with "raw", which is sent verbatim"#,
            ]),
        ErrorRow(
            "effects between interim replies",
            yaml: #"""
                summary: s
                exchanges:
                  - request: GET /a
                    reply:
                      - { status: 200, interim: [{ do: wiat 1s }, { at: head, do: close }, { do: close, status: 100 }] }
                      - { status: 200, interim: [100, { do: close }, 102] }
                """#,
            messages: [
                #"5:40 unknown effect "wiat"; did you mean "wait"?"#,
                #"5:53 an effect between interim replies stands where it is played; "at" goes under effects:"#,
                #"5:89 unknown key "status" in an effect between interim replies; known keys: do, abrupt, notify"#,
                #"6:54 this is never played: the reply ends with the effect at 6:39"#,
            ]),
    ]
}

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
    ]
}
