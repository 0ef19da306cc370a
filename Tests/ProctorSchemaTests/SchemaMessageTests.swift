import ProctorBase
import ProctorDocument
import Testing

@testable import ProctorSchema

@Suite struct SchemaMessageTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let schema: String
        let value: String
        let message: String

        init(_ schema: String, _ value: String, _ message: String) {
            (self.schema, self.value, self.message) = (schema, value, message)
        }

        var testDescription: String { "\(schema) \(value)" }
    }

    static let rows = [
        Row(
            "{ properties: { a/b: { items: { type: integer } } } }", #"{"a/b":[1,"x"]}"#,
            #"/a~1b/1: wanted an integer, got "x" (s.yaml:1:33 #/properties/a~1b/items/type)"#),
        Row("required: [a]", "{}", "/a: wanted this member, got an object without it (s.yaml:1:1 #/required)"),
        Row("maxLength: 2", "\"abc\"", "wanted at most 2 characters, got 3 (s.yaml:1:1 #/maxLength)"),
        Row("enum: [a, 1]", "2", #"wanted one of ["a",1], got 2 (s.yaml:1:1 #/enum)"#),
        Row("exclusiveMinimum: 1.50", "1.5", "wanted a number above 1.50, got 1.5 (s.yaml:1:1 #/exclusiveMinimum)"),
        Row("properties: { a: false }", #"{"a":1}"#, "/a: wanted nothing here, got 1 (s.yaml:1:18 #/properties/a)"),
        Row(
            "uniqueItems: true", "[1,2,1]",
            "wanted no two equal elements, got 1 at 0 and at 2 (s.yaml:1:1 #/uniqueItems)"),
        Row(
            "oneOf: [{ type: string }, { properties: { a: { type: string } } }]", #"{"a":1}"#,
            #"wanted one of 2 alternatives to fit, got {"a":1}; nearest is 1, where /a: wanted a string, got 1 (s.yaml:1:48 #/oneOf/1/properties/a/type) (s.yaml:1:1 #/oneOf)"#
        ),
        Row(
            "oneOf: [true, true]", "1",
            "wanted exactly one alternative to fit, but these do: 0, 1 (counted from 0) (s.yaml:1:1 #/oneOf)"),
        Row(
            "propertyNames: { maxLength: 1 }", #"{"ab":1}"#,
            "/ab: the name of this member does not fit: wanted at most 1 character, got 2 (s.yaml:1:1 #/propertyNames)"
        ),
    ]

    @Test(arguments: rows) func `a fault names the value and the place in the schema`(_ row: Row) throws {
        #expect(try SchemaText.verdict(row.schema, row.value).sentences == [row.message])
    }

    static let wrong = [
        Row("type: strong", "", #"s.yaml:1:7: error: expected a type, found "strong"; did you mean "string"?"#),
        Row(
            "$ref: other.json", "",
            #"s.yaml:1:7: error: the reference "other.json" leads out of this document, which alone is read; bring the schema into $defs, and refer to it as #/$defs/NAME"#
        ),
        Row("$ref: '#/$defs/a'", "", ##"s.yaml:1:7: error: "#/$defs/a" names nothing in this document"##),
        Row(
            "{ $ref: '#ab', $anchor: abc }", "",
            #"s.yaml:1:9: error: no schema here has the anchor "ab"; did you mean "abc"?"#),
        Row(
            "$ref: '#'", "",
            "s.yaml:1:1: error: this schema leads back to itself at the same value, so that no validation would end; refer to it from a member or an element, as in properties or items"
        ),
        Row("minLength: -1", "", #"s.yaml:1:12: error: minLength is a whole number from 0, found "-1""#),
        Row("multipleOf: 0", "", #"s.yaml:1:13: error: multipleOf is more than 0, with at most 18 digits, found "0""#),
        Row(
            "items: [true]", "", "s.yaml:1:8: error: items is one schema since 2020-12, found a list; write prefixItems"
        ),
        Row(
            "exclusiveMinimum: true", "",
            #"s.yaml:1:19: error: exclusiveMinimum is a number since draft 6, found "true"; write the number here, in the place of minimum"#
        ),
        Row(
            "additionalItems: false", "",
            #"s.yaml:1:1: error: "additionalItems" is of a draft before 2020-12; write prefixItems and items"#),
        Row(
            "properties: { a: 1 }", "", #"s.yaml:1:18: error: expected a schema as a mapping, true or false, found "1""#
        ),
        Row(
            "$schema: http://json-schema.org/draft-07/schema#", "",
            #"s.yaml:1:10: error: the schema is for "http://json-schema.org/draft-07/schema#"; JSON Schema 2020-12 is what is validated; bring it to 2020-12, and name https://json-schema.org/draft/2020-12/schema"#
        ),
        Row("allOf: []", "", "s.yaml:1:8: error: expected allOf as a list of schemas, found a list"),
    ]

    @Test(arguments: wrong) func `a wrong schema is told with its place`(_ row: Row) {
        #expect(SchemaText.read(row.schema).messages == [row.message])
    }

    @Test(arguments: ["(", "[a", "a{2,1}", #"\q"#, #"\u12"#, "(*COMMIT)", #"\p{Nonsense}"#])
    func `what is no expression is refused`(_ pattern: String) {
        let text = "{ pattern: '\(pattern)' }"
        #expect(
            SchemaText.read(text).messages.first?.hasPrefix("s.yaml:1:12: error: this is no regular expression") == true
        )
    }

    // MARK: Bounds

    @Test func `schemas that apply to one value without end are given up`() throws {
        // A dynamic reference leads back in a way that is known only when it is followed.
        let schema = "{ $dynamicAnchor: a, allOf: [{ $dynamicRef: '#a' }] }"
        guard case .undecided(let reason) = try SchemaText.verdict(schema, "1") else {
            Issue.record("there is an answer")
            return
        }
        #expect(reason.contains("more than 250 deep"))
    }

    @Test func `a search that takes too long is given up with its bound`() throws {
        let schema = "pattern: '^(a+)+$'"
        let value = "\"" + String(repeating: "a", count: 40) + "b\""
        guard case .undecided(let reason) = try SchemaText.verdict(schema, value) else {
            Issue.record("there is an answer")
            return
        }
        #expect(reason.contains("500000 steps") && reason.contains("s.yaml:1:1"))
    }

    @Test func `a validation that takes too long is given up with its bound`() throws {
        let all = (0..<400).map { _ in "{ items: { not: { type: string } } }" }.joined(separator: ",")
        let value = "[" + (0..<4_000).map(String.init).joined(separator: ",") + "]"
        guard case .undecided(let reason) = try SchemaText.verdict("allOf: [\(all)]", value) else {
            Issue.record("there is an answer")
            return
        }
        #expect(reason.contains("more than 2000000 steps"))
    }

    @Test func `the budget of the caller ends a validation`() throws {
        let entry = try #require(SchemaText.read("items: { type: integer }").entry)
        let document = try JSONDocument(parsing: Array("[1,2,3,4,5,6,7,8,9]".utf8))
        let verdict = entry.validate(document, within: WorkBudget(stepLimit: 5))
        guard case .undecided(let reason) = verdict else {
            Issue.record("\(verdict)")
            return
        }
        #expect(reason.contains("more than 5 steps"))
    }

    @Test func `faults beyond the bound are counted by a sentence`() throws {
        let value = "[" + (0..<100).map { _ in "\"a\"" }.joined(separator: ",") + "]"
        let sentences = try SchemaText.verdict("items: { type: integer }", value).sentences
        #expect(sentences.count == 51 && sentences.last == "further faults are not told")
    }
}
