extension ErrorRow {
    /// What origins speak.
    static let protocolRows: [ErrorRow] = [
        ErrorRow(
            "protocols that are none, or stand twice",
            yaml: #"""
                summary: s
                origins:
                  main: { protocols: [h2c] }
                  a: { protocols: h2 }
                  b: { protocols: [] }
                  c: { protocols: [h2, http/1.1, h2] }
                  d: { protocols: [http/2] }
                  e: { protocols: [http/1.0] }
                  f: { protocols: [[h2]] }
                  g: { protocls: [h2] }
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                """#,
            messages: [
                #"3:23 "h2c" is the name of an Upgrade that RFC 9113 has taken back (§3.1); write h2: without TLS it takes connections that begin with the preface (§3.3)"#,
                #"4:19 expected protocols as a list, found "h2"; write protocols: [h2], [http/1.1], or both in the order of preference"#,
                #"5:19 a list of protocols needs at least one; leave protocols: out for HTTP/1.1 alone"#,
                #"6:34 "h2" stands in this list already; leave it out"#,
                #"7:20 unknown protocol "http/2"; permitted: h2, http/1.1"#,
                #"8:20 unknown protocol "http/1.0"; did you mean "http/1.1"?"#,
                #"9:20 expected a protocol as text, found a list"#,
                #"10:8 unknown key "protocls" in an origin; did you mean "protocols"?"#,
            ]),
        ErrorRow(
            "protocols where none are spoken, and what only HTTP/1.1 has",
            yaml: #"""
                summary: s
                origins:
                  main: { protocols: [h2], accepts: anything }
                  a: { role: proxy, protocols: [h2] }
                  b: { role: closed, protocols: [http/1.1] }
                  c: { role: unaccepting, protocols: [h2] }
                  d: { scheme: https, protocols: [http/1.1], tls: { alpn: [h2] } }
                  e: { scheme: https, protocols: [h3], tls: { alpn: [h2] } }
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                """#,
            messages: [
                #"3:37 "anything" is about requests of HTTP/1.1, which this origin does not speak; leave accepts: out, or write protocols: [h2, http/1.1]"#,
                #"4:21 a proxy is spoken to over HTTP/1.1; leave protocols: out"#,
                #"5:22 a closed origin speaks no protocol; leave protocols: out"#,
                #"6:27 an unaccepting origin speaks no protocol; leave protocols: out"#,
                #"7:60 this origin does not speak HTTP/2, so a client that agrees on "h2" would wait for ever; write protocols: [h2, http/1.1] beside tls:, or alpn: { force: h2 } for a server that lies"#,
                #"8:35 unknown protocol "h3"; did you mean "h2"?"#,
            ]),
    ]
}
