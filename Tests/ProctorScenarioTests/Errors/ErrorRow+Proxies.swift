extension ErrorRow {
    /// Proxies, and clients that go through them.
    static let proxyRows: [ErrorRow] = [
        ErrorRow(
            "a proxy that there is not; one that nobody reaches may be meant",
            yaml: #"""
                summary: s
                origins: { p: { role: closed }, q: { role: unaccepting } }
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                cases:
                  a: { client: { url: /a, session: { proxy: p } } }
                  b: { client: { url: /a, session: { proxy: q } } }
                  c: { client: { url: /a, session: { proxy: r } } }
                """#,
            messages: [
                #"7:45 unknown origin "r"; permitted: main, p, q"#
            ]),
        ErrorRow(
            "hosts that are real, through a proxy",
            yaml: #"""
                summary: s
                origins: { p: { role: proxy } }
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                cases:
                  a: { client: { url: "http://example.com/a", session: { proxy: p } } }
                  b: { client: [{ url: /a, session: { proxy: p } }, { url: "http://test/a", onRedirect: { change: { url: "http://a.testing/" } } }] }
                  c: { client: { url: "http://example.test/a" } }
                """#,
            messages: [
                #"5:23 the URL "http://example.com/a" would leave this machine; write host: example.com at an origin, and no one looks for it elsewhere"#,
                #"6:60 the URL "http://test/a" would leave this machine; begin with /, {{base}}, {{origin}} or {{origin.NAME}}, or name a host in .test or .invalid"#,
                #"6:106 the URL "http://a.testing/" would leave this machine; begin with /, {{base}}, {{origin}} or {{origin.NAME}}, or name a host in .test or .invalid"#,
                #"7:23 the URL "http://example.test/a" would leave this machine; write host: example.test at an origin, and no one looks for it elsewhere"#,
            ]),
        ErrorRow(
            "credentials in parts that are none",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                cases:
                  a: { client: { url: /a, onChallenge: { use: {} } } }
                  b: { client: { url: /a, onChallenge: { use: { user: u } } } }
                  c: { client: { url: /a, onChallenge: { twice: { password: p, usr: u } } } }
                  d: { client: { url: /a, onChallenge: { use: { token: T, user: u, password: p } } } }
                  e: { client: { url: /a, onChallenge: [{ use: { token: "" } }, { use: { token: "a\nb" } }, { use: { token: [a] } }] } }
                """#,
            messages: [
                #"4:47 a credential needs "user" and "password", or "token""#,
                #"5:47 a credential needs the key "password""#,
                #"6:49 a credential needs the key "user""#,
                #"6:64 unknown key "usr" in a credential; did you mean "user"?"#,
                #"7:59 "user" does not go with "token""#,
                #"7:68 "password" does not go with "token""#,
                #"8:57 expected a token, found empty text"#,
                #"8:83 a token holds no line break"#,
                #"8:109 expected a token as text, found a list"#,
            ]),
        ErrorRow(
            "a scenario of a proxy without exchanges",
            yaml: #"""
                summary: s
                origins: { p: { role: proxy, connections: [{ at: accept, do: reset }] } }
                exchanges: []
                """#,
            messages: [
                #"3:12 a scenario needs at least one exchange; only origins with another role than server, with connections: effects or with TLS can do without"#
            ]),
    ]
}
