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
    private static let mostItems = 3

    init(root: SourceValue) { self.root = root }

    // MARK: References

    /// What `$ref` names in this file, or the value itself; nil after a remark.
    mutating func resolve(_ value: SourceValue) -> SourceValue? {
        var value = value
        for _ in 0..<Self.deepest {
            guard let reference = value["$ref"]?.text else { return value }
            guard let target = target(of: reference) else {
                remarks.append(
                    ImportRemark(at: value.place, "\(ByteShow.quote(reference.utf8)) leads to nothing in this file"))
                return nil
            }
            value = target
        }
        remarks.append(ImportRemark(at: value.place, "references lead more than \(Self.deepest) times on"))
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
                    value?.items.flatMap { index < $0.count ? $0[index] : nil }
                } ?? value?[token]
        }
        return value
    }

    // MARK: Examples

    /// The content of a media type: its example, the first of its examples, or one made of its schema.
    mutating func content(of media: SourceValue) -> YAMLTree? {
        if let example = media["example"] { return JSONTree.plain(example) }
        if let first = media["examples"]?.members?.first?.value, let example = resolve(first) {
            if let value = example["value"] { return JSONTree.plain(value) }
            remarks.append(ImportRemark(at: example.place, "an example without a value here is passed over"))
        }
        return sample(media["schema"])
    }

    /// A value for a schema; nil where there is none to make.
    mutating func sample(_ schema: SourceValue?) -> YAMLTree? {
        guard let schema else { return nil }
        return sample(schema, depth: 0)
    }

    private mutating func sample(_ given: SourceValue, depth: Int) -> YAMLTree? {
        left -= 1
        guard depth <= Self.deepest, left > 0 else { return nil }
        if let reference = given["$ref"]?.text {
            // A schema inside itself ends here: an optional member is left out.
            guard !open.contains(reference), let target = resolve(given) else { return nil }
            open.append(reference)
            defer { open.removeLast() }
            return sample(target, depth: depth)
        }
        if let example = given["example"] ?? given["examples"]?.items?.first ?? given["const"] ?? given["default"] {
            return JSONTree.plain(example)
        }
        if let first = given["enum"]?.items?.first(where: { !$0.isNull }) { return JSONTree.plain(first) }
        if let parts = given["allOf"]?.items { return merged(parts, with: given, depth: depth) }
        for key in ["oneOf", "anyOf"] {
            for choice in given[key]?.items ?? [] where choice["type"]?.text != "null" {
                if let value = sample(choice, depth: depth + 1) { return value }
            }
        }
        return typed(given, depth: depth)
    }

    private mutating func typed(_ schema: SourceValue, depth: Int) -> YAMLTree? {
        let types = schema["type"]?.items?.compactMap(\.text) ?? schema["type"]?.text.map { [$0] } ?? []
        switch types.first(where: { $0 != "null" }) {
        case "string": return .text(text(schema))
        case "integer": return .plain(number(schema, isWhole: true))
        case "number": return .plain(number(schema, isWhole: false))
        case "boolean": return .plain("true")
        case "array": return .list(items(of: schema, depth: depth))
        case "object": return .map(members(of: schema, depth: depth))
        default:
            if schema["properties"] != nil { return .map(members(of: schema, depth: depth)) }
            if schema["items"] != nil { return .list(items(of: schema, depth: depth)) }
            return types == ["null"] ? .null : .map([])
        }
    }

    private mutating func merged(_ parts: [SourceValue], with schema: SourceValue, depth: Int) -> YAMLTree? {
        var members: [YAMLTree.Member] = []
        for part in parts {
            guard let value = sample(part, depth: depth + 1) else { continue }
            guard case .map(let found) = value else { return value }
            for member in found where !members.contains(where: { $0.key == member.key }) { members.append(member) }
        }
        for member in self.members(of: schema, depth: depth) where !members.contains(where: { $0.key == member.key }) {
            members.append(member)
        }
        return .map(members)
    }

    private mutating func members(of schema: SourceValue, depth: Int) -> [YAMLTree.Member] {
        let required = Set((schema["required"]?.items ?? []).compactMap(\.text))
        var members: [YAMLTree.Member] = []
        for (name, property) in schema["properties"]?.members ?? [] where property["writeOnly"]?.boolean != true {
            if let value = sample(property, depth: depth + 1) {
                members.append(.init(name, value))
            } else if required.contains(name) {
                remarks.append(
                    ImportRemark(at: property.place, "no value could be made for \(name), which is required"))
            }
        }
        return members
    }

    private mutating func items(of schema: SourceValue, depth: Int) -> [YAMLTree] {
        guard let item = schema["items"], let value = sample(item, depth: depth + 1) else { return [] }
        let least = min(max(schema["minItems"]?.integer ?? 1, 0), Self.mostItems)
        return Array(repeating: value, count: schema["maxItems"]?.integer == 0 ? 0 : max(1, least))
    }

    // MARK: Scalars

    private mutating func text(_ schema: SourceValue) -> String {
        let texts = [
            "date-time": "2026-01-02T03:04:05Z", "date": "2026-01-02", "time": "03:04:05Z",
            "uuid": "00000000-0000-4000-8000-000000000001", "email": "ann@example.com", "uri": "https://example.com/",
            "url": "https://example.com/", "hostname": "example.com", "ipv4": "192.0.2.1", "ipv6": "2001:db8::1",
            "byte": "aGVsbG8=", "duration": "P1D",
        ]
        if let format = schema["format"]?.text, let text = texts[format] { return text }
        if schema["pattern"] != nil {
            remarks.append(ImportRemark(at: schema.place, "the text made for it need not match its pattern"))
        }
        let least = min(max(schema["minLength"]?.integer ?? 0, 0), 1_000)
        let most = max(schema["maxLength"]?.integer ?? .max, 0)
        var text = "text"
        while text.utf8.count < least { text += "text" }
        return String(text.prefix(max(least, min(4, most))))
    }

    private func number(_ schema: SourceValue, isWhole: Bool) -> String {
        // OpenAPI 3.0 has a flag beside `minimum`, 3.1 a number in its place.
        let isOpen = schema["exclusiveMinimum"]?.boolean == true
        let step = max(1, schema["multipleOf"]?.integer ?? 1)
        var value = 1
        if let least = schema["exclusiveMinimum"]?.integer ?? schema["minimum"]?.integer {
            let isBeyond = isOpen || schema["exclusiveMinimum"]?.integer != nil
            value = least.magnitude < 1 << 50 ? least + (isBeyond ? 1 : 0) : least
        } else if let most = schema["maximum"]?.integer, most < value {
            value = most
        }
        let rest = value % step
        if rest != 0, value.magnitude < 1 << 50 { value += step - rest }
        return isWhole || schema["multipleOf"] != nil ? "\(value)" : "\(value).5"
    }
}
