extension ErrorRow {
    static let requestRows: [ErrorRow] = [
        ErrorRow(
            "an exchange without request and reply",
            yaml: #"""
                summary: s
                exchanges: [{ times: 1 }]
                """#,
            messages: [
                #"2:13 an exchange needs the key "request""#,
                #"2:13 an exchange needs the key "reply""#,
            ]),
        ErrorRow(
            "an exchange that is text",
            yaml: #"""
                summary: s
                exchanges: [GET /a]
                """#,
            messages: [#"2:13 expected an exchange as a mapping, found "GET /a""#]),
        ErrorRow(
            "a request without a target",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET, reply: { status: 200 } }]
                """#,
            messages: [#"2:24 expected a request as "METHOD target", found "GET"; like GET /path"#]),
        ErrorRow(
            "a request with an empty method",
            yaml: #"""
                summary: s
                exchanges: [{ request: "GET| /a", reply: { status: 200 } }]
                """#,
            messages: [
                #"2:29 expected a method as a token (RFC 9110 §9.1), found ""; like GET, GET|HEAD, or * for any"#
            ]),
        ErrorRow(
            "a request with a method that is no token",
            yaml: #"""
                summary: s
                exchanges: [{ request: "GE(T /a", reply: { status: 200 } }]
                """#,
            messages: [
                #"2:25 expected a method as a token (RFC 9110 §9.1), found "GE(T"; like GET, GET|HEAD, or * for any"#
            ]),
        ErrorRow(
            "a request whose target holds a space",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a b, reply: { status: 200 } }]
                """#,
            messages: [#"2:30 this can never match: a request-target holds no white space"#]),
        ErrorRow(
            "a request whose target is relative",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET a, reply: { status: 200 } }]
                """#,
            messages: [
                #"2:28 a target begins with /, found "a"; write /* for any target, http:// for the absolute form"#
            ]),
        ErrorRow(
            "a lone asterisk for another method than OPTIONS",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET *, reply: { status: 200 } }]
                """#,
            messages: [#"2:28 a lone * is the asterisk-form of OPTIONS; write /* for any target"#]),
        ErrorRow(
            "a capture without an end",
            yaml: #"""
                summary: s
                exchanges: [{ request: "GET /{id", reply: { status: 200 } }]
                """#,
            messages: [#"2:30 { without }; write \{ for the character itself"#]),
        ErrorRow(
            "a capture with a bad name",
            yaml: #"""
                summary: s
                exchanges: [{ request: "GET /{}/{a b}", reply: { status: 200 } }]
                """#,
            messages: [#"2:35 this can never match: a request-target holds no white space"#]),
        ErrorRow(
            "a capture given twice",
            yaml: #"""
                summary: s
                exchanges: [{ request: "GET /{id}/{id}", reply: { status: 200 } }]
                """#,
            messages: [#"2:35 {id} stands twice in this request"#]),
        ErrorRow(
            "a closing brace alone",
            yaml: #"""
                summary: s
                exchanges: [{ request: "GET /a}", reply: { status: 200 } }]
                """#,
            messages: [#"2:31 } without {; write \} for the character itself"#]),
        ErrorRow(
            "late-bound text in a pattern",
            yaml: #"""
                summary: s
                exchanges: [{ request: "GET {{base}}/a", reply: { status: 200 } }, { request: "GET /{{base}}", reply: { status: 200 } }]
                """#,
            messages: [
                #"2:29 a target begins with /, found "{{base}}/a"; write /* for any target, http:// for the absolute form"#,
                #"2:85 late-bound text cannot stand in a pattern; write {name} to capture, * for anything, \{ for the character itself"#,
            ]),
        ErrorRow(
            "a backslash before a letter",
            yaml: #"""
                summary: s
                exchanges: [{ request: 'GET /\a', reply: { status: 200 } }]
                """#,
            messages: [#"2:30 a backslash stands before *, {, } or another backslash only"#]),
        ErrorRow(
            "more holes than a pattern may have",
            yaml: #"""
                summary: s
                exchanges: [{ request: "GET /*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*a*", reply: { status: 200 } }]
                """#,
            messages: [#"2:29 a pattern has at most 16 holes"#]),
        ErrorRow(
            "a request that is a list",
            yaml: #"""
                summary: s
                exchanges: [{ request: [GET, /a], reply: { status: 200 } }]
                """#,
            messages: [#"2:24 expected a request as "METHOD target" or as a mapping, found a list"#]),
        ErrorRow(
            "a mapped request without method and path",
            yaml: #"""
                summary: s
                exchanges: [{ request: { url: /a }, reply: { status: 200 } }]
                """#,
            messages: [
                #"2:24 a request needs the key "method""#,
                #"2:24 a request needs the key "path""#,
                #"2:26 unknown key "url" in a request; known keys: method, path, protocol, query, headers, cookies, where, body, json, form, parts, tls, not, any of, script"#,
            ]),
        ErrorRow(
            "a query given twice",
            yaml: #"""
                summary: s
                exchanges: [{ request: { method: GET, path: /a?b=c, query: { b: c } }, reply: { status: 200 } }]
                """#,
            messages: [#"2:47 the path has a query already; write it there or under query:"#]),
        ErrorRow(
            "a query that is text",
            yaml: #"""
                summary: s
                exchanges: [{ request: { method: GET, path: /a, query: b=c }, reply: { status: 200 } }]
                """#,
            messages: [#"2:56 expected a query as a mapping from name to value, found "b=c""#]),
        ErrorRow(
            "a query whose name is meant as a pattern",
            yaml: #"""
                summary: s
                exchanges: [{ request: { method: GET, path: /a, query: { "*": "*" } }, reply: { status: 200 } }]
                """#,
            messages: [
                #"2:58 the name of a query parameter is no pattern, found "*"; leave query: out and end the path in * to take any query"#
            ]),
        ErrorRow(
            "a header condition with a name that is no token",
            yaml: #"""
                summary: s
                exchanges: [{ request: { method: GET, path: /a, headers: { "A B": c } }, reply: { status: 200 } }]
                """#,
            messages: [#"2:60 this can never match: a field name is a token (RFC 9110 §5.1), found "A B""#]),
        ErrorRow(
            "a header that must be present and absent",
            yaml: #"""
                summary: s
                exchanges: [{ request: { method: GET, path: /a, headers: { Cookie: a, cookie: null } }, reply: { status: 200 } }]
                """#,
            messages: [#"2:71 this can never match: "cookie" is wanted both present and absent"#]),
        ErrorRow(
            "a header condition that is a mapping",
            yaml: #"""
                summary: s
                exchanges: [{ request: { method: GET, path: /a, headers: { Cookie: { a: b } } }, reply: { status: 200 } }]
                """#,
            messages: [#"2:70 unknown key "a" in a condition; known keys: matches, not, any of"#]),
        ErrorRow(
            "times of zero, quoted times and times in words",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, times: 0, reply: { status: 200 } }, { request: GET /b, times: "2", reply: { status: 200 } }, { request: GET /c, times: twice, reply: { status: 200 } }]
                """#,
            messages: [
                #"2:39 times is 0; permitted is 1 ... 1000000"#,
                #"2:94 expected times as a number 1 ... 1000000, found the text "2"; take the quotes away"#,
                #"2:151 expected times as a whole number 1 ... 1000000, found "twice""#,
            ]),
        ErrorRow(
            "an unknown way of reading",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reads: some, expect: wait, reply: { status: 200 } }, { request: GET /b, reads: -1, reply: { status: 200 } }]
                """#,
            messages: [
                #"2:39 expected reads as all, none, a number of bytes or { bytes: N, every: TIME }, found "some""#,
                #"2:53 unknown expect policy "wait"; permitted: continue, ignore, final"#,
                #"2:111 reads is -1; permitted is 0 ... 1099511627776"#,
            ]),
        ErrorRow(
            "more replies than uses",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, times: 2, reply: [{ status: 200 }, { status: 201 }, { status: 202 }] }]
                """#,
            messages: [#"2:84 this reply is never played: the exchange is used 2 times"#]),
    ]
}

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
            messages: [#"7:45 unknown origin "r"; permitted: main, p, q"#]),
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
