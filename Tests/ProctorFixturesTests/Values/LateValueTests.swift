import ProctorBase
import ProctorDocument
import ProctorTestSupport
import Testing

@testable import ProctorFixtures
@testable import ProctorScenario

/// Values of the request in late-bound text: their names, and the escapes of their places.
struct LateValueTests {
    private func reply(_ text: String) throws -> StructuredReply {
        let scenario = try load(
            """
            summary: s
            exchanges:
              - request: "POST /{id}"
                reply: \(text)
            """)
        guard case .structured(let reply)? = scenario.exchanges.first?.replies.first?.message else { throw Wrong() }
        return reply
    }

    private func values(of reply: StructuredReply) -> [Template.Part] {
        reply.body.flatMap { piece -> [Template.Part] in
            guard case .bytes(.template(let template)) = piece else { return [] }
            return template.parts.filter { part in
                if case .value = part { true } else { false }
            }
        }
    }

    private struct Wrong: Error {}

    struct Row: CustomTestStringConvertible, Sendable {
        let name: String
        let value: LateValue
        var testDescription: String { name }
    }

    @Test(arguments: [
        Row(name: "request.method", value: .method), Row(name: " request.target ", value: .target),
        Row(name: "request.path", value: .path), Row(name: "request.query.a.b", value: .query("a.b")),
        Row(name: "request.header.X-A", value: .header("X-A")), Row(name: "request.cookie.c", value: .cookie("c")),
        Row(name: "request.body", value: .body), Row(name: "request.form.a b", value: .form("a b")),
        Row(name: "request.json", value: .json(JSONPointer(tokens: []))),
        Row(name: "request.json/a~1b/0", value: .json(JSONPointer(tokens: ["a/b", "0"]))),
        Row(name: "request.json/", value: .json(JSONPointer(tokens: [""]))),
        Row(name: "request.number", value: .requestNumber), Row(name: "connection.number", value: .connectionNumber),
    ])
    func `a name stands for a value`(_ row: Row) throws {
        let reply = try reply("{ status: 200, body: \"<{{\(row.name)}}>\" }")
        #expect(values(of: reply) == [.value(row.value, .none)])
    }

