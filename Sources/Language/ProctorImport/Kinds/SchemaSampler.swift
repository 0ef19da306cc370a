import ProctorBase

/// Makes a value that a schema of OpenAPI 3.0 or 3.1 describes, with its examples where it has some.
struct SchemaSampler {
    let root: SourceValue
    private(set) var remarks = ImportRemarks()
    /// The references that are being followed.
    private var open: [String] = []
    /// Values that are left to make for one description.
    private var left = 100_000

    private static let deepest = 12
    /// Items of a list and members of an object that are made for a bound from below.
    private static let mostMade = 100

    init(root: SourceValue) { self.root = root }

    // MARK: References

    /// What `$ref` names in this file, or the value itself; nil after a remark.
    mutating func resolve(_ value: SourceValue) -> SourceValue? {
        var value = value
        for _ in 0..<Self.deepest {
            guard let reference = value["$ref"]?.text else { return value }
            guard let target = target(of: reference) else {
                remarks.add(at: value.place, "\(ByteShow.quote(reference.utf8)) leads to nothing in this file")
                return nil
            }
            value = target
        }
        remarks.add(at: value.place, "references lead more than \(Self.deepest) times on")
        return nil
    }

    private func target(of reference: String) -> SourceValue? {
        guard reference.hasPrefix("#"), let pointer = try? JSONPointer(String(reference.dropFirst())) else {
            return nil
        }
        var value: SourceValue? = root
        for token in pointer.tokens {
            value =
                JSONPointer.index(token).flatMap { index in
                    value?.items?.dropFirst(index).first
                } ?? value?[token]
        }
        return value
    }

    // MARK: Examples

    /// The content of a media type: its example of that name; else its example, the first of its examples, or one made of its
    /// schema.
    ///
    /// `isJSON`: an example that is a text of JSON, where the schema wants something else than a text, is that JSON.
    mutating func content(of media: SourceValue, isJSON: Bool, named name: String? = nil) -> YAMLTree? {
        if let name {
            guard let value = media["examples"]?[name].flatMap({ resolve($0) })?["value"] else { return nil }
            return plain(value, media["schema"], isJSON)
        }
        if let example = media["example"] { return plain(example, media["schema"], isJSON) }
        if let first = media["examples"]?.members?.first?.value, let example = resolve(first) {
            if let value = example["value"] { return plain(value, media["schema"], isJSON) }
            remarks.add(at: example.place, "an example without a value here is passed over")
        }
        return sample(media["schema"])
    }

    private mutating func plain(_ example: SourceValue, _ schema: SourceValue?, _ isJSON: Bool) -> YAMLTree? {
        guard isJSON, example.isText, let text = example.text,
            let first = text.utf8.first(where: { $0 > 0x20 }), "{[".utf8.contains(first),
            schema.flatMap({ view([$0], depth: 0) })?.types.contains("string") != true,
            let value = try? SourceValue(parsing: Array(text.utf8), file: example.place)
        else { return FixtureJSON.plain(example) }
        return FixtureJSON.plain(value)
    }

    /// A value for a schema; nil where there is none to make.
    mutating func sample(_ schema: SourceValue?) -> YAMLTree? {
        guard let schema else { return nil }
        return sample([schema], depth: 0)
    }

    /// The schemas with their `allOf`; nil where one leads to nothing, or into itself.
    private mutating func view(_ given: [SourceValue], depth: Int) -> SchemaView? {
        var parts: [SourceValue] = []
        for schema in given {
            guard depth <= Self.deepest, let target = resolve(schema) else { return nil }
            parts.append(target)
            // A schema that is a part of itself.
            guard parts.count <= Self.mostMade else { return nil }
            for part in target["allOf"]?.items ?? [] {
                guard let inner = view([part], depth: depth + 1) else { return nil }
                parts += inner.parts
            }
        }
        return parts.isEmpty ? nil : SchemaView(parts: parts)
    }

