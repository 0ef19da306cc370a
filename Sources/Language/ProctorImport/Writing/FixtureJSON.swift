import ProctorBase

/// A value of JSON as one of a fixture, that means itself in `json:` of a request.
enum FixtureJSON {
    private static let depthLimit = 20
    private static let conditionKeys: Set<String> = [
        "equals", "contains", "at", "unordered", "matches", "not", "any of",
    ]

    /// For `json:` of a request; nil where it is nested too deep.
    static func tree(_ value: SourceValue) -> YAMLTree? { tree(value, depth: 0, isCondition: true) }

    /// The value without a thought of conditions; nil where it is nested too deep.
    static func plain(_ value: SourceValue) -> YAMLTree? { tree(value, depth: 0, isCondition: false) }

    /// A body made of the value, whose texts are late-bound.
    static func madeBody(_ value: YAMLTree) -> YAMLTree { ["json": late(value)] }

    private static func late(_ value: YAMLTree) -> YAMLTree {
        switch value {
        case .text(let text): .text(LiteralText.late(text))
        case .plain: value
        case .list(let items): .list(items.map(late))
        case .map(let members): .map(members.map { .init($0.key, late($0.value)) })
        }
    }

    /// The value as a JSON text without blanks.
    static func json(_ value: YAMLTree) -> String {
        switch value {
        case .text(let text):
            var json = JSONText()
            json.string(text)
            return String(decoding: json.bytes, as: UTF8.self)
        case .plain(let text): return text
        case .list(let items): return "[" + items.map(json).joined(separator: ",") + "]"
        case .map(let members):
            return "{" + members.map { json(.text($0.key)) + ":" + json($0.value) }.joined(separator: ",") + "}"
        }
    }

    private static func tree(_ value: SourceValue, depth: Int, isCondition: Bool) -> YAMLTree? {
        guard depth <= depthLimit else { return nil }
        if let members = value.members {
            var tree: [YAMLTree.Member] = []
            for (name, value) in members {
                guard let inner = self.tree(value, depth: depth + 1, isCondition: isCondition) else { return nil }
                tree.append(.init(name, inner))
            }
            return isCondition ? wrapped(tree) : .map(tree)
        }
        if let items = value.items {
            var tree: [YAMLTree] = []
            for item in items {
                guard let inner = self.tree(item, depth: depth + 1, isCondition: isCondition) else { return nil }
                tree.append(inner)
            }
            return .list(tree)
        }
        guard let text = value.text else { return .null }
        return value.isText ? .text(text) : .plain(text)
    }

    /// An object whose one key is the name of a condition is wrapped, so that it means itself.
    static func wrapped(_ members: [YAMLTree.Member]) -> YAMLTree {
        let isCondition = members.count == 1 && conditionKeys.contains(members[0].key)
        return isCondition ? ["equals": .map(members)] : .map(members)
    }
}
