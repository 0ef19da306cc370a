internal import ProctorBase
internal import ProctorDocument

/// Reads the keywords of one subschema.
struct SubschemaReading {
    let reader: SchemaReader
    let pointer: String
    private var keywords: [Keyword] = []
    /// Keywords that look at what all others have evaluated.
    private var last: [Keyword] = []
    private(set) var permitsNull = false

    init(reader: SchemaReader, pointer: String) {
        (self.reader, self.pointer) = (reader, pointer)
    }

    private var sink: DiagnosticSink { reader.sink }

    mutating func keywords(of node: Node) -> [Keyword] {
        if node.plainText == "true" { return [] }
        if node.plainText == "false" { return [Keyword(name: "", location: node.location, rule: .nothing)] }
        guard let entries = node.entries else {
            let opening = reader.telling {
                sink.report(node, "expected a schema as a mapping, true or false, found \(node.found)")
            }.opening
            return opening.map { [Keyword(name: "", location: node.location, rule: .open($0.sentence))] } ?? []
        }
        if reader.dialect == .openAPI30, let reference = entries.first(where: { $0.key == "$ref" }) {
            read(reference, beside: node)
            return keywords
        }
        permitsNull = isNullable(node) && node.child("type") == nil
        for entry in entries where reader.dialect == .draft2020 || Self.namesOf30.contains(entry.key) {
            read(entry, beside: node)
        }
        return keywords + last
    }

    private mutating func read(_ entry: Node.Entry, beside node: Node) {
        let (rule, opening) = reader.telling { self.rule(of: entry, beside: node) }
        // What asks for nothing costs no answer, whatever is wrong with it.
        let isAnnotation = Self.successors[entry.key] != nil || entry.key == "$schema"
        add(entry, isAnnotation ? rule : opening.map { Keyword.Rule.open($0.sentence) } ?? rule)
    }

    private mutating func add(_ entry: Node.Entry, _ rule: Keyword.Rule?) {
        guard let rule else { return }
        let keyword = Keyword(name: entry.key, location: entry.keyNode.location, rule: rule)
        switch rule {
        case .unevaluatedItems, .unevaluatedProperties: last.append(keyword)
        default: keywords.append(keyword)
        }
    }

    private static let successors = [
        "additionalItems": "write prefixItems and items", "dependencies": "write dependentRequired or dependentSchemas",
        "$recursiveRef": "write $dynamicRef", "$recursiveAnchor": "write $dynamicAnchor",
    ]

    /// The keywords of a schema object of OpenAPI 3.0 that ask for something.
    private static let namesOf30: Set<String> = [
        "multipleOf", "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum", "maxLength", "minLength", "pattern",
        "maxItems", "minItems", "uniqueItems", "maxProperties", "minProperties", "required", "enum", "type", "allOf",
        "oneOf", "anyOf", "not", "items", "properties", "additionalProperties", "format",
    ]

    /// nil for what asks for nothing, and after a diagnostic.
    private mutating func rule(of entry: Node.Entry, beside node: Node) -> Keyword.Rule? {
        let value = entry.value
        switch entry.key {
        case "$schema": checkDialect(value)
        case "$ref": return reader.target(of: value, from: pointer).map { .reference($0.number) }
        case "$dynamicRef":
            guard let (number, anchor) = reader.target(of: value, from: pointer) else { return nil }
            guard let anchor else { return .reference(number) }
            reader.dynamicNames.insert(anchor)
            return .dynamicReference(number, anchor: anchor)
        case "$recursiveRef", "$recursiveAnchor", "additionalItems", "dependencies":
            sink.report(
                entry.keyNode, "\(quoted(entry.key)) is of a draft before 2020-12",
                hint: Self.successors[entry.key])
        case "type": return type(value, isNullable: isNullable(node))
        case "enum":
            guard let items = value.items else {
                return sink.refuse(value, "expected the values of enum as a list, found \(value.found)")
            }
            return .oneOfValues(items.map { ComparedValue($0) }, text: "one of \(excerpt(value))")
        case "const": return .oneOfValues([ComparedValue(value)], text: excerpt(value))
        case "uniqueItems": return sink.boolean(value, "uniqueItems") == true ? .uniqueItems : nil
        case "format": return format(value)
        case "pattern": return expression(value).map { .pattern($0) }
        case "required": return names(value, "required").map { .required(needed($0, beside: node)) }
        case "dependentRequired": return dependentRequired(value)
        default: return countRule(entry) ?? numberRule(entry, beside: node) ?? applicator(entry, beside: node)
        }
        return nil
    }

    private func excerpt(_ node: Node) -> String {
        let text = node.jsonText
        return text.utf8.count > 200 ? text.prefix(199) + "…" : text
    }

