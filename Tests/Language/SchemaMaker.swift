internal import ProctorBase
internal import ProctorDocument
internal import ProctorFixtures
internal import ProctorScenario

/// Makes JSON Schema of the schemas in language.yaml, whose comment says how they are written.
enum SchemaMaker {
    /// What a text means where it stands.
    private enum Place {
        /// A schema: the text is a reference.
        case schema
        /// A mapping from names to schemas.
        case schemasByName
        /// A list of schemas.
        case schemas
        /// A value of JSON.
        case value
    }

    private static let places: [String: Place] = [
        "items": .schema, "not": .schema, "if": .schema, "then": .schema, "else": .schema, "contains": .schema,
        "additionalProperties": .schema, "propertyNames": .schema, "oneOf": .schemas, "anyOf": .schemas,
        "allOf": .schemas, "properties": .schemasByName, "patternProperties": .schemasByName,
        "dependencies": .schemasByName,
    ]

    static func schema(_ node: Node) -> Schema { make(node, .schema) }

    /// The value of a key, as language.yaml or its form says it.
    static func schema(of row: Row) -> Schema {
        if let node = LanguageData.values[row.path] { return schema(node) }
        switch row.form {
        case .named(let name): return reference("\(name)")
        case .words(let words): return .words(words())
        case .numbers(let range): return .number(range)
        case .pattern(let pattern): return ["type": "string", "pattern": .text(pattern())]
        case nil: preconditionFailure("language.yaml has no value for \(row.path)")
        }
    }

    /// The mapping of the keys of that name, with the rules for them.
    static func mapping(_ keys: String, type: Schema = "object") -> Schema {
        let rows = LanguageTables.rows(of: keys)
        let rules = LanguageData.node(keys, in: "rules").map(schema) ?? [:]
        let required = rows.filter(\.isRequired).map { Schema.text($0.name) }
        let head: Schema = ["type": type]
        return head.adding(required.isEmpty ? [:] : ["required": .list(required)])
            .adding(["additionalProperties": false, "properties": properties(rows)]).adding(rules)
    }

    /// One alternative of a mapping: exactly these keys, of which `optional` may be missing.
    static func form(_ keys: String, _ required: [String], optional: [String] = []) -> Schema {
        let rows = LanguageTables.rows(of: keys)
        for name in required + optional where !rows.contains(where: { $0.name == name }) {
            preconditionFailure("language.yaml: \(keys) has no key '\(name)'")
        }
        let members = rows.filter { required.contains($0.name) || optional.contains($0.name) }
        let head: Schema = required.isEmpty ? [:] : ["required": .list(required.map { .text($0) })]
        return head.adding(["type": "object", "additionalProperties": false, "properties": properties(members)])
    }

    private static func properties(_ rows: [Row]) -> Schema {
        .object(rows.map { (key: $0.name, value: schema(of: $0).described($0.sentence)) })
    }

    // MARK: One node

    private static func make(_ node: Node, _ place: Place) -> Schema {
        switch node.content {
        case .scalar(let text, let style):
            if style == .plain, let name = text.dropping(prefix: "=") { return named(name, place) }
            if place == .schema, node.plainText.map({ !["true", "false"].contains($0) }) == true {
                return reference(text)
            }
            return scalar(node)
        case .sequence(let items): return .list(items.map { make($0, place == .schemas ? .schema : .value) })
        case .mapping(let entries):
            if place == .schemasByName {
                return .object(entries.map { (key: $0.key, value: make($0.value, .schema)) })
            }
            return members(entries)
        }
    }

    private static func scalar(_ node: Node) -> Schema {
        guard let text = node.plainText else { return node.isNull ? .null : .text(node.text ?? "") }
        if let number = Int(text) { return .integer(number) }
        if text.contains("."), Double(text) != nil { return .decimal(text) }
        return text == "true" ? true : text == "false" ? false : .text(text)
    }

    /// A form of this file, a value of one key, all keys of a mapping, or a definition.
    private static func reference(_ name: String) -> Schema {
        if let form = LanguageData.node(name, in: "forms") { return schema(form) }
        if let value = LanguageData.values[name] { return schema(value) }
        if LanguageTables.hasKeys(name) { return mapping(name) }
        guard LanguageData.node(name, in: "definitions") != nil else {
            preconditionFailure("language.yaml: '\(name)' is no form, value, mapping or definition")
        }
        return .ref(name)
    }

    private static func named(_ name: String, _ place: Place) -> Schema {
        let forms = LanguageData.nodes(name, in: "forms")
        if place == .schemasByName, !forms.isEmpty {
            return .object(forms.flatMap { $0.entries ?? [] }.map { (key: $0.key, value: make($0.value, .schema)) })
        }
        if let form = forms.first { return make(form, place) }
        guard let value = LanguageNames.value(name) else {
            preconditionFailure("language.yaml: the program has no value '\(name)'")
        }
        return value
    }

    private static func members(_ entries: [Node.Entry]) -> Schema {
        var result: Schema = [:]
        var rest = entries[...]
        while let entry = rest.popFirst() {
            let value = entry.value
            switch entry.key {
            case "meaning":
                guard let schema = rest.popFirst()?.value, let words = LanguageData.words[value.text ?? ""] else {
                    preconditionFailure("language.yaml: 'meaning' names a row, and 'is' follows: \(value.location)")
                }
                return make(schema, .schema).described(words.sentence)
            case "orNull": result = result.adding(mapping(value.text ?? "", type: ["object", "null"]))
            case "oneOrMore":
                let limits = members(Array(rest))
                return result.adding(.oneOrMore(make(value, .schema), limits))
            case "range":
                guard case .list(let bounds) = make(value, .value), bounds.count == 2 else {
                    preconditionFailure("language.yaml: a range has two bounds: \(value.location)")
                }
                result = result.adding(["type": "integer", "minimum": bounds[0], "maximum": bounds[1]])
            case "requiresAny": result = result.adding(["anyOf": requiring(value)])
            case "requiresOne": result = result.adding(["oneOf": requiring(value)])
            case let keys where LanguageTables.hasKeys(keys):
                guard value.text != "all" else {
                    result = result.adding(mapping(keys))
                    continue
                }
                var optional: Node?
                if rest.first?.key == "optional" { optional = rest.popFirst()?.value }
                result = result.adding(form(keys, names(value), optional: optional.map(names) ?? []))
            default:
                let place = places[entry.key] ?? .value
                result = result.adding(.object([(key: entry.key, value: make(value, place))]))
            }
        }
        return result
    }

    private static func requiring(_ node: Node) -> Schema { .list(names(node).map { .required($0) }) }

    private static func names(_ node: Node) -> [String] { node.items?.compactMap(\.text) ?? [] }
}
