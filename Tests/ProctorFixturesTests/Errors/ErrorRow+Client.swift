extension ErrorRow {
    static let clientRows: [ErrorRow] = [
        ErrorRow(
            "client programs that are none",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                cases: { a: { client: GET /a }, b: { client: [] }, c: { client: {} }, d: { client: { url: /a, metod: GET } } }
                """#,
            messages: [
                #"3:23 expected a client program as a mapping, found "GET /a""#,
                #"3:46 a list of steps needs at least one"#,
                #"3:65 a client program needs the key "url""#,
                #"3:95 unknown key "metod" in a client program; did you mean "method"?"#,
            ]),
        ErrorRow(
            "URLs that leave the machine",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                cases: { a: { client: { url: "http://example.com/" } }, b: { client: { url: a } }, c: { client: { url: "{{origin.x}}/a" } } }
                """#,
            messages: [
                #"3:30 the URL "http://example.com/" would leave this machine; write host: example.com at an origin, and no one looks for it elsewhere"#,
                #"3:77 the URL "a" is relative to nothing; begin with /, {{base}}, {{origin}} or {{origin.NAME}}"#,
                #"3:105 unknown origin "x"; permitted: main"#,
            ]),
        ErrorRow(
            "conversations that are none",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                cases:
                  a: { client: { url: /a, conversation: ping } }
                  b: { client: { url: /a, task: websocket, protocols: "a b", conversation: [send, pong, { close: 1000 }, ping] } }
                  c: { client: { url: /a, task: websocket, conversation: { send: { hex: ff }, as: text } } }
                """#,
            messages: [
                #"4:27 only a WebSocket has "conversation"; write task: websocket"#,
                #"5:55 expected a protocol as a token (RFC 6455 §4.1), found "a b""#,
                #"5:77 unknown act of a conversation "send"; write { send: … }"#,
                #"5:83 unknown act of a conversation "pong"; did you mean "ping"?"#,
                #"5:106 nothing can be done behind "close""#,
                #"6:66 a client sends no text message that is not UTF-8; write as: binary"#,
            ]),
        ErrorRow(
            "answers that are none",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                cases: { a: { client: { url: /a, onRedirect: folow, onChallenge: use, onResponse: become, onBodyStream: old } }, b: { client: { url: /a, onRedirect: [], onChallenge: { use: user } } }, c: { client: { url: /a, onRedirect: { change: {} } } }, d: { client: { url: /a, onRedirect: change, onChallenge: rejct } } }
                """#,
            messages: [
                #"3:46 unknown redirect answer "folow"; did you mean "follow"?"#,
                #"3:66 unknown challenge answer "use"; write { use: "user:password" }"#,
                #"3:83 unknown response answer "become"; permitted: allow, cancel, becomeDownload, becomeStream, never"#,
                #"3:105 unknown body stream answer "old"; permitted: fresh, none, never"#,
                #"3:150 a list of redirect answers needs at least one"#,
                #"3:174 expected "user:password", found "user"; write { token: … } for a token of Bearer"#,
                #"3:232 a change needs "method", "url" or "headers""#,
                #"3:278 unknown redirect answer "change"; write { change: { url: … } }"#,
                #"3:299 unknown challenge answer "rejct"; did you mean "reject"?"#,
            ]),
        ErrorRow(
            "answers and methods of old delegates",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                cases:
                  a: { client: { url: /a, onCanAuthenticate: yes, onShouldDecode: decod, onCanonicalize: folow } }
                  b: { client: { url: /a, onShouldDecode: { A/B: decode, a/b: burn }, onCanonicalize: change } }
                  c: { client: { url: /a, session: { without: [redirekt, canonicalize, challenge, bodySent, bodySent] } } }
                  d: { client: { url: /a, session: { challengeMethods: older } } }
                """#,
            messages: [
                #"4:46 expected onCanAuthenticate as true or false, found "yes""#,
                #"4:67 unknown answer "decod" to shouldDecode; did you mean "decode"?"#,
                #"4:90 unknown answer "folow" to a rewritten request; permitted: accept, refuse, change"#,
                #"5:45 "A/B" is no media type in lower case without parameters; write application/macbinary"#,
                #"5:63 unknown answer "burn" to shouldDecode; permitted: decode, leave"#,
                #"5:87 unknown answer "change" to a rewritten request; write { change: { url: … } }"#,
                #"6:48 no delegate can lack a method of "redirekt" here; did you mean "redirect"?"#,
                #"6:58 no delegate can lack a method of "canonicalize" here; write redirect: one method reports both"#,
                #"6:72 no delegate can lack a method of "challenge" here; leave onChallenge out, and the delegate has no method for it"#,
                #"6:93 "bodySent" stands here twice"#,
                #"7:56 unknown methods for challenges "older"; permitted: old, new, both"#,
            ]),
        ErrorRow(
            "what a delegate without a method never says",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                cases:
                  a: { client: { url: /a, onRedirect: refuse, session: { without: redirect } } }
                  b: { client: { url: /a, session: { without: redirect } }, task: canonicalize+ response(200) data* complete(ok) }
                  c: { client: { url: /a, cancelAt: willCache, session: { without: willCache } } }
                  d: { client: { url: /a, onCanAuthenticate: true } }
                  e: { client: { url: /a, session: { without: redirect, delegates: both } }, task: redirect(302)* response(200) data* complete(ok) }
                """#,
            messages: [
                #"4:16 "onRedirect" is the answer of a method that "without" takes away"#,
                #"5:67 "canonicalize" never comes, since the delegate lacks its method"#,
                #"6:16 "willCache" never comes, since the delegate lacks its method"#,
                #"7:16 "onCanAuthenticate" is asked by the old methods for challenges alone (R19); write session: { challengeMethods: old }"#,
            ]),
        ErrorRow(
            "other parts of a client program",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                cases: { a: { client: { url: /a, method: "G T", bodyForm: file, task: dta, suspendAt: complete, timeout: 0s, resume: 0 } }, b: { client: [{ url: /a }, { resume: 1 }] }, c: { client: { url: /a, cancelAt: respons, timeout: 11m } } }
                """#,
            messages: [
                #"3:42 expected a method as a token (RFC 9110 §9.1), found "G T""#,
                #"3:49 "bodyForm" needs a body"#,
                #"3:71 unknown task "dta"; did you mean "data"?"#,
                #"3:87 "complete" is too late to suspend"#,
                #"3:106 expected a duration like 200ms, 1.5s or 2m, more than 0 and at most 10m, found "0s""#,
                #"3:118 the first step has nothing to resume; write client: as a list of steps"#,
                #"3:162 resume is 1; permitted is 0 ... 0"#,
                #"3:204 unknown event "respons"; did you mean "response"?"#,
                #"3:222 expected a duration like 200ms, 1.5s or 2m, more than 0 and at most 10m, found "11m""#,
            ]),
    ]
}

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
                  f: { client: { url: /a, onWillCache: { change: { storage: disk, data: x } } } }
                  g: { client: { url: /a, onWillCache: { change: {} } } }
                  h: { client: { url: /a, onWillCache: change } }
                  i: { client: { url: /a, byHand: [delete-cookie, remove, { set-cookie: a, delete-cookie: b }, {}] } }
                """#,
            messages: [
                #"4:39 unknown redirect answer "cancel-then"; permitted: follow, refuse, cancel, cancel-then-follow, cancel-then-refuse, never, twice, change"#,
                #"4:64 unknown response answer "wait"; permitted: allow, cancel, becomeDownload, becomeStream, never"#,
                #"4:84 unknown body stream answer "newer"; did you mean "never"?"#,
                #"4:104 unknown cache answer "keep"; permitted: store, none, change"#,
                #"5:48 unknown redirect answer "twise"; did you mean "twice"?"#,
                #"5:55 a redirect answer needs the key "change""#,
                #"5:57 unknown key "follow" in a redirect answer; known keys: change"#,
                #"6:56 the URL "http://example.com/" would leave this machine; write host: example.com at an origin, and no one looks for it elsewhere"#,
                #"6:79 unknown key "verb" in a change; known keys: method, url, headers"#,
                #"7:40 unknown cache policy "cache"; permitted: protocol, reload, reload-all, revalidate, cache-else-load, cache-only"#,
                #"7:60 expected a duration like 200ms, 1.5s or 2m, more than 0 and at most 10m, found "0ms""#,
                #"8:46 unknown body form "http-stream"; permitted: data, file, stream, http-body-stream, http-body-file-stream, bound-pair, http-bound-pair"#,
                #"8:72 expected a duration like 200ms, 1.5s or 2m, more than 0 and at most 10m, found "300""#,
                #"9:61 unknown storage policy "disk"; permitted: allowed, memory, not-allowed"#,
                #"9:67 unknown key "data" in a change; known keys: body, storage, notes"#,
                #"10:50 a change needs "body", "storage" or "notes""#,
                #"11:40 unknown cache answer "change"; write { change: { body: … } }"#,
                #"12:36 unknown act by hand "delete-cookie"; write { delete-cookie: … }"#,
                #"12:51 unknown act by hand "remove"; permitted: delete-cookies, remove-cached, set-cookie, delete-cookie"#,
                #"12:59 an act by hand is one of "set-cookie" and "delete-cookie""#,
                #"12:96 an act by hand is one of "set-cookie" and "delete-cookie""#,
            ]),
        ErrorRow(
            "schedules of what has no place or has started",
            yaml: #"""
                summary: x
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                cases:
                  a: { client: { url: /a, schedule: { on: main } } }
                  b: { client: { url: /a, schedule: { mode: other } } }
                  c: { client: { url: /a, schedule: { start: later, on: queue, mode: other } } }
                  d: { client: { url: /a, schedule: { start: soon } } }
                  e: { client: { url: /a, task: queued, schedule: { start: later } } }
                """#,
            messages: [
                "4:37 a connection is scheduled elsewhere before it starts, and this one starts when it is made; write start: later",
                "5:37 a connection is scheduled elsewhere before it starts, and this one starts when it is made; write start: later",
                #"6:37 "queue" has no run loop that could run in a mode; leave mode out"#,
                #"7:46 unknown start "soon"; permitted: at-once, later, twice"#,
                "8:41 only a connection with a delegate is scheduled, and task: queued has none",
            ]),
    ]
}

extension ErrorRow {
    /// When a client cannot act, and sessions it cannot have.
    static let momentRows: [ErrorRow] = [
        ErrorRow(
            "moments that are none",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                cases:
                  a: { client: { url: /a, cancelAt: after, suspendAt: dta } }
                  b: { client: { url: /a, cancelAt: { event: data, count: 0 }, suspendAt: { count: 2 } } }
                  c: { client: { url: /a, cancelAt: { event: before-resume, count: 2 }, suspendAt: { event: complete } } }
                  d: { client: { url: /a, cancelAt: [data], suspendAt: { event: data, times: 2 } } }
                  e: { client: { url: /a, cancelAt: p.start, suspendAt: request } }
                """#,
            messages: [
                #"4:37 unknown event "after"; permitted: created, delayed, waiting, canonicalize, redirect, askCanAuth, askCredStore, challenge, challengeCancelled, needBodyStream, bodySent, informational, response, data, willCache, becameDownload, becameStream, downloadBegin, downloadResumed, shouldDecode, destination, destinationCreated, progress, fileReady, streamReadClosed, streamWriteClosed, betterRoute, streamsCaptured, wsOpen, wsClose, esOpen, esEvent, esError, metrics, complete, before-resume, after-resume"#,
                #"4:55 unknown event "dta"; did you mean "data"?"#,
                #"5:59 count is 0; permitted is 1 ... 1000000"#,
                #"5:75 a moment needs the key "event""#,
                #"6:68 "before-resume" comes once, so a count of 2 is never reached"#,
                #"6:93 "complete" is too late to suspend"#,
                #"7:37 expected the name of an event as text, found a list"#,
                #"7:71 unknown key "times" in a moment; known keys: event, count"#,
                #"8:37 unknown event "p.start"; permitted: created, delayed, waiting, canonicalize, redirect, askCanAuth, askCredStore, challenge, challengeCancelled, needBodyStream, bodySent, informational, response, data, willCache, becameDownload, becameStream, downloadBegin, downloadResumed, shouldDecode, destination, destinationCreated, progress, fileReady, streamReadClosed, streamWriteClosed, betterRoute, streamsCaptured, wsOpen, wsClose, esOpen, esEvent, esError, metrics, complete, before-resume, after-resume"#,
                #"8:57 unknown event "request"; permitted: created, delayed, waiting, canonicalize, redirect, askCanAuth, askCredStore, challenge, challengeCancelled, needBodyStream, bodySent, informational, response, data, willCache, becameDownload, becameStream, downloadBegin, downloadResumed, shouldDecode, destination, destinationCreated, progress, fileReady, streamReadClosed, streamWriteClosed, betterRoute, streamsCaptured, wsOpen, wsClose, esOpen, esEvent, esError, metrics, complete, before-resume, after-resume"#,
            ]),
        ErrorRow(
            "what the app of a download says of its file",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                cases:
                  a: { client: { url: /a, download: { overwrites: true } } }
                  b: { client: { url: /a, task: download, download: {} } }
                  c: { client: { url: /a, task: download, download: { destination: ../b } } }
                  d: { client: { url: /a, task: download, download: { destination: a, keeps: true } } }
                  e: { client: { url: /a, task: download, download: { overwrites: often } } }
                """#,
            messages: [
                #"4:27 only a download task has a file; write task: download"#,
                #"5:53 "download" says nothing of the file"#,
                #"6:68 "../b" cannot name a file here; use letters, digits, '-', '_' and '.', a letter or digit first, at most 100"#,
                #"7:71 unknown key "keeps" in a download's file; known keys: deletesFileUponFailure, destination, overwrites"#,
                #"8:67 expected overwrites as true or false, found "often""#,
            ]),
        ErrorRow(
            "moments that the task never comes to",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                cases:
                  a: { client: { url: /a, cancelAt: progress } }
                  b: { client: { url: /a, task: download, cancelAt: data, suspendAt: { event: response } } }
                  c: { client: { url: /a, task: handler, cancelAt: complete, session: { end: finish, endAt: data } } }
                  d: { client: { url: /a, task: async, suspendAt: response } }
                  e: { client: { url: /a, cancelAt: wsOpen, session: { end: finish, endAt: fileReady } } }
                """#,
            messages: [
                #"4:37 "progress" never comes for task: data, so the client would never cancel"#,
                #"5:53 "data" never comes for task: download, so the client would never cancel"#,
                #"5:79 "response" never comes for task: download, so the client would never suspend"#,
                #"6:52 "complete" never comes for task: handler, so the client would never cancel"#,
                #"6:93 "data" never comes for task: handler, so the client would never end the session"#,
                #"7:51 "response" never comes for task: async, so the client would never suspend"#,
                #"8:37 "wsOpen" never comes for task: data, so the client would never cancel"#,
                #"8:76 "fileReady" never comes for task: data, so the client would never end the session"#,
            ]),
        ErrorRow(
            "keys that need others",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                cases:
                  a: { client: { url: /a, suspendFor: 1s } }
                  b: { client: { url: /a, resumeData: true } }
                  c: { client: { url: /a, cancelAt: data, resumeData: true } }
                  d: { client: { url: /a, task: download, cancelAt: progress, resumeData: maybe } }
                  e: { client: { url: /a, suspendAt: data, suspendFor: 0s } }
                """#,
            messages: [
                #"4:27 "suspendFor" needs "suspendAt""#,
                #"5:27 "resumeData" needs "cancelAt""#,
                #"6:43 only a download task produces resume data; write task: download"#,
                #"7:75 expected resumeData as true or false, found "maybe""#,
                #"8:56 expected a duration like 200ms, 1.5s or 2m, more than 0 and at most 10m, found "0s""#,
            ]),
        ErrorRow(
            "steps that begin together, and a limit that is none",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                cases:
                  a: { client: [{ url: /a, together: true }, { url: /a, together: both }] }
                  b: { client: { url: /a, session: { connectionsPerHost: 0 } } }
                """#,
            messages: [
                #"4:28 the first step has none before it to begin with"#,
                #"4:67 expected together as true or false, found "both""#,
                #"5:58 connections is 0; permitted is 1 ... 100"#,
            ]),
        ErrorRow(
            "sessions that are none",
            yaml: #"""
                summary: s
                origins: { other: {} }
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                cases:
                  a: { client: { url: /a, session: { endAt: data } } }
                  b: { client: [{ url: /a }, { url: /a, session: { end: finish } }] }
                  c: { client: { url: /a, session: { proxy: othr, cookies: none, cache: -1, delegates: all, queue: main-queue } } }
                  d: { client: { url: /a, session: { end: cancel, endAt: compete, requestTimeout: 0s, resourceTimeout: 1h } } }
                  e: { client: { url: /a, session: finish } }
                  f: { client: { url: /a, session: { ends: finish, cache: 2147483648 } } }
                """#,
            messages: [
                #"5:38 "endAt" needs "end"; write end: finish or end: invalidate"#,
                #"6:41 the session is set up by the first step, for all steps"#,
                #"7:45 unknown origin "othr"; did you mean "other"?"#,
                #"7:60 unknown cookie policy "none"; permitted: always, never, main-document"#,
                #"7:73 bytes of cache is -1; permitted is 0 ... 1073741824"#,
                #"7:88 unknown delegates "all"; permitted: session, task, both, none"#,
                #"7:100 unknown queue "main-queue"; permitted: serial, default, main, concurrent"#,
                #"8:43 unknown end "cancel"; permitted: finish, invalidate"#,
                #"8:58 unknown event "compete"; did you mean "complete"?"#,
                #"8:83 expected a duration like 200ms, 1.5s or 2m, more than 0 and at most 10m, found "0s""#,
                #"8:104 expected a duration like 200ms, 1.5s or 2m, more than 0 and at most 10m, found "1h""#,
                #"9:36 expected a session as a mapping, found "finish""#,
                #"10:38 unknown key "ends" in a session; did you mean "end"?"#,
                #"10:59 bytes of cache is 2147483648; permitted is 0 ... 1073741824"#,
            ]),
        ErrorRow(
            "protocol classes that are none",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                cases:
                  a: { client: { url: /a, session: { protocols: [] } } }
                  b: { client: { url: /a, session: { protocols: [{ takes: all }, { name: p, takes: some }, { name: p }, { name: p }] } } }
                  c: { client: { url: /a, session: { protocols: [{ name: p, takes: a/b, place: here }, { name: q, takes: /a*b }] } } }
                  d: { client: { url: /a, session: { protocols: [{ name: p }, { name: q }, { name: r }, { name: s }, { name: t }] } } }
                  e: { client: { url: /a, session: { shared: true, keepsObjects: maybe, callsAtOnce: 1 } } }
                  f: { client: { url: /a, protocol: [block-on loop, block-on] } }
                """#,
            messages: [
                #"4:49 "protocols" names no class"#,
                #"5:50 a protocol class needs the key "name""#,
                #"5:84 expected all, none, http, https or a path, found "some"; a path begins with / and may end in *, like /app/*"#,
                #"5:92 two protocol classes are called "p""#,
                #"5:105 two protocol classes are called "p""#,
                #"6:68 expected all, none, http, https or a path, found "a/b"; a path begins with / and may end in *, like /app/*"#,
                #"6:80 unknown place "here"; permitted: session, global"#,
                #"6:106 expected all, none, http, https or a path, found "/a*b"; a path begins with / and may end in *, like /app/*"#,
                #"7:49 protocol classes has 5 items; at most 4 are permitted"#,
                #"8:38 the shared session has no delegate; write delegates: none"#,
                #"8:66 expected keepsObjects as true or false, found "maybe""#,
                #"8:86 expected callsAtOnce as true or false, found "1""#,
                #"9:47 expected "block-on main", found "block-on loop""#,
                #"9:61 expected "block-on main", found "block-on""#,
            ]),
    ]
}

