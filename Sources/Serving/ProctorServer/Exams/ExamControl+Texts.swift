import ProctorGrading

extension ExamControl {
    /// The fixture of each control; `$ORIGIN` stands for the keys of its origin, and of a proxy behind it, `$SESSION` for
    /// the proxy of the session.
    static let texts: [ControlKind: String] = [
        .load:
            """
        summary: A plain load ends well
        spec: RFC 9110 §15.3.1
        origins: { main: { $ORIGIN } }
        exchanges: [ { request: GET /control, reply: { status: 200, headers: { Content-Type: text/plain }, body: "control\\n" } } ]
        cases:
          control:
            client: { url: /control, onChallenge: default$SESSION }
            facts: { status: 200, body: "control\\n" }
        """,
        .cookie:
            """
        summary: A cookie comes back
        spec: RFC 6265 §5.4
        origins: { main: { host: control.example.org, $ORIGIN } }
        exchanges:
          - { request: GET /set, reply: { status: 200, headers: { Set-Cookie: control=1 }, body: "set\\n" } }
          - { request: GET /page, reply: { status: 200, body: "page\\n" } }
        cases:
          control:
            client: [ { url: /set, onChallenge: default }, { url: /page, onChallenge: default } ]
            cookies: conforming
            facts: { "wire[1].cookies.control": "1" }
        """,
        .cache:
            """
        summary: A fresh reply is not asked for again
        spec: RFC 9111 §4.2
        origins: { main: { $ORIGIN } }
        exchanges:
          - request: GET /page
            reply: { status: 200, headers: { Date: "{{now}}", Cache-Control: max-age=3600 }, body: "page\\n" }
        cases:
          control:
            client:
              - { url: /page, session: { cache: 1048576 }, onChallenge: default }
              - { url: /page, onChallenge: default }
            wire: request(GET /page)
            facts: { "step[1].body": "page\\n" }
        """,
        .field:
            """
        summary: A field of the program goes out
        spec: RFC 9110 §6.3
        origins: { main: { $ORIGIN } }
        exchanges: [ { request: GET /control, reply: { status: 200, body: "control\\n" } } ]
        cases:
          control:
            client: { url: /control, headers: { X-Control: "1" }, onChallenge: default }
            facts: { "wire[0].headers.X-Control": "1" }
        """,
        .expect:
            """
        summary: An Expect goes out with the content that it is about
        spec: RFC 9110 §10.1.1
        origins: { main: { $ORIGIN } }
        exchanges: [ { request: POST /upload, reply: { status: 200, body: "ok\\n" } } ]
        cases:
          control:
            client: { method: POST, url: /upload, headers: { Expect: 100-continue }, body: control, onChallenge: default }
            wire: request(POST /upload)
            facts: { "wire[0].headers.Expect": 100-continue, "wire[0].body": control }
        """,
        .identity:
            """
        summary: A server that requires a certificate is shown one
        spec: RFC 8446 §4.4.2
        origins: { main: { $ORIGIN, tls: { client-certificate: require } } }
        exchanges: [ { request: GET /control, reply: { status: 200, body: "control\\n" } } ]
        cases:
          control:
            client: { url: /control, session: { identity: alice }, onChallenge: default }
            wire: request(GET /control)
            facts: { "tls[0].client": alice }
        """,
        .launch:
            """
        summary: A cookie with a lifetime outlives the process
        spec: RFC 6265 §5.3
        origins: { main: { host: control.example.org, $ORIGIN } }
        exchanges:
          - { request: GET /set, reply: { status: 200, headers: { Set-Cookie: control=1; Max-Age=1000 }, body: "set\\n" } }
          - { request: GET /page, reply: { status: 200, body: "page\\n" } }
        cases:
          control:
            client: [ { url: /set, onChallenge: default }, { url: /page, launch: true, onChallenge: default } ]
            facts: { "wire[1].cookies.control": "1" }
        """,
        .store:
            """
        summary: A cookie of the application is sent
        spec: RFC 6265 §5.4
        origins: { main: { host: control.example.org, $ORIGIN } }
        exchanges: [ { request: GET /page, reply: { status: 200, body: "page\\n" } } ]
        cases:
          control:
            client: { url: /page, byHand: { set-cookie: control=1; Path=/ }, onChallenge: default }
            facts: { "wire[0].cookies.control": "1" }
        """,
        .silence: silent(limitedBy: "timeout: 1s"),
        .limit: silent(limitedBy: "session: { requestTimeout: 1s }"),
    ]

    private static func silent(limitedBy key: String) -> String {
        """
        summary: A load that falls silent is given up
        spec: caller, time limit
        origins: { main: { $ORIGIN } }
        exchanges:
          - { request: GET /silent, reply: { status: 200, headers: { Content-Length: "100" }, body: [ "half", { do: stall } ] } }
        cases:
          control:
            client: { url: /silent, \(key), onChallenge: default }
            facts: { error: timedOut }
        """
    }
}
