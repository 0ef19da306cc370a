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