extension ErrorRow {
    /// What a scripted URLProtocol cannot do; each mistake is shown at the word that is wrong.
    static let scriptRows: [ErrorRow] = [
        ErrorRow(
            "values that a client cannot encode",
            yaml: #"""
                summary: s
                exchanges: [{ request: "* /*", reply: { status: 200 } }]
                cases:
                  a: { client: { url: /a, form: { a: b } } }
                  b: { client: { method: POST, url: "/a#b", body: x, form: { a: b }, query: { c: d } } }
                """#,
            messages: [
                #"4:27 a form is the content of a request; write method: POST"#,
                #"5:54 a request has "form" or "body", not both"#,
                #"5:70 "query" stands beside a URL without a fragment, which is not verbatim"#,
            ]),
        ErrorRow(
            "fields and versions of scripted responses",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                cases: { a: { client: { url: /a, protocol: [{ call: finish, headers: { A: b } }, { call: response 200, headers: { A: "{{base}}" }, version: "" }] } } }
                """#,
            messages: [
                #"3:61 "headers" stands beside a response"#,
                #"3:118 a field of a scripted response has no late-bound parts"#,
                #"3:141 expected a version, found empty text"#,
            ]),
        ErrorRow(
            "protocol calls that are none",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                cases:
                  a:
                    client:
                      url: /a
                      protocol:
                        - finsh
                        - finish now
                        - "await-stop "
                        - [response 200]
                        - { call: finish, thread: main }
                        - { thread: other }
                        - { call: respond 200, tread: other }
                  b: { client: { url: /a, protocol: response 200 } }
                """#,
            messages: [
                #"8:11 unknown protocol call "finsh"; did you mean "finish"?"#,
                #"9:18 "finish" stands alone, found "finish now""#,
                #"10:23 "await-stop" stands alone, found "await-stop ""#,
                #"11:11 expected a protocol call as text, found a list"#,
                #"12:35 unknown thread "main"; permitted: client, other"#,
                #"13:11 a protocol call needs the key "call""#,
                #"14:19 unknown protocol call "respond"; did you mean "response"?"#,
                #"14:32 unknown key "tread" in a protocol call; did you mean "thread"?"#,
                #"15:37 expected protocol calls as a list, found "response 200""#,
            ]),
        ErrorRow(
            "scripted responses that are none",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                cases:
                  a:
                    client:
                      url: /a
                      protocol:
                        - response
                        - response 99
                        - response 0200
                        - response +200
                        - response 200 html
                        - response 200 text/html text/plain
                        - response 200 memory allowed
                        - response 200  text/html
                        - "response 200 text/html not-alowed"
                """#,
            messages: [
                #"8:19 expected "response" with a status from 100 to 999, found nothing"#,
                #"9:20 expected "response" with a status from 100 to 999, found "99""#,
                #"10:20 expected "response" with a status from 100 to 999, found "0200""#,
                #"11:20 expected "response" with a status from 100 to 999, found "+200""#,
                #"12:24 after the status come at most one content type like text/plain and one of allowed, memory, not-allowed; found "html""#,
                #"13:34 after the status come at most one content type like text/plain and one of allowed, memory, not-allowed; found "text/plain""#,
                #"14:31 after the status come at most one content type like text/plain and one of allowed, memory, not-allowed; found "allowed""#,
                #"15:24 after the status come at most one content type like text/plain and one of allowed, memory, not-allowed; found """#,
                #"16:35 after the status come at most one content type like text/plain and one of allowed, memory, not-allowed; found "not-alowed""#,
            ]),
        ErrorRow(
            "scripted failures and challenges that are none",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                cases:
                  a:
                    client:
                      url: /a
                      protocol:
                        - fail
                        - fail 1004
                        - fail -100000
                        - fail timedout
                        - fail ok
                        - fail My Domain#1
                        - fail NSPOSIXErrorDomain#
                        - fail NSPOSIXErrorDomain#+5
                        - fail A#99999999999
                        - challenge
                        - challenge basci
                """#,
            messages: [
                #"8:15 expected the code or the name of an error, or DOMAIN#CODE with a code of 32 bits, found nothing; write fail -1004, fail timedOut or fail MyDomain#7"#,
                #"9:16 expected a code of NSURLErrorDomain from -99999 to -1, found 1004"#,
                #"10:16 expected a code of NSURLErrorDomain from -99999 to -1, found -100000"#,
                #"11:16 expected the code or the name of an error, or DOMAIN#CODE with a code of 32 bits, found "timedout"; did you mean "timedOut"?"#,
                #"12:16 expected the code or the name of an error, or DOMAIN#CODE with a code of 32 bits, found "ok"; write fail -1004, fail timedOut or fail MyDomain#7"#,
                #"13:16 expected the code or the name of an error, or DOMAIN#CODE with a code of 32 bits, found "My Domain#1"; write fail -1004, fail timedOut or fail MyDomain#7"#,
                #"14:16 expected the code or the name of an error, or DOMAIN#CODE with a code of 32 bits, found "NSPOSIXErrorDomain#"; write fail -1004, fail timedOut or fail MyDomain#7"#,
                #"15:16 expected the code or the name of an error, or DOMAIN#CODE with a code of 32 bits, found "NSPOSIXErrorDomain#+5"; write fail -1004, fail timedOut or fail MyDomain#7"#,
                #"16:16 expected the code or the name of an error, or DOMAIN#CODE with a code of 32 bits, found "A#99999999999"; write fail -1004, fail timedOut or fail MyDomain#7"#,
                #"17:20 "challenge" needs a kind; permitted: basic, digest, ntlm, negotiate, form, default, serverTrust, clientCert"#,
                #"18:21 unknown kind of challenge "basci"; did you mean "basic"?"#,
            ]),
        ErrorRow(
            "scripted redirects and waits that are none",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                cases:
                  a:
                    client:
                      url: /a
                      protocol:
                        - redirect
                        - redirect 302
                        - redirect 200 /b
                        - redirect 0302 /b
                        - redirect //b
                        - redirect 307 http://example.com/
                        - redirect /b c
                        - redirect "{{bsae}}/b"
                        - 'redirect 307 {{bsae}}/b'
                        - wait
                        - wait 0ms
                        - block 11m
                        - block 300
                """#,
            messages: [
                #"8:19 "redirect" needs a URL"#,
                #"9:23 "redirect" needs a URL"#,
                #"10:20 expected a status of a redirect from 300 to 399, found 200"#,
                #"11:20 expected a status of a redirect from 300 to 399, found 0302"#,
                #"12:20 the redirect target "//b" is not on this machine; begin with /, {{base}}, {{origin}} or {{origin.NAME}}"#,
                #"13:24 the redirect target "http://example.com/" is not on this machine; begin with /, {{base}}, {{origin}} or {{origin.NAME}}"#,
                #"14:20 the redirect target "/b c" holds a space; write %20"#,
                #"15:21 unknown late-bound name "bsae"; did you mean "base"?"#,
                #"16:25 unknown late-bound name "bsae"; did you mean "base"?"#,
                #"17:15 expected a duration like 200ms, 1.5s or 2m, more than 0 and at most 10m, found """#,
                #"18:16 expected a duration like 200ms, 1.5s or 2m, more than 0 and at most 10m, found "0ms""#,
                #"19:17 expected a duration like 200ms, 1.5s or 2m, more than 0 and at most 10m, found "11m""#,
                #"20:17 expected a duration like 200ms, 1.5s or 2m, more than 0 and at most 10m, found "300""#,
            ]),
    ]
}
