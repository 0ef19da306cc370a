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
                #"4:37 unknown event "after"; permitted: created, delayed, waiting, canonicalize, redirect, askCanAuth, askCredStore, challenge, challengeCancelled, needBodyStream, bodySent, informational, response, data, willCache, becameDownload, becameStream, downloadBegin, downloadResumed, shouldDecode, destination, destinationCreated, progress, fileReady, streamReadClosed, streamWriteClosed, betterRoute, streamsCaptured, wsOpen, wsClose, metrics, complete, before-resume, after-resume"#,
                #"4:55 unknown event "dta"; did you mean "data"?"#,
                #"5:59 count is 0; permitted is 1 ... 1000000"#,
                #"5:75 a moment needs the key "event""#,
                #"6:68 "before-resume" comes once, so a count of 2 is never reached"#,
                #"6:93 "complete" is too late to suspend"#,
                #"7:37 expected the name of an event as text, found a list"#,
                #"7:71 unknown key "times" in a moment; known keys: event, count"#,
                #"8:37 unknown event "p.start"; permitted: created, delayed, waiting, canonicalize, redirect, askCanAuth, askCredStore, challenge, challengeCancelled, needBodyStream, bodySent, informational, response, data, willCache, becameDownload, becameStream, downloadBegin, downloadResumed, shouldDecode, destination, destinationCreated, progress, fileReady, streamReadClosed, streamWriteClosed, betterRoute, streamsCaptured, wsOpen, wsClose, metrics, complete, before-resume, after-resume"#,
                #"8:57 unknown event "request"; permitted: created, delayed, waiting, canonicalize, redirect, askCanAuth, askCredStore, challenge, challengeCancelled, needBodyStream, bodySent, informational, response, data, willCache, becameDownload, becameStream, downloadBegin, downloadResumed, shouldDecode, destination, destinationCreated, progress, fileReady, streamReadClosed, streamWriteClosed, betterRoute, streamsCaptured, wsOpen, wsClose, metrics, complete, before-resume, after-resume"#,
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
    ]
}
