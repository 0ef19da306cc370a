extension ErrorRow {
    /// Conditions on values, on content and on TLS.
    static let conditionRows: [ErrorRow] = [
        condition(
            "a regular expression that is none", "headers: { X: { matches: 'a(b' } }", at: "3:69",
            "this is no regular expression: missing closing parenthesis; the syntax is that of PCRE2"),
        condition(
            "two words in a condition", "query: { a: { matches: a, not: b } }", at: "3:52",
            "a condition has exactly one of matches, not and any of"),
        condition(
            "a condition that has no such word", "query: { a: { match: a } }", at: "3:54",
            "unknown key \"match\" in a condition; did you mean \"matches\"?"),
        condition(
            "no alternatives", "cookies: { a: { any of: [] } }", at: "3:64", "any of needs at least one condition"),
        condition(
            "a capture in an alternative", "headers: { X: { not: '{a}' } }", at: "3:61",
            "{a} captures nothing here: only the target and the fields of a request are captured from; write * for anything, \\{ for the character itself"
        ),
        condition(
            "a condition on what is not captured", "where: { id: a }", at: "3:49",
            "this exchange's request captures nothing; write {id} in its path"),
        condition(
            "a captured value that is wanted absent", "headers: { X: '{id}' }, where: { id: null }", at: "3:77",
            "this can never match: {id} has a value, be it empty"),
        condition(
            "a name twice, by a group", "headers: { X: '{id}', Y: { matches: '(?<id>a)' } }", at: "3:65",
            "{id} stands twice in this request"),
        condition(
            "JSON and a form", "json: 1, form: { a: b }", at: "3:49",
            "\"form\" does not go with \"json\": at most one of body, json, form and parts"),
        condition(
            "a kind that is none", "json: any text", at: "3:46",
            "\"any text\" is no kind of value; permitted: number, string, boolean, array, object, value, or quote it where the text itself is meant"
        ),
        condition(
            "a pointer that is none", "json: { at: { a: 1 } }", at: "3:54",
            "a pointer is empty or begins with / (RFC 6901)"),
        condition(
            "content that contains nothing", "body: { contains: '' }", at: "3:46",
            "every content contains nothing; leave body: out"),
        condition(
            "TLS without TLS", "tls: { sni: a }", at: "3:45",
            "\"tls\" needs TLS, which the origin \"main\" does not speak; write scheme: https at the origin"),
        condition(
            "a cookie that can't be sent", "cookies: { 'a=b': c }", at: "3:51",
            "this can never match: the name of a cookie holds no \";\" and no \"=\""),
        condition("conditions without any", "not: {}", at: "3:45", "conditions on a request need one at least"),
    ]

    private static func condition(_ what: String, _ keys: String, at place: String, _ message: String) -> ErrorRow {
        ErrorRow(
            what,
            yaml: """
                summary: s
                exchanges:
                  - request: { method: POST, path: /a, \(keys) }
                    reply: { status: 200 }
                """,
            messages: ["\(place) \(message)"])
    }
}
