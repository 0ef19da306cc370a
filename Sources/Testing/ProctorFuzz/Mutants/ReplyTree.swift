import ProctorDocument
import ProctorImport

/// A reply of a fixture with a status: its keys and their values.
struct ReplyTree {
    private(set) var members: [YAMLTree.Member]

    /// nil for a reply that is raw, made by a script, or of effects alone.
    init?(_ tree: YAMLTree) {
        guard case .map(let members) = tree, members.contains(where: { $0.key == "status" }) else { return nil }
        self.members = members
    }

    var tree: YAMLTree { .map(members) }

    subscript(key: String) -> YAMLTree? {
        get { members.first { $0.key == key }?.value }
        set {
            let index = members.firstIndex { $0.key == key }
            if let newValue {
                if let index { members[index] = .init(key, newValue) } else { members.append(.init(key, newValue)) }
            } else if let index {
                members.remove(at: index)
            }
        }
    }

    var status: Int { self["status"]?.word.flatMap { Int($0) } ?? 200 }

    /// The field lines in their order; a value may be bytes in another form than text.
    var fields: [YAMLTree.Member] {
        get {
            switch self["headers"] {
            case .map(let members)?:
                members.flatMap { member -> [YAMLTree.Member] in
                    if case .list(let values) = member.value { return values.map { .init(member.key, $0) } }
                    return [member]
                }
            case .list(let items)?:
                items.flatMap { item -> [YAMLTree.Member] in if case .map(let members) = item { members } else { [] } }
            default: []
            }
        }
        set { self["headers"] = newValue.isEmpty ? nil : .list(newValue.map { .map([$0]) }) }
    }

    /// The body where it is text without values that are filled in.
    var plainBody: String? {
        guard let body = self["body"] else { return "" }
        guard let text = body.word, !text.utf8.contains(UInt8(ascii: "{")) else { return nil }
        return text
    }

    /// Whether anything beside status, fields and a plain body is said, which a raw reply would lose.
    var isPlain: Bool {
        let keys = Set(members.map(\.key))
        return keys.isSubset(of: ["status", "reason", "version", "headers", "body", "then"]) && plainBody != nil
            && fields.allSatisfy { $0.value.word != nil }
    }

    /// Puts a raw reply in the place of all keys.
    mutating func becomeRaw(_ text: String) {
        members = [.init("raw", .text(text)), .init("then", .text("close"))]
    }
}

extension YAMLTree {
    /// The text of a scalar.
    var word: String? {
        switch self {
        case .text(let text), .plain(let text): text
        case .list, .map: nil
        }
    }

    /// A value of a fixture as it was read, without comments.
    init(_ node: Node) {
        switch node.content {
        case .scalar(let text, let style): self = style == .plain && Self.isNoText(text) ? .plain(text) : .text(text)
        case .sequence(let items): self = .list(items.map { YAMLTree($0) })
        case .mapping(let entries): self = .map(entries.map { .init($0.key, YAMLTree($0.value)) })
        }
    }

    /// Whether an unquoted scalar may mean something else than its text.
    private static func isNoText(_ text: String) -> Bool {
        ["", "~", "null", "true", "false"].contains(text) || text.hasPrefix("any ") || Double(text) != nil
    }
}
