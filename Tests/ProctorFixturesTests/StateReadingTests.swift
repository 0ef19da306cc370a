import ProctorJournal
import Testing

@testable import ProctorFixtures
@testable import ProctorScenario

struct StateReadingTests {
    private func conditions(_ when: String) throws -> [ValueCondition] {
        let scenario = try load(
            """
            summary: s
            state: { cart: empty, user: null, a: null, b: null }
            exchanges: [{ request: "PUT /{n}", when: \(when), reply: { status: 200 } }]
            """)
        return scenario.exchanges[0].when.map { $0.value.bound { Array("\($0.parts.count)".utf8) } }
    }

    @Test func `conditions compare with values and with text of the request`() throws {
        let fixed = try conditions("{ cart: empty, user: { not: null } }")
        #expect(fixed.map { $0.holds(for: nil) } == [false, false])
        #expect(fixed.map { $0.holds(for: "empty".bytes) } == [true, true])
        let bound = try conditions(#"{ a: { not: { any of: ["{{path.n}}", "b*", null] } }, b: "x{{request.body}}" }"#)
        #expect(["1", "bee", nil, "2"].map { bound[0].holds(for: $0?.bytes) } == [false, false, false, true])
        #expect(["2", "x"].map { bound[1].holds(for: $0.bytes) } == [true, false])
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
