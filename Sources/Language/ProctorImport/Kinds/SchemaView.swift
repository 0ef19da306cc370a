/// A schema with all that stands in its `allOf`, references followed, so that each keyword is asked of the whole.
struct SchemaView {
    /// The schema itself first; never empty.
    let parts: [SourceValue]

    /// The first that a part says.
    subscript(_ key: String) -> SourceValue? {
        for part in parts { if let value = part[key] { return value } }
        return nil
    }

    func all(_ key: String) -> [SourceValue] { parts.compactMap { $0[key] } }

    var place: String { parts[0].place }

    /// The properties by name in the order of the description, with what each part says of the property.
    var properties: [(name: String, schemas: [SourceValue])] {
        var names: [String] = []
        var schemas: [String: [SourceValue]] = [:]
        for (name, value) in all("properties").flatMap({ $0.members ?? [] }) {
            if schemas[name] == nil { names.append(name) }
            schemas[name, default: []].append(value)
        }
        return names.map { ($0, schemas[$0] ?? []) }
    }

    /// In the order of the description.
    var required: [String] {
        var names: [String] = []
        for name in all("required").flatMap({ $0.items ?? [] }).compactMap(\.text) where !names.contains(name) {
            names.append(name)
        }
        return names
    }

    /// The types but null; empty where all are permitted.
    var types: [String] {
        let given = self["type"]
        return (given?.items?.compactMap(\.text) ?? given?.text.map { [$0] } ?? []).filter { $0 != "null" }
    }

    var isNull: Bool { (self["type"]?.items?.compactMap(\.text) ?? self["type"]?.text.map { [$0] }) == ["null"] }

    /// The greatest of a bound from below.
    func least(_ key: String) -> Int? { all(key).compactMap(\.integer).max() }

    /// The smallest of a bound from above.
    func most(_ key: String) -> Int? { all(key).compactMap(\.integer).min() }
}
