extension ErrorRow {
    /// What origins speak.
    static let protocolRows: [ErrorRow] = [
        ErrorRow(
            "effects of frames that are none",
            yaml: #"""
                summary: s
                origins: { main: { protocols: [h2] } }
                exchanges:
                  - request: GET /a
                    reply:
                      effects:
                        - { at: head, do: goaway }
                        - { at: head, do: goaway NO_EROR }
                        - { at: head, do: goaway CANCEL last }
                        - { at: head, do: goaway CANCEL last first }
                        - { at: head, do: rst 4294967296 }
                        - { at: head, do: window x }
                        - { at: head, do: pad 256 }
                        - { at: head, do: continuation 0 }
                        - { at: head, do: settings }
                        - { at: head, do: { settings: {} } }
                        - { at: head, do: { settings: { max-frame: 1 } } }
                        - { at: head, do: { settings: { unknown: { x: 1 } } } }
                        - { at: head, do: { frame: { flags: [ACK] } } }
                        - { at: head, do: { frame: { type: HEADER } } }
                        - { at: head, do: { frame: { type: 256 } } }
                        - { at: head, do: { frame: { type: PING, flags: [ACT], payload: abc } } }
                        - { at: head, do: { frame: { type: PING, payload: a, fields: { a: b } } } }
                        - { at: head, do: { frame: { type: PING, promised: 2 } } }
                        - { at: head, do: { frame: { type: PING, stream: that } } }
                        - { at: head, do: { frame: { type: PING }, await: response } }
                        - { at: frame, do: ping }
                        - { at: head, do: push style.css }
                        - { at: head, do: push }
                        - { at: head, do: { push: { method: POST, target: /a } } }
                        - { at: head, do: { push: { method: HEAD } } }
                """#,
            messages: [
                #"7:27 an error code is missing; a name of RFC 9113 §7, like CANCEL, or a number 0 ... 4294967295"#,
                #"8:27 unknown error code "NO_EROR"; did you mean "NO_ERROR"?"#,
                #"9:27 expected last and a stream behind the code, found "last"; like do: goaway NO_ERROR last before"#,
                #"10:27 unknown last stream "first"; permitted: highest, this, before, most, or a number up to 2147483647"#,
                #"11:27 unknown error code "4294967296"; a name of RFC 9113 §7, like CANCEL, or a number 0 ... 4294967295"#,
                #"12:27 expected a number of bytes after window, 0 ... 2147483647, found "x""#,
                #"13:27 expected a number of bytes after pad, 0 ... 255, found "256""#,
                #"14:27 expected a number of bytes after continuation, 1 ... 16384, found "0""#,
                #"15:27 "settings" takes a mapping; like do: { settings: { enable-push: 0 } }"#,
                #"16:39 settings need at least one parameter; like { max-concurrent-streams: 1 }; { frame: { type: SETTINGS } } sends none"#,
                #"17:41 unknown key "max-frame" in settings; known keys: header-table-size, enable-push, max-concurrent-streams, initial-window-size, max-frame-size, max-header-list-size, enable-connect-protocol, no-rfc7540-priorities, unknown"#,
                #"18:52 expected the number of a setting, 0 ... 65535, found "x""#,
                #"19:36 a frame needs the key "type""#,
                #"20:44 unknown type "HEADER" of a frame; did you mean "HEADERS"?"#,
                #"21:44 unknown type "256" of a frame; a name like HEADERS, or a number 0 ... 255"#,
                #"22:58 unknown flag "ACT"; did you mean "ACK"?"#,
                #"23:62 "fields" does not go with "payload"; leave one of them out"#,
                #"24:50 "promised" goes with "fields" only; write its four bytes into payload:"#,
                #"25:58 unknown stream "that"; permitted: this, connection, idle, or a number up to 2147483647"#,
                #"26:52 "await" does not go with "frame"; write two effects"#,
                #"27:17 the position "frame" needs a number; frame 0 is the first one"#,
                #"28:27 a pushed target begins with / and has up to 8192 visible ASCII bytes, found "style.css"; like do: push /style.css"#,
                #"29:27 push needs the target that is promised; like do: push /style.css"#,
                #"30:45 unknown method that can be pushed "POST"; permitted: GET, HEAD"#,
                #"31:35 a pushed request needs the key "target""#,
            ]),
        ErrorRow(
            "frames where no HTTP/2 is spoken, or none is yet",
            yaml: #"""
                summary: s
                origins:
                  main: { connections: [{ at: preface, do: wait 1s }], h2: { window-updates: none } }
                  a: { protocols: [h2], h2: {} }
                  b: { protocols: [h2], h2: { settings: { enable-push: 1 }, preface: abc, acknowledges: [data] } }
                  c: { protocols: [h2], connections: [{ at: accept, do: ping }, { at: preface, do: rst CANCEL }, { at: preface, request: 1, do: wait 1s }] }
                exchanges:
                  - { request: GET /a, reply: { status: 200, effects: [{ at: head, do: ping }, { at: frame 1, do: { settings: { enable-push: 0 } } }] } }
                  - { request: GET /b, origin: a, reply: { status: 200, body: abc, effects: [{ at: head, do: rst CANCEL }, { at: end, do: ping }] } }
                """#,
            messages: [
                #"3:31 "preface" needs HTTP/2, which the origin "main" does not speak; write protocols: [h2] at the origin"#,
                #"3:56 "h2" is about HTTP/2, which this origin does not speak; write protocols: [h2] beside it"#,
                #"4:29 h2 needs one of "settings", "preface", "window-updates", "acknowledges""#,
                #"5:61 "preface" stands in place of all settings; leave one of them out"#,
                #"5:90 unknown frame "data"; permitted: settings, ping"#,
                #"6:57 frames of HTTP/2 have their place at preface, or in a reply; write at: preface"#,
                #"6:84 "rst" is about the stream of a reply, and here is none; put it under effects: of a reply"#,
                #"6:113 "request" means nothing at preface, which comes before the first one"#,
                #"8:72 "ping" needs HTTP/2, which the origin "main" does not speak; write protocols: [h2] at the origin"#,
                #"8:86 "frame" needs HTTP/2, which the origin "main" does not speak; write protocols: [h2] at the origin"#,
                #"8:101 "settings" needs HTTP/2, which the origin "main" does not speak; write protocols: [h2] at the origin"#,
                #"9:108 this effect is never played: the reply ends with the effect at 9:78"#,
            ]),
        ErrorRow(
            "protocols that are none, or stand twice",
            yaml: #"""
                summary: s
                origins:
                  main: { protocols: [h2c] }
                  a: { protocols: h2 }
                  b: { protocols: [] }
                  c: { protocols: [h2, http/1.1, h2] }
                  d: { protocols: [http/2] }
                  e: { protocols: [http/1.0] }
                  f: { protocols: [[h2]] }
                  g: { protocls: [h2] }
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                """#,
            messages: [
                #"3:23 "h2c" is the name of an Upgrade that RFC 9113 has taken back (§3.1); write h2: without TLS it takes connections that begin with the preface (§3.3)"#,
                #"4:19 expected protocols as a list, found "h2"; write protocols: [h2], [http/1.1], or both in the order of preference"#,
                #"5:19 a list of protocols needs at least one; leave protocols: out for HTTP/1.1 alone"#,
                #"6:34 "h2" stands in this list already; leave it out"#,
                #"7:20 unknown protocol "http/2"; permitted: h2, http/1.1"#,
                #"8:20 unknown protocol "http/1.0"; did you mean "http/1.1"?"#,
                #"9:20 expected a protocol as text, found a list"#,
                #"10:8 unknown key "protocls" in an origin; did you mean "protocols"?"#,
            ]),
        ErrorRow(
            "protocols where none are spoken, and what only HTTP/1.1 has",
            yaml: #"""
                summary: s
                origins:
                  main: { protocols: [h2], accepts: anything }
                  a: { role: closed, protocols: [h2] }
                  b: { role: closed, protocols: [http/1.1] }
                  c: { role: unaccepting, protocols: [h2] }
                  d: { scheme: https, protocols: [http/1.1], tls: { alpn: [h2] } }
                  e: { scheme: https, protocols: [h3], tls: { alpn: [h2] } }
                exchanges: [{ request: GET /a, reply: { status: 200 } }]
                """#,
            messages: [
                #"3:37 "anything" is about requests of HTTP/1.1, which this origin does not speak; leave accepts: out, or write protocols: [h2, http/1.1]"#,
                #"4:22 a closed origin speaks no protocol; leave protocols: out"#,
                #"5:22 a closed origin speaks no protocol; leave protocols: out"#,
                #"6:27 an unaccepting origin speaks no protocol; leave protocols: out"#,
                #"7:60 this origin does not speak HTTP/2, so a client that agrees on "h2" would wait for ever; write protocols: [h2, http/1.1] beside tls:, or alpn: { force: h2 } for a server that lies"#,
                #"8:35 unknown protocol "h3"; did you mean "h2"?"#,
            ]),
        ErrorRow(
            "an extended CONNECT where none can come",
            yaml: #"""
                summary: s
                origins:
                  main: { protocols: [h2] }
                  a: { protocols: [h2], h2: { settings: { enable-connect-protocol: 1 } } }
                  b: {}
                exchanges:
                  - { request: { method: CONNECT, path: /a, protocol: websocket }, reply: { status: 200 } }
                  - { request: { method: GET, path: /b, protocol: websocket }, origin: a, reply: { status: 200 } }
                  - { request: { method: CONNECT, path: /c, protocol: "a b" }, origin: a, reply: { status: 200 } }
                  - { request: { method: CONNECT, path: "c:443", protocol: x }, origin: a, reply: { status: 200 } }
                  - { request: { method: CONNECT, path: /d, protocol: websocket }, origin: b, reply: { status: 200 } }
                """#,
            messages: [
                #"7:55 this can never match: the settings of the origin "main" do not permit ":protocol" (RFC 8441 §3); write h2: { settings: { enable-connect-protocol: 1 } } there"#,
                #"8:26 only CONNECT names a protocol (RFC 8441 §4); write method: CONNECT beside protocol:"#,
                #"9:55 expected a protocol as a token (RFC 9110 §7.8), found "a b"; like websocket"#,
                #"10:42 a target begins with /, found "c:443"; write /* for any target, http:// for the absolute form"#,
                #"11:55 "protocol" needs HTTP/2, which the origin "b" does not speak; write protocols: [h2] at the origin"#,
            ]),
    ]
}
