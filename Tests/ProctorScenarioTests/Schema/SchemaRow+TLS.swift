extension SchemaRow {
    /// TLS that can be.
    static let acceptedTLS: [SchemaRow] = [
        SchemaRow(
            "every part of TLS",
            #"""
            summary: s
            origins:
              main: { scheme: https, host: localhost, certificate: no-san, tls: { speaks: tls, versions: 1.0-1.2, ciphers: "ALL:@SECLEVEL=0", groups: "P-256:X25519", dh: 1024, alpn: [http/1.1, spdy/3], server-name: warn, resumption: on, client-certificate: require, client-authorities: others } }
              new: { scheme: https, tls: { versions: 1.3, suites: TLS_AES_128_GCM_SHA256, alpn: ignore, server-name: refuse, resumption: off, client-certificate: after-handshake, client-authorities: none } }
              odd: { scheme: https, tls: { speaks: plain } }
              dark: { scheme: http, host: address, certificate: expired, tls: { speaks: tls, versions: "1.2", alpn: { force: h2 }, resumption: refuse } }
              gone: { scheme: https, role: closed }
              seven: { scheme: https, tls: { versions: 1.0, alpn: refuse } }
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            """#),
        SchemaRow(
            "a handshake that no exchange follows",
            #"""
            summary: s
            origins: { main: { scheme: https, certificate: expired } }
            exchanges: []
            """#),
        SchemaRow(
            "effects of TLS",
            #"""
            summary: s
            origins:
              main:
                scheme: https
                connections: [{ at: handshake, do: alert 255, on: 0 }, { at: handshake server-hello, do: stall }, { at: handshake after-server-hello, do: close, notify: false }, { at: handshake certificate, do: bad-mac }, { at: handshake finished, do: truncate-record }, { at: handshake end, do: send x }, { at: request-head, do: close, notify: true, abrupt: true }]
            exchanges:
              - request: GET /a
                reply: { status: 200, interim: [100, { do: bad-mac }], body: [a, { do: close, notify: false }], effects: [{ at: head, do: truncate-record }, { at: end, do: close, notify: false }] }
              - { request: GET /b, reply: { effects: [{ at: head, do: alert unknown_ca }] } }
            """#),
        SchemaRow(
            "trust and identities of a client",
            #"""
            summary: s
            origins: { other: { scheme: https } }
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases:
              a: { client: { url: "{{origin.other}}/a", onChallenge: trust, session: { trust: authority, identity: alice } } }
              b: { client: { url: "{{origin.other}}/a", onChallenge: [{ identity: alice }, trust, default], session: { trust: none } } }
            """#),
    ]

    /// TLS of a form that it does not have.
    static let refusedTLS: [SchemaRow] =
        [
            ("a scheme of another protocol", "scheme: ftp"), ("a host to resolve", "host: apple.com"),
            ("a certificate without a name", "scheme: https, certificate: [valid]"),
            ("a certificate by a path", "scheme: https, certificate: certs/valid.yaml"),
            ("TLS as text", "scheme: https, tls: 1.3"), ("an unknown key of TLS", "scheme: https, tls: { sni: x }"),
            ("another way to speak", "scheme: https, tls: { speaks: quic }"),
            ("a version that is not there", "scheme: https, tls: { versions: 1.4 }"),
            ("a range without an end", "scheme: https, tls: { versions: 1.2- }"),
            ("ciphers with a space", "scheme: https, tls: { ciphers: A B }"),
            ("suites without a name", #"scheme: https, tls: { suites: "" }"#),
            ("groups in a list", "scheme: https, tls: { groups: [P-256] }"),
            ("a group of odd size", "scheme: https, tls: { dh: 1000 }"),
            ("one protocol without a list", "scheme: https, tls: { alpn: h2 }"),
            ("no protocols", "scheme: https, tls: { alpn: [] }"),
            ("a protocol without a name", #"scheme: https, tls: { alpn: [""] }"#),
            ("a force without a protocol", "scheme: https, tls: { alpn: {} }"),
            ("another answer to a server name", "scheme: https, tls: { server-name: ignore }"),
            ("another kind of resumption", "scheme: https, tls: { resumption: true }"),
            ("another wish for a certificate", "scheme: https, tls: { client-certificate: wanted }"),
            ("other authorities", "scheme: https, tls: { client-certificate: request, client-authorities: mine }"),
            ("authorities in no question", "scheme: https, tls: { client-authorities: ours }"),
            (
                "authorities beside no question",
                "scheme: https, tls: { client-certificate: none, client-authorities: ours }"
            ),
            ("a certificate where nobody listens", "role: closed, certificate: valid"),
            ("TLS where nobody accepts", "role: unaccepting, tls: {}"), ("TLS of a proxy", "role: proxy, tls: {}"),
            ("a proxy by https", "role: proxy, scheme: https"),
            ("another moment", "scheme: https, connections: [{ at: handshake start, do: close }]"),
            ("a position that begins alike", "scheme: https, connections: [{ at: handshakes, do: close }]"),
            ("a request in a handshake", "scheme: https, connections: [{ at: handshake end, do: close, request: 1 }]"),
            ("an alert without a number", "scheme: https, connections: [{ at: handshake, do: alert }]"),
            ("an alert beyond a byte", "scheme: https, connections: [{ at: handshake, do: alert 256 }]"),
            ("an alert of another name", "scheme: https, connections: [{ at: handshake, do: alert unknown }]"),
            ("a bad MAC of something", "scheme: https, connections: [{ at: handshake, do: bad-mac 1 }]"),
            ("a reset that notifies", "scheme: https, connections: [{ at: handshake, do: reset, notify: true }]"),
            ("a notify that is no choice", "scheme: https, connections: [{ at: handshake, do: close, notify: no }]"),
            ("an alert that is abrupt", "scheme: https, connections: [{ at: handshake, do: alert 0, abrupt: true }]"),
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
            ("another trust", "session: { trust: system }"),
            ("an identity that is no name", "session: { identity: 1 }"),
            ("an identity without a name", "onChallenge: identity"),
            ("an identity that is remembered", "onChallenge: { identity: alice, persistence: session }"),
            ("an identity and a password", #"onChallenge: { identity: alice, use: "u:p" }"#),
            ("an identity by a path", "onChallenge: { identity: a/b }"),
        ].map { name, client in
            SchemaRow(
                name,
                """
                summary: s
                origins: { main: { scheme: https } }
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                cases: { c: { client: { url: /a, \(client) } } }
                """)
        }

    /// TLS whose form is right and whose meaning is wrong.
    static let semanticTLS: [SchemaRow] =
        [
            ("a certificate where no TLS is spoken", "certificate: valid"),
            ("ciphers where no TLS is spoken", "scheme: https, tls: { speaks: plain, ciphers: ALL }"),
            ("versions the wrong way round", "scheme: https, tls: { versions: 1.3-1.2 }"),
            ("a version without its second half", "scheme: https, tls: { versions: 1 }"),
            ("ciphers of 1.3", "scheme: https, tls: { versions: 1.3, ciphers: ALL }"),
            ("a group of 1.3", "scheme: https, tls: { versions: 1.3, dh: 1024 }"),
            ("suites of 1.2", "scheme: https, tls: { versions: 1.2, suites: A }"),
            (
                "a question after a handshake of 1.2",
                "scheme: https, tls: { versions: 1.0-1.2, client-certificate: after-handshake }"
            ),
            ("a handshake where no TLS is spoken", "connections: [{ at: handshake, do: close }]"),
            ("an alert at accept", "scheme: https, connections: [{ at: accept, do: alert 40 }]"),
            ("a bad MAC at a request", "scheme: https, connections: [{ at: request-head, do: bad-mac }]"),
            ("a close_notify at accept", "scheme: https, connections: [{ at: accept, do: close, notify: true }]"),
            ("a close_notify where no TLS is spoken", "connections: [{ at: request-head, do: close, notify: true }]"),
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
            ("an alert in a plain reply", "effects: [{ at: head, do: alert 40 }]", ""),
            ("a truncated record between pieces", "body: [a, { do: truncate-record }]", ""),
            ("trust without TLS", "status: 201", "onChallenge: trust"),
            ("an identity without TLS", "status: 201", "session: { identity: alice }"),
        ].map { name, reply, client in
            SchemaRow(
                name,
                """
                summary: s
                exchanges: [{ request: GET /a, reply: { \(reply.hasPrefix("status") ? "" : "status: 200, ")\(reply) } }]
                cases: { c: { client: { url: /a\(client.isEmpty ? "" : ", \(client)") } } }
                """)
        }
}
