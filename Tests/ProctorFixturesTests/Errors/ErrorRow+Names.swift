extension ErrorRow {
    /// Names of origins, and hosts that URLs spell out.
    static let nameRows: [ErrorRow] = [
        ErrorRow(
            "names that cannot be",
            yaml: #"""
                summary: s
                origins:
                  a: { host: www.apple.com }
                  b: { host: home.exmaple.org }
                  c: { host: home.example.org. }
                  d: { host: a..example.org }
                  e: { host: bücher.example.org }
                  f: { host: my_host.example.org }
                  g: { host: "home.example.org:80" }
                  h: { host: -a.test }
                  i: { host: 10.0.0.1 }
                  j: { host: "[::1]" }
                  k: { host: other-adress }
                  l: { host: test }
                  m: { host: "" }
                  n: { host: .test }
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                """#,
            messages: [
                #"3:14 the name "www.apple.com" may belong to someone: only reserved names are permitted; take one in example.org, example.com, example.net or below them, or below .test, .example, .invalid, .localhost"#,
                #"4:14 the name "home.exmaple.org" may belong to someone: only reserved names are permitted; did you mean "home.example.org"?"#,
                #"5:14 the name "home.example.org." ends with a point; write it without; URLs may still end it with one"#,
                #"6:14 the name "a..example.org" has an empty label; one point parts two labels"#,
                #"7:14 the label "bücher" is not ASCII, and names on the wire are; write "xn--bcher-kva" (RFC 5890 §2.3.2.1)"#,
                #"8:14 the label "my_host" holds "_": letters, digits and hyphens are permitted (RFC 1123 §2.1)"#,
                #"9:14 the label "org:80" holds ":": letters, digits and hyphens are permitted (RFC 1123 §2.1); write the port beside it, as port: N"#,
                #"10:14 the label "-a" begins or ends with a hyphen (RFC 1035 §2.3.1)"#,
                #"11:14 "10.0.0.1" reads as an address: the last label of a name is no number (RFC 1123 §2.1); addresses are the server's to choose: write address, 127.0.0.1, other-address or ipv6"#,
                #"12:14 unknown host "[::1]"; addresses are the server's to choose: write address, 127.0.0.1, other-address or ipv6"#,
                #"13:14 unknown host "other-adress"; did you mean "other-address"?"#,
                #"14:14 unknown host "test"; write address, localhost, 127.0.0.1, other-address, ipv6, or a name like home.example.org"#,
                #"15:14 expected a host, found empty text"#,
                #"16:14 the name ".test" has an empty label; one point parts two labels"#,
            ]),
        ErrorRow(
            "names that are too long",
            yaml: """
                summary: s
                origins:
                  a: { host: \(String(repeating: "a", count: 64)).test }
                  b: { host: \(String(repeating: "abcdefghi.", count: 25))test }
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                """,
            messages: [
                "3:14 a label has 64 bytes; at most 63 are permitted (RFC 1035 §2.3.4)",
                "4:14 the name has 254 bytes; at most 253 are permitted (RFC 1035 §2.3.4)",
            ]),
        ErrorRow(
            "what does not go with a host",
            yaml: #"""
                summary: s
                origins:
                  a: { port: 8080 }
                  b: { host: localhost, port: 80 }
                  c: { host: c.test, port: 70000 }
                  d: { transport: unix }
                  e: { host: e.test, transport: unix, scheme: https }
                  f: { role: proxy, host: f.test }
                  g: { role: closed, host: g.test }
                  h: { role: unreachable, host: h.test }
                  i: { scheme: https, host: i.example }
                  j: { role: proxy, transport: unix }
                  k: { host: k.test, transport: pipe }
                  names: {}
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                """#,
            messages: [
                #"3:8 "port" is what URLs say behind a name; another port is the system's to choose; write host: NAME beside it, or leave it out"#,
                #"4:25 "port" is what URLs say behind a name; another port is the system's to choose; write host: NAME beside it, or leave it out"#,
                #"5:28 port is 70000; permitted is 1 ... 65535"#,
                #"6:8 a Unix socket has no address that a URL could say; write host: NAME beside it, like socket.example.org"#,
                #"7:22 no TLS is spoken over a Unix socket here; leave scheme: and tls: out, or transport:"#,
                #"8:27 a proxy is reached by its address; leave host: out; names belong to the origins behind it"#,
                #"9:28 a closed origin is reached by an address or localhost; leave host: out"#,
                #"10:33 an unreachable origin is reached by an address or localhost; leave host: out"#,
                #"11:29 no certificate can be made for "i.example"; the authority vouches for names in example.org, example.com, example.net, .test or .localhost"#,
                #"12:21 a proxy origin is reached over TCP; leave transport: out"#,
                #"13:33 unknown transport "pipe"; permitted: tcp, unix"#,
                #"14:3 "names" cannot name an origin: the journal calls the proxy that leads to all names so; take another name"#,
            ]),
        ErrorRow(
            "two origins of one name",
            yaml: #"""
                summary: s
                origins:
                  main: { host: home.example.org }
                  alt: { host: HOME.example.org, port: 80 }
                  third: { host: home.example.org, port: 443 }
                  secure: { scheme: https, host: home.example.org }
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                """#,
            messages: [
                #"4:40 home.example.org:80 is the origin "main" already; give one of them another port: or host:"#,
                #"6:34 home.example.org:443 is the origin "third" already; give one of them another port: or host:"#,
            ]),
        ErrorRow(
            "hosts of URLs, where an origin has a name",
            yaml: #"""
                summary: s
                origins: { main: { host: home.example.org } }
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                cases:
                  a: { client: { url: "http://apple.com/" } }
                  b: { client: { url: "http://a@b@home.example.org/" } }
                  c: { client: { url: /a, onRedirect: { change: { url: "http://home.example.org.apple.com/" } } } }
                """#,
            messages: [
                #"5:23 the URL "http://apple.com/" would leave this machine; begin with /, {{base}}, {{origin}} or {{origin.NAME}}, or name a host in example.org, example.com, example.net or below them, or below .test, .example, .invalid, .localhost"#,
                #"6:23 the URL "http://a@b@home.example.org/" would leave this machine; begin with /, {{base}}, {{origin}} or {{origin.NAME}}, or name a host in example.org, example.com, example.net or below them, or below .test, .example, .invalid, .localhost"#,
                #"7:56 the URL "http://home.example.org.apple.com/" would leave this machine; begin with /, {{base}}, {{origin}} or {{origin.NAME}}, or name a host in example.org, example.com, example.net or below them, or below .test, .example, .invalid, .localhost"#,
            ]),
    ]

    /// Replies of proxies.
    static let tunnelRows: [ErrorRow] = [
        ErrorRow(
            "what is handed on with something beside it, or by nobody",
            yaml: #"""
                summary: s
                origins: { p: { role: proxy } }
                guards: { gate: { proxy: true, users: { g: p }, schemes: [basic], refuse: { forward: true } } }
                exchanges:
                  - { request: GET http://*, origin: p, auth: gate, reply: { forward: true, status: 200, effects: [] } }
                  - { request: POST http://*, origin: p, reply: { forward: false } }
                  - { request: PUT http://*, origin: p, reply: { forward: yes } }
                  - { request: GET /a, reply: { forward: true } }
                """#,
            messages: [
                #"3:77 "forward" does not go with a guard's reply, which refuses; write it in the exchange's own reply"#,
                #"5:77 "status" does not go with "forward": the origin's own reply is sent"#,
                #"5:90 "effects" does not go with "forward": the origin's own reply is sent"#,
                #"6:60 "forward" is true or left out; give the reply a status"#,
                #"7:59 expected forward as true or false, found "yes""#,
                #"8:33 "forward" is what a proxy does, and the origin of this exchange is none; write origin: NAME with the name of an origin that has role: proxy"#,
            ]),
        ErrorRow(
            "nobody to hand on to",
            yaml: #"""
                summary: s
                origins: { main: { role: proxy }, gone: { role: closed } }
                exchanges: [{ request: GET http://*, reply: { forward: true } }]
                """#,
            messages: [
                #"3:47 there is no server to hand a request on to: no origin has the role server; write origins: { home: { host: home.example.org } } beside the proxy"#
            ]),
        ErrorRow(
            "tunnels that lead nowhere",
            yaml: #"""
                summary: s
                origins: { p: { role: proxy }, gone: { role: closed } }
                exchanges:
                  - { request: "CONNECT a:1", origin: p, reply: { status: 407, tunnel: main } }
                  - { request: "CONNECT a:2", origin: p, reply: { status: 200, tunnel: mian } }
                  - { request: "CONNECT a:3", origin: p, reply: { status: 200, tunnel: { to: p, tls: main } } }
                  - { request: "CONNECT a:4", origin: p, reply: { status: 200, tunnel: gone } }
                  - { request: "GET|CONNECT a:5", origin: p, reply: { status: 200 } }
                  - { request: "* http://a/", origin: p, reply: { status: 200, tunnel: main } }
                  - { request: "CONNECT a:6", origin: p, reply: { status: 200, tunnel: main, body: x, pace: { bytes: 1, every: 1s }, effects: [{ at: body 0, do: close }, { at: head 5, do: wait 1ms }] } }
                  - { request: "CONNECT a.test", origin: p, reply: { status: 403 } }
                  - { request: "CONNECT a:7", origin: p, reply: { status: 200, tunnel: { tls: main } } }
                  - { request: "CONNECT a:8", origin: p, reply: { status: 200, tunnel: { to: p, by: main } } }
                """#,
            messages: [
                #"4:59 a tunnel is opened by a 2xx reply (RFC 9110 §9.3.6), found 407; write status: 200"#,
                #"5:72 unknown origin "mian"; did you mean "main"?"#,
                #"6:86 the origin "main" speaks no TLS; name an origin with scheme: https, or leave tls: out"#,
                #"7:72 no tunnel leads there: the origin "gone" is closed"#,
                #"8:29 a target begins with /, found "a:5"; write /* for any target, http:// for the absolute form"#,
                #"9:64 only CONNECT opens a tunnel (RFC 9110 §9.3.6); write request: CONNECT * there"#,
                #"10:78 "body" does not go with "tunnel": behind the head the connection is the origin's"#,
                #"10:87 "pace" does not go with "tunnel": behind the head the connection is the origin's"#,
                #"10:128 this effect is never played: behind the head the connection is the origin's"#,
                #"11:25 this can never match: the target of CONNECT has a port (RFC 9112 §3.2.3); write "a.test:443""#,
                #"12:72 a tunnel needs the key "to""#,
                #"13:81 unknown key "by" in a tunnel; known keys: to, tls"#,
            ]),
    ]

    /// Demands on cookies, facts about them, and schemes.
    static let cookieRows: [ErrorRow] = [
        ErrorRow(
            "cookies and schemes that cannot be",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                cases:
                  a: { client: { url: /a }, cookies: confirming }
                  b: { client: { url: /a }, cookies: true, facts: { tunnels: some, "wire[0].target-form": abslute, "wire[0].cookie": 1, "wire[0].authority": [a] } }
                  c: { client: { url: /a, session: { scheme: http } } }
                  d: { client: { url: /a, session: { scheme: "app:" } } }
                  e: { client: { url: /a, session: { scheme: App } } }
                  f: { client: { url: /a, session: { scheme: "" } } }
                  g: { client: [{ url: /a }, { url: /a, headers: { X: y, cookie: a=1 } }], cookies: conforming }
                  h: { client: { url: /a, onRedirect: { change: { headers: { Cookie: a=1 } } } }, cookies: conforming }
                  i: { client: { url: /a }, cookies: [conforming] }
                  j: { client: { url: /a }, cookies: { order: required } }
                  k: { client: { url: /a }, cookies: { conforming: rfc2109 } }
                  l: { client: { url: /a }, cookies: { conforming: rfc6265b1s, order: requred } }
                  m: { client: { url: /a }, cookies: { conforming: any, order: requred, edition: rfc6265 } }
                """#,
            messages: [
                #"4:38 unknown demand on cookies "confirming"; did you mean "conforming"?"#,
                #"5:38 unknown demand on cookies "true"; permitted: conforming, conforming-in-any-order"#,
                #"5:62 "tunnels" is a number, found "some""#,
                #"5:91 unknown form "abslute" of a target; did you mean "absolute"?"#,
                #"5:100 unknown fact "wire[0].cookie"; did you mean "wire[0].cookies"?"#,
                #"5:142 "wire[0].authority" is one value, not a list"#,
                #"6:46 "http" means something to clients already; take a name of your own, like app"#,
                #"7:46 "app:" is no scheme (RFC 3986 §3.1); write a letter, then letters, digits, '+', '-' and '.', at most 32, like app"#,
                #"8:46 a scheme of one's own is written in lower case; write "app""#,
                #"9:46 expected a scheme, found empty text"#,
                #"10:76 "cookies" asks for what a client keeps, and the field at 10:66 is written by hand; have a reply set it, or ask for facts: { "wire[0].headers.Cookie": … }"#,
                #"11:83 "cookies" asks for what a client keeps, and the field at 11:70 is written by hand; have a reply set it, or ask for facts: { "wire[0].headers.Cookie": … }"#,
                #"12:38 expected a demand on cookies as text, found a list"#,
                #"13:38 a demand on cookies needs the key "conforming"; write conforming: any, rfc6265 or rfc6265bis"#,
                #"14:52 unknown edition of cookies "rfc2109"; permitted: any, rfc6265, rfc6265bis"#,
                #"15:52 unknown edition of cookies "rfc6265b1s"; did you mean "rfc6265bis"?"#,
                #"16:64 unknown weight of the order of cookies "requred"; did you mean "required"?"#,
                #"16:73 unknown key "edition" in a demand on cookies; known keys: conforming, order"#,
            ])
    ]
}
