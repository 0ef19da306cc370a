internal import ProctorBase
internal import ProctorDocument
internal import ProctorFixtures
internal import ProctorProtobuf
internal import ProctorScenario

/// Makes messages of what a fixture writes as their JSON; what has no place in a message is reported with its field and type.
struct MessageNodes {
    let descriptors: Descriptors
    let reader: ScenarioReader

    var sink: DiagnosticSink { reader.sink }

    /// The bytes of a message; nil after a diagnostic.
    func bytes(_ node: Node, as name: String) -> [UInt8]? {
        guard let bytes = message(node, name, depth: 0) else { return nil }
        guard bytes.count <= ProtobufReader.byteBound else {
            return sink.refuse(node, "a message has at most \(ProtobufReader.byteBound) bytes, found \(bytes.count)")
        }
        return bytes
    }

    private func message(_ node: Node, _ name: String, depth: Int) -> [UInt8]? {
        guard let type = descriptors.messages[name] else {
            return sink.refuse(node, "the descriptor has no message \(quoted(name))")
        }
        guard depth < MessageType.depthBound else {
            return sink.refuse(node, "messages go no more than \(MessageType.depthBound) levels deep")
        }
        if let wellKnown = type.wellKnown { return self.wellKnown(wellKnown, node, type, depth: depth) }
        return members(node, node.entries, of: type, depth: depth)
    }

    private func members(_ node: Node, _ entries: [Node.Entry]?, of type: MessageType, depth: Int) -> [UInt8]? {
        guard let entries else {
            return sink.refuse(node, "expected \(type.name) as a mapping of its fields, found \(node.found)")
        }
        var written: [Int: [UInt8]] = [:]
        var chosen: [Int: String] = [:]
        for entry in entries {
            guard let field = field(entry, of: type) else { return nil }
            if entry.value.isNull, !isValue(field) { continue }
            if let oneof = field.oneof, let other = chosen.updateValue(entry.key, forKey: oneof) {
                return sink.refuse(
                    entry.keyNode,
                    "\(quoted(entry.key)) and \(quoted(other)) are of one oneof, of which a message has one")
            }
            guard let bytes = self.value(entry.value, of: field, in: type, depth: depth) else { return nil }
            guard written.updateValue(bytes, forKey: field.number) == nil else {
                return sink.refuse(entry.keyNode, "the field \(field.name) of \(type.name) stands here twice")
            }
        }
        for field in type.fields where field.isRequired && written[field.number] == nil {
            return sink.refuse(node, "\(type.name) needs the field \(quoted(field.jsonName))")
        }
        return written.sorted { $0.key < $1.key }.flatMap(\.value)
    }

    func field(_ entry: Node.Entry, of type: MessageType) -> FieldType? {
        if let field = type.field(named: entry.key) { return field }
        let known = type.fields.map(\.jsonName)
        return sink.refuse(
            entry.keyNode, "\(type.name) has no field \(quoted(entry.key))",
            hint: known.isEmpty ? "it has no fields" : DiagnosticSink.hint(for: entry.key, among: known))
    }

    /// Whether null is a value of the field.
    func isValue(_ field: FieldType) -> Bool {
        field.kind == .message(WellKnownType.value.rawValue) || field.kind == .enumeration("google.protobuf.NullValue")
    }

    func mapEntry(_ field: FieldType) -> MessageType? {
        guard field.isRepeated, case .message(let name) = field.kind, let type = descriptors.messages[name],
            type.isMapEntry
        else { return nil }
        return type
    }

    /// A field with its tag, each of its elements, or the entries of a map.
    private func value(_ node: Node, of field: FieldType, in type: MessageType, depth: Int) -> [UInt8]? {
        var writer = WireWriter()
        if let entry = mapEntry(field) {
            guard let entries = node.entries else {
                return sink.refuse(node, "expected \(type.name).\(field.name) as a mapping, found \(node.found)")
            }
            guard let key = entry.field(numbered: 1), let value = entry.field(numbered: 2) else { return nil }
            for pair in entries {
                let keyNode = pair.keyNode.with(.scalar(pair.key, key.kind == .string ? .doubleQuoted : .plain))
                guard let first = one(keyNode, key, in: entry, depth: depth),
                    let second = one(pair.value, value, in: entry, depth: depth)
                else { return nil }
                writer.addField(field.number, first + second)
            }
            return writer.bytes
        }
        guard field.isRepeated else { return one(node, field, in: type, depth: depth) }
        guard let items = node.items else {
            return sink.refuse(
                node,
                "\(type.name).\(field.name) is repeated: expected a list of \(field.kind.noun), found \(node.found)")
        }
        for item in items {
            if field.isPacked {
                guard let bytes = scalar(item, field, in: type) else { return nil }
                writer.addRaw(bytes)
            } else {
                guard let bytes = one(item, field, in: type, depth: depth) else { return nil }
                writer.addRaw(bytes)
            }
        }
        guard field.isPacked, !writer.bytes.isEmpty else { return writer.bytes }
        var packed = WireWriter()
        packed.addField(field.number, writer.bytes)
        return packed.bytes
    }