    private func checkDialect(_ value: Node) {
        guard let text = sink.text(value, "$schema") else { return }
        let known = ["https://json-schema.org/draft/2020-12/schema", "https://spec.openapis.org/oas/3.1/dialect/base"]
        guard !known.contains(text.hasSuffix("#") ? String(text.dropLast()) : text) else { return }
        sink.report(
            value, "the schema is for \(quoted(text)); JSON Schema 2020-12 is what is validated",
            hint: "bring it to 2020-12, and name \(known[0])")
    }

    private func isNullable(_ node: Node) -> Bool {
        reader.dialect == .openAPI30 && node.child("nullable")?.plainText == "true"
    }

    /// An unquoted `null` of YAML is the type of that name too.
    private func type(_ value: Node, isNullable: Bool) -> Keyword.Rule? {
        let names = InstanceType.allCases.map(\.rawValue)
        var types: [InstanceType] = isNullable ? [.null] : []
        for node in value.items ?? [value] {
            guard let type = node.isNull ? .null : node.text.flatMap(InstanceType.init) else {
                return sink.refuse(
                    node, "expected a type, found \(node.found)",
                    hint: DiagnosticSink.hint(for: node.text ?? "", among: names))
            }
            types.append(type)
        }
        guard types.isEmpty else { return .type(types) }
        return sink.refuse(value, "type is one type or a list of some, found an empty list")
    }

    private func format(_ value: Node) -> Keyword.Rule? {
        guard let name = sink.text(value, "a format") else { return nil }
        guard let format = SchemaFormat(rawValue: name), reader.formats.contains(format) else { return nil }
        return .format(format)
    }

    private func names(_ value: Node, _ what: String) -> [String]? {
        guard let items = value.items else {
            return sink.refuse(value, "expected \(what) as a list of names, found \(value.found)")
        }
        let names = items.compactMap { sink.text($0, "a name") }
        return names.count == items.count ? names : nil
    }

    /// The names with the side that need not send them, by `readOnly` and `writeOnly` of the properties beside them.
    private func needed(_ names: [String], beside node: Node) -> [Keyword.Needed] {
        names.map { name in
            var exempt: SchemaSide?
            if var property = node.child("properties")?.child(name) {
                if let reference = property.child("$ref")?.text,
                    case .success(let place) = reader.index.find(reference, from: pointer)
                {
                    property = place.node
                }
                if property.child("readOnly")?.plainText == "true" { exempt = .request }
                if property.child("writeOnly")?.plainText == "true" { exempt = .reply }
            }
            return Keyword.Needed(name: Array(name.utf8), exempt: exempt)
        }
    }

    private func dependentRequired(_ value: Node) -> Keyword.Rule? {
        guard let entries = value.entries else {
            return sink.refuse(value, "expected dependentRequired as names by name, found \(value.found)")
        }
        return .dependentRequired(
            entries.compactMap { entry in
                names(entry.value, "what \(quoted(entry.key)) requires").map {
                    (Array(entry.key.utf8), $0.map { Array($0.utf8) })
                }
            })
    }

    // MARK: Numbers

    private static let counts: [String: Keyword.CountBound] = [
        "maxLength": .maxLength, "minLength": .minLength, "maxItems": .maxItems, "minItems": .minItems,
        "maxProperties": .maxProperties, "minProperties": .minProperties,
    ]

    private func countRule(_ entry: Node.Entry) -> Keyword.Rule? {
        guard let bound = Self.counts[entry.key] else { return nil }
        return count(entry.value, entry.key).map { .count(bound, $0) }
    }

    /// A whole number from 0; one beyond what can be counted is as good as the greatest.
    private func count(_ value: Node, _ what: String) -> Int? {
        guard let number = number(value, what) else { return nil }
        guard number.isWhole, !number.isNegative else {
            return sink.refuse(value, "\(what) is a whole number from 0, found \(value.found)")
        }
        return number.whole ?? .max
    }

    private func number(_ value: Node, _ what: String) -> JSONDecimal? {
        if let text = value.plainText, let number = JSONDecimal(text.utf8) { return number }
        return sink.refuse(value, "expected \(what) as a number, found \(value.found)")
    }

