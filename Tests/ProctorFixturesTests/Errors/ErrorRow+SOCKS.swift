extension ErrorRow {
    static let socksRows: [ErrorRow] = [
        ErrorRow(
            "a proxy of SOCKS that is none",
            yaml: #"""
                summary: s
                origins:
                  main: { socks: {} }
                  p: { role: proxy, scheme: https, socks: { versions: [6], users: { a: [b] }, method: passwrd, selection: [] } }
                  q: { role: proxy, socks: { versions: [] } }
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                """#,
            messages: [
                #"3:11 "socks" is what a proxy speaks; write role: proxy beside it"#,
                #"4:21 "scheme" does not go with "socks", which is spoken without TLS and HTTP; leave it out; origins behind the proxy have their own"#,
                #"4:56 version of SOCKS is 6; permitted is 4 ... 5"#,
                #"4:72 expected a password as text, found a list"#,
                #"4:87 unknown method "passwrd"; did you mean "password"?"#,
                #"5:40 a list of versions needs at least one"#,
                #"6:39 the proxy "main" speaks SOCKS, which has no status and no fields; write socks: host-unreachable, forward: true, or raw:"#,
            ]),
        ErrorRow(
            "replies at a proxy of SOCKS, and replies of SOCKS elsewhere",
            yaml: #"""
                summary: s
                origins: { q: { role: proxy, socks: {} } }
                guards: { g: { users: { u: p }, schemes: [basic] } }
                exchanges:
                  - { request: "CONNECT a.test:80", origin: q, auth: g, reply: { status: 200 } }
                  - { request: "CONNECT b.test:80", origin: q, reply: { socks: host-unreachabel, body: x } }
                  - { request: "CONNECT d.test:80", origin: q, reply: { socks: { port: 1 } } }
                  - { request: GET /a, reply: { socks: 0 } }
                """#,
            messages: [
                #"5:48 a guard asks by fields of HTTP, and the proxy "q" speaks SOCKS; write users: under its socks:"#,
                #"5:64 the proxy "q" speaks SOCKS, which has no status and no fields; write socks: host-unreachable, forward: true, or raw:"#,
                #"6:64 unknown code "host-unreachabel"; did you mean "host-unreachable"?"#,
                #"6:82 "body" does not go with "socks", which is no HTTP"#,
                #"7:64 a reply of SOCKS needs the key "code""#,
                #"8:33 "socks" is what a proxy of SOCKS says, and the origin of this exchange is none; write origin: NAME with the name of an origin that has role: proxy and socks: {}"#,
            ]),
        ErrorRow(
            "facts of SOCKS and what is spoken to a proxy",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                cases:
                  c:
                    client: { url: /a, session: { proxyProtocol: https } }
                    facts: { "socks[0].login": maybe }
                """#,
            messages: [
                #"5:50 unknown version of SOCKS "https"; permitted: socks5, socks5h, socks4, socks4a"#,
                #"6:14 "socks[0].login" is about SOCKS, and no origin of this scenario speaks it; write origins: { p: { role: proxy, socks: {} } }"#,
                #"6:32 unknown end "maybe" of a login; permitted: accepted, refused"#,
            ]),
    ]
}