    private func one(_ node: Node, _ field: FieldType, in type: MessageType, depth: Int) -> [UInt8]? {
        var writer = WireWriter()
        switch field.kind {
        case .message(let name):
            guard let bytes = message(node, name, depth: depth + 1) else { return nil }
            writer.addField(field.number, bytes)
        case .group(let name):
            guard let bytes = message(node, name, depth: depth + 1) else { return nil }
            writer.addTag(field.number, 3)
            writer.addRaw(bytes)
            writer.addTag(field.number, 4)
        default:
            guard let bytes = scalar(node, field, in: type) else { return nil }
            if !field.hasPresence, !field.isRepeated, !type.isMapEntry, Self.isDefault(bytes) { return [] }
            writer.addTag(field.number, field.kind.wireType)
            writer.addRaw(bytes)
        }
        return writer.bytes
    }

    /// Whether a scalar's bytes are those of 0, false or nothing, which a field without presence leaves out.
    private static func isDefault(_ bytes: [UInt8]) -> Bool {
        bytes.allSatisfy { $0 == 0 } && [1, 4, 8].contains(bytes.count)
    }

    // MARK: Scalars

    /// A scalar without its tag.
    private func scalar(_ node: Node, _ field: FieldType, in type: MessageType) -> [UInt8]? {
        var writer = WireWriter()
        switch Scalar(node, field.kind, self) {
        case .varint(let number)?: writer.addVarint(number)
        case .fixed(let bits, let byteCount)?: writer.addFixed(bits, byteCount: byteCount)
        case .bytes(let bytes)?:
            writer.addVarint(UInt64(bytes.count))
            writer.addRaw(bytes)
        case nil:
            let hint = Scalar.hint(node, field.kind, descriptors)
            return sink.refuse(
                node,
                "\(type.isMapEntry ? "the map" : "\(type.name).\(field.name)") is of type \(field.kind.noun), found \(node.found)",
                hint: hint)
        }
        return writer.bytes
    }

    // MARK: Well-known types

    private func wellKnown(_ wellKnown: WellKnownType, _ node: Node, _ type: MessageType, depth: Int) -> [UInt8]? {
        var writer = WireWriter()
        switch wellKnown {
        case .timestamp, .duration:
            guard let time = time(node, wellKnown) else { return nil }
            if time.seconds != 0 { writer.addField(1, varint: UInt64(bitPattern: time.seconds)) }
            if time.nanos != 0 { writer.addField(2, varint: UInt64(bitPattern: time.nanos)) }
        case .fieldMask:
            guard let text = sink.text(node, "a FieldMask") else { return nil }
            for path in text.split(separator: ",") { writer.addField(1, Array(Self.snakeCase(String(path)).utf8)) }
        case .any: return any(node, depth: depth)
        case .structure: return structure(node, depth: depth)
        case .value: return structValue(node, depth: depth)
        case .list: return list(node, depth: depth)
        default:
            guard let field = type.field(numbered: 1) else { return nil }
            return one(node, field, in: type, depth: depth)
        }
        return writer.bytes
    }

    func time(_ node: Node, _ wellKnown: WellKnownType) -> SplitTime? {
        let text = node.text ?? ""
        if wellKnown == .timestamp {
            return SplitTime(timestamp: text)
                ?? sink.refuse(
                    node, "expected a Timestamp of RFC 3339, found \(node.found)", hint: "like \"2026-11-30T12:00:00Z\""
                )
        }
        return SplitTime(duration: text)
            ?? sink.refuse(node, "expected a Duration in seconds, found \(node.found)", hint: "like \"1.5s\"")
    }

    private static func snakeCase(_ text: String) -> String {
        text.reduce(into: "") { result, character in
            result += character.isASCII && character.isUppercase ? "_\(character.lowercased())" : String(character)
        }
    }

