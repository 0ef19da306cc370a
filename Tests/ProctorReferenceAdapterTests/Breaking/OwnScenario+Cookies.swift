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
