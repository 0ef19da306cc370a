extension ErrorRow {
    /// What opens a WebSocket.
    static let webSocketRows: [ErrorRow] = [
        ErrorRow(
            "turns of a WebSocket that are none",
            yaml: #"""
                summary: s
                exchanges:
                  - request: GET /a
                    reply:
                      websocket:
                        - { send: a, ping: b }
                        - { send: a, reason: b }
                        - { wait: 1s }
                        - { ping: { repeat: a, bytes: 126 } }
                        - { close: 70000 }
                        - { close: null, reason: b }
                        - { frame: { payload: a } }
                        - { frame: { opcode: texts } }
                        - { frame: { opcode: 16 } }
                        - { frame: { opcode: text, key: abc } }
                        - { frame: { opcode: text, length-form: 8 } }
                        - { expect: { text: a, json: 1 } }
                        - { any-order: [] }
                        - { echo: 0 }
                        - { send: { pattern: offset, bytes: 16777217 } }
                        - { do: close }
                        - { send: never }
                """#,
            messages: [
                #"6:11 a turn needs exactly one of do, send, ping, pong, close, frame, expect, any-order, echo, found 2"#,
                #"7:22 "reason" does not go with "send""#,
                #"8:13 unknown key "wait" in a turn; a pause is a turn of its own: { do: wait 100ms }"#,
                #"9:11 a control frame has a payload of 125 bytes at most (RFC 6455 §5.5), found 126; write frame: to send a longer one"#,
                #"10:20 code is 70000; permitted is 0 ... 65535"#,
                #"11:26 a reason stands behind a code (RFC 6455 §5.5.1)"#,
                #"12:20 a frame needs the key "opcode""#,
                #"13:30 expected an opcode, found "texts"; permitted: continuation, text, binary, close, ping, pong, or 0 to 15"#,
                #"14:30 opcode is 16; permitted is 0 ... 15"#,
                #"15:20 a masking key has 4 bytes (RFC 6455 §5.3), found 3"#,
                #"16:20 a length has 7, 16 or 64 bits, found 8"#,
                #"17:21 what must come needs exactly one of text, json, binary, ping, pong, close, found 2"#,
                #"18:24 a list of what must come needs at least one"#,
                #"19:19 number of messages is 0; permitted is 1 ... 1000000"#,
                #"20:19 a message has 16777217 bytes; at most 16777216 are permitted"#,
                #"22:11 this is never played: the conversation ends with the effect at 21:11"#,
            ]),
        ErrorRow(
            "a WebSocket beside other keys",
            yaml: #"""
                summary: s
                exchanges:
                  - request: GET /a
                    reply: { websocket: [], events: [a] }
                  - request: GET /b
                    reply: { websocket: { turn: [] } }
                  - request: GET /c
                    reply: { websocket: { leave-out: [Host] } }
                  - request: GET /d
                    reply: { websocket: { deflate: false } }
                  - request: GET /e
                    reply: { websocket: [], then: close }
                  - request: GET /f
                    reply: { websocket: [], body: a }
                cases:
                  c: { client: { url: /a }, facts: { "ws[0].message": [], "ws[0].close": a, "ws[0].violations": mask-mising } }
                """#,
            messages: [
                #"4:29 "events" does not go with "websocket""#,
                #"6:27 unknown key "turn" in a WebSocket; did you mean "turns"?"#,
                #"8:39 "Host" is no field of the handshake; permitted: Upgrade, Connection, Sec-WebSocket-Accept, Sec-WebSocket-Protocol, Sec-WebSocket-Extensions"#,
                #"10:36 expected permessage-deflate as a mapping, found "false"; write deflate: true"#,
                #"12:35 "then" does not go with "websocket", behind which no other request is read"#,
                #"14:29 a 101 reply never has a body (RFC 9112 §6.3); say framing: none, close, length or chunked to send one all the same"#,
                #"16:38 unknown fact "ws[0].message"; did you mean "ws[0].messages"?"#,
                #"16:74 "ws[0].close" is a number, found "a""#,
                #"16:97 unknown violation "mask-mising" of WebSocket; did you mean "mask-missing"?"#,
            ]),
    ]
}