    private func numberRule(_ entry: Node.Entry, beside node: Node) -> Keyword.Rule? {
        let value = entry.value
        let text = value.text ?? ""
        let is30 = reader.dialect == .openAPI30
        func excludes(_ key: String) -> Bool { is30 && node.child(key)?.plainText == "true" }
        switch entry.key {
        case "multipleOf":
            guard let number = number(value, "multipleOf") else { return nil }
            guard number > JSONDecimal.zero, JSONDecimal.one.isMultiple(of: number) != nil else {
                return sink.refuse(
                    value,
                    "multipleOf is more than 0, with at most \(JSONDecimal.divisorDigitBound) digits, found \(value.found)"
                )
            }
            return .multipleOf(number, text: text)
        case "maximum":
            return number(value, "maximum").map {
                .number(excludes("exclusiveMaximum") ? .exclusiveMaximum : .maximum, $0, text: text)
            }
        case "minimum":
            return number(value, "minimum").map {
                .number(excludes("exclusiveMinimum") ? .exclusiveMinimum : .minimum, $0, text: text)
            }
        case "exclusiveMaximum", "exclusiveMinimum":
            if is30 {
                _ = sink.boolean(value, entry.key)
                return nil
            }
            if value.plainText == "true" || value.plainText == "false" {
                return sink.refuse(
                    value, "\(entry.key) is a number since draft 6, found \(value.found)",
                    hint:
                        "write the number here, in the place of \(entry.key == "exclusiveMaximum" ? "maximum" : "minimum")"
                )
            }
            return number(value, entry.key).map {
                .number(entry.key == "exclusiveMaximum" ? .exclusiveMaximum : .exclusiveMinimum, $0, text: text)
            }
        default: return nil
        }
    }

    // MARK: Applicators

    private func schema(_ node: Node, _ tokens: String...) -> Int {
        reader.number(of: node, at: pointer + tokens.map { "/" + $0.pointerToken }.joined())
    }

    private mutating func applicator(_ entry: Node.Entry, beside node: Node) -> Keyword.Rule? {
        let value = entry.value
        switch entry.key {
        case "allOf", "anyOf", "oneOf", "prefixItems":
            guard let items = value.items, !items.isEmpty else {
                return sink.refuse(value, "expected \(entry.key) as a list of schemas, found \(value.found)")
            }
            let schemas = items.enumerated().map { schema($0.element, entry.key, String($0.offset)) }
            switch entry.key {
            case "allOf": return .allOf(schemas)
            case "anyOf": return .anyOf(schemas)
            case "oneOf": return .oneOf(schemas)
            default: return .prefixItems(schemas)
            }
        case "not": return .not(schema(value, "not"))
        case "if":
            return .condition(
                schema(value, "if"), then: node.child("then").map { schema($0, "then") },
                otherwise: node.child("else").map { schema($0, "else") })
        case "items":
            guard value.items == nil else {
                return sink.refuse(value, "items is one schema since 2020-12, found a list", hint: "write prefixItems")
            }
            return .items(schema(value, "items"), behind: node.child("prefixItems")?.items?.count ?? 0)
        case "contains":
            let least = node.child("minContains").map { count($0, "minContains") ?? 0 } ?? 1
            let most = node.child("maxContains").flatMap { count($0, "maxContains") }
            return .contains(schema(value, "contains"), least: least, most: most)
        case "propertyNames": return .propertyNames(schema(value, "propertyNames"))
        case "properties":
            guard let entries = schemas(value, entry.key) else { return nil }
            return .properties(
                Dictionary(entries.map { (Array($0.key.utf8), schema($0.value, entry.key, $0.key)) }) { first, _ in
                    first
                })
        case "dependentSchemas":
            return schemas(value, entry.key).map { entries in
                .dependentSchemas(entries.map { (Array($0.key.utf8), schema($0.value, entry.key, $0.key)) })
            }
        case "patternProperties":
            guard let entries = schemas(value, entry.key) else { return nil }
            return .patternProperties(
                entries.compactMap { entry in
                    expression(entry.keyNode).map { ($0, schema(entry.value, "patternProperties", entry.key)) }
                })
        case "additionalProperties":
            let names = node.child("properties")?.entries?.map { Array($0.key.utf8) } ?? []
            let patterns = reader.dialect == .openAPI30 ? [] : node.child("patternProperties")?.entries ?? []
            return .additionalProperties(
                schema(value, entry.key), beside: Set(names),
                patterns: patterns.compactMap { try? SchemaPattern($0.key) })
        case "unevaluatedItems":
            reader.tracksEvaluation = true
            return .unevaluatedItems(schema(value, entry.key))
        case "unevaluatedProperties":
            reader.tracksEvaluation = true
            return .unevaluatedProperties(schema(value, entry.key))
        default: return nil
        }
    }

    private func schemas(_ value: Node, _ what: String) -> [Node.Entry]? {
        value.entries ?? sink.refuse(value, "expected \(what) as schemas by name, found \(value.found)")
    }

    private func expression(_ node: Node) -> SchemaPattern? {
        // A key is plain text, whatever it looks like.
        guard case .scalar(let text, _) = node.content else {
            return sink.refuse(node, "expected a regular expression, found \(node.found)")
        }
        do throws(SchemaPattern.Fault) {
            return try SchemaPattern(text)
        } catch {
            return sink.refuse(
                node, "this is no regular expression: \(error.sentence)",
                hint: "the syntax is that of ECMAScript with the flag u, without lookbehind of unknown length")
        }
    }
}
