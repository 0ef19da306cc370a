extension SchemaRow {
    /// What a client and a case can say of callbacks.
    static let acceptedClient: [SchemaRow] = [
        SchemaRow(
            "every answer of a client",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases:
              c:
                client:
                  url: /a
                  task: upload
                  body: x
                  bodyForm: bound-pair
                  onRedirect: [follow, refuse, cancel, cancel-then-follow, cancel-then-refuse, never, twice, { change: { method: PUT } }]
                  onChallenge: [use-none, default, cancel, cancel-task, reject, never, { use: "u:p", persistence: session }, { twice: "u:p", persistence: none }, { cancel-task-then-use: "u:", persistence: permanent }]
                  onResponse: never
                  onBodyStream: never
                  onWillCache: none
                  answerAfter: 300ms
                  cachePolicy: cache-else-load
            """#),
        SchemaRow(
            "moments",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases:
              c: { client: { url: /a, cancelAt: before-resume, suspendAt: after-resume, suspendFor: 1.5s } }
              d: { client: { url: /a, cancelAt: { event: data, count: 1000000 }, suspendAt: { event: after-resume } } }
              e: { client: { url: /a, task: download, cancelAt: progress, resumeData: true } }
              f: { client: { url: /a, onResponse: becomeDownload, cancelAt: progress } }
              g: { client: { url: /a, task: handler, cancelAt: challenge } }
            """#),
        SchemaRow(
            "a session with everything",
            #"""
            summary: s
            origins: { other: {} }
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, session: { delegates: both, queue: main, end: finish, endAt: { event: data, count: 2 }, cookies: main-document, cache: 0, requestTimeout: 1s, resourceTimeout: 10m, proxy: other } }, session: sessionInvalid } }
            """#),
        SchemaRow(
            "a session of nothing",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, session: {} } } }
            """#),
        SchemaRow(
            "texts in the place of a URL, and blanks before one",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases:
              c:
                client:
                  - { url: { verbatim: "" } }
                  - { url: { verbatim: /a//b } }
                  - { url: { verbatim: "?q" } }
                  - { url: { verbatim: "#f" } }
                  - { url: "  /a" }
                  - { url: "\u0001\t{{base}}/a" }
            """#),
        SchemaRow(
            "every protocol call",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases:
              c:
                client:
                  url: /a
                  protocol:
                    - response 100
                    - response 999 text/html
                    - response 200 application/x-a+b;q=1 memory
                    - response 200 not-allowed text/plain
                    - response 200 allowed
                    - data
                    - data two words
                    - "data \n"
                    - finish
                    - fail -1
                    - fail -99999
                    - fail timedOut
                    - fail cannotConnectToHost
                    - fail NSPOSIXErrorDomain#54
                    - fail NSURLErrorDomain#-1004
                    - fail A#0
                    - redirect /b
                    - redirect 307 /b?c
                    - redirect {{base}}/b
                    - redirect 399 {{origin}}/b
                    - redirect http://{{authority}}/
                    - redirect page
                    - redirect 307 ../b/c?d
                    - "redirect ?q"
                    - "redirect 301 #f"
                    - challenge basic
                    - challenge clientCert
                    - cancel-challenge
                    - cached-response-valid
                    - wait 50ms
                    - block 1.5s
                    - await-answer
                    - { call: data x, thread: other }
                    - { call: await-stop, thread: client }
                    - { call: fail timedOut }
            """#),
        SchemaRow(
            "a script of nothing",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: { url: /a, protocol: [] } } }
            """#),
        SchemaRow(
            "edges and rules",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases:
              c:
                client: [{ url: /a }, { url: /a }]
                edges:
                  - wire request[1] after harness answer(follow)
                  - task[1] response(2*) after handler[0] handler(ok)
                  - session sessionInvalid after download fileReady
                  - 'session challenge("a \"b\"") after task redirect(302)[3]'
                breaks: [R1, r58]
              d: { client: { url: /a }, edges: task data after task response, breaks: R39 }
              e: { client: { url: /a }, edges: [], breaks: [] }
            """#),
        SchemaRow(
            "lanes of handlers",
            #"""
            summary: s
            exchanges: [{ request: GET /a, reply: { status: 200 } }]
            cases: { c: { client: [{ url: /a, task: handler }, { url: /a, task: async }], handler: handler(ok), "handler[1]": awaited(error), task: "redirect(302)?" } }
            """#),
    ]
}