    /// What the parts of a schema in `allOf` refer to.
    private mutating func partReferences(of schema: SourceValue) -> [SourceValue?] {
        (resolve(schema)?["allOf"]?.items ?? []).map { $0["$ref"] }
    }

    /// `variant` counts values that must differ.
    private mutating func sample(_ given: [SourceValue], depth: Int, variant: Int = 0) -> YAMLTree? {
        left -= 1
        guard depth <= Self.deepest, left > 0 else { return nil }
        let references = given.flatMap { [$0["$ref"]] + partReferences(of: $0) }.compactMap { $0?.text }
        // A schema inside itself ends here: an optional member is left out.
        guard !references.contains(where: open.contains) else { return nil }
        open += references
        defer { open.removeLast(references.count) }
        guard let schema = view(given, depth: 0) else { return nil }
        if variant == 0,
            let example = schema["example"] ?? schema["examples"]?.items?.first ?? schema["const"] ?? schema["default"]
        {
            return FixtureJSON.plain(example)
        }
        if let values = schema["enum"]?.items?.filter({ !$0.isNull }), !values.isEmpty {
            return FixtureJSON.plain(values[min(variant, values.count - 1)])
        }
        for key in ["oneOf", "anyOf"] {
            for choice in schema[key]?.items ?? [] where choice["type"]?.text != "null" {
                // What stands beside the choices is of each of them.
                let beside = schema.parts.filter { $0[key] == nil }
                let outer = schema.parts.filter { $0[key] != nil && $0["properties"] != nil }
                if let value = sample([choice] + beside, depth: depth + 1, variant: variant) {
                    return named(choice, schema["discriminator"], with(value, outer, depth: depth))
                }
            }
        }
        return typed(schema, depth: depth, variant: variant)
    }

    /// The members of a choice, and those of the properties that stand beside all choices.
    private mutating func with(_ value: YAMLTree, _ outer: [SourceValue], depth: Int) -> YAMLTree {
        guard case .map(var members) = value, !outer.isEmpty else { return value }
        for member in self.members(of: SchemaView(parts: outer), depth: depth)
        where !members.contains(where: { $0.key == member.key }) {
            members.append(member)
        }
        return .map(members)
    }

    /// The value with the name of its choice, where a discriminator asks for it and the choice does not fix it.
    private mutating func named(_ choice: SourceValue, _ discriminator: SourceValue?, _ value: YAMLTree) -> YAMLTree {
        guard let name = discriminator?["propertyName"]?.text, let reference = choice["$ref"]?.text,
            case .map(var members) = value, let schema = view([choice], depth: 0)
        else { return value }
        let own = schema.properties.first { $0.name == name }.flatMap { view($0.schemas, depth: 0) }
        if own?["enum"] != nil || own?["const"] != nil { return value }
        let mapped = discriminator?["mapping"]?.members?.first { $0.value.text == reference }?.name
        let last = reference.split(separator: "/").last.map { String($0) } ?? reference
        members.removeAll { $0.key == name }
        members.insert(.init(name, .text(mapped ?? last)), at: 0)
        return .map(members)
    }

    private mutating func typed(_ schema: SchemaView, depth: Int, variant: Int) -> YAMLTree? {
        switch schema.types.first {
        case "string": return .text(text(schema, variant))
        case "integer": return .plain(SchemaNumber(schema, isWhole: true).text(variant: variant))
        case "number": return .plain(SchemaNumber(schema, isWhole: false).text(variant: variant))
        case "boolean": return .plain(variant == 0 ? "true" : "false")
        case "array": return .list(items(of: schema, depth: depth))
        case "object": return .map(members(of: schema, depth: depth, variant: variant))
        default:
            if schema.isNull { return .null }
            if schema["items"] != nil || schema["prefixItems"] != nil { return .list(items(of: schema, depth: depth)) }
            if schema["pattern"] != nil || schema["minLength"] != nil { return .text(text(schema, variant)) }
            if ["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"]
                .contains(where: { schema[$0] != nil })
            {
                return .plain(SchemaNumber(schema, isWhole: false).text(variant: variant))
            }
            return .map(members(of: schema, depth: depth, variant: variant))
        }
    }

