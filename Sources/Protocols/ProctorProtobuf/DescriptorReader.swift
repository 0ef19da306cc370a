internal import ProctorBase

/// Reads the files of a FileDescriptorSet; what it need not know of them is passed over.
struct DescriptorReader {
    private let bytes: [UInt8]
    private(set) var files: [Descriptors.File] = []
    private(set) var messages: [String: MessageType] = [:]
    private(set) var enums: [String: EnumType] = [:]
    private(set) var services: [ServiceType] = []
    private var symbols: Set<String> = []
    private var traits = Traits()

    var symbolCount: Int { messages.count + enums.count + services.count }

    init(_ bytes: [UInt8]) { self.bytes = bytes }

    /// What the syntax or the edition of a file says of its fields where they say nothing.
    private struct Traits {
        var hasPresence = true
        var isPacked = false
        var isDelimited = false

        /// A FeatureSet.
        mutating func read(_ features: [Int: UInt64]) {
            if let presence = features[1] { hasPresence = presence != 2 }
            if let encoding = features[3] { isPacked = encoding == 1 }
            if let encoding = features[5] { isDelimited = encoding == 2 }
        }
    }

    /// The fields of one message of a descriptor.
    private struct Fields {
        var numbers: [Int: UInt64] = [:]
        var parts: [Int: [Range<Int>]] = [:]
    }

    private func fields(_ range: Range<Int>) throws(LineFault) -> Fields {
        var reader = WireReader(bytes, range)
        var fields = Fields()
        while let field = try reader.nextField() {
            switch field.value {
            case .varint(let number): fields.numbers[field.number] = number
            case .bytes(let range): fields.parts[field.number, default: []].append(range)
            case .fixed32, .fixed64, .group: break
            }
        }
        return fields
    }

    private func text(_ fields: Fields, _ number: Int) -> String? {
        fields.parts[number]?.last.map { String(decoding: bytes[$0], as: UTF8.self) }
    }

    /// The numbers of a message inside another one: its options.
    private func numbers(_ fields: Fields, _ number: Int) throws(LineFault) -> Fields {
        guard let range = fields.parts[number]?.last else { return Fields() }
        return try self.fields(range)
    }

    mutating func readFile(_ range: Range<Int>) throws(LineFault) {
        let file = try fields(range)
        let package = text(file, 2) ?? ""
        let syntax = text(file, 12) ?? "proto2"
        symbols = []
        traits = Traits()
        switch syntax {
        case "proto2": break
        case "proto3": traits = Traits(hasPresence: false, isPacked: true)
        case "editions":
            traits.isPacked = true
            traits.read(try numbers(try numbers(file, 8), 50).numbers)
        default:
            throw LineFault(
                range.lowerBound, "the syntax \(quoted(syntax)) is unknown; there are proto2, proto3 and editions")
        }
        for range in file.parts[4] ?? [] { try readMessage(range, in: package, depth: 0) }
        for range in file.parts[5] ?? [] { try readEnum(range, in: package) }
        for range in file.parts[6] ?? [] { try readService(range, in: package) }
        files.append(
            Descriptors.File(
                name: text(file, 1) ?? "", bytes: Array(bytes[range]),
                dependencies: (file.parts[3] ?? []).map { String(decoding: bytes[$0], as: UTF8.self) },
                symbols: symbols))
    }

    private func quoted(_ text: String) -> String { QuotedText.quote(EscapedText.escape(Array(text.utf8), limit: 60)) }

    private mutating func declare(_ fields: Fields, _ scope: String, _ range: Range<Int>) throws(LineFault) -> String {
        guard let own = text(fields, 1), !own.isEmpty else {
            throw LineFault(range.lowerBound, "a declaration has no name")
        }
        let name = scope.isEmpty ? own : "\(scope).\(own)"
        guard symbols.insert(name).inserted, messages[name] == nil, enums[name] == nil else {
            throw LineFault(range.lowerBound, "\(quoted(name)) is declared twice")
        }
        return name
    }

    private mutating func readMessage(_ range: Range<Int>, in scope: String, depth: Int) throws(LineFault) {
        guard depth < MessageType.depthBound else {
            throw LineFault(range.lowerBound, "messages are declared more than \(MessageType.depthBound) levels deep")
        }
        let message = try fields(range)
        let name = try declare(message, scope, range)
        for range in message.parts[3] ?? [] { try readMessage(range, in: name, depth: depth + 1) }
        for range in message.parts[4] ?? [] { try readEnum(range, in: name) }
        var fields: [FieldType] = []
        for range in message.parts[2] ?? [] { fields.append(try field(range, of: name)) }
        let isMapEntry = try numbers(message, 7).numbers[7] == 1
        if isMapEntry, Set(fields.map(\.number)) != [1, 2] || fields.count != 2 {
            throw LineFault(range.lowerBound, "\(quoted(name)) is an entry of a map without key and value")
        }
        messages[name] = MessageType(name: name, fields: fields, isMapEntry: isMapEntry)
    }

