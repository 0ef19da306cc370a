package import ProctorBase

/// What a FileDescriptorSet describes, as `protoc --descriptor_set_out` writes it.
package final class Descriptors: Sendable {
    package let files: [File]
    package let messages: [String: MessageType]
    package let enums: [String: EnumType]
    /// In the order of the files.
    package let services: [ServiceType]

    package struct File: Sendable {
        package let name: String
        package let bytes: [UInt8]
        package let dependencies: [String]
        /// The full names of what it declares.
        package let symbols: Set<String>
    }

    package static let byteBound = 16 << 20
    private static let symbolBound = 100_000

    package init(reading bytes: [UInt8]) throws(LineFault) {
        var reader = DescriptorReader(bytes)
        var set = WireReader(bytes, 0..<bytes.count)
        while let field = try set.nextField() {
            guard field.number == 1, case .bytes(let range) = field.value else {
                throw LineFault(
                    field.offset,
                    "a FileDescriptorSet has files as field 1, found field \(field.number) with \(field.value.noun)")
            }
            try reader.readFile(range)
            guard reader.symbolCount <= Self.symbolBound else {
                throw LineFault(field.offset, "it declares more than \(Self.symbolBound) messages, enums and services")
            }
        }
        guard !reader.files.isEmpty else { throw LineFault(0, "it has no file") }
        files = reader.files
        enums = reader.enums
        services = reader.services
        var messages = reader.messages
        for (name, message) in CommonTypes.messages where messages[name] == nil { messages[name] = message }
        self.messages = messages
        for message in messages.values {
            for field in message.fields { try check(field.kind, "\(message.name).\(field.name)") }
        }
        for service in services {
            for method in service.methods {
                for name in [method.input, method.output] {
                    try check(.message(name), "\(service.name)/\(method.name)")
                }
            }
        }
    }

    private func check(_ kind: FieldType.Kind, _ owner: String) throws(LineFault) {
        let isKnown: Bool
        switch kind {
        case .message(let name), .group(let name): isKnown = messages[name] != nil
        case .enumeration(let name): isKnown = enums[name] != nil
        default: isKnown = true
        }
        if isKnown { return }
        throw LineFault(
            0, "\(owner) is of type \(kind.noun), which no file of it declares; protoc writes it with --include_imports"
        )
    }

    package func service(_ name: String) -> ServiceType? { services.first { $0.name == name } }

    /// The method of a path as gRPC writes it: `/shop.Orders/Get`.
    package func method(ofPath path: String) -> ServiceType.Method? {
        let parts = path.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].isEmpty, let service = service(String(parts[1])) else { return nil }
        return service.methods.first { $0.name == parts[2] }
    }
}

/// Messages that a fixture may write in the details of a status though no file of its descriptor imports them.
private enum CommonTypes {
    /// Their fields are numbered from 1 in the order of the table; a star marks those that are repeated.
    static let messages: [String: MessageType] = {
        var fields: [String: [FieldType]] = [:]
        for row in TableCells.rows(of: "rpc-types") {
            let (name, type) = (row["field"], row["type"])
            let isRepeated = type.hasSuffix("*")
            let kind = kind(isRepeated ? String(type.dropLast()) : type)
            let isMessage = if case .message = kind { !isRepeated } else { false }
            fields[row["message"], default: []].append(
                FieldType(
                    name: name, jsonName: DescriptorReader.jsonName(of: name),
                    number: fields[row["message"], default: []].count + 1, kind: kind, isRepeated: isRepeated,
                    isRequired: false, isPacked: false, hasPresence: isMessage, oneof: nil))
        }
        return Dictionary(
            uniqueKeysWithValues: fields.map {
                ($0, MessageType(name: $0, fields: $1, isMapEntry: $0.hasSuffix("Entry")))
            })
    }()

    private static func kind(_ type: String) -> FieldType.Kind {
        switch type {
        case "string": .string
        case "bytes": .bytes
        case "int32": .int32
        case "int64": .int64
        default: .message(type)
        }
    }
}