    /// The first member differs by the variant.
    private mutating func members(of schema: SchemaView, depth: Int, variant: Int = 0) -> [YAMLTree.Member] {
        let required = schema.required
        var members: [YAMLTree.Member] = []
        for (name, schemas) in schema.properties {
            guard let property = view(schemas, depth: 0), property["writeOnly"]?.boolean != true else { continue }
            if let value = sample(schemas, depth: depth + 1, variant: members.isEmpty ? variant : 0) {
                members.append(.init(name, value))
            } else if required.contains(name) {
                remarks.add(at: schemas[0].place, "no value could be made for \(name), which is required")
            }
        }
        let known = Set(schema.properties.map(\.name))
        let other = schema["additionalProperties"].flatMap { $0.members == nil ? nil : [$0] }
        for name in required where !known.contains(name) {
            members.append(.init(name, other.flatMap { sample($0, depth: depth + 1) } ?? .text("text")))
        }
        let least = min(schema.least("minProperties") ?? 0, Self.mostMade)
        while members.count < least {
            let value = other.flatMap { sample($0, depth: depth + 1, variant: variant) } ?? .text("text")
            members.append(.init("key\(members.count + 1)", value))
        }
        return members
    }

    private mutating func items(of schema: SchemaView, depth: Int) -> [YAMLTree] {
        var items: [YAMLTree] = []
        for item in schema["prefixItems"]?.items ?? [] {
            guard let value = sample([item], depth: depth + 1) else { break }
            items.append(value)
        }
        let most = schema.most("maxItems") ?? .max
        let least = min(max(schema.least("minItems") ?? (items.isEmpty ? 1 : 0), items.isEmpty ? 1 : 0), Self.mostMade)
        let others = schema.all("items").filter { $0.members != nil }
        let isUnique = schema["uniqueItems"]?.boolean == true
        while items.count < least, items.count < most {
            let beside = others.isEmpty ? nil : sample(others, depth: depth + 1, variant: isUnique ? items.count : 0)
            guard let value = beside ?? (schema.least("minItems") ?? 0 > items.count ? .text("text") : nil) else {
                break
            }
            items.append(value)
        }
        return Array(items.prefix(most))
    }

    // MARK: Texts

    private static let formats = [
        "date-time": "2026-01-02T03:04:05Z", "date": "2026-01-02", "time": "03:04:05Z",
        "uuid": "00000000-0000-4000-8000-000000000001", "email": "ann@example.com", "uri": "https://example.com/",
        "url": "https://example.com/", "hostname": "example.com", "ipv4": "192.0.2.1", "ipv6": "2001:db8::1",
        "byte": "aGVsbG8=", "duration": "P1D",
    ]

    private func text(_ schema: SchemaView, _ variant: Int) -> String {
        let least = min(max(schema.least("minLength") ?? 0, 0), 1_000)
        let most = max(schema.most("maxLength") ?? .max, 0)
        if variant == 0, let pattern = schema["pattern"]?.text, let text = PatternSample.text(of: pattern),
            least...max(least, most) ~= text.unicodeScalars.count
        {
            return text
        }
        let known = schema["format"]?.text.flatMap { Self.formats[$0] }
        var text = known ?? "text"
        if variant > 0, text.hasSuffix("1") { text = String(text.dropLast()) + "\(variant % 10)" }
        if variant > 0, known == nil { text += "\(variant)" }
        while text.utf8.count < least { text += "text" }
        return String(
            text.prefix(known == nil ? max(least, min(text.utf8.count > 4 && variant > 0 ? 8 : 4, most)) : most))
    }
}
