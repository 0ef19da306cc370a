extension ErrorRow {
    /// What a client cannot answer.
    static let answerRows: [ErrorRow] = [
        ErrorRow(
            "credentials that are none",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                cases:
                  a: { client: { url: /a, onChallenge: { use: user, persistence: session } } }
                  b: { client: { url: /a, onChallenge: { use: "u:p", twice: "u:p" } } }
                  c: { client: { url: /a, onChallenge: { persistence: session } } }
                  d: { client: { url: /a, onChallenge: { twice: "u:p", persistence: forever } } }
                  e: { client: { url: /a, onChallenge: [cancel-task, cancel-task-then-use, twice, { cancel-task-then-use: [u] }] } }
                """#,
            messages: [
                #"4:47 expected "user:password", found "user"; write { token: … } for a token of Bearer"#,
                #"5:40 a challenge answer is one of use, twice, cancel-task-then-use"#,
                #"6:40 a challenge answer needs the key "use""#,
                #"7:69 unknown persistence "forever"; permitted: none, session, permanent"#,
                #"8:54 unknown challenge answer "cancel-task-then-use"; write { cancel-task-then-use: "user:password" }"#,
                #"8:76 unknown challenge answer "twice"; write { twice: "user:password" }"#,
                #"8:107 expected a user and password as text, found a list"#,
            ]),
        ErrorRow(
            "answers that nobody can give",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                cases:
                  a: { client: { url: /a, onRedirect: cancel-then, onResponse: wait, onBodyStream: newer, onWillCache: keep } }
                  b: { client: { url: /a, onRedirect: [follow, twise, { follow: true }] } }
                  c: { client: { url: /a, onRedirect: { change: { url: "http://example.com/", verb: GET } } } }
                  d: { client: { url: /a, cachePolicy: cache, answerAfter: 0ms } }
                  e: { client: { url: /a, body: x, bodyForm: http-stream, answerAfter: 300 } }
                """#,
            messages: [
                #"4:39 unknown redirect answer "cancel-then"; permitted: follow, refuse, cancel, cancel-then-follow, cancel-then-refuse, never, twice, change"#,
                #"4:64 unknown response answer "wait"; permitted: allow, cancel, becomeDownload, becomeStream, never"#,
                #"4:84 unknown body stream answer "newer"; did you mean "never"?"#,
                #"4:104 unknown cache answer "keep"; permitted: store, none"#,
                #"5:48 unknown redirect answer "twise"; did you mean "twice"?"#,
                #"5:55 a redirect answer needs the key "change""#,
                #"5:57 unknown key "follow" in a redirect answer; known keys: change"#,
                #"6:56 the URL "http://example.com/" would leave this machine; write host: example.com at an origin, and no one looks for it elsewhere"#,
                #"6:79 unknown key "verb" in a change; known keys: method, url, headers"#,
                #"7:40 unknown cache policy "cache"; permitted: protocol, reload, cache-else-load, cache-only"#,
                #"7:60 expected a duration like 200ms, 1.5s or 2m, more than 0 and at most 10m, found "0ms""#,
                #"8:46 unknown body form "http-stream"; permitted: data, file, stream, http-body-stream, bound-pair"#,
                #"8:72 expected a duration like 200ms, 1.5s or 2m, more than 0 and at most 10m, found "300""#,
            ]),
    ]
}