    private func structure(_ node: Node, depth: Int) -> [UInt8]? {
        guard let entries = node.entries else {
            return sink.refuse(node, "expected a Struct as a mapping, found \(node.found)")
        }
        var writer = WireWriter()
        for entry in entries {
            guard let value = structValue(entry.value, depth: depth + 1) else { return nil }
            var pair = WireWriter()
            pair.addField(1, Array(entry.key.utf8))
            pair.addField(2, value)
            writer.addField(1, pair.bytes)
        }
        return writer.bytes
    }

    private func list(_ node: Node, depth: Int) -> [UInt8]? {
        guard let items = node.items else {
            return sink.refuse(node, "expected a ListValue as a list, found \(node.found)")
        }
        var writer = WireWriter()
        for item in items {
            guard let value = structValue(item, depth: depth + 1) else { return nil }
            writer.addField(1, value)
        }
        return writer.bytes
    }

    /// Any value of JSON.
    private func structValue(_ node: Node, depth: Int) -> [UInt8]? {
        guard depth < MessageType.depthBound else {
            return sink.refuse(node, "values go no more than \(MessageType.depthBound) levels deep")
        }
        var writer = WireWriter()
        if node.isNull {
            writer.addField(1, varint: 0)
        } else if node.entries != nil {
            guard let bytes = structure(node, depth: depth) else { return nil }
            writer.addField(5, bytes)
        } else if node.items != nil {
            guard let bytes = list(node, depth: depth) else { return nil }
            writer.addField(6, bytes)
        } else if node.plainText == "true" || node.plainText == "false" {
            writer.addField(4, varint: node.plainText == "true" ? 1 : 0)
        } else if let plain = node.plainText, JSONDecimal(plain.utf8) != nil, let number = Double(plain),
            number.isFinite
        {
            writer.addTag(2, 1)
            writer.addFixed(number.bitPattern, byteCount: 8)
        } else {
            writer.addField(3, Array((node.text ?? "").utf8))
        }
        return writer.bytes
    }

    /// `{ '@type': type.googleapis.com/NAME, … }`; a message that is well known has its value under `value`.
    private func any(_ node: Node, depth: Int) -> [UInt8]? {
        guard let (type, url, rest) = anyParts(node) else { return nil }
        let content: [UInt8]?
        if type.wellKnown == nil {
            content = members(node, rest, of: type, depth: depth + 1)
        } else {
            guard rest.count == 1, rest[0].key == "value" else {
                return sink.refuse(node, "an Any of \(type.name) has its value under \"value\"")
            }
            content = message(rest[0].value, type.name, depth: depth + 1)
        }
        guard let content else { return nil }
        var writer = WireWriter()
        writer.addField(1, Array(url.utf8))
        if !content.isEmpty { writer.addField(2, content) }
        return writer.bytes
    }

    /// The type of an Any, its URL, and the other entries.
    func anyParts(_ node: Node) -> (type: MessageType, url: String, rest: [Node.Entry])? {
        guard let entries = node.entries, let entry = entries.first(where: { $0.key == "@type" }) else {
            return sink.refuse(
                node, "expected an Any as a mapping with \"@type\", found \(node.found)",
                hint: "like { '@type': type.googleapis.com/google.rpc.ErrorInfo, reason: CLOSED }")
        }
        guard let url = sink.text(entry.value, "a type") else { return nil }
        let name = String(url.split(separator: "/").last ?? "")
        guard let type = descriptors.messages[name] else {
            return sink.refuse(
                entry.value, "the descriptor has no message \(quoted(name))",
                hint: DiagnosticSink.hint(for: name, among: descriptors.messages.keys.sorted()))
        }
        return (type, url.contains("/") ? url : "type.googleapis.com/\(url)", entries.filter { $0.key != "@type" })
    }
}

/// A scalar of a message as the wire has it.
enum Scalar {
    case varint(UInt64)
    case fixed(UInt64, byteCount: Int)
    case bytes([UInt8])

