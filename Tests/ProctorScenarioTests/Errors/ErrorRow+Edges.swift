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
                  a: { client: { url: /a }, breaks: R59 }
                  b: { client: { url: /a }, breaks: [R0, 12, R05, rule 5, R1] }
                  c: { client: { url: /a }, breaks: { R1: true } }
                """#,
            messages: [
                #"4:37 expected a rule from R1 to R58, found "R59""#,
                #"5:38 expected a rule from R1 to R58, found "R0""#,
                #"5:42 expected a rule from R1 to R58, found "12""#,
                #"5:46 expected a rule from R1 to R58, found "R05""#,
                #"5:51 expected a rule from R1 to R58, found "rule 5""#,
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
