import ProctorFixtures
import ProctorScenario
import Testing

/// Scenarios for variants that no fixture of the library shows.
enum OwnScenario {
    /// The server of these scenarios; opened on first use, it stays open until the process ends.
    static let exam = Task { try await ExamServer(of: load()) }

    private static func load() throws -> [Scenario] {
        let texts =
            [
                ("own/challenges", challenges), ("own/delegates", delegates), ("own/edited", edited),
                ("own/addresses", addresses), ("own/asked", asked),
            ] + guarded
            + remembered
        return try texts.map { id, text in
            let (scenario, diagnostics) = ScenarioLoader.parse(Array(text.utf8), id: id, file: "\(id).yaml")
            return try #require(scenario, "\(diagnostics)")
        }
    }

    private static let challenges = #"""
        summary: A challenge that nobody answers, and one of two that is rejected
        spec: callback rule R11
        exchanges:
          - request: { method: GET, path: "/*", headers: { Authorization: "Basic dXNlcjpwYXNz" } }
            reply: { status: 200, body: "welcome\n" }
          - request: GET /secret
            reply: { status: 401, headers: { WWW-Authenticate: 'Basic realm="a"' }, body: "denied\n" }
          - request: GET /two
            reply: { status: 401, headers: { WWW-Authenticate: ['Basic realm="a"', 'Basic realm="b"'] }, body: "denied\n" }
        cases:
          nobody-answers:
            client: { url: /secret, onChallenge: never, session: { resourceTimeout: 1s } }
            task: challenge(basic) complete(timedOut)
          rejected:
            applies: foundation
            client: { url: /two, onChallenge: [reject, { use: "user:pass" }] }
            wire: request(GET /two){2}
            task: challenge(basic){2} response(200) data+ complete(ok)
        """#

    /// What the library only observes.
    private static let addresses = #"""
        summary: Addresses that are silent, and families in turn
        spec: RFC 8305 §5
        origins:
          main: { host: home.example.org, addresses: [silent, main] }
          silent: { role: unreachable }
          other: { host: other.example.org, addresses: [a, b, c, d, e, six] }
          a: { role: unreachable }
          b: { role: unreachable }
          c: { role: unreachable }
          d: { role: unreachable }
          e: { role: unreachable }
          six: { host: ipv6 }
          door: {}
        exchanges:
          - { request: GET /, reply: { status: 200, body: "home\n" } }
          - { request: GET /, origin: six, reply: { status: 200, body: "six\n" } }
          - request: GET /door
            origin: door
            reply: { status: 302, headers: { Location: "http://other.example.org/" } }
        cases:
          silent:
            client: { url: /, timeout: 3s }
            wire: request(GET /)
            task: response(200) data+ complete(ok)
          families:
            client: { url: "{{origin.door}}/door", timeout: 10s }
            wire: request(GET /door) request(GET /)
            task: redirect(302) response(200) data+ complete(ok)
            facts: { "wire[1].gap": { max: 1000 } }
        """#

    private static let asked = #"""
        summary: Answers that are late, and two families
        spec: RFC 8305 §3
        origins:
          main: { host: home.example.org, addresses: [main, six] }
          six: { host: ipv6 }
          late: { host: late.example.org }
          door: {}
        dns:
          - { name: late.example.org, type: AAAA, after: 2s }
        exchanges:
          - { request: GET /, reply: { status: 200, body: "four\n" } }
          - { request: GET /, origin: six, reply: { status: 200, body: "six\n" } }
          - { request: GET /, origin: late, reply: { status: 200, body: "late\n" } }
          - request: GET /door
            origin: door
            reply: { status: 302, headers: { Location: "http://late.example.org/" } }
        cases:
          ipv6:
            client: { url: / }
            wire: request(GET /)
            task: response(200) data+ complete(ok)
            facts: { "wire[0].origin": six }
          late:
            client: { url: "{{origin.door}}/door" }
            wire: request(GET /door) request(GET /)
            task: redirect(302) response(200) data+ complete(ok)
            facts: { "wire[1].gap": { max: 1500 } }
        """#

    private static let delegates = #"""
        summary: A redirect told to the task's own delegate
        spec: callback rule R55
        exchanges:
          - request: GET /start
            reply: { status: 302, headers: { Location: "{{base}}/done" } }
          - request: GET /done
            reply: { status: 200, body: "ok\n" }
        cases:
          both:
            applies: foundation
            client: { url: /start, session: { delegates: both } }
            wire: request(GET /start) request(GET /done)
            task: redirect(302) response(200) data+ complete(ok)
        """#
}

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
        tolerates: none
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

/// A scenario whose next request shows what a client keeps of cookies.
extension OwnScenario {
    static let remembered = [("own/cookies", cookies), ("own/cookie-hosts", cookieHosts)]

    private static let cookies = #"""
        summary: Cookies of one host, and where they go
        spec: RFC 6265 §5.4
        exchanges:
          - request: GET /set
            reply:
              status: 200
              headers: [{ Set-Cookie: "top=1; Path=/" }, { Set-Cookie: "deep=2; Path=/deep" }]
              body: "ok\n"
          - request: GET /moved
            reply: { status: 302, headers: [{ Location: "{{base}}/deep/page" }, { Set-Cookie: "top=1; Path=/" }] }
          - request: GET /gone
            reply: { status: 404, headers: { Set-Cookie: "top=1; Path=/" }, body: "gone\n" }
          - request: GET /delete
            reply: { status: 200, headers: { Set-Cookie: "top=; Path=/; Max-Age=0" }, body: "ok\n" }
          - request: GET /deep/page
            reply: { status: 200, body: "page\n" }
          - request: GET /page
            reply: { status: 200, body: "page\n" }
        cases:
          redirect:
            client: { url: /moved }
            wire: request(GET /moved) request(GET /deep/page)
            facts: { "wire[1].headers.Cookie": top=1 }
          path:
            client: [{ url: /set }, { url: /page }]
            wire: request(GET /set) request(GET /page)
            facts: { "wire[1].headers.Cookie": top=1 }
          order:
            client: [{ url: /set }, { url: /deep/page }]
            wire: request(GET /set) request(GET /deep/page)
            facts: { "wire[1].headers.Cookie": "deep=2; top=1" }
          deleted:
            client: [{ url: /set }, { url: /delete }, { url: /page }]
            wire: request(GET /set) request(GET /delete) request(GET /page)
            facts: { "wire[1].headers.Cookie": top=1, "wire[2].headers.Cookie": null }
          not-found:
            client: [{ url: /gone }, { url: /page }]
            wire: request(GET /gone) request(GET /page)
            facts: { "wire[1].headers.Cookie": top=1 }
        """#

    private static let cookieHosts = #"""
        summary: A cookie without Domain stays with its host
        spec: RFC 6265 §5.3
        origins:
          main: { host: home.example.org }
          sibling: { host: sibling.example.org }
          p: { role: proxy }
        exchanges:
          - request: GET /set
            reply: { status: 200, headers: { Set-Cookie: "own=1; Path=/" }, body: "ok\n" }
          - request: GET /page
            reply: { status: 200, body: "page\n" }
          - request: GET /page
            origin: sibling
            reply: { status: 200, body: "page\n" }
        cases:
          sibling:
            client:
              - { url: /set, session: { proxy: p } }
              - { url: "{{origin.sibling}}/page" }
              - { url: /page }
            wire: >-
              request(GET http://home.example.org/set) request(GET http://sibling.example.org/page)
              request(GET http://home.example.org/page)
            facts: { "wire[1].headers.Cookie": null, "wire[2].headers.Cookie": own=1 }
        """#
}
