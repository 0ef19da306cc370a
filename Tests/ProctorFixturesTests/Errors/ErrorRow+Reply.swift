extension ErrorRow {
    static let replyRows: [ErrorRow] = [
        ErrorRow(
            "an empty list of replies",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: [] }]
                """#,
            messages: [#"2:39 a list of replies needs at least one"#]),
        ErrorRow(
            "a reply that says nothing",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: {} }]
                """#,
            messages: [#"2:39 a reply needs "status", "raw" or "effects""#]),
        ErrorRow(
            "a reply that is a number",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: 20 }]
                """#,
            messages: [#"2:39 expected a reply as a mapping, found "20"; write { status: 20 }"#]),
        ErrorRow(
            "a reply without a status",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: { body: a } }]
                """#,
            messages: [#"2:39 a reply needs the key "status""#]),
        ErrorRow(
            "statuses out of range",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: [{ status: 99 }, { status: 1000 }, { status: "200" }, { status: OK }, { status: 99999999999999999999 }] }]
                """#,
            messages: [
                #"2:50 status is 99; permitted is 100 ... 999"#,
                #"2:66 status is 1000; permitted is 100 ... 999"#,
                #"2:84 expected a status as a number 100 ... 999, found the text "200"; take the quotes away"#,
                #"2:103 expected a status as a whole number 100 ... 999, found "OK""#,
                #"2:119 status is 99999999999999999999; permitted is 100 ... 999"#,
            ]),
        ErrorRow(
            "keys of a reply that stand elsewhere, or are a proxy's",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: { status: 200, auth: basic, tunnel: main } }]
                """#,
            messages: [
                #"2:54 "auth" is reserved for the exchange: write it beside "reply""#,
                #"2:67 "tunnel" is what a proxy does, and the origin of this exchange is none; write origin: NAME with the name of an origin that has role: proxy"#,
            ]),
        ErrorRow(
            "an unknown key of a reply",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: { status: 200, header: {} } }]
                """#,
            messages: [#"2:54 unknown key "header" in a reply; did you mean "headers"?"#]),
        ErrorRow(
            "a reason with a line break",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: { status: 200, reason: "a\nb", version: "c\rd" } }]
                """#,
            messages: [
                #"2:64 a reason holds no line break; use raw: to send one"#,
                #"2:81 a version holds no line break; use raw: to send one"#,
            ]),
        ErrorRow(
            "headers that are text",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: { status: 200, headers: "A: b" } }]
                """#,
            messages: [#"2:63 expected headers as a mapping or a list of fields, found the text "A: b""#]),
        ErrorRow(
            "a header without a value",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: { status: 200, headers: { A: , B: [], C: { d: e } } } }]
                """#,
            messages: [
                #"2:68 expected the value of "A" as text, found nothing"#,
                #"2:73 the field "B" has no value; take it away, or write """#,
                #"2:80 expected the value of "C", found a mapping with none of text, hex, base64, file, repeat, pattern, macbinary, binhex; if JSON is meant, quote it: '{"d": "e"}'"#,
            ]),
        ErrorRow(
            "a header list with more than one field an item",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: { status: 200, headers: [{ A: b, C: d }, text] } }]
                """#,
            messages: [
                #"2:64 expected one field as "Name: value", found a mapping"#,
                #"2:80 expected one field as "Name: value", found "text""#,
            ]),
        ErrorRow(
            "a header value with a line break",
            yaml: #"""
                summary: s
                exchanges:
                  - request: GET /a
                    reply:
                      status: 200
                      headers:
                        A: |
                          b
                        C: "fine\r\n folded"
                        "D\n": e
                """#,
            messages: [
                #"8:12 a line break ends a field line; use raw: to send one, or |- and >- instead of | and >"#,
                #"10:9 a field name cannot be "D\n"; use raw: for a head like that"#,
            ]),
        ErrorRow(
            "raw beside a message",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: { raw: "x", status: 200, body: y } }]
                """#,
            messages: [
                #"2:51 "status" does not go with "raw", which is sent verbatim"#,
                #"2:64 "body" does not go with "raw", which is sent verbatim"#,
            ]),
        ErrorRow(
            "trailers without chunks",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: { status: 200, trailers: { A: b } } }]
                """#,
            messages: [#"2:54 trailers are sent after the last chunk only; add framing: chunked"#]),
        ErrorRow(
            "a body where none is allowed",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: { status: 204, body: a } }, { request: GET /b, reply: { status: 304, body: a } }, { request: GET /c, reply: { status: 101, body: a } }]
                """#,
            messages: [
                #"2:54 a 204 reply never has a body (RFC 9112 §6.3); say framing: none, close, length or chunked to send one all the same"#,
                #"2:108 a 304 reply never has a body (RFC 9112 §6.3); say framing: none, close, length or chunked to send one all the same"#,
                #"2:162 a 101 reply never has a body (RFC 9112 §6.3); say framing: none, close, length or chunked to send one all the same"#,
            ]),
        ErrorRow(
            "an unknown framing",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: { status: 200, framing: chunk } }, { request: GET /b, reply: { status: 200, framing: { chunked: [] } } }, { request: GET /c, reply: { status: 200, framing: { chunked: [0] } } }]
                """#,
            messages: [
                #"2:63 unknown framing "chunk"; did you mean "chunked"?"#,
                #"2:207 a chunk of 0 bytes is the last chunk; send one with raw: or an effect send"#,
            ]),
        ErrorRow(
            "interim replies that are none",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: { status: 200, interim: [200, { reason: a }, { status: 99 }] } }]
                """#,
            messages: [
                #"2:64 interim status is 200; permitted is 100 ... 199"#,
                #"2:69 an interim reply needs the key "status""#,
                #"2:94 interim status is 99; permitted is 100 ... 199"#,
            ]),
    ]
}
