import ProctorJournal
import Testing

@testable import ProctorFixtures
@testable import ProctorScenario

struct StateReadingTests {
    @Test func `names, conditions and changes are read in their order`() throws {
        let scenario = try load(
            #"""
            summary: s
            state: { cart: empty, left: 3, user: null }
            exchanges:
              - request: "POST /items/{id}"
                when: { cart: empty, user: { not: null } }
                reply:
                  status: 200
                  body: "{{state.item/{{path.id}}}}"
                  sets: { last: { add: 1 }, "item/{{path.id}}": "{{request.body}}", cart: null }
              - { request: GET /b, reply: { status: 200 } }
            """#)
        #expect(
            scenario.state == [
                StateName(name: "cart".bytes, value: "empty".bytes), StateName(name: "left".bytes, value: "3".bytes),
                StateName(name: "user".bytes, value: nil),
            ])
        let exchange = scenario.exchanges[0]
        #expect(exchange.when.map(\.name.literalBytes) == ["cart".bytes, "user".bytes])
        let conditions = exchange.when.map { $0.value.bound { _ in [] } }
        #expect(conditions.map { $0.holds(for: nil) } == [false, false])
        #expect(conditions.map { $0.holds(for: "empty".bytes) } == [true, true])
        let sets = exchange.replies[0].sets
        let name = Template(parts: [.literal("item/".bytes), .capture("id")])
        #expect(
            sets.map(\.name) == [
                Template(parts: [.literal("last".bytes)]), name, Template(parts: [.literal("cart".bytes)]),
            ])
        #expect(
            sets.map(\.change) == [.add(1), .set(Template(parts: [.value(.body, .none)])), .remove])
        guard case .bytes(.template(let body))? = try exchange.replies[0].structured.body.first else {
            Issue.record("\(exchange.replies[0])")
            return
        }
        #expect(body.parts == [.value(.state(name), .none)])
        #expect(scenario.hasState && exchange.stateUse.need == .content)
        #expect(!scenario.takesRandom)
    }

    @Test func `conditions compare with text of the request, and changes may be a list`() throws {
        let scenario = try load(
            #"""
            summary: s
            exchanges:
              - request: PUT /{n}
                when: { a: { not: { any of: ["{{path.n}}", "b*", null] } }, b: "x{{request.body}}" }
                reply:
                  status: 200
                  sets: [{ a: { add: "{{request.query.n}}" }, b: 1 }, { a: { add: -2 } }]
            """#)
        let exchange = scenario.exchanges[0]
        #expect(exchange.stateUse.need == .content)
        let conditions = exchange.when.map { $0.value.bound { Array("\($0.parts.count)".utf8) } }
        let first = conditions[0]
        #expect(["1", "bee", nil, "2"].map { first.holds(for: $0?.bytes) } == [false, false, false, true])
        #expect(["2", "x"].map { conditions[1].holds(for: $0.bytes) } == [true, false])
        #expect(
            exchange.replies[0].sets.map(\.change) == [
                .addText(Template(parts: [.value(.query("n"), .none)])), .set(Template(parts: [.literal("1".bytes)])),
                .add(-2),
            ])
    }

    @Test func `scripts may set any name`() throws {
        let unknown = "  - { request: GET /a, when: { x: 1 }, reply: { status: 200 } }\n"
        func found(_ lua: String, _ top: String = "") -> [String] {
            messages("summary: s\n\(top)exchanges:\n\(unknown)  - { request: GET /b, reply: { script: \"\(lua)\" } }\n")
        }
        #expect(found("state.set('x', '1')") == [])
        #expect(found("keep()", "library: \"function keep() state.add('x') end\"\n") == [])
        #expect(found("return { status = 200 }").count == 1)
    }

    @Test func `a predecessor with a condition on the state takes no request for certain`() throws {
        let scenario = try load(
            """
            summary: s
            state: { cart: empty }
            exchanges:
              - { request: GET /a, when: { cart: full }, reply: { status: 200 } }
              - { request: GET /a, reply: { status: 404 } }
            """)
        #expect(scenario.exchanges.count == 2)
        #expect(
            messages(
                """
                summary: s
                state: { cart: empty }
                exchanges:
                  - { request: GET /a, reply: { status: 200 } }
                  - { request: GET /a, when: { cart: full }, reply: { status: 404 } }
                """) == [
                    #"5:5 "GET /a" can never match: "GET /a" at line 4 takes every such request; put it before, or give the other one times:"#
                ])
    }

    @Test func `replies of a choose stand one behind the other, with their weights by turn`() throws {
        let scenario = try load(
            """
            summary: s
            exchanges:
              - request: GET /a
                reply:
                  - status: 200
                  - choose: [ { weight: 9, status: 201 }, { status: 202 } ]
                  - status: 203
            """)
        let exchange = scenario.exchanges[0]
        #expect(try exchange.replies.map { try $0.structured.status } == [200, 201, 202, 203])
        #expect(
            exchange.draws == [
                ReplyDraw(first: 0, weights: [1]), ReplyDraw(first: 1, weights: [9, 1]),
                ReplyDraw(first: 3, weights: [1]),
            ])
        #expect(exchange.turnCount == 3 && scenario.takesRandom)
        let draw = exchange.draws[1]
        #expect((0..<draw.totalWeight).map(draw.reply) == [1, 1, 1, 1, 1, 1, 1, 1, 1, 2])
    }

    @Test func `templates that can be the same name are told from those that cannot`() {
        func template(_ parts: Template.Part...) -> Template { Template(parts: parts) }
        func literal(_ text: String) -> Template.Part { .literal(text.bytes) }
        let item = template(literal("item/"), .capture("id"))
        #expect(item.mayBe(template(literal("item/1"))))
        #expect(!item.mayBe(template(literal("items"))))
        #expect(item.mayBe(template(.capture("x"))))
        #expect(!template(.capture("x"), literal("/a")).mayBe(template(.capture("y"), literal("/b"))))
        #expect(!template(literal("a")).mayBe(template(literal("b"))))
    }
}

struct StateValuesTests {
    private func reason(
        _ change: (inout StateValues) throws(StateRefusal) -> Void, _ values: StateValues = StateValues()
    )
        -> String?
    {
        var values = values
        let before = values
        do throws(StateRefusal) {
            try change(&values)
            return nil
        } catch {
            #expect(values == before)
            return error.reason
        }
    }

    @Test func `a value that is set can be read, replaced and removed`() throws {
        var values = StateValues()
        try values.set("a".bytes, to: "1".bytes)
        try values.set("a".bytes, to: "22".bytes)
        #expect(values["a".bytes] == "22".bytes)
        try values.set("a".bytes, to: nil)
        try values.set("a".bytes, to: nil)
        #expect(values["a".bytes] == nil && values == StateValues())
    }

    @Test func `whole numbers are added to, and nothing else`() throws {
        var values = StateValues()
        try values.add(2, to: "n".bytes)
        try values.add(-5, to: "n".bytes)
        #expect(values["n".bytes] == "-3".bytes)
        for text in ["", "x", "1.5", "+1", "1 ", "99999999999999999999", "-"] {
            try values.set("n".bytes, to: text.bytes)
            #expect(
                reason({ v throws(StateRefusal) in try v.add(1, to: "n".bytes) }, values)
                    == "\"\(text)\" is no whole number, so nothing can be added")
        }
        try values.set("n".bytes, to: "1".bytes)
        try values.add(text: "-4".bytes, to: "n".bytes)
        #expect(values["n".bytes] == "-3".bytes)
        #expect(
            reason({ v throws(StateRefusal) in try v.add(text: "4x".bytes, to: "n".bytes) }, values)
                == "\"4x\" is no whole number, so it can't be added")
        try values.set("n".bytes, to: "\(Int.max)".bytes)
        #expect(
            reason({ v throws(StateRefusal) in try v.add(1, to: "n".bytes) }, values)
                == "9223372036854775807 plus 1 does not fit into 64 bits")
    }

    @Test func `names, values and all of them are bounded, and the bound is in the refusal`() throws {
        let long = [UInt8](repeating: 0x61, count: 1025)
        #expect(reason({ v throws(StateRefusal) in try v.set([], to: []) }) == "a name of the state is not empty")
        #expect(
            reason({ v throws(StateRefusal) in try v.set(long, to: []) })
                == "the name has 1025 bytes; at most 1024 are permitted")
        let value = [UInt8](repeating: 0, count: 65537)
        #expect(
            reason({ v throws(StateRefusal) in try v.set([1], to: value) })
                == "the value has 65537 bytes; at most 65536 are permitted")

        var values = StateValues()
        for number in 0..<256 { try values.set("\(number)".bytes, to: []) }
        #expect(
            reason({ v throws(StateRefusal) in try v.set("256".bytes, to: []) }, values)
                == "256 names are set, which is the limit")
        #expect(reason({ v throws(StateRefusal) in try v.set("255".bytes, to: "x".bytes) }, values) == nil)

        values = StateValues()
        let most = [UInt8](repeating: 0, count: 65536)
        for number in 0..<15 { try values.set([UInt8(number)], to: most) }
        #expect(
            reason({ v throws(StateRefusal) in try v.set("x".bytes, to: most) }, values)
                == "all names and values would have 1048592 bytes; at most 1048576 are permitted")
        // What a replaced value leaves free can be used.
        try values.set([0], to: [])
        #expect(reason({ v throws(StateRefusal) in try v.set("x".bytes, to: most) }, values) == nil)
    }
}