    private func field(_ range: Range<Int>, of message: String) throws(LineFault) -> FieldType {
        let field = try fields(range)
        guard let name = text(field, 1), let number = field.numbers[3].flatMap({ Int(exactly: $0) }),
            (1...0x1FFF_FFFF).contains(number)
        else { throw LineFault(range.lowerBound, "a field of \(quoted(message)) has no name or number") }
        let typeName = String((text(field, 6) ?? "").drop { $0 == "." })
        var traits = traits
        let options = try numbers(field, 8)
        traits.read(try numbers(options, 21).numbers)
        guard let kind = Self.kind(field.numbers[5] ?? 0, typeName, isDelimited: traits.isDelimited) else {
            throw LineFault(
                range.lowerBound,
                "\(quoted("\(message).\(name)")) has the type \(field.numbers[5] ?? 0), which there is not")
        }
        let isRepeated = field.numbers[4] == 3
        let isOptional = field.numbers[17] == 1
        let oneof = isOptional ? nil : field.numbers[9].flatMap { Int(exactly: $0) }
        let isMessage: Bool
        switch kind {
        case .message, .group: isMessage = true
        default: isMessage = false
        }
        return FieldType(
            name: name, jsonName: text(field, 10) ?? Self.jsonName(of: name), number: number, kind: kind,
            isRepeated: isRepeated, isRequired: field.numbers[4] == 2,
            isPacked: isRepeated && kind.isPackable && (options.numbers[2].map { $0 == 1 } ?? traits.isPacked),
            hasPresence: !isRepeated && (isMessage || isOptional || oneof != nil || traits.hasPresence), oneof: oneof)
    }

    private static func kind(_ type: UInt64, _ name: String, isDelimited: Bool) -> FieldType.Kind? {
        switch type {
        case 1: .double
        case 2: .float
        case 3: .int64
        case 4: .uint64
        case 5: .int32
        case 6: .fixed64
        case 7: .fixed32
        case 8: .bool
        case 9: .string
        case 10: .group(name)
        case 11: isDelimited ? .group(name) : .message(name)
        case 12: .bytes
        case 13: .uint32
        case 14: .enumeration(name)
        case 15: .sfixed32
        case 16: .sfixed64
        case 17: .sint32
        case 18: .sint64
        default: nil
        }
    }

    /// The name in lowerCamelCase, as protoc makes it.
    static func jsonName(of name: String) -> String {
        var result = ""
        var isRaised = false
        for character in name {
            if character == "_" {
                isRaised = true
            } else {
                result += isRaised ? character.uppercased() : String(character)
                isRaised = false
            }
        }
        return result
    }

    private mutating func readEnum(_ range: Range<Int>, in scope: String) throws(LineFault) {
        let fields = try fields(range)
        let name = try declare(fields, scope, range)
        var values: [(name: String, number: Int32)] = []
        for range in fields.parts[2] ?? [] {
            let value = try self.fields(range)
            values.append((text(value, 1) ?? "", Int32(truncatingIfNeeded: value.numbers[2] ?? 0)))
        }
        guard !values.isEmpty else { throw LineFault(range.lowerBound, "the enum \(quoted(name)) has no value") }
        enums[name] = EnumType(name: name, values: values)
    }

    private mutating func readService(_ range: Range<Int>, in scope: String) throws(LineFault) {
        let fields = try fields(range)
        let name = try declare(fields, scope, range)
        var methods: [ServiceType.Method] = []
        for range in fields.parts[2] ?? [] {
            let method = try self.fields(range)
            guard let own = text(method, 1), let input = text(method, 2), let output = text(method, 3) else {
                throw LineFault(range.lowerBound, "a method of \(quoted(name)) has no name or no messages")
            }
            symbols.insert("\(name).\(own)")
            methods.append(
                ServiceType.Method(
                    name: own, input: String(input.drop { $0 == "." }), output: String(output.drop { $0 == "." }),
                    clientStreams: method.numbers[5] == 1, serverStreams: method.numbers[6] == 1))
        }
        services.append(ServiceType(name: name, methods: methods))
    }
}
