extension SchemaRow {
    /// Names, proxies and cookies that can be.
    static let acceptedNames: [SchemaRow] = [
        SchemaRow(
            "every kind of host",
            #"""
            summary: s
            origins:
              main: { host: Home.Example.org }
              alt: { host: home.example.org, port: 8080, transport: tcp }
              bare: { host: example.net }
              secure: { scheme: https, host: a.b-c.test, port: 65535 }
              second: { host: other-address }
              six: { host: ipv6, scheme: https }
              socket: { host: xn--bcher-kva.example, transport: unix, connections: [{ at: accept, do: reset }] }
              below: { host: a.localhost, scheme: https, tls: { speaks: plain } }
              nobody: { host: 1.a.invalid }
              gone: { role: closed, host: localhost }
              p: { role: proxy, host: address }
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "tunnels and what is handed on",
            #"""
            summary: s
            origins: { p: { role: proxy }, home: { host: home.example.org } }
            guards: { gate: { proxy: true, users: { g: p }, schemes: [basic] } }
            exchanges:
              - { request: "CONNECT *", origin: p, auth: gate, reply: { status: 204, reason: Yes, headers: { Via: 1.1 p }, interim: [100], tunnel: main, effects: [{ at: head 3, do: wait 1ms }] } }
              - { request: "* *", origin: p, reply: [{ status: 503 }, { forward: true }] }
            """#),
        SchemaRow(
            "cookies and schemes of a client",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases:
              a: { client: { url: /a, session: { scheme: app+x-1.0, cookies: never } }, cookies: conforming }
              b: { client: { url: /a }, cookies: conforming-in-any-order, facts: { tunnels: 0, "wire[0].cookies": [a, b], "wire[0].cookies.a": 1, "wire[0].target-form": origin, "wire[0].authority": null } }
              c: { client: { url: /a }, cookies: { conforming: any, order: required } }
              d: { client: { url: /a }, cookies: { conforming: rfc6265bis } }
              e: { client: { url: /a }, cookies: { order: recommended, conforming: rfc6265 } }
              f: { client: { url: /a }, cookies: { conforming: any, order: any } }
            """#),
        SchemaRow(
            "hosts that are spelled out",
            #"""
            summary: s
            origins: { main: { host: home.example.org } }
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases:
              a: { client: [{ url: "http://HOME.Example.org:80/a" }, { url: "http://bücher.example.org/" }, { url: "HTTPS://home.example.org.?q" }, { url: "http://u:p@other.invalid#f" }] }
              b: { client: [{ url: "http://h%6Fme.example.org/" }, { url: "http://home。example。org\\" }, { url: "http://example.com:99999/" }, { url: "http://a.localhost", onRedirect: { change: { url: "http://a.test/" } } }] }
            """#),
    ]

    /// Names, proxies and cookies of a form that they do not have.
    static let refusedNames: [SchemaRow] =
        [
            ("a name that is somebody's", "host: home.example.com.au"), ("a whole top domain", "host: test"),
            ("a name with a point at its end", "host: home.example.org."), ("an empty label", "host: a..example.org"),
            ("a name in Unicode", "host: bücher.example.org"), ("a hyphen at an end", "host: -a.example.org"),
            ("an underscore", "host: _a.example.org"), ("a port in a name", "host: home.example.org:80"),
            ("an address", "host: 10.0.0.1"), ("a port without a name", "port: 8080"),
            ("a port of an address", "host: other-address, port: 8080"),
            ("a port that is none", "host: a.test, port: 0"), ("a port beyond the last", "host: a.test, port: 65536"),
            ("another transport", "host: a.test, transport: udp"), ("a socket without a name", "transport: unix"),
            ("a socket with TLS", "host: a.test, transport: unix, scheme: https"),
            ("a proxy with a name", "role: proxy, host: a.test"), ("a proxy of IPv6", "role: proxy, host: ipv6"),
            ("a name where nobody listens", "role: closed, host: a.test"),
            ("another address that never accepts", "role: unaccepting, host: other-address"),
            (
                "a label of 64 bytes",
                "host: \(String(repeating: "a", count: 64)).example.org"
            ),
        ].map { name, origin in
            SchemaRow(
                name,
                """
                summary: s
                origins: { other: { \(origin) } }
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                """)
        }
        + [
            ("nothing is handed on", "{ forward: false }"), ("a status beside it", "{ forward: true, status: 200 }"),
            ("effects beside it", "{ forward: true, effects: [{ at: head, do: wait 1ms }] }"),
            ("a tunnel without a status", "{ tunnel: main }"), ("a tunnel of 407", "{ status: 407, tunnel: main }"),
            ("a tunnel with a body", "{ status: 200, tunnel: main, body: a }"),
            ("a tunnel with framing", "{ status: 200, tunnel: main, framing: none }"),
        ].map { name, reply in
            SchemaRow(
                name,
                """
                summary: s
                origins: { p: { role: proxy } }
                exchanges: [{ request: "CONNECT *", origin: p, reply: \(reply) }]
                """)
        }
        + [
            ("another demand on cookies", "client: { url: /a }, cookies: right"),
            ("a demand that is a list", "client: { url: /a }, cookies: [conforming]"),
            ("a demand without conforming", "client: { url: /a }, cookies: { order: required }"),
            ("an edition that nobody wrote", "client: { url: /a }, cookies: { conforming: rfc2109 }"),
            ("an order of no weight", "client: { url: /a }, cookies: { conforming: any, order: must }"),
            ("a demand with another key", "client: { url: /a }, cookies: { conforming: any, edition: rfc6265 }"),
            ("two user informations in a URL", #"client: { url: "http://a@b@a.test/" }"#),
            ("a text with a host in the place of a URL", #"client: { url: { verbatim: "//a.test/" } }"#),
            ("a word in the place of a URL", "client: { url: { verbatim: a } }"),
            ("a text in the place of a URL with a space before it", #"client: { url: { verbatim: " /a" } }"#),
            ("a URL that is a mapping of something else", "client: { url: { text: /a } }"),
            ("a scripted redirect to another scheme", #"client: { url: /a, protocol: ["redirect ftp://a/b"] }"#),
            ("a scheme that is taken", "client: { url: /a, session: { scheme: https } }"),
            ("a scheme that is none", "client: { url: /a, session: { scheme: 1a } }"),
            ("a scheme in upper case", "client: { url: /a, session: { scheme: App } }"),
            ("a fact of a cookie without a name", #"client: { url: /a }, facts: { "wire[0].cookies.": 1 }"#),
        ].map { name, item in
            SchemaRow(
                name,
                """
                summary: s
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                cases: { c: { \(item) } }
                """)
        }

    /// Names, proxies and cookies whose form is right and whose meaning is wrong.
    static let semanticNames: [SchemaRow] =
        [
            (
                "a name that the authority does not vouch for", "origins: { main: { scheme: https, host: a.invalid } }",
                ""
            ),
            ("one name twice", "origins: { main: { host: a.test }, b: { host: A.test, port: 80 } }", ""),
            ("an origin with the name of the names' proxy", "origins: { names: {} }", ""),
            ("a host of documents without a name", "origins: { other: {} }", "http://home.example.org/"),
            ("a host behind a backslash", "origins: { main: { host: a.test } }", #"http://a.test\\@apple.com/"#),
        ].map { name, origins, url in
            SchemaRow(
                name,
                """
                summary: s
                \(origins)
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                cases: { c: { client: { url: "\(url)" } } }
                """)
        }
        + [
            ("a tunnel of a server", "main", "CONNECT *", "{ status: 200, tunnel: main }"),
            ("a server that hands on", "main", "CONNECT *", "{ forward: true }"),
            ("a tunnel for any method", "p", "* *", "{ status: 200, tunnel: main }"),
            ("a tunnel to nobody", "p", "CONNECT *", "{ status: 200, tunnel: other }"),
            ("a tunnel to a proxy", "p", "CONNECT *", "{ status: 200, tunnel: p }"),
            ("a tunnel to nobody who listens", "p", "CONNECT *", "{ status: 200, tunnel: gone }"),
            (
                "an effect behind a tunnel's head", "p", "CONNECT *",
                "{ status: 200, tunnel: main, effects: [{ at: end, do: close }] }"
            ),
            ("CONNECT without a port", "p", "CONNECT a.test", "{ status: 403 }"),
        ].map { name, origin, request, reply in
            SchemaRow(
                name,
                """
                summary: s
                origins: { p: { role: proxy }, gone: { role: closed } }
                exchanges: [{ request: "\(request)", origin: \(origin), reply: \(reply) }]
                """)
        }
}
