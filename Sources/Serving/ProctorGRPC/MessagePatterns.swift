internal import ProctorBase
internal import ProctorDocument
internal import ProctorFixtures
internal import ProctorProtobuf
internal import ProctorScenario

// A message that a request is compared with, in the form in which the JSON of a request has it.
extension MessageNodes {
    /// The pattern of a message; nil after a diagnostic.
    func pattern(_ node: Node, as name: String) -> JSONPattern? {
        message(node, name, isPart: false, depth: 0).flatMap { reader.jsonPattern($0) }
    }

    /// The pattern of a list of messages.
    func patterns(_ node: Node, as name: String) -> JSONPattern? {
        lists(node, isPart: false, depth: 0) { message($0, name, isPart: $1, depth: $2) }
            .flatMap { reader.jsonPattern($0) }
    }

    private typealias Reading = (_ node: Node, _ isPart: Bool, _ depth: Int) -> Node?

    /// A mapping that is a condition, as `{ contains: … }`, with what it holds read; nil where the node is none.
    private func words(_ node: Node, isPart: Bool, depth: Int, _ read: Reading) -> Node?? {
        guard let entries = node.entries, entries.count == 1, let entry = entries.first, depth < MessageType.depthBound
        else { return nil }
        let value: Node?
        switch entry.key {
        case "equals": value = read(entry.value, false, depth + 1)
        case "contains": value = read(entry.value, true, depth + 1)
        case "not": value = read(entry.value, isPart, depth + 1)
        case "any of":
            guard let items = entry.value.items else { return .some(node) }
            value = items.mapAll { read($0, isPart, depth + 1) }.map { entry.value.with(.sequence($0)) }
        case "at", "matches": return .some(node)
        default: return nil
        }
        return .some(value.map { node.with(.mapping([entry.with(key: entry.key, $0)])) })
    }

    /// A list or a condition on one.
    private func lists(_ node: Node, isPart: Bool, depth: Int, _ read: Reading) -> Node? {
        let word = words(node, isPart: isPart, depth: depth) { node, isPart, depth in
            // What a list contains is an element or some of them.
            isPart && node.items == nil && node.entries?.first?.key != "unordered"
                ? read(node, isPart, depth) : list(node, isPart: isPart, depth: depth, read)
        }
        return word ?? list(node, isPart: isPart, depth: depth, read)
    }

    private func list(_ node: Node, isPart: Bool, depth: Int, _ read: Reading) -> Node? {
        if let entry = node.entries?.first, node.entries?.count == 1, entry.key == "unordered",
            let items = entry.value.items
        {
            return items.mapAll { read($0, isPart, depth + 1) }.map {
                node.with(.mapping([entry.with(key: entry.key, entry.value.with(.sequence($0)))]))
            }
        }
        guard let items = node.items else {
            return isAny(node) ? node : sink.refuse(node, "expected a list of messages or values, found \(node.found)")
        }
        return items.mapAll { read($0, isPart, depth + 1) }.map { node.with(.sequence($0)) }
    }

    private func isAny(_ node: Node) -> Bool { node.plainText?.hasPrefix("any ") == true }

    private func message(_ node: Node, _ name: String, isPart: Bool, depth: Int) -> Node? {
        guard depth < MessageType.depthBound else {
            return sink.refuse(node, "a pattern goes no more than \(MessageType.depthBound) levels deep")
        }
        guard !isAny(node) else { return node }
        guard let type = descriptors.messages[name] else {
            return sink.refuse(node, "the descriptor has no message \(quoted(name))")
        }
        let isField = node.entries?.first.map { type.field(named: $0.key) != nil } ?? false
        if !isField, let word = words(node, isPart: isPart, depth: depth, { message($0, name, isPart: $1, depth: $2) })
        {
            return word
        }
        if let wellKnown = type.wellKnown { return self.wellKnown(wellKnown, node, type, isPart: isPart, depth: depth) }
        guard let entries = node.entries else {
            return sink.refuse(node, "expected \(type.name) as a mapping of its fields, found \(node.found)")
        }
        return members(entries, of: type, isPart: isPart, depth: depth).map {
            node.with(.mapping($0 + defaults(of: type, beside: $0, isPart, node)))
        }
    }

    private func members(_ entries: [Node.Entry], of type: MessageType, isPart: Bool, depth: Int) -> [Node.Entry]? {
        var members: [Node.Entry] = []
        for entry in entries {
            guard let field = field(entry, of: type) else { return nil }
            if entry.value.isNull, !isValue(field) {
                // In a part, what is absent is said; elsewhere what is not written is absent.
                if isPart {
                    let absent = Node.Entry("not", entry.value.with(.scalar("any value", .plain)))
                    members.append(entry.with(key: field.jsonName, entry.value.with(.mapping([absent]))))
                }
                continue
            }
            guard let value = self.value(entry.value, of: field, in: type, isPart: isPart, depth: depth) else {
                return nil
            }
            members.append(entry.with(key: field.jsonName, value))
        }
        return members
    }

    /// The members that every message has in the JSON of a request.
    private func defaults(of type: MessageType, beside members: [Node.Entry], _ isPart: Bool, _ node: Node) -> [Node
        .Entry]
    {
        guard !isPart else { return [] }
        let names = Set(members.map(\.key))
        return type.fields.compactMap { field in
            guard !field.hasPresence, !names.contains(field.jsonName) else { return nil }
            return Node.Entry(field.jsonName, usual(field, node))
        }
    }

