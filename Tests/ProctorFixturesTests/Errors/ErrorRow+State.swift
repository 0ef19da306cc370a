extension ErrorRow {
    static let stateRows: [ErrorRow] = [
        ErrorRow(
            "a state that nothing sets, in when and in text",
            yaml: #"""
                summary: s
                state: { cart: empty, left: 3 }
                exchanges:
                  - request: GET /a
                    when: { crat: empty }
                    reply: { status: 200, body: "{{state.lefd}} {{state.nothing of the kind}}" }
                """#,
            messages: [
                #"5:13 nothing sets the state "crat"; did you mean "cart"?"#,
                #"6:34 nothing sets the state "lefd"; did you mean "left"?"#,
                #"6:49 nothing sets the state "nothing of the kind"; write it below state: at the top of the file, with null where it has no first value"#,
            ]),
        ErrorRow(
            "a late-bound name that no reply sets",
            yaml: #"""
                summary: s
                exchanges:
                  - request: "GET /items/{id}"
                    when: { "items/{{path.id}}": null }
                    reply: { status: 404, sets: { "item/{{path.id}}": "1" } }
                """#,
            messages: [
                #"4:13 nothing sets the state "items/{{…}}"; sets: of a reply, or state.set of a script, sets a name with {{…}}; state: at the top has fixed names"#
            ]),
        ErrorRow(
            "conditions with text of the request, and lists of changes, that are none",
            yaml: #"""
                summary: s
                state: { a: null }
                exchanges:
                  - request: GET /{n}
                    when: { a: { not: "{{path.n}}*" } }
                    reply: { status: 200, sets: [] }
                  - request: GET /b
                    when: { a: { any of: ["{{path.m}}", { matches: "{{" }] } }
                    reply: { status: 200, sets: [{ a: 1 }, {}, 5] }
                """#,
            messages: [
                #"5:34 text with {{…}} is compared byte for byte, so that * stands for nothing in it; leave it out, or put what it stands for in a state of its own"#,
                #"6:33 sets needs at least one name"#,
                #"8:28 this exchange's request captures nothing; write {m} in its path"#,
                #"9:44 sets needs at least one name"#,
                #"9:48 expected sets as a mapping from name to value, found "5""#,
            ]),
        ErrorRow(
            "a change beside ranges",
            yaml: #"""
                summary: s
                exchanges:
                  - request: GET /a
                    reply: { status: 200, sets: { a: 1 }, honours: [conditions, ranges], body: abc }
                """#,
            messages: [
                #"4:43 "honours: ranges" does not go with "sets": the change would be made though the answer is a 416; answer with ranges in an exchange that sets nothing, or leave ranges out"#
            ]),
        ErrorRow(
            "changes that are none",
            yaml: #"""
                summary: s
                state: { left: 3 }
                exchanges:
                  - request: GET /a
                    reply: { status: 200, sets: { left: { add: much }, a: { ad: 1 }, b: [], "": c } }
                """#,
            messages: [
                #"5:48 expected what is added as a whole number -1000000000000 ... 1000000000000, found "much""#,
                #"5:59 a change of the state needs the key "add""#,
                #"5:61 unknown key "ad" in a change of the state; did you mean "add"?"#,
                #"5:73 expected a value of the state as text, found a list"#,
                #"5:77 a name of the state is not empty"#,
            ]),
        ErrorRow(
            "first values that are none",
            yaml: #"""
                summary: s
                state: { a: "{{base}}", b: [], "": c }
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                """#,
            messages: [
                #"2:13 a first value is the same for all runs, so it holds no late-bound text"#,
                #"2:28 expected a first value as text, found a list"#,
                #"2:32 the state "" can't begin like that: a name of the state is not empty"#,
            ]),
        ErrorRow(
            "a state in the text of a connection, in a guard's reply and in the reply to ranges",
            yaml: #"""
                summary: s
                state: { a: b }
                auth: { users: { u: p }, schemes: [basic], refuse: { body: "{{state.a}}", sets: { a: c } } }
                exchanges:
                  - request: GET /a
                    reply: { status: 200, body: b, honours: ranges, unsatisfiable: { sets: { a: c } } }
                """#,
            messages: [
                #"3:61 {{state.NAME}} means nothing here: only the reply to a request shows the state"#,
                #"3:75 "sets" does not go with a guard's reply, which takes no turn; write it in the exchange's own reply"#,
                #"6:70 "sets" does not go with the reply to ranges that are not there; write it in the exchange's own reply"#,
            ]),
        ErrorRow(
            "an unfinished name of a state",
            yaml: #"""
                summary: s
                state: { a: b }
                exchanges:
                  - request: GET /a
                    reply: { status: 200, body: "{{state.}} {{state.{{path.id}}}} {{state.{{path.id}}" }
                """#,
            messages: [
                #"5:34 {{state.}} needs a name behind the point"#,
                #"5:53 this exchange's request captures nothing; write {id} in its path"#,
                #"5:67 {{ without }}; write {{{{ where two braces themselves are meant"#,
            ]),
        ErrorRow(
            "random replies that are none",
            yaml: #"""
                summary: s
                exchanges:
                  - request: GET /a
                    reply: { choose: [ { weight: 0, status: 200 }, { choose: [] } ], status: 200 }
                  - request: GET /b
                    reply: [ { choose: [ { status: 200 } ] }, { weight: 3, status: 200 } ]
                """#,
            messages: [
                #"4:34 weight is 0; permitted is 1 ... 1000000"#,
                #"4:54 a choose has no place in another one; write it as a reply of an exchange"#,
                #"4:70 "status" does not go with "choose"; write it in its replies"#,
                #"6:24 choose needs a list of two replies or more, of which one is chosen"#,
                #"6:49 "weight" is for the replies of a choose; write choose: [ … ]"#,
            ]),
    ]
}
