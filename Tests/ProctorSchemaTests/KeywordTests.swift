import ProctorBase
import Testing

@testable import ProctorSchema

/// Every keyword with values that it accepts and values that it refuses.
@Suite struct KeywordTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let schema: String
        let accepted: [String]
        let refused: [String]

        init(_ schema: String, accepts accepted: [String], refuses refused: [String]) {
            (self.schema, self.accepted, self.refused) = (schema, accepted, refused)
        }

        var testDescription: String { schema }
    }

    static let rows = [
        Row("true", accepts: ["1", "null", "{}"], refuses: []),
        Row("false", accepts: [], refuses: ["1", "null", "{}"]),
        Row("{}", accepts: ["1"], refuses: []),
        Row("{ $comment: c, title: t, default: 1, examples: [x], deprecated: true }", accepts: ["null"], refuses: []),
        // Validation §6.1.
        Row(
            "{ type: integer }", accepts: ["1", "1.0", "-0", "1e3", "10e-1"], refuses: ["1.5", "1e-1", "\"1\"", "true"]),
        Row("{ type: [string, null] }", accepts: ["\"\"", "null"], refuses: ["0", "false", "[]"]),
        Row("{ type: null }", accepts: ["null"], refuses: ["0", "\"null\""]),
        Row("{ type: number }", accepts: ["1", "1.5"], refuses: ["\"1\"", "null"]),
        Row("{ type: array }", accepts: ["[]"], refuses: ["{}"]),
        Row("{ type: object }", accepts: ["{}"], refuses: ["[]"]),
        Row("{ type: boolean }", accepts: ["false"], refuses: ["0", "null"]),
        Row(
            "{ enum: [1, 'a', { b: [1] }, null] }", accepts: ["1.0", "\"a\"", "{\"b\":[1]}", "null"],
            refuses: ["2", "\"1\"", "{\"b\":[2]}", "{}"]),
        Row(
            "{ const: { a: 1, b: 2 } }", accepts: ["{\"b\":2,\"a\":1.0}"],
            refuses: ["{\"a\":1}", "{\"a\":1,\"b\":2,\"c\":3}"]),
        Row("{ const: false }", accepts: ["false"], refuses: ["0", "null", "[]"]),
        // Validation §6.2.
        Row("{ multipleOf: 0.01 }", accepts: ["0", "4.02", "1e300", "\"x\""], refuses: ["0.001", "4.021"]),
        Row("{ multipleOf: 7 }", accepts: ["21", "-14", "7e20"], refuses: ["20", "1e20"]),
        Row("{ maximum: 3.5 }", accepts: ["3.5", "-1e400", "\"9\""], refuses: ["3.51", "1e400"]),
        Row("{ exclusiveMaximum: 3 }", accepts: ["2.99999999999999999999999"], refuses: ["3", "3.00"]),
        Row("{ minimum: -2 }", accepts: ["-2", "0"], refuses: ["-2.0001", "-1e9"]),
        Row("{ exclusiveMinimum: 0 }", accepts: ["1e-400"], refuses: ["0", "-0.0", "-1"]),
        // Validation §6.3.
        Row("{ maxLength: 2 }", accepts: ["\"ab\"", "\"\\ud83d\\ude00é\"", "123"], refuses: ["\"abc\""]),
        Row("{ minLength: 2.0 }", accepts: ["\"ab\""], refuses: ["\"\\ud83d\\ude00\"", "\"\""]),
        Row("{ pattern: '^a+$' }", accepts: ["\"aa\"", "1"], refuses: ["\"ab\"", "\"a\\n\""]),
        Row("{ pattern: b }", accepts: ["\"abc\""], refuses: ["\"ac\""]),
        Row(#"{ pattern: '^\p{Letter}+$' }"#, accepts: ["\"éß\""], refuses: ["\"1\""]),
        Row(#"{ pattern: '^\d\u0041$' }"#, accepts: ["\"1A\""], refuses: ["\"٣A\""]),
        // Validation §6.4.
        Row("{ maxItems: 1 }", accepts: ["[1]", "{\"a\":1,\"b\":2}"], refuses: ["[1,2]"]),
        Row("{ minItems: 1 }", accepts: ["[1]", "{}"], refuses: ["[]"]),
        Row(
            "{ uniqueItems: true }", accepts: ["[1,\"1\",true,[1],{\"a\":1}]", "[]"],
            refuses: ["[1,1.0]", "[{\"a\":1,\"b\":2},{\"b\":2,\"a\":1}]"]),
        Row("{ uniqueItems: false }", accepts: ["[1,1]"], refuses: []),
        Row(
            "{ contains: { type: string }, minContains: 2, maxContains: 3 }", accepts: ["[\"a\",1,\"b\"]", "1"],
            refuses: ["[\"a\"]", "[\"a\",\"b\",\"c\",\"d\"]"]),
        Row("{ contains: { const: 1 } }", accepts: ["[2,1]"], refuses: ["[]", "[2]"]),
        Row("{ contains: { const: 1 }, minContains: 0 }", accepts: ["[]"], refuses: []),
        // Validation §6.5.
        Row("{ maxProperties: 1 }", accepts: ["{\"a\":1}", "[1,2]"], refuses: ["{\"a\":1,\"b\":2}"]),
        Row("{ minProperties: 1 }", accepts: ["{\"a\":1}"], refuses: ["{}"]),
        Row("{ required: [a, b] }", accepts: ["{\"a\":null,\"b\":1}", "[]"], refuses: ["{\"a\":1}", "{}"]),
        Row(
            "{ dependentRequired: { a: [b] } }", accepts: ["{\"a\":1,\"b\":1}", "{\"b\":1}", "1"],
            refuses: ["{\"a\":1}"]),
        // Core §10.2.
        Row("{ allOf: [{ minimum: 1 }, { maximum: 3 }] }", accepts: ["2"], refuses: ["0", "4"]),
        Row("{ anyOf: [{ type: string }, { minimum: 3 }] }", accepts: ["\"a\"", "3"], refuses: ["2"]),
        Row("{ oneOf: [{ minimum: 1 }, { maximum: 3 }] }", accepts: ["0", "4"], refuses: ["2"]),
        Row("{ not: { type: string } }", accepts: ["1"], refuses: ["\"a\""]),
        Row(
            "{ if: { minimum: 10 }, then: { multipleOf: 10 }, else: { maximum: 5 } }", accepts: ["20", "5"],
            refuses: ["15", "7"]),
        Row("{ then: false, else: false }", accepts: ["1"], refuses: []),
        Row(
            "{ dependentSchemas: { a: { required: [b] } } }", accepts: ["{\"a\":1,\"b\":1}", "{}"],
            refuses: ["{\"a\":1}"]),
        // Core §10.3.
        Row(
            "{ prefixItems: [{ type: string }], items: { type: integer } }", accepts: ["[]", "[\"a\",1,2]"],
            refuses: ["[1]", "[\"a\",\"b\"]"]),
        Row("{ prefixItems: [true], items: false }", accepts: ["[1]"], refuses: ["[1,2]"]),
        Row("{ properties: { a: { type: string } } }", accepts: ["{\"a\":\"x\",\"b\":1}"], refuses: ["{\"a\":1}"]),
        Row(
            "{ patternProperties: { '^x': { type: integer } } }", accepts: ["{\"xa\":1,\"a\":\"\"}"],
            refuses: ["{\"xa\":\"\"}"]),
        Row(
            "{ properties: { a: true }, patternProperties: { '^x': true }, additionalProperties: false }",
            accepts: ["{\"a\":1,\"xb\":1}"], refuses: ["{\"b\":1}"]),
        Row("{ propertyNames: { maxLength: 2 } }", accepts: ["{\"ab\":1}"], refuses: ["{\"abc\":1}"]),
        // Core §11.
        Row(
            "{ properties: { a: true }, unevaluatedProperties: false, allOf: [{ properties: { b: true } }] }",
            accepts: ["{\"a\":1,\"b\":1}"], refuses: ["{\"c\":1}"]),
        Row(
            "{ anyOf: [{ properties: { a: { const: 1 } }, required: [a] }, { properties: { b: true } }], unevaluatedProperties: false }",
            accepts: ["{\"a\":1}", "{\"b\":1}"], refuses: ["{\"a\":2}", "{\"c\":1}"]),
        Row(
            "{ prefixItems: [true], contains: { const: 9 }, minContains: 0, unevaluatedItems: false }",
            accepts: ["[1,9]"], refuses: ["[1,2]"]),
        Row(
            "{ if: { properties: { k: { const: 1 } } }, then: { properties: { a: true } }, unevaluatedProperties: false }",
            accepts: ["{\"k\":1,\"a\":1}"], refuses: ["{\"k\":2,\"a\":1}"]),
        // Core §8.
        Row("{ $ref: '#/$defs/n', $defs: { n: { type: integer } } }", accepts: ["1"], refuses: ["\"a\""]),
        Row("{ $ref: '#n', $defs: { x: { $anchor: n, type: integer } } }", accepts: ["1"], refuses: ["\"a\""]),
        Row(
            "{ $ref: 'b', $id: 'http://x.test/a', $defs: { x: { $id: b, type: integer } } }", accepts: ["1"],
            refuses: ["\"a\""]),
        Row(
            "{ $ref: 'b#/$defs/i', $id: 'http://x.test/a', $defs: { x: { $id: b, $defs: { i: { type: integer } } } } }",
            accepts: ["1"], refuses: ["\"a\""]),
        Row("{ $ref: '#/$defs/a~1b%25', $defs: { 'a/b%': { type: integer } } }", accepts: ["1"], refuses: ["\"a\""]),
        Row(
            "{ properties: { next: { $ref: '#' } }, additionalProperties: false }",
            accepts: ["{\"next\":{\"next\":{}}}"], refuses: ["{\"next\":{\"other\":1}}"]),
        Row(
            """
            $id: http://x.test/strict
            $ref: tree
            $dynamicAnchor: node
            unevaluatedProperties: false
            $defs:
              tree:
                $id: tree
                $dynamicAnchor: node
                type: object
                properties: { kids: { type: array, items: { $dynamicRef: '#node' } } }
            """, accepts: ["{\"kids\":[{\"kids\":[]}]}"], refuses: ["{\"kids\":[{\"other\":1}]}", "{\"kids\":1}"]),
    ]

    @Test(arguments: rows) func `a keyword accepts these values and refuses those`(_ row: Row) throws {
        for value in row.accepted {
            let verdict = try SchemaText.verdict(row.schema, value)
            #expect(verdict.isValid, "\(value): \(verdict.sentences)")
        }
        for value in row.refused {
            guard case .invalid(let faults, _) = try SchemaText.verdict(row.schema, value) else {
                Issue.record("\(value) is accepted")
                continue
            }
            #expect(!faults.isEmpty && faults.allSatisfy { $0.location.line > 0 && !$0.sentence.isEmpty })
        }
    }

    struct ServiceRow: Sendable {
        let schema: String
        let value: String
        let side: SchemaSide?
        let isValid: Bool

        init(_ schema: String, _ value: String, _ isValid: Bool, side: SchemaSide? = nil) {
            (self.schema, self.value, self.side, self.isValid) = (schema, value, side, isValid)
        }
    }

    static let oldRows = [
        ServiceRow("{ type: string, nullable: true }", "null", true), ServiceRow("{ type: string }", "null", false),
        ServiceRow("{ minimum: 1, exclusiveMinimum: true }", "1", false),
        ServiceRow("{ minimum: 1, exclusiveMinimum: false }", "1", true),
        ServiceRow("{ maximum: 1, exclusiveMaximum: true }", "1", false),
        ServiceRow("{ $ref: '#/x', type: string, x: { type: integer } }", "1", true),
        ServiceRow("{ const: 1, if: false, example: 3 }", "2", true),
        ServiceRow("{ required: [id], properties: { id: { readOnly: true } } }", "{}", true, side: .request),
        ServiceRow("{ required: [id], properties: { id: { readOnly: true } } }", "{}", false, side: .reply),
        ServiceRow("{ required: [p], properties: { p: { writeOnly: true } } }", "{}", true, side: .reply),
        ServiceRow("{ required: [p], properties: { p: { writeOnly: true } } }", "{}", false, side: .request),
    ]

    @Test(arguments: oldRows) func `a schema of OpenAPI 3.0 is read as that`(_ row: ServiceRow) throws {
        let verdict = try SchemaText.verdict(row.schema, row.value, dialect: .openAPI30, side: row.side)
        #expect(verdict.isValid == row.isValid, "\(verdict.sentences)")
    }
}