    @Test func `random values know their place`() throws {
        let reply = try reply("{ status: 200, body: \"{{uuid}}{{ random 1 - 6 }}{{random 0-9223372036854775807}}\" }")
        func place(_ column: Int) -> RandomPlace {
            RandomPlace(.text, at: SourceLocation(file: "", line: 4, column: column))
        }
        #expect(
            values(of: reply) == [
                .value(.uuid(place(34)), .none), .value(.random(1...6, place(42)), .none),
                .value(.random(0...Int.max, place(60)), .none),
            ])
        #expect(place(34).number == 1 << 56 | 4 << 24 | 34)
    }

    @Test func `in a field a value can't end the line`() throws {
        let reply = try reply(
            "{ status: 200, headers: { A: \"{{request.body}}\" }, framing: chunked, trailers: { B: \"x{{uuid}}\" } }")
        for field in reply.headers + reply.trailers {
            let escapes = field.value.parts.compactMap { part in
                if case .value(_, let escape) = part { escape } else { nil }
            }
            #expect(escapes == [.field])
        }
    }

    @Test(arguments: ["application/json", "Application/JSON; charset=utf-8", "application/problem+json"])
    func `in JSON a value stands inside a string, or is a value itself`(_ type: String) throws {
        let body = #"'{"a": "{{request.json/a}} \" {{path.id}}", "b": {{request.json/b}}, "c": {{request.query.c}}}'"#
        let reply = try reply("{ status: 200, headers: { content-type: \"\(type)\" }, body: \(body) }")
        let pointers = ["a", "b"].map { LateValue.json(JSONPointer(tokens: [$0])) }
        #expect(
            values(of: reply) == [
                .value(pointers[0], .jsonText), .value(.capture("id"), .jsonText), .value(pointers[1], .jsonValue),
                .value(.query("c"), .none),
            ])
    }

    @Test func `a string of JSON may begin in one piece of the body and end in another`() throws {
        let reply = try reply(
            """
            { status: 200, headers: { Content-Type: application/json }, body: ['{"a": "', "{{request.json}}", { text: '", "b": ' }, "{{request.json}}", '}'] }
            """)
        let whole = LateValue.json(JSONPointer(tokens: []))
        #expect(values(of: reply) == [.value(whole, .jsonText), .value(whole, .jsonValue)])
    }

    @Test(arguments: ["text/plain", "application/jsonp", "json"])
    func `other content has no escapes`(_ type: String) throws {
        let reply = try reply(
            "{ status: 200, headers: { Content-Type: \(type) }, body: '\"{{request.body}}{{path.id}}\"' }")
        #expect(values(of: reply) == [.value(.body, .none)])
    }

    // MARK: Made bodies

    private func json(_ value: String) throws -> String {
        let reply = try reply("{ status: 200, body: { json: \(value) } }")
        guard reply.body.count == 1, case .bytes(let source) = reply.body[0] else { throw Wrong() }
        let context = TemplateContext(base: "http://h".bytes, authorities: ["h".bytes])
        let template =
            switch source {
            case .literal(let bytes): Template(parts: [.literal(bytes)])
            case .template(let template): template
            default: throw Wrong()
            }
        return String(decoding: template.rendered(in: context) { "<\($0) \($1)>".bytes }, as: UTF8.self)
    }

    @Test func `a value of a fixture is written as JSON, in its order and with its digits`() throws {
        #expect(
            try json("{ b: 1, a: [true, false, null, ~, -0.50e+3, 1e400] }")
                == #"{"b":1,"a":[true,false,null,null,-0.50e+3,1e400]}"#)
        #expect(
            try json(#"["1", 'true', "null", yes, 0x1F, 01, +1, .5, 1., -, "a\"\n"]"#)
                == #"["1","true","null","yes","0x1F","01","+1",".5","1.","-","a\"\n"]"#)
        #expect(try json("{}") == "{}")
        #expect(try json("[[], {}, \"\"]") == #"[[],{},""]"#)
        #expect(try json("plain") == #""plain""#)
        #expect(try json("{ \"{{uuid}}\": \"{{base}}/a\" }") == #"{"{{uuid}}":"http://h/a"}"#)
    }

    @Test func `late-bound text is a string, and a value of the request's JSON alone is that`() throws {
        #expect(try json("\"{{request.json}}\"") == "<json(ProctorBase.JSONPointer(tokens: [])) jsonValue>")
        #expect(
            try json("[\"-{{request.method}}-\", \"{{request.body}}\"]")
                == #"["-<method jsonText>-","<body jsonText>"]"#)
    }

    @Test(arguments: [("body", LateValue.body), ("request", .message), ("json", .description)])
    func `an echo is one value without an escape`(_ word: String, _ value: LateValue) throws {
        let reply = try reply("{ status: 200, headers: { Content-Type: application/json }, body: { echo: \(word) } }")
        #expect(values(of: reply) == [.value(value, .none)])
    }

    // MARK: What a reply takes

    struct UseRow: CustomTestStringConvertible, Sendable {
        let reply: String
        var need: LateValue.Need?
        var isRandom = false
        var testDescription: String { reply }
    }

    @Test(arguments: [
        UseRow(reply: "{ status: 200, body: \"{{now}} {{path.id}} {{base}}\" }"),
        UseRow(reply: "{ status: 200, headers: { A: \"{{request.method}}\" } }", need: .head),
        UseRow(reply: "{ raw: [\"{{uuid}}\"] }", need: .head, isRandom: true),
        UseRow(reply: "{ status: 200, body: [a, { do: \"send {{random 1-2}}\" }] }", need: .head, isRandom: true),
        UseRow(reply: "{ status: 200, effects: [{ at: end, do: wait 1s-2s }] }", isRandom: true),
        UseRow(
            reply: "{ status: 200, interim: [{ status: 103, headers: { A: \"{{request.body}}\" } }] }", need: .content),
        UseRow(
            reply: "{ status: 200, body: a, honours: ranges, unsatisfiable: { body: \"{{request.form.a}}\" } }",
            need: .content),
        UseRow(reply: "{ status: 101, opaque: [{ expect: \"{{request.header.A}}\" }] }", need: .head),
        UseRow(reply: "{ status: 200, body: { echo: json } }", need: .content),
    ])
    func `what a reply takes of the request and of chance is known`(_ row: UseRow) throws {
        let yaml = "summary: s\nexchanges: [{ request: \"POST /{id}\", reply: \(row.reply) }]"
        let scenario = try load(yaml)
        let use = try #require(scenario.exchanges.first?.replies.first).lateUse
        #expect(use.need == row.need && use.isRandom == row.isRandom)
        #expect(scenario.takesRandom == row.isRandom)
    }

    @Test func `a wait of a range holds a reply for its longest`() throws {
        let scenario = try load(
            "summary: s\nexchanges: [{ request: GET /, reply: { effects: [{ at: head, do: wait 100ms-1.5s }] } }]")
        let action = try #require(scenario.exchanges.first?.replies.first?.effects.first).action
        guard case .waitBetween(let range, let place) = action else {
            Issue.record("\(action)")
            return
        }
        #expect(range == .milliseconds(100)...Duration.milliseconds(1500) && action.row.delay == .milliseconds(1500))
        #expect(place.number >> 56 == 2)
    }
}
