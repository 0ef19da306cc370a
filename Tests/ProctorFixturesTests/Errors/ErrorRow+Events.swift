extension ErrorRow {
    /// A reply in one line, whose first column is 39.
    private static func row(_ what: String, _ reply: String, _ messages: String...) -> ErrorRow {
        ErrorRow(
            what, yaml: "summary: s\nexchanges: [{ request: GET /a, reply: \(reply) }]\n", messages: messages)
    }

    static let eventRows: [ErrorRow] = [
        row("no events", "{ events: [] }", #"2:49 a list of events needs at least one"#),
        row(
            "events that are text", "{ events: one }",
            #"2:49 expected events as a list, found "one""#),
        row(
            "an unknown key of an event", "{ events: [{ name: add, data: a }] }",
            #"2:52 unknown key "name" in an event; write event: NAME"#),
        row(
            "a pause within an event", "{ events: [{ data: a, delay: 1s }] }",
            #"2:61 unknown key "delay" in an event; a pause is an item of its own: { do: wait 100ms }"#),
        row(
            "an event without fields", "{ events: [{ closed: false }] }",
            #"2:50 an event needs one of id, event, data, retry, comment, lines"#),
        row(
            "a line end in an id", #"{ events: [{ id: "1\n2", event: "a\rb" }] }"#,
            #"2:58 a field of an event holds no line break; write lines: to send one"#,
            #"2:73 a field of an event holds no line break; write lines: to send one"#),
        row(
            "raw bytes beside a field", "{ events: [{ raw: a, data: b }] }",
            #"2:60 "data" does not go with "raw""#),
        row(
            "a repeat alone", "{ events: [{ repeat: 2 }, { events: [a] }] }", #"2:50 an event needs the key "events""#,
            #"2:65 an event needs the key "repeat""#),
        row(
            "a repeat in a repeat", "{ events: [{ repeat: 2, events: [{ repeat: 2, events: [a] }] }] }",
            #"2:72 a repeat has no place in another one"#),
        row(
            "a repeat of what ends the stream", "{ events: [{ repeat: 2, events: [a, { do: close }] }] }",
            #"2:50 this repeats nothing: the stream ends with an effect of its first repetition"#),
        row(
            "events behind the end", "{ events: [{ do: reset }, a] }",
            #"2:65 this is never played: the stream ends with the effect at 2:50"#),
        row(
            "too many pieces", "{ events: [{ repeat: 65536, events: [a, b] }] }",
            #"2:49 the stream has more than 65536 pieces; repeat fewer events, or end with do: stall"#),
        row(
            "a line end that is none", "{ events: { list: [a], line-end: crlfs } }",
            #"2:72 unknown line end "crlfs"; did you mean "crlf"?"#),
        row("options without a list", "{ events: { bom: true } }", #"2:49 an event stream needs the key "list""#),
        row(
            "events beside a body", "{ events: [a], body: b, honours: ranges }",
            #"2:54 "body" does not go with "events", which are the content"#,
            #"2:63 "honours" does not go with "events", which are the content"#),
        row(
            "an effect between events that are coded", "{ events: [a, { do: wait 1s }], coding: gzip }",
            #"2:53 an effect between pieces has no place in a coded body; count with at: body N, which means byte N of what is coded"#
        ),
        row(
            "JSON beside another key", "{ events: [{ data: { json: 1, text: a } }] }",
            #"2:58 nothing stands beside "json""#),
        row(
            "a repetition outside a repeat", "{ events: ['{{repetition}}'] }",
            #"2:51 unknown late-bound name "repetition"; permitted: base, origin, authority, host, port, now, origin.main, "#
                + "authority.main, host.main, port.main, url.main, request.method, request.target, request.path, "
                + "request.body, request.number, request.json, request.query.NAME, request.header.NAME, "
                + "request.cookie.NAME, request.form.NAME, connection.number, uuid, random 1-6"),
    ]
}
