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
