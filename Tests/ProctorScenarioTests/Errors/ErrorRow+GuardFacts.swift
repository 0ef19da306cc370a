import ProctorHTTP

extension ErrorRow {
    /// Facts about guards.
    static let guardFactRows: [ErrorRow] = [
        ErrorRow(
            "facts about guards where there are none",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                cases:
                  a:
                    client: { url: /a }
                    facts: { auth.attempts: 0, "auth[lab].nc": 1, "wire[0].auth": null, "wire[0].auth.faults": null, "wire[0].credentials.qop": null }
                """#,
            messages: [
                #"6:14 "auth.attempts" is about guards, and this scenario has none; write guards: or auth:"#,
                #"6:32 "auth[lab].nc" is about guards, and this scenario has none; write guards: or auth:"#,
                #"6:51 "wire[0].auth" is about guards, and this scenario has none; write guards: or auth:"#,
                #"6:73 "wire[0].auth.faults" is about guards, and this scenario has none; write guards: or auth:"#,
            ]),
        ErrorRow(
            "facts about guards that nobody can measure",
            yaml: #"""
                summary: s
                auth: { users: { u: p }, schemes: [basic] }
                guards: { lab: { users: { u: p }, schemes: [basic] } }
                exchanges:
                  - { request: GET /a, reply: { status: 200 } }
                  - { request: GET /b, auth: lab, reply: { status: 200 } }
                cases:
                  a:
                    client: { url: /a }
                    facts: { auth.atempts: 1, "auth[lba].attempts": 1, "auth[lab].faillures": 1, "auth[].nc": 1, "auth[lab]": 1, "auth[exchange 1].nc": 1, "wire[0].auht": admitted, "wire[0].credential.qop": auth, "wire[0].credentials.": auth, auth: 1 }
                """#,
            messages: [
                #"10:14 unknown fact "auth.atempts"; did you mean "auth.attempts"?"#,
                #"10:31 unknown guard "lba"; did you mean "lab"?"#,
                #"10:56 unknown fact "auth[lab].faillures"; did you mean "auth[lab].failures"?"#,
                #"10:82 expected auth[GUARD].NAME with the name of a guard, found "auth[].nc""#,
                #"10:98 expected auth[GUARD].NAME with the name of a guard, found "auth[lab]""#,
                #"10:114 unknown guard "exchange 1"; permitted: lab, all exchanges"#,
                #"10:140 unknown fact "wire[0].auht"; did you mean "wire[0].auth"?"#,
                #"10:166 unknown fact "wire[0].credential.qop"; known after wire[0].: method, target, version, body, body.length, connection, origin, violations, fields, gap, framing, chunks, parts, auth, auth.faults, cookies, target-form, authority, chunk-lines, withheld, opaque, opaque.length, headers.NAME, trailers.NAME, form.NAME, cookies.NAME, parts[N].NAME, credentials.NAME, proxy-credentials.NAME, reply.status, reply.headers.NAME, reply.body, reply.body.length"#,
                #"10:198 unknown fact "wire[0].credentials."; known after wire[0].: method, target, version, body, body.length, connection, origin, violations, fields, gap, framing, chunks, parts, auth, auth.faults, cookies, target-form, authority, chunk-lines, withheld, opaque, opaque.length, headers.NAME, trailers.NAME, form.NAME, cookies.NAME, parts[N].NAME, credentials.NAME, proxy-credentials.NAME, reply.status, reply.headers.NAME, reply.body, reply.body.length"#,
                #"10:228 unknown fact "auth"; known facts: status, url, body, mime, suggestedName, expectedLength, error, body.length, wire.count, connections, tunnels, tls.handshakes, tls.failures, auth.attempts, auth.failures, auth.challenges, auth.scheme, auth.user, auth.nc, auth.faults, auth[GUARD].…, wire[N].…, connection[N].…, tls[N].…, step[N].…"#,
            ]),
        ErrorRow(
            "values that no fact about guards has",
            yaml: #"""
                summary: s
                auth: { users: { u: p }, schemes: [basic] }
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                cases:
                  a:
                    client: { url: /a }
                    facts: { auth.attempts: many, auth.scheme: Digest, auth.nc: [1, 2a], auth.faults: [wrong-pasword], auth.user: [a, b], "auth[all exchanges].failures": { min: 0 }, auth.challenges: [1], "wire[0].auth": admited, "wire[0].auth.faults": bad, "wire[1].auth": refuse, "wire[1].credentials.qop": [a] }
                """#,
            messages: [
                #"7:29 "auth.attempts" is a number, found "many""#,
                #"7:48 the scheme is told in lower case, found "Digest"; did you mean "digest"?"#,
                #"7:69 nonce counts are told as decimal numbers, found "2a"; write a number, or a list of numbers: 1"#,
                #"7:88 unknown fault "wrong-pasword" of a credential; did you mean "wrong-password"?"#,
                #"7:115 "auth.user" is one value, not a list"#,
                #"7:184 "auth.challenges" is one value, not a list"#,
                #"7:205 unknown outcome "admited" of a guard; did you mean "admitted"?"#,
                #"7:237 unknown fault "bad" of a credential; permitted: \#(kinds)"#,
                #"7:258 unknown outcome "refuse" of a guard; did you mean "refused"?"#,
                #"7:293 "wire[1].credentials.qop" is one value, not a list"#,
            ]),
    ]

    private static let kinds = CredentialFault.Kind.allCases.map(\.rawValue).joined(separator: ", ")
}
