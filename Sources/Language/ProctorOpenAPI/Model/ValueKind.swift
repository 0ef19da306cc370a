internal import ProctorBase
internal import ProctorDocument
internal import ProctorSchema

/// What kind of value a schema wants, so that text of a parameter can become one.
indirect enum ValueKind: Sendable, Equatable {
    /// The types of JSON that it may have, `string` among them or not; empty where no type is said.
    case scalar(Set<String>)
    case list(ValueKind)
    case object([String: ValueKind], others: ValueKind)

    static let text = ValueKind.scalar(["string"])

    /// The JSON text of one value; text that is of no wanted type becomes a string, which the schema then refuses.
    func json(of text: [UInt8]) -> String {
        guard case .scalar(let types) = self else { return Self.quote(text) }
        if types.contains("number") || types.contains("integer"), JSONDecimal(text) != nil {
            return String(decoding: text, as: UTF8.self)
        }
        if types.contains("boolean"), text.elementsEqual("true".utf8) || text.elementsEqual("false".utf8) {
            return String(decoding: text, as: UTF8.self)
        }
        if types.contains("null"), !types.contains("string"), text.isEmpty || text.elementsEqual("null".utf8) {
            return "null"
        }
        return Self.quote(text)
    }

    func json(ofItems items: [[UInt8]]) -> String {
        let item: ValueKind
        if case .list(let inner) = self { item = inner } else { item = .text }
        return "[" + items.map(item.json).joined(separator: ",") + "]"
    }

    /// `pairs` in their order; a name that comes several times becomes a list where its kind is one.
    func jsonObject(ofPairs pairs: [(name: [UInt8], value: [UInt8])]) -> String {
        var order: [[UInt8]] = []
        var values: [[UInt8]: [[UInt8]]] = [:]
        for pair in pairs {
            if values[pair.name] == nil { order.append(pair.name) }
            values[pair.name, default: []].append(pair.value)
        }
        let members = order.map { name -> String in
            let kind = self.kind(ofMember: String(decoding: name, as: UTF8.self))
            let given = values[name] ?? []
            if case .list = kind { return "\(Self.quote(name)):\(kind.json(ofItems: given))" }
            return "\(Self.quote(name)):\(given.count == 1 ? kind.json(of: given[0]) : kind.json(ofItems: given))"
        }
        return "{" + members.joined(separator: ",") + "}"
    }

    func kind(ofMember name: String) -> ValueKind {
        guard case .object(let members, let others) = self else { return .text }
        return members[name] ?? others
    }

    /// A string of JSON; bytes that are no UTF-8 become U+FFFD.
    static func quote(_ text: [UInt8]) -> String {
        var json = JSONText()
        json.string(String(decoding: text, as: UTF8.self))
        return String(decoding: json.bytes, as: UTF8.self)
    }
}

/// Finds the kind of values in a schema, following its references.
struct ValueKindReader {
    let root: Node
    private static let depthBound = 12

    func kind(of schema: Node, depth: Int = 0) -> ValueKind {
        guard depth < Self.depthBound else { return .scalar([]) }
        if let reference = schema.child("$ref")?.text {
            guard reference.hasPrefix("#/"), let pointer = try? JSONPointer(String(reference.dropFirst())),
                let target = pointer.tokens.reduce(Optional(root), { $0?.child($1) })
            else { return .scalar([]) }
            return kind(of: target, depth: depth + 1)
        }
        var types = Set(
            (schema.child("type").map { $0.items ?? [$0] } ?? []).map { $0.isNull ? "null" : $0.text ?? "" })
        if schema.child("nullable")?.plainText == "true" { types.insert("null") }
        if types.contains("array") || (types.isEmpty && schema.child("items") != nil) {
            return .list(schema.child("items").map { kind(of: $0, depth: depth + 1) } ?? .scalar([]))
        }
        if types.contains("object") || (types.isEmpty && schema.child("properties") != nil) {
            let members = schema.child("properties")?.entries ?? []
            return .object(
                Dictionary(members.map { ($0.key, kind(of: $0.value, depth: depth + 1)) }) { first, _ in first },
                others: schema.child("additionalProperties").map { kind(of: $0, depth: depth + 1) } ?? .text)
        }
        guard types.isEmpty else { return .scalar(types) }
        // The first of several that has a structure; the types of all otherwise.
        var merged: Set<String> = []
        for key in ["allOf", "anyOf", "oneOf"] {
            for branch in schema.child(key)?.items ?? [] {
                switch kind(of: branch, depth: depth + 1) {
                case .scalar(let types): merged.formUnion(types)
                case let other: return other
                }
            }
        }
        for value in schema.child("enum")?.items ?? [schema.child("const")].compactMap(\.self) where merged.isEmpty {
            if let text = value.plainText, JSONDecimal(text.utf8) != nil { return .scalar(["number"]) }
            if value.plainText == "true" || value.plainText == "false" { return .scalar(["boolean"]) }
        }
        return .scalar(merged)
    }
}
