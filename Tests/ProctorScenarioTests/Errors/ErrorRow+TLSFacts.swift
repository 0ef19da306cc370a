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