    /// nil for a value that the type does not have.
    init?(_ node: Node, _ kind: FieldType.Kind, _ nodes: MessageNodes) {
        let text = node.text ?? ""
        switch kind {
        case .int32, .int64, .sint32, .sint64, .sfixed32, .sfixed64:
            guard let number = Int64(text), kind.is64 || Int32(exactly: number) != nil else { return nil }
            self = Self.signed(number, kind)
        case .uint32, .uint64, .fixed32, .fixed64:
            guard let number = UInt64(text), kind.is64 || UInt32(exactly: number) != nil else { return nil }
            switch kind {
            case .fixed32: self = .fixed(number, byteCount: 4)
            case .fixed64: self = .fixed(number, byteCount: 8)
            default: self = .varint(number)
            }
        case .double:
            guard let number = Self.number(text) else { return nil }
            self = .fixed(number.bitPattern, byteCount: 8)
        case .float:
            guard let number = Self.number(text) else { return nil }
            let float = Float(number)
            guard float.isFinite || !number.isFinite else { return nil }
            self = .fixed(UInt64(float.bitPattern), byteCount: 4)
        case .bool:
            guard node.plainText == "true" || node.plainText == "false" else { return nil }
            self = .varint(node.plainText == "true" ? 1 : 0)
        case .string:
            guard let text = node.text, !Self.isOtherValue(node), !text.contains(text: "{{") else { return nil }
            self = .bytes(Array(text.utf8))
        case .bytes:
            guard node.items == nil else { return nil }
            if node.entries != nil {
                let shape = Shape<[UInt8]>.literal("bytes", limit: ProtobufReader.byteBound)
                guard let bytes = shape.read(node, nodes.reader) else { return nil }
                self = .bytes(bytes)
            } else {
                let usual = text.utf8.map {
                    $0 == UInt8(ascii: "-") ? UInt8(ascii: "+") : $0 == UInt8(ascii: "_") ? UInt8(ascii: "/") : $0
                }
                guard node.text != nil, let bytes = try? Base64Text.decode(usual) else { return nil }
                self = .bytes(bytes)
            }
        case .enumeration(let name):
            if name == "google.protobuf.NullValue", node.isNull { self = .varint(0); return }
            let number = nodes.descriptors.enums[name]?.number(of: text) ?? (node.plainText == nil ? nil : Int32(text))
            guard let number else { return nil }
            self = .varint(UInt64(bitPattern: Int64(number)))
        case .message, .group: return nil
        }
    }

    private static func signed(_ number: Int64, _ kind: FieldType.Kind) -> Scalar {
        switch kind {
        case .sint32, .sint64: .varint(UInt64(bitPattern: number << 1 ^ number >> 63))
        case .sfixed32: .fixed(UInt64(UInt32(bitPattern: Int32(truncatingIfNeeded: number))), byteCount: 4)
        case .sfixed64: .fixed(UInt64(bitPattern: number), byteCount: 8)
        default: .varint(UInt64(bitPattern: number))
        }
    }

    private static func number(_ text: String) -> Double? {
        switch text {
        case "NaN": .nan
        case "Infinity": .infinity
        case "-Infinity": -.infinity
        default: JSONDecimal(text.utf8) == nil ? nil : Double(text).flatMap { $0.isFinite ? $0 : nil }
        }
    }

    /// Whether a plain scalar is a number or a boolean of JSON, and no text.
    static func isOtherValue(_ node: Node) -> Bool {
        guard let plain = node.plainText else { return false }
        return plain == "true" || plain == "false" || JSONDecimal(plain.utf8) != nil
    }

    static func hint(_ node: Node, _ kind: FieldType.Kind, _ descriptors: Descriptors) -> String? {
        switch kind {
        case .string:
            if isOtherValue(node) { return "put it in quotes" }
            if node.text?.contains(text: "{{") == true {
                return "a message is made when the file is loaded; a script makes one of what a request says"
            }
            return nil
        case .bytes: return "write base64, or { hex: … }"
        case .enumeration(let name):
            return descriptors.enums[name].map {
                DiagnosticSink.hint(for: node.text ?? "", among: $0.values.map(\.name))
            }
        case .int32, .sint32, .sfixed32: return "from -2147483648 to 2147483647"
        case .uint32, .fixed32: return "from 0 to 4294967295"
        case .int64, .sint64, .sfixed64: return "from -9223372036854775808 to 9223372036854775807"
        case .uint64, .fixed64: return "from 0 to 18446744073709551615"
        case .bool: return "true or false"
        case .double, .float: return "a number, \"NaN\", \"Infinity\" or \"-Infinity\""
        case .message, .group: return nil
        }
    }
}

extension FieldType.Kind {
    var is64: Bool {
        switch self {
        case .int64, .uint64, .sint64, .fixed64, .sfixed64: true
        default: false
        }
    }
}