    private func usual(_ field: FieldType, _ node: Node) -> Node {
        if field.isRepeated { return node.with(mapEntry(field) == nil ? .sequence([]) : .mapping([])) }
        switch field.kind {
        case .string, .bytes: return node.with(.scalar("", .doubleQuoted))
        case .bool: return node.with(.scalar("false", .plain))
        case .enumeration(let name):
            return node.with(.scalar(descriptors.enums[name]?.values.first?.name ?? "", .doubleQuoted))
        default: return node.with(.scalar("0", field.kind.is64 ? .doubleQuoted : .plain))
        }
    }

    private func value(_ node: Node, of field: FieldType, in type: MessageType, isPart: Bool, depth: Int) -> Node? {
        guard field.isRepeated else { return one(node, field, in: type, isPart: isPart, depth: depth) }
        if let entry = mapEntry(field), let value = entry.field(numbered: 2) {
            let read: Reading = { node, isPart, depth in
                guard let entries = node.entries else {
                    return isAny(node)
                        ? node
                        : sink.refuse(node, "expected \(type.name).\(field.name) as a mapping, found \(node.found)")
                }
                return entries.mapAll { pair in
                    one(pair.value, value, in: entry, isPart: isPart, depth: depth + 1).map {
                        pair.with(key: pair.key, $0)
                    }
                }.map { node.with(.mapping($0)) }
            }
            return words(node, isPart: isPart, depth: depth, read) ?? read(node, isPart, depth)
        }
        let read: Reading = { one($0, field, in: type, isPart: $1, depth: $2) }
        return lists(node, isPart: isPart, depth: depth, read)
    }

    private func one(_ node: Node, _ field: FieldType, in type: MessageType, isPart: Bool, depth: Int) -> Node? {
        guard !isAny(node) else { return node }
        switch field.kind {
        case .message(let name), .group(let name): return message(node, name, isPart: isPart, depth: depth + 1)
        default: break
        }
        if let word = words(node, isPart: isPart, depth: depth, { one($0, field, in: type, isPart: $1, depth: $2) }) {
            return word
        }
        return scalar(node, field, in: type)
    }

    /// The value as the JSON of a request has it.
    private func scalar(_ node: Node, _ field: FieldType, in type: MessageType) -> Node? {
        guard let scalar = Scalar(node, field.kind, self) else {
            return sink.refuse(
                node, "\(type.name).\(field.name) is of type \(field.kind.noun), found \(node.found)",
                hint: Scalar.hint(node, field.kind, descriptors))
        }
        switch (field.kind, scalar) {
        case (.bytes, .bytes(let bytes)): return node.with(.scalar(Base64Text.encode(bytes), .doubleQuoted))
        case (.string, .bytes(let bytes)):
            return node.with(.scalar(String(decoding: bytes, as: UTF8.self), .doubleQuoted))
        case (.enumeration("google.protobuf.NullValue"), _): return node.with(.scalar("null", .plain))
        case (.enumeration(let name), .varint(let number)):
            let number = Int32(truncatingIfNeeded: number)
            let known = descriptors.enums[name]?.name(of: number)
            return node.with(.scalar(known ?? "\(number)", known == nil ? .plain : .doubleQuoted))
        case (.float, .fixed(let bits, _)):
            let number = Float(bitPattern: UInt32(truncatingIfNeeded: bits))
            return number.isFinite
                ? node.with(.scalar(number.description, .plain)) : node.with(.scalar(node.text ?? "", .doubleQuoted))
        case (.double, .fixed(let bits, _)):
            let number = Double(bitPattern: bits)
            return number.isFinite
                ? node.with(.scalar(number.description, .plain)) : node.with(.scalar(node.text ?? "", .doubleQuoted))
        default:
            let text = node.text ?? ""
            let plain =
                field.kind == .bool ? text : text.hasPrefix("-") ? "\(Int64(text) ?? 0)" : "\(UInt64(text) ?? 0)"
            return node.with(.scalar(plain, field.kind.is64 ? .doubleQuoted : .plain))
        }
    }

    private func wellKnown(
        _ wellKnown: WellKnownType, _ node: Node, _ type: MessageType, isPart: Bool, depth: Int
    ) -> Node? {
        func text(_ text: String?) -> Node? { text.map { node.with(.scalar($0, .doubleQuoted)) } }
        switch wellKnown {
        case .timestamp: return time(node, wellKnown).flatMap { text(try? $0.timestamp()) }
        case .duration: return time(node, wellKnown).flatMap { text(try? $0.duration()) }
        case .fieldMask: return text(sink.text(node, "a FieldMask"))
        case .structure, .value, .list: return node
        case .any:
            guard let (type, url, rest) = anyParts(node) else { return nil }
            let first = Node.Entry("@type", node.with(.scalar(url, .doubleQuoted)))
            if type.wellKnown != nil {
                guard rest.count == 1, rest[0].key == "value" else {
                    return sink.refuse(node, "an Any of \(type.name) has its value under \"value\"")
                }
                return message(rest[0].value, type.name, isPart: isPart, depth: depth + 1).map {
                    node.with(.mapping([first, rest[0].with(key: "value", $0)]))
                }
            }
            guard let members = members(rest, of: type, isPart: isPart, depth: depth + 1) else { return nil }
            return node.with(.mapping([first] + members + defaults(of: type, beside: members, isPart, node)))
        default:
            guard let field = type.field(numbered: 1) else { return nil }
            return one(node, field, in: type, isPart: isPart, depth: depth + 1)
        }
    }
}
