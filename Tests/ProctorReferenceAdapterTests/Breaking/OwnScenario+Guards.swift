/// Scenarios whose guards see what a variant sends.
extension OwnScenario {
    static let guarded = [
        ("own/digest", digest), ("own/proxy", proxy), ("own/credentials", credentials),
        ("own/origins", origins), ("own/handshake", handshake),
    ]

    private static let digest = #"""
        summary: Digest before Basic
        spec: RFC 7616
        guards:
          lab: { users: { user: pass }, schemes: [digest, basic], refuse: { body: "denied\n" } }
        auth: lab
        exchanges:
          - request: GET /secret
            reply: { status: 200, body: "welcome\n" }
          - request: POST /secret
            reply: { status: 200, body: "welcome\n" }
        cases:
          use:
            client: { url: /secret, onChallenge: { use: "user:pass" }, answerAfter: 200ms }
            wire: request(GET /secret){2}
            task: challenge(digest) response(200) data+ complete(ok)
          at-once:
            client: { url: /secret, onChallenge: { use: "user:pass" } }
            wire: request(GET /secret){2}
            task: challenge(digest) response(200) data+ complete(ok)
          use-none:
            client: { url: /secret, onChallenge: use-none }
            wire: request(GET /secret)
            task: challenge(digest) response(401) data+ complete(ok)
          cancel:
            client: { url: /secret, onChallenge: cancel }
            wire: request(GET /secret)
            task: challenge(digest) complete(cancelled)
          wrong-twice:
            client: { url: /secret, onChallenge: [{ use: "user:no" }, { use: "user:nope" }, { use: "user:pass" }] }
            wire: request(GET /secret){4}
            task: challenge(digest){3} response(200) data+ complete(ok)
          with-a-body:
            client: { method: POST, url: /secret, body: "hello", onChallenge: { use: "user:pass" } }
            wire: request(POST /secret){2}
            task: challenge(digest) response(200) data+ complete(ok)
            facts: { "wire[1].body": hello }
        """#

    private static let handshake = #"""
        summary: A connection whose handshake says all that it should
        spec: RFC 8446
        origins:
          main: { scheme: https, tls: { resumption: on } }
        exchanges:
          - request: GET /page
            reply: { status: 200, headers: { Connection: close }, body: "secure\n" }
        cases:
          resumed:
            client: [{ url: /page, onChallenge: default }, { url: /page, onChallenge: default }]
            wire: request(GET /page){2}
            task: challenge(serverTrust) response(200) data+ complete(ok)
            task[1]: response(200) data+ complete(ok)
            facts: { "tls[0].resumed": "false", "tls[1].resumed": "true" }
        """#

    private static let proxy = #"""
        summary: A proxy that asks before it plays the origin
        spec: RFC 9110 §11.7
        origins:
          p: { role: proxy }
        guards:
          gate: { proxy: true, users: { user: pass }, schemes: [basic], refuse: { body: "denied\n" } }
          lab: { users: { admin: word }, schemes: [basic], refuse: { body: "denied\n" } }
        exchanges:
          - request: GET http://lab.test/page
            origin: p
            auth: gate
            reply: { status: 200, body: "welcome\n" }
          - request: GET http://lab.test/both
            origin: p
            auth: [gate, lab]
            reply: { status: 200, body: "welcome\n" }
          - request: GET http://lab.test/silent
            origin: p
            reply: { status: 407, body: "denied\n" }
        cases:
          use:
            client: { url: "http://lab.test/page", onChallenge: { use: "user:pass" }, session: { proxy: p } }
            wire: request(GET http://lab.test/page){2}
            task: challenge(proxyBasic) response(200) data+ complete(ok)
            facts: { "wire[1].auth.faults": null }
          default:
            client: { url: "http://lab.test/page", onChallenge: default, session: { proxy: p } }
            wire: request(GET http://lab.test/page)
            task: challenge(proxyBasic) response(407) data+ complete(ok)
          wrong-twice:
            client: { url: "http://lab.test/page", onChallenge: [{ use: "user:no" }, { use: "user:nope" }, { use: "user:pass" }], session: { proxy: p } }
            wire: request(GET http://lab.test/page){4}
            task: challenge(proxyBasic){3} response(200) data+ complete(ok)
          no-challenge:
            client: { url: "http://lab.test/silent", onChallenge: { use: "user:pass" }, session: { proxy: p } }
            wire: request(GET http://lab.test/silent)
            task: response(407) data+ complete(ok)
          both:
            client: { url: "http://lab.test/both", onChallenge: [{ use: "user:pass" }, { use: "admin:word" }, cancel], session: { proxy: p } }
            wire: request(GET http://lab.test/both){3}
            task: challenge(proxyBasic) challenge(basic) response(200) data+ complete(ok)
            facts: { "wire[1].auth.faults": null, "wire[2].auth.faults": null }
        """#

    private static let credentials = #"""
        summary: Credentials whose every part counts
        spec: RFC 7616 §3.4
        guards:
          digest: { users: { user: pass }, schemes: [{ digest: { opaque: "0a1b" } }], refuse: { body: "denied\n" } }
          short: { users: { user: pass }, schemes: [{ digest: { uses: 1 } }], refuse: { body: "denied\n" } }
          basic: { users: { user: secret }, schemes: [basic], refuse: { body: "denied\n" } }
          bearer: { tokens: [abc], schemes: [bearer], refuse: { body: "denied\n" } }
        exchanges:
          - request: GET /digest?part=1
            auth: digest
            reply: { status: 200, body: "welcome\n" }
          - request: GET /again
            auth: digest
            reply: [{ status: 302, headers: { Location: "{{base}}/again" } }, { status: 200, body: "welcome\n" }]
          - request: GET /short
            auth: short
            reply: { status: 302, headers: { Location: "{{base}}/shorter" } }
          - request: GET /shorter
            auth: short
            reply: { status: 200, body: "welcome\n" }
          - request: GET /basic
            auth: basic
            reply: { status: 200, body: "welcome\n" }
          - request: GET /bearer
            auth: bearer
            reply: { status: 200, body: "welcome\n" }
        cases:
          digest:
            client: { url: /digest?part=1, onChallenge: [{ use: "user:pass" }, cancel] }
            wire: request(GET /digest?part=1){2}
            task: challenge(digest) response(200) data+ complete(ok)
            facts: { "wire[1].auth.faults": null }
          counted:
            client: { url: /again, onChallenge: [{ use: "user:pass" }, cancel] }
            wire: request(GET /again){3}
            task: challenge(digest) redirect(302) response(200) data+ complete(ok)
            facts: { auth.nc: [1, 2], "wire[2].auth.faults": null }
          stale:
            client: { url: /short, onChallenge: { use: "user:pass" } }
            wire: request(GET /short){2} request(GET /shorter){2}
            task: challenge(digest) redirect(302) response(200) data+ complete(ok)
          basic:
            client: { url: /basic, onChallenge: [{ use: "user:secret" }, cancel] }
            wire: request(GET /basic){2}
            task: challenge(basic) response(200) data+ complete(ok)
            facts: { "wire[1].auth.faults": null }
          bearer:
            client: { url: /bearer, onChallenge: [{ use: { token: abc } }, cancel] }
            wire: request(GET /bearer){2}
            task: challenge(bearer) response(200) data+ complete(ok)
            facts: { "wire[1].auth.faults": null }
        """#

    private static let origins = #"""
        summary: An origin that redirects to another one, each with a guard of its own
        spec: RFC 9110 §11.5
        origins:
          b: {}
        guards:
          first: { users: { user: pass }, schemes: [basic], refuse: { body: "denied\n" } }
          second: { users: { admin: word }, schemes: [basic], refuse: { body: "denied\n" } }
        exchanges:
          - request: GET /start
            auth: first
            reply: { status: 302, headers: { Location: "{{origin.b}}/done" } }
          - request: GET /done
            origin: b
            auth: second
            reply: { status: 200, body: "welcome\n" }
        cases:
          across:
            client: { url: /start, onChallenge: [{ use: "user:pass" }, { use: "admin:word" }, cancel] }
            wire: request(GET /start){2} request(GET /done){2}
            task: challenge(basic) redirect(302) challenge(basic) response(200) data+ complete(ok)
            facts: { "wire[2].auth.faults": null }
        """#
}
