import ProctorBase
import ProctorRules

extension ErrorRow {
    static let caseRows: [ErrorRow] = [
        ErrorRow(
            "cases that are a list",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                cases: [a]
                """#,
            messages: [#"3:8 expected cases as a mapping from name to case, found a list"#]),
        ErrorRow(
            "a case with a bad name and no client",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                cases: { "a b": { kind: may } }
                """#,
            messages: [
                #"3:10 "a b" cannot name a case; use letters, digits, '-', '_' and '.', a letter or digit first, at most 100"#,
                #"3:17 a case needs the key "client""#,
                #"3:25 unknown kind "may"; permitted: must, should, observes"#,
            ]),
        ErrorRow(
            "unknown keys of a case",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                cases: { a: { client: { url: /a }, tasks: response(200), harness: cancel, "task[x]": data } }
                """#,
            messages: [
                #"3:36 unknown key "tasks" in a case; did you mean "task"?"#,
                #"3:58 unknown key "harness" in a case; known keys: kind, summary, spec, demand, client, wire, task, download, session, proto, protocolClient, handler, with, edges, breaks, facts, cookies, tolerates, needs, applies"#,
                #"3:75 unknown key "task[x]" in a case; known keys: kind, summary, spec, demand, client, wire, task, download, session, proto, protocolClient, handler, with, edges, breaks, facts, cookies, tolerates, needs, applies"#,
            ]),
        ErrorRow(
            "a lane of a step that is not there",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                cases: { a: { client: [{ url: /a }, { url: /a }], "task[2]": data, "task[0]": data, task: data, facts: { "step[2].status": 200 } } }
                """#,
            messages: [
                #"3:51 there is no step 2; this case has 2, counted from 0"#,
                #"3:85 the lane "task" stands here twice: [0] may be left out"#,
                #"3:106 there is no step 2; this case has 2, counted from 0"#,
            ]),
        ErrorRow(
            "an expression with typing errors",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                cases:
                  a:
                    client: { url: /a }
                    wire: response(200)
                    task: "redirect(302) respons(200)"
                    session: |
                      challenge(basic)
                      sessionInvalid(ok
                    proto: 'p.init ('
                """#,
            messages: [
                #"6:11 'response' is no event of lane 'wire'; it belongs to 'task', 'protocolClient'"#,
                #"7:26 unknown event 'respons'; did you mean 'response'?"#,
                #"10:21 the argument list is not closed on its line"#,
                #"11:21 '(' is not closed and nothing stands after it"#,
            ]),
        ErrorRow(
            "an expression that is a mapping",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                cases: { a: { client: { url: /a }, task: { data: }, wire: [request] } }
                """#,
            messages: [
                #"3:42 expected an expression as text, found a mapping; quote it, or write it as a block after |"#,
                #"3:59 expected an expression as text, found a list; quote it, or write it as a block after |"#,
            ]),
        ErrorRow(
            "with beside no lane",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                cases: { a: { client: { url: /a }, with: bodySent* }, b: { client: { url: /a }, task: data, with: { download: progress* } }, c: { client: { url: /a }, task: data, with: complete } }
                """#,
            messages: [
                #"3:42 "with" needs a task or download lane that it can be mixed into"#,
                #"3:101 "download" is no lane of this case; permitted: task"#,
                #"3:170 "complete" ends a lane and cannot be interleaved with it"#,
            ]),
        ErrorRow(
            "unknown facts",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                cases: { a: { client: { url: /a }, facts: { statis: 200, "wire[0].boddy": a, "wire[x].body": a, "connection[0].what": a, wire: 3, "wire[0].headers.": a } } }
                """#,
            messages: [
                #"3:45 unknown fact "statis"; did you mean "status"?"#,
                #"3:58 unknown fact "wire[0].boddy"; did you mean "wire[0].body"?"#,
                #"3:78 expected wire[N].NAME with N from 0 to 999999, found "wire[x].body""#,
                #"3:97 unknown fact "connection[0].what"; known after connection[0].: requests, closedBy, end, origin, protocol, streams"#,
                #"3:122 unknown fact "wire"; known facts: status, url, body, mime, suggestedName, expectedLength, error, body.length, textEncodingName, statusText, error.message, error.message.length, willCache.storage, metrics.protocol, stored.cookies, file, fileExists, files, temporaryFileExists, resumeData, messages, close.code, close.reason, protocol, events, events.count, retries, header.NAME, redirect[N].NAME, events[N].NAME, stored.cookies.NAME, stored.PROPERTY.NAME, cached.NAME, wire.count, connections, tunnels, tls.handshakes, tls.failures, h2.connections, h2.streams, ws.count, auth.attempts, auth.failures, auth.challenges, auth.scheme, auth.user, auth.nc, auth.faults, auth[GUARD].…, wire[N].…, connection[N].…, tls[N].…, stream[N].…, h2[N].…, ws[N].…, socks[N].…, dns[N].…, step[N].…"#,
                #"3:131 unknown fact "wire[0].headers."; known after wire[0].: method, target, version, body, body.length, connection, origin, violations, fields, gap, framing, chunks, parts, auth, auth.faults, cookies, target-form, authority, chunk-lines, withheld, opaque, opaque.length, stream, reused, coalesced, headers.NAME, trailers.NAME, form.NAME, query.NAME, cookies.NAME, parts[N].NAME, credentials.NAME, proxy-credentials.NAME, reply.status, reply.headers.NAME, reply.body, reply.body.length"#,
            ]),
        ErrorRow(
            "unknown facts of responses and redirects",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                cases: { a: { client: { url: /a }, facts: { header.: 1, "header.a b": 1, "redirect[0].stats": 1, "redirect[x].status": 1, "step[0].hedder": 1 } } }
                """#,
            messages: [
                #"3:45 unknown fact "header."; known facts: status, url, body, mime, suggestedName, expectedLength, error, body.length, textEncodingName, statusText, error.message, error.message.length, willCache.storage, metrics.protocol, stored.cookies, file, fileExists, files, temporaryFileExists, resumeData, messages, close.code, close.reason, protocol, events, events.count, retries, header.NAME, redirect[N].NAME, events[N].NAME, stored.cookies.NAME, stored.PROPERTY.NAME, cached.NAME, wire.count, connections, tunnels, tls.handshakes, tls.failures, h2.connections, h2.streams, ws.count, auth.attempts, auth.failures, auth.challenges, auth.scheme, auth.user, auth.nc, auth.faults, auth[GUARD].…, wire[N].…, connection[N].…, tls[N].…, stream[N].…, h2[N].…, ws[N].…, socks[N].…, dns[N].…, step[N].…"#,
                #"3:57 unknown fact "header.a b"; did you mean "header.NAME"?"#,
                #"3:74 unknown fact "redirect[0].stats"; did you mean "redirect[0].status"?"#,
                #"3:98 expected redirect[N].NAME with N from 0 to 999999, found "redirect[x].status""#,
                #"3:123 unknown fact "step[0].hedder"; known after step[0].: status, url, body, mime, suggestedName, expectedLength, error, body.length, textEncodingName, statusText, error.message, error.message.length, willCache.storage, metrics.protocol, stored.cookies, file, fileExists, files, temporaryFileExists, resumeData, messages, close.code, close.reason, protocol, events, events.count, retries, header.NAME, redirect[N].NAME, events[N].NAME, stored.cookies.NAME, stored.PROPERTY.NAME, cached.NAME"#,
            ]),
        ErrorRow(
            "facts with values they cannot have",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                cases: { a: { client: { url: /a }, facts: { status: OK, "wire.count": [1], url: { min: 1 }, mime: { same: boddy }, body: { mn: 1 }, error: {}, "wire[0].gap": { min: 2, max: 1 }, "connection[0].closedBy": peer, "connection[0].end": resett, "wire[0].violations": bare-lff, "wire[0].origin": other, "body.length": { min: few }, suggestedName: { same: url, min: 1 } } } }
                """#,
            messages: [
                #"3:53 "status" is a number, found "OK""#,
                #"3:71 "wire.count" is one value, not a list"#,
                #"3:81 "url" is no number; min and max mean nothing"#,
                #"3:107 unknown fact "boddy"; did you mean "body"?"#,
                #"3:124 unknown key "mn" in a fact's value; did you mean "min"?"#,
                #"3:140 expected a value, { same: FACT } or { min: N, max: N }, found an empty mapping"#,
                #"3:159 min is greater than max"#,
                #"3:205 "peer" closes no connection; permitted: client, server"#,
                #"3:232 unknown end "resett" of a connection; did you mean "reset"?"#,
                #"3:262 unknown violation "bare-lff"; did you mean "bare-lf"?"#,
                #"3:290 unknown origin "other"; permitted: main"#,
                #"3:319 expected min as a number, found "few""#,
                #"3:341 "same" stands alone"#,
            ]),
        ErrorRow(
            "late-bound text in facts",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                cases: { a: { client: { url: /a }, facts: { url: "{{now}}", body: "{{path.id}}", mime: "{{bsae}}" } } }
                """#,
            messages: [
                #"3:51 {{now}} means nothing here: there is no reply whose moment it could be"#,
                #"3:68 {{path.id}} means nothing here: no request has been matched"#,
                #"3:89 unknown late-bound name "bsae"; did you mean "base"?"#,
            ]),
    ]
}

extension ErrorRow {
    /// What a case cannot say across lanes, of rules and of what a lane brings.
    static let edgeRows: [ErrorRow] = [
        ErrorRow(
            "edges that are none",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                cases:
                  a:
                    client: [{ url: /a }, { url: /a }]
                    edges:
                      - wire request[1] harness answer(follow)
                      - wir request after task data
                      - wire[1] request after task data
                      - wire request[x] after task data
                      - wire request[1000000] after task data
                      - task[x] data after wire request
                      - task[2] data after wire request
                      - task respons(200) after wire request
                      - task response(20) after wire request
                      - task data+ after wire request
                      - task data after wire request(GET /a
                      - task data after wire
                      - task data after wire request[0] then
                      - task
                      - ""
                      - [task]
                      - "wire request(POST \"/a b\") after harness ansver"
                      - |
                        wire request after
                        harness answer(follow) now
                """#,
            messages: [
                #"7:25 expected 'after' between the two events, found 'harness'"#,
                #"8:9 expected a lane (task session proto protocolClient handler harness wire), found 'wir'; did you mean 'wire'?"#,
                #"9:13 there is one lane 'wire', so it has no number; one of its events is wire EVENT[N]"#,
                #"10:21 expected [N] with N from 0 to 999999, found '[x]'"#,
                #"11:21 expected [N] with N from 0 to 999999, found '[1000000]'"#,
                #"12:13 expected [N] with N from 0 to 999999, found '[x]'"#,
                #"13:9 there is no step 2; this case has 2, counted from 0"#,
                #"14:14 unknown event 'respons'; did you mean 'response'?"#,
                #"15:23 '20' is no status; write three digits, or fewer and '*'"#,
                #"16:14 expected one event, found the expression 'data+'"#,
                #"17:37 the argument list is not closed"#,
                #"18:29 expected an event of lane 'wire', found the end"#,
                #"19:41 expected the end of the edge, found 'then'"#,
                #"20:13 expected an event of lane 'task', found the end"#,
                #"21:10 expected a lane (task session proto protocolClient handler harness wire), found the end"#,
                #"22:9 expected an edge as text, found a list"#,
                #"23:28 put an argument that holds '"' in double quotes"#,
                #"26:32 expected the end of the edge, found 'now'"#,
            ]),
        ErrorRow(
            "an edge alone",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                cases:
                  a: { client: { url: /a }, edges: wire request before task data }
                  b: { client: { url: /a }, edges: { wire: task } }
                """#,
            messages: [
                #"4:49 expected 'after' between the two events, found 'before'"#,
                #"5:36 expected an edge as text, found a mapping"#,
            ]),
        ErrorRow(
            "rules that are none",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                cases:
                  a: { client: { url: /a }, breaks: R99 }
                  b: { client: { url: /a }, breaks: [R0, 12, R05, rule 5, R1] }
                  c: { client: { url: /a }, breaks: { R1: true } }
                """#,
            messages: [
                #"4:37 expected a rule from \#(Rules.span), found "R99""#,
                #"5:38 expected a rule from \#(Rules.span), found "R0""#,
                #"5:42 expected a rule from \#(Rules.span), found "12""#,
                #"5:46 expected a rule from \#(Rules.span), found "R05""#,
                #"5:51 expected a rule from \#(Rules.span), found "rule 5""#,
                #"6:37 expected a rule as text, found a mapping"#,
            ]),
        ErrorRow(
            "events that a lane never brings",
            yaml: #"""
                summary: s
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                cases:
                  a: { client: { url: /a }, task: progress+ complete }
                  b: { client: { url: /a, task: download }, download: becameStream complete(ok) }
                  c: { client: { url: /a, task: handler }, task: redirect(302) response(200) complete(ok) }
                  d: { client: [{ url: /a }, { url: /a, task: async }], "task[1]": complete(ok), "handler[1]": awaited(ok) }
                  e: { client: { url: /a }, download: progress+ wsOpen }
                  f: { client: { url: /a }, handler: complete(ok), "handler[1]": handler(ok) }
                """#,
            messages: [
                #"4:35 "progress" never comes for a data or upload task; download tasks are judged by "download""#,
                #"5:55 "becameStream" never comes for a download task, which reports progress and fileReady"#,
                #"6:50 "complete" never comes for a task: handler, whose end is told in the lane handler (R54)"#,
                #"7:68 "complete" never comes for a task: async, whose end is told in the lane handler (R54)"#,
                #"8:39 "wsOpen" never comes for a download task, which reports progress and fileReady"#,
                #"9:38 'complete' is no event of lane 'handler'; it belongs to 'task', 'protocolClient'"#,
                #"9:52 there is no step 1; this case has 1, counted from 0"#,
            ]),
    ]
}
