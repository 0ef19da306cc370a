package import ProctorBase
internal import ProctorRegex

/// Schemas of one document, read and resolved; any thread may validate with them.
///
/// JSON Schema 2020-12, core and validation, without references to other documents.
package final class JSONSchema: Sendable {
    /// Every subschema that a reference or a keyword reaches, by number.
    let subschemas: [Subschema]
    /// For each name of a `$dynamicAnchor`, the subschema that has it in each resource.
    let dynamicAnchors: [String: [Int: Int]]
    /// Whether any keyword looks at what others have evaluated.
    let tracksEvaluation: Bool

    init(subschemas: [Subschema], dynamicAnchors: [String: [Int: Int]], tracksEvaluation: Bool) {
        (self.subschemas, self.dynamicAnchors, self.tracksEvaluation) = (subschemas, dynamicAnchors, tracksEvaluation)
    }

    /// A schema with which values can be validated.
    package struct Entry: Sendable {
        package let schemas: JSONSchema
        let number: Int

        /// Where the schema stands.
        package var location: SourceLocation { schemas.subschemas[number].location }
        /// The JSON pointer of the schema in its document.
        package var pointer: String { schemas.subschemas[number].pointer }
    }

    /// Bounds of a schema and of one validation.
    package enum Bounds {
        /// The most subschemas of one document.
        package static let subschemas = 20_000
        /// The most steps of one validation: keywords that look at a value, and values that are compared.
        package static let steps = 2_000_000
        /// The most subschemas that apply to a value inside one another.
        package static let depth = 250
        /// The most faults that are told.
        package static let faults = 50
    }
}

/// One subschema: the keywords in the order in which they are evaluated.
struct Subschema: Sendable {
    /// The JSON pointer in the document.
    let pointer: String
    let location: SourceLocation
    /// The number of the schema resource to which it belongs (core §4.3.5).
    let resource: Int
    var keywords: [Keyword] = []
    /// Whether `nullable` of OpenAPI 3.0 permits null whatever the keywords say: it stands beside no `type`.
    var permitsNull = false
}

/// One keyword with its operand.
struct Keyword: Sendable {
    let name: String
    let location: SourceLocation
    let rule: Rule

    /// What a keyword asks; numbers of subschemas are those of ``JSONSchema/subschemas``.
    enum Rule: Sendable {
        /// The schema `false`.
        case nothing
        /// What could not be read, with the reason: whether it holds is not known.
        case open(String)
        case type([InstanceType])
        case oneOfValues([ComparedValue], text: String)
        case multipleOf(JSONDecimal, text: String)
        case number(NumberBound, JSONDecimal, text: String)
        case count(CountBound, Int)
        case pattern(SchemaPattern)
        case format(SchemaFormat)
        case uniqueItems
        case prefixItems([Int])
        case items(Int, behind: Int)
        case contains(Int, least: Int, most: Int?)
        case required([Needed])
        case dependentRequired([(name: [UInt8], needs: [[UInt8]])])
        case dependentSchemas([(name: [UInt8], schema: Int)])
        case propertyNames(Int)
        case properties([[UInt8]: Int])
        case patternProperties([(pattern: SchemaPattern, schema: Int)])
        case additionalProperties(Int, beside: Set<[UInt8]>, patterns: [SchemaPattern])
        case allOf([Int])
        case anyOf([Int])
        case oneOf([Int])
        case not(Int)
        case condition(Int, then: Int?, otherwise: Int?)
        case reference(Int)
        case dynamicReference(Int, anchor: String)
        case unevaluatedItems(Int)
        case unevaluatedProperties(Int)
    }

    /// A name that must be there.
    struct Needed: Sendable {
        let name: [UInt8]
        /// The side that need not send it, by `readOnly` or `writeOnly`.
        let exempt: SchemaSide?
    }

    enum NumberBound: Sendable { case maximum, exclusiveMaximum, minimum, exclusiveMinimum }

    enum CountBound: Sendable { case maxLength, minLength, maxItems, minItems, maxProperties, minProperties }
}

/// The types of JSON Schema (validation §6.1.1).
enum InstanceType: String, Sendable, CaseIterable {
    case null, boolean, object, array, number, string, integer

    func holds(for kind: JSONDocument.Kind) -> Bool {
        switch (self, kind) {
        case (.null, .null), (.boolean, .boolean), (.object, .object), (.array, .list), (.number, .number),
            (.string, .text):
            true
        case (.integer, .number(let number)): number.isWhole
        default: false
        }
    }

    /// With its article: `an object`.
    var noun: String {
        switch self {
        case .null: "null"
        case .array, .object, .integer: "an \(rawValue)"
        case .boolean, .number, .string: "a \(rawValue)"
        }
    }
}

/// Which message a value stands in, for `readOnly` and `writeOnly` of OpenAPI.
package enum SchemaSide: Sendable { case request, reply }

extension JSONSchema {
    /// The schema of a number that ``SchemaReader/number(of:at:)`` gave.
    package func entry(_ number: Int) -> Entry { Entry(schemas: self, number: number) }
}
