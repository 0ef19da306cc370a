extension ErrorRow {
    /// TLS of origins, its effects and what clients answer to it.
    static let tlsRows: [ErrorRow] = [
        ErrorRow(
            "keys of TLS where none is spoken",
            yaml: #"""
                summary: s
                origins: { main: { certificate: expired, tls: { versions: 1.2, alpn: ignore } }, a: { scheme: https, certificate: x, tls: { speaks: plain, dh: 1024 } } }
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                """#,
            messages: [
                #"2:20 "certificate" needs TLS, which this origin does not speak; write scheme: https"#,
                #"2:49 "versions" needs TLS, which this origin does not speak; write scheme: https"#,
                #"2:64 "alpn" needs TLS, which this origin does not speak; write scheme: https"#,
                #"2:102 "certificate" needs TLS, which this origin does not speak; leave speaks: plain out"#,
                #"2:140 "dh" needs TLS, which this origin does not speak; leave speaks: plain out"#,
            ]),
        ErrorRow(
            "certificates and clients by names that cannot be",
            yaml: #"""
                summary: s
                origins: { main: { scheme: https, certificate: no good, tls: { client-certificate: [request] } } }
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                """#,
            messages: [
                #"2:48 "no good" cannot name a certificate profile; names have a letter, then letters, digits, '-' and '_'"#,
                #"2:84 expected a wish for a client certificate as text, found a list"#,
            ]),
        ErrorRow(
            "values that TLS does not have",
            yaml: #"""
                summary: s
                origins: { main: { scheme: htps, tls: { speaks: tsl, server-name: warm } }, a: { scheme: https, tls: { resumption: offf, client-certificate: afterhandshake, client-authorities: our, sni: refuse, colour: red } }, b: { scheme: https, tls: 1.3 } }
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                """#,
            messages: [
                #"2:28 unknown scheme "htps"; did you mean "https"?"#,
                #"2:49 unknown way to speak "tsl"; did you mean "tls"?"#,
                #"2:67 unknown answer to a server name "warm"; did you mean "warn"?"#,
                #"2:116 unknown kind of resumption "offf"; did you mean "off"?"#,
                #"2:142 unknown wish for a client certificate "afterhandshake"; did you mean "after-handshake"?"#,
                #"2:178 unknown choice of authorities "our"; did you mean "ours"?"#,
                #"2:183 unknown key "sni" in tls; did you mean "server-name"?"#,
                #"2:196 unknown key "colour" in tls; known keys: speaks, versions, ciphers, suites, groups, dh, alpn, server-name, resumption, client-certificate, client-authorities, plain-http"#,
                #"2:238 expected tls as a mapping, found "1.3""#,
            ]),
        ErrorRow(
            "versions that cannot be",
            yaml: #"""
                summary: s
                origins: { a: { scheme: https, tls: { versions: 1.4 } }, b: { scheme: https, tls: { versions: 1.1-1.0 } }, c: { scheme: https, tls: { versions: 1.0-1.1-1.2 } }, d: { scheme: https, tls: { versions: [1.2] } }, e: { scheme: https, tls: { versions: 1.2- } } }
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                """#,
            messages: [
                #"2:49 expected versions of TLS as 1.2 or 1.0-1.2, found "1.4"; permitted: 1.0, 1.1, 1.2, 1.3"#,
                #"2:95 the oldest version 1.1 is newer than 1.0; write 1.0-1.1"#,
                #"2:145 expected versions of TLS as 1.2 or 1.0-1.2, found "1.0-1.1-1.2"; permitted: 1.0, 1.1, 1.2, 1.3"#,
                #"2:199 expected versions as text, found a list"#,
                #"2:247 expected versions of TLS as 1.2 or 1.0-1.2, found "1.2-"; permitted: 1.0, 1.1, 1.2, 1.3"#,
            ]),
        ErrorRow(
            "lists for OpenSSL that it cannot read",
            yaml: #"""
                summary: s
                origins: { a: { scheme: https, tls: { ciphers: A B, groups: "", suites: [A] } }, b: { scheme: https, tls: { groups: "\#(String(repeating: "a", count: 4097))" } } }
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                """#,
            messages: [
                #"2:48 expected a list of ciphers without spaces, found "A B"; join the names with ':'"#,
                #"2:61 expected a list of groups, found empty text"#,
                #"2:73 expected a list of cipher suites as text, found a list"#,
                #"2:117 a list of groups has 4097 bytes; at most 4096 are permitted"#,
            ]),
        ErrorRow(
            "groups that are not there",
            yaml: #"""
                summary: s
                origins: { a: { scheme: https, tls: { dh: 700 } }, b: { scheme: https, tls: { dh: 8192 } } }
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                """#,
            messages: [
                #"2:43 there is no Diffie-Hellman group of 700 bits here; permitted: 512, 768, 1024, 2048, 3072, 4096"#,
                #"2:83 number of bits is 8192; permitted is 512 ... 4096"#,
            ]),
        ErrorRow(
            "answers to application protocols",
            yaml: #"""
                summary: s
                origins: { a: { scheme: https, tls: { alpn: h2 } }, b: { scheme: https, tls: { alpn: [] } }, c: { scheme: https, tls: { alpn: {} } }, d: { scheme: https, tls: { alpn: [h2, ""] } }, e: { scheme: https, tls: { alpn: { froce: h2 } } }, f: { scheme: https, tls: { alpn: "" } } }
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                """#,
            messages: [
                #"2:45 expected alpn as a list of protocols, ignore, refuse or { force: PROTOCOL }, found "h2"; write alpn: [h2] to select from a list"#,
                #"2:86 a list of protocols needs at least one; write alpn: ignore for no answer"#,
                #"2:127 alpn needs the key "force""#,
                #"2:169 this origin does not speak HTTP/2, so a client that agrees on "h2" would wait for ever; write protocols: [h2, http/1.1] beside tls:, or alpn: { force: h2 } for a server that lies"#,
                #"2:173 the name of a protocol has 1 to 255 bytes (RFC 7301 §3.1), found 0"#,
                #"2:215 alpn needs the key "force""#,
                #"2:217 unknown key "froce" in alpn; did you mean "force"?"#,
                #"2:267 expected alpn as a list of protocols, ignore, refuse or { force: PROTOCOL }, found ""; write alpn: [http/1.1] to select from a list"#,
            ]),
        ErrorRow(
            "parts of TLS that contradict each other",
            yaml: #"""
                summary: s
                origins:
                  a: { scheme: https, tls: { versions: 1.3, ciphers: ALL, dh: 1024 } }
                  b: { scheme: https, tls: { versions: 1.0-1.2, suites: X, client-certificate: after-handshake } }
                  c: { scheme: https, tls: { client-authorities: none } }
                  d: { scheme: https, tls: { versions: 1.1, suites: X, client-certificate: none, client-authorities: others } }
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                """#,
            messages: [
                #"3:45 "ciphers" is for versions up to 1.2, and this origin speaks 1.3 only; write suites:, or versions: 1.2-1.3"#,
                #"3:59 "dh" is for versions up to 1.2, and this origin speaks 1.3 only; write groups:, or versions: 1.2-1.3"#,
                #"4:49 "suites" is for version 1.3, and this origin speaks 1.0-1.2; write ciphers:, or versions: 1.2-1.3"#,
                #"4:80 after the handshake a certificate is asked for in version 1.3 only (RFC 8446 §4.6.2); write client-certificate: request, or versions: "1.3""#,
                #"5:30 "client-authorities" stand in the question for a certificate, and none is asked for; write client-certificate: request or require"#,
                #"6:45 "suites" is for version 1.3, and this origin speaks 1.1; write ciphers:, or versions: 1.2-1.3"#,
                #"6:82 "client-authorities" stand in the question for a certificate, and none is asked for; write client-certificate: request or require"#,
            ]),
        ErrorRow(
            "roles without TLS",
            yaml: #"""
                summary: s
                origins: { a: { scheme: https, role: closed, certificate: valid, tls: {} }, b: { role: unreachable, tls: { speaks: tls } }, c: { role: unaccepting, certificate: valid } }
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                """#,
            messages: [
                #"2:46 a closed origin speaks no TLS"#,
                #"2:66 a closed origin speaks no TLS"#,
                #"2:101 an unreachable origin speaks no TLS"#,
                #"2:149 an unaccepting origin speaks no TLS"#,
            ]),
        ErrorRow(
            "hosts that are none",
            yaml: #"""
                summary: s
                origins: { main: { host: a.test }, b: { host: 127.0.0.2 }, c: { host: [localhost] } }
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                """#,
            messages: [
                #"2:47 "127.0.0.2" reads as an address: the last label of a name is no number (RFC 1123 §2.1); addresses are the server's to choose: write address, 127.0.0.1, other-address or ipv6"#,
                #"2:71 expected a host as text, found a list"#,
            ]),
        ErrorRow(
            "moments of a handshake",
            yaml: #"""
                summary: s
                origins:
                  main: { connections: [{ at: handshake, do: close }, { at: handshake end, do: close }] }
                  a: { scheme: https, connections: [{ at: handshake certificat, do: close }, { at: handshakes, do: close }, { at: handshake end now, do: close }, { at: handshake, do: close, request: 1 }] }
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                """#,
            messages: [
                #"3:31 "handshake" needs TLS, which the origin "main" does not speak; write scheme: https at the origin"#,
                #"3:61 "handshake" needs TLS, which the origin "main" does not speak; write scheme: https at the origin"#,
                #"4:43 unknown moment "certificat" of a handshake; did you mean "certificate"?"#,
                #"4:84 unknown position "handshakes" of a connection; permitted: accept, handshake, handshake MOMENT, preface, request-head, request-head N, request-body N"#,
                #"4:115 unknown moment "end now" of a handshake; permitted: server-hello, after-server-hello, certificate, finished, end"#,
                #"4:175 "request" means nothing at handshake, which comes before the first one"#,
            ]),
        ErrorRow(
            "alerts that cannot be",
            yaml: #"""
                summary: s
                origins: { main: { scheme: https, connections: [{ at: handshake, do: alert }, { at: handshake, do: alert 256 }, { at: handshake, do: alert unknown-ca }, { at: handshake, do: alert fatal }, { at: handshake, do: bad-mac 3 }, { at: handshake, do: truncate-recrod }] } }
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                """#,
            messages: [
                #"2:70 alert needs a number or a name; like do: alert handshake_failure"#,
                #"2:100 an alert is a number 0 ... 255, found 256"#,
                #"2:134 unknown alert "unknown-ca"; did you mean "unknown_ca"?"#,
                #"2:175 unknown alert "fatal"; write a name of RFC 8446 §6, or a number 0 ... 255"#,
                #"2:211 "bad-mac" takes nothing after it, found "3""#,
                #"2:245 unknown effect "truncate-recrod"; did you mean "truncate-record"?"#,
            ]),
        ErrorRow(
            "effects of TLS in the wrong place",
            yaml: #"""
                summary: s
                origins: { main: { scheme: https, connections: [{ at: accept, do: alert 40 }, { at: request-head, do: bad-mac }, { at: request-body 4, do: truncate-record }, { at: accept, do: close, notify: false }, { at: handshake, do: stall, notify: true }, { at: handshake, do: close, notify: no }, { at: handshake, do: alert 0, abrupt: true }] } }
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                """#,
            messages: [
                #"2:67 "alert" has its place at handshake, or in a reply; write at: handshake, or put it under effects: of a reply"#,
                #"2:103 "bad-mac" has its place at handshake, or in a reply; write at: handshake, or put it under effects: of a reply"#,
                #"2:140 "truncate-record" has its place at handshake, or in a reply; write at: handshake, or put it under effects: of a reply"#,
                #"2:184 "notify" means nothing at accept, where no TLS is spoken yet"#,
                #"2:229 "notify" goes with close only"#,
                #"2:281 expected notify as true or false, found "no""#,
                #"2:317 "abrupt" goes with close and reset only"#,
            ]),
        ErrorRow(
            "effects of TLS on a plain connection",
            yaml: #"""
                summary: s
                origins: { other: { scheme: https } }
                exchanges:
                  - request: GET /a
                    reply: { status: 200, interim: [100, { do: bad-mac }], body: [a, { do: close, notify: false }], effects: [{ at: head, do: alert 40 }] }
                  - request: GET /b
                    auth: { users: { u: p }, schemes: [basic], refuse: { effects: [{ at: end, do: truncate-record }] } }
                    reply: { status: 200 }
                  - request: GET /c
                    origin: other
                    reply: { status: 200, interim: [100, { do: bad-mac }], body: [a, { do: close, notify: false }], effects: [{ at: head, do: alert 40 }] }
                """#,
            messages: [
                #"5:48 "bad-mac" needs TLS, which the origin "main" does not speak; write scheme: https at the origin"#,
                #"5:83 "notify" needs TLS, which the origin "main" does not speak; write scheme: https at the origin"#,
                #"5:127 "alert" needs TLS, which the origin "main" does not speak; write scheme: https at the origin"#,
                #"7:83 "truncate-record" needs TLS, which the origin "main" does not speak; write scheme: https at the origin"#,
            ]),
        ErrorRow(
            "guards that want TLS where none is",
            yaml: #"""
                summary: s
                guards: { g: { users: { u: p }, schemes: [basic], refuse: { effects: [{ at: end, do: alert 40 }] } } }
                auth: g
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                """#,
            messages: [
                #"2:86 "alert" needs TLS, which the origin "main" does not speak; write scheme: https at the origin"#
            ]),
        ErrorRow(
            "answers to the challenges of TLS",
            yaml: #"""
                summary: s
                origins: { main: { scheme: https } }
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                cases:
                  a: { client: { url: /a, onChallenge: [identity, { identity: alice, persistence: none }, { identity: 3x }, truts, { use: "u:p", identity: alice }] } }
                  b: { client: { url: /a, session: { trust: all, identity: [] } } }
                """#,
            messages: [
                #"5:41 unknown challenge answer "identity"; write { identity: NAME }"#,
                #"5:70 "persistence" does not go with "identity""#,
                #"5:103 "3x" cannot name a client identity; names have a letter, then letters, digits, '-' and '_'"#,
                #"5:109 unknown challenge answer "truts"; did you mean "trust"?"#,
                #"5:118 "use" does not go with "identity""#,
                #"6:45 unknown trust "all"; permitted: authority, none"#,
                #"6:60 expected the name of a client identity as text, found a list"#,
            ]),
        ErrorRow(
            "trust where no TLS is spoken",
            yaml: #"""
                summary: s
                origins: { gone: { role: closed, scheme: https } }
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                cases:
                  c: { client: { url: /a, onChallenge: [trust, { identity: alice }], session: { trust: none, identity: x } } }
                """#,
            messages: [
                #"5:41 "trust" is about TLS, which no origin of this scenario speaks; write scheme: https at an origin"#,
                #"5:50 "identity" is about TLS, which no origin of this scenario speaks; write scheme: https at an origin"#,
                #"5:81 "trust" is about TLS, which no origin of this scenario speaks; write scheme: https at an origin"#,
                #"5:94 "identity" is about TLS, which no origin of this scenario speaks; write scheme: https at an origin"#,
            ]),
    ]
}

extension ErrorRow {
    /// Facts about handshakes.
    static let tlsFactRows: [ErrorRow] = [
        ErrorRow(
            "facts about TLS where none is spoken",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                cases:
                  a:
                    client: { url: /a }
                    facts: { tls.handshakes: 1, "tls[0].version": 1.3 }
                """#,
            messages: [
                #"6:14 "tls.handshakes" is about TLS, and no origin of this scenario speaks it; write origins: { main: { scheme: https } }"#,
                #"6:33 "tls[0].version" is about TLS, and no origin of this scenario speaks it; write origins: { main: { scheme: https } }"#,
            ]),
        ErrorRow(
            "words that no handshake has",
            yaml: #"""
                summary: s
                origins: { main: { scheme: https } }
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                cases:
                  a:
                    client: { url: /a }
                    facts: { "tls[0].version": 1.4, "tls[0].end": secure, "tls[0].resumed": yes, "tls[0].alert": Unknown-CA, "tls[0].cipher": [a, b], tls.failures: none }
                """#,
            messages: [
                #"7:32 unknown version of TLS: "1.4"; permitted: 1.0, 1.1, 1.2, 1.3"#,
                #"7:51 unknown end of a handshake: "secure"; did you mean "secured"?"#,
                #"7:77 unknown word for "tls[0].resumed": "yes"; permitted: true, false"#,
                #"7:98 alerts have the names of RFC 8446, found "Unknown-CA"; did you mean "unknown_ca"?"#,
                #"7:127 "tls[0].cipher" is one value, not a list"#,
                #"7:149 "tls.failures" is a number, found "none""#,
            ]),
        ErrorRow(
            "a certificate that no origin shows",
            yaml: #"""
                summary: s
                origins: { main: { scheme: https, certificate: expired }, other: { scheme: https } }
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                cases:
                  a:
                    client: { url: /a }
                    facts: { "tls[0].certificate": expird, "tls[1].certificate": valid, "tls[2].certificate": rsa2048 }
                """#,
            messages: [
                #"7:36 no origin of this scenario shows the certificate "expird"; did you mean "expired"?"#,
                #"7:95 no origin of this scenario shows the certificate "rsa2048"; permitted: expired, valid"#,
            ]),
    ]
}
