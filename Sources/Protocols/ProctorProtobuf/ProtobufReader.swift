package import ProctorBase

/// Writes a message as JSON, as the JSON mapping of Protocol Buffers says, with the names of JSON.
///
/// A field without presence is written with its default value, so that every message of a type has these members; fields that the
/// descriptor does not know are passed over. A field with another wire type than its own is refused.
package struct ProtobufReader {
    private let descriptors: Descriptors
    private var stepsLeft = stepBound

    /// The most bytes of a message, as most libraries of gRPC have it.
    package static let byteBound = 4 << 20
    /// The most fields that are read and written, defaults counted.
    private static let stepBound = 2_000_000
    private static let jsonByteBound = 16 << 20

    /// `type` is the name of a message of the descriptors.
    package static func json(
        of bytes: [UInt8], as type: String, in descriptors: Descriptors
    ) throws(LineFault) -> [UInt8] {
        guard bytes.count <= byteBound else {
            throw LineFault(0, "a message has at most \(byteBound) bytes, found \(bytes.count)")
        }
        var reader = ProtobufReader(descriptors: descriptors)
        var json = JSONText()
        try reader.write([0..<bytes.count], of: bytes, as: type, depth: 0, &json)
        return json.bytes
    }

    private init(descriptors: Descriptors) { self.descriptors = descriptors }

    /// The values of each field, by its number.
    private typealias Values = [Int: [WireReader.Value]]

    private mutating func spend(_ count: Int, at offset: Int) throws(LineFault) {
        stepsLeft -= count
        guard stepsLeft >= 0 else {
            throw LineFault(
                offset, "it has more than \(Self.stepBound) fields, those of its messages and their defaults counted")
        }
    }

    private func type(_ name: String) throws(LineFault) -> MessageType {
        guard let type = descriptors.messages[name] else { throw LineFault(0, "the descriptor has no message \(name)") }
        return type
    }

    /// The values of a message that stands in one range, or that several ranges are merged to.
    private mutating func values(
        _ ranges: [Range<Int>], of bytes: [UInt8], _ type: MessageType
    ) throws(LineFault) -> Values {
        var values: Values = [:]
        var chosen: [Int: Int] = [:]
        for range in ranges {
            var reader = WireReader(bytes, range)
            while let field = try reader.nextField() {
                try spend(1, at: field.offset)
                guard let known = type.field(numbered: field.number) else { continue }
                if let oneof = known.oneof {
                    if let former = chosen[oneof], former != field.number { values[former] = nil }
                    chosen[oneof] = field.number
                }
                values[field.number, default: []].append(field.value)
            }
        }
        return values
    }

    // MARK: Messages

    private mutating func write(
        _ ranges: [Range<Int>], of bytes: [UInt8], as name: String, depth: Int, _ json: inout JSONText
    ) throws(LineFault) {
        let type = try type(name)
        let offset = ranges.first?.lowerBound ?? 0
        guard depth < MessageType.depthBound else {
            throw LineFault(offset, "messages go no more than \(MessageType.depthBound) levels deep")
        }
        let values = try values(ranges, of: bytes, type)
        if let wellKnown = type.wellKnown {
            return try writeKnown(wellKnown, values, of: bytes, type, depth: depth, &json)
        }
        json.open("{")
        try writeMembers(values, of: bytes, type, depth: depth, at: offset, &json)
        json.close("}")
    }

    private mutating func writeMembers(
        _ values: Values, of bytes: [UInt8], _ type: MessageType, depth: Int, at offset: Int, _ json: inout JSONText
    ) throws(LineFault) {
        try spend(type.fields.count, at: offset)
        guard json.byteCount <= Self.jsonByteBound else {
            throw LineFault(offset, "as JSON it has more than \(Self.jsonByteBound) bytes")
        }
        for field in type.fields {
            let own = values[field.number] ?? []
            if own.isEmpty, field.isRequired {
                throw LineFault(offset, "\(type.name) has no \(field.name), which is required")
            }
            guard !own.isEmpty || !field.hasPresence else { continue }
            json.element()
            json.string(field.jsonName)
            json.close(":")
            try write(field, own, of: bytes, depth: depth + 1, &json)
        }
    }

    private mutating func write(
        _ field: FieldType, _ values: [WireReader.Value], of bytes: [UInt8], depth: Int, _ json: inout JSONText
    ) throws(LineFault) {
        if let entry = mapEntry(field) { return try writeMap(field, entry, values, of: bytes, depth: depth, &json) }
        guard field.isRepeated else { return try writeOne(field, values, of: bytes, depth: depth, &json) }
        json.open("[")
        for value in values {
            if field.kind.isPackable, case .bytes(let range) = value {
                try writePacked(field, range, of: bytes, &json)
            } else {
                json.element()
                try writeOne(field, [value], of: bytes, depth: depth + 1, &json)
            }
        }
        json.close("]")
    }

    private func mapEntry(_ field: FieldType) -> MessageType? {
        guard field.isRepeated, case .message(let name) = field.kind, let type = descriptors.messages[name],
            type.isMapEntry
        else { return nil }
        return type
    }

    private mutating func writePacked(
        _ field: FieldType, _ range: Range<Int>, of bytes: [UInt8], _ json: inout JSONText
    ) throws(LineFault) {
        var reader = WireReader(bytes, range)
        while !reader.isAtEnd {
            let offset = reader.offset
            try spend(1, at: offset)
            let value: WireReader.Value
            switch field.kind.wireType {
            case 1: value = .fixed64(try reader.fixed(8))
            case 5: value = .fixed32(UInt32(truncatingIfNeeded: try reader.fixed(4)))
            default: value = .varint(try reader.varint())
            }
            json.element()
            try writeScalar(field, value, of: bytes, &json)
        }
    }

    /// A value of a key that comes twice is that which comes last.
    private mutating func writeMap(
        _ field: FieldType, _ entry: MessageType, _ values: [WireReader.Value], of bytes: [UInt8], depth: Int,
        _ json: inout JSONText
    ) throws(LineFault) {
        guard let key = entry.field(numbered: 1), let value = entry.field(numbered: 2) else { return }
        var entries: [(key: String, value: [WireReader.Value])] = []
        var places: [String: Int] = [:]
        for wire in values {
            guard case .bytes(let range) = wire else { throw mismatch(field, wire, at: 0) }
            let pair = try self.values([range], of: bytes, entry)
            let name = try keyText(key, pair[1]?.last, of: bytes)
            if let place = places[name] {
                entries[place].value = pair[2] ?? []
            } else {
                places[name] = entries.count
                entries.append((name, pair[2] ?? []))
            }
        }
        json.open("{")
        for entry in entries {
            json.element()
            json.string(entry.key)
            json.close(":")
            try writeOne(value, entry.value, of: bytes, depth: depth + 1, &json)
        }
        json.close("}")
    }

    private func keyText(_ key: FieldType, _ value: WireReader.Value?, of bytes: [UInt8]) throws(LineFault) -> String {
        var json = JSONText()
        guard let value else { return key.kind == .string ? "" : key.kind == .bool ? "false" : "0" }
        try writeScalar(key, value, of: bytes, &json)
        guard case .text(let text)? = (try? JSONDocument(parsing: json.bytes))?.values.first?.kind else {
            return String(decoding: json.bytes, as: UTF8.self)
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// A singular value, an element, or the value of a map; of a scalar that came several times the last one counts.
    private mutating func writeOne(
        _ field: FieldType, _ values: [WireReader.Value], of bytes: [UInt8], depth: Int, _ json: inout JSONText
    ) throws(LineFault) {
        switch field.kind {
        case .message(let name), .group(let name):
            var ranges: [Range<Int>] = []
            for value in values {
                switch (field.kind, value) {
                case (.message, .bytes(let range)), (.group, .group(let range)): ranges.append(range)
                default: throw mismatch(field, value, at: 0)
                }
            }
            try write(ranges, of: bytes, as: name, depth: depth, &json)
        default:
            guard let last = values.last else { return writeDefault(field.kind, &json) }
            try writeScalar(field, last, of: bytes, &json)
        }
    }

    private func mismatch(_ field: FieldType, _ value: WireReader.Value, at offset: Int) -> LineFault {
        LineFault(
            offset,
            "field \(field.number), \(field.name), is of type \(field.kind.noun), and \(value.noun) stand\(value.noun.hasPrefix("a ") ? "s" : "") there"
        )
    }

    // MARK: Scalars

    private func writeDefault(_ kind: FieldType.Kind, _ json: inout JSONText) {
        switch kind {
        case .string, .bytes: json.string("")
        case .bool: json.flag(false)
        case .int64, .uint64, .fixed64, .sfixed64, .sint64: json.string("0")
        case .enumeration(let name): writeEnum(name, descriptors.enums[name]?.values.first?.number ?? 0, &json)
        default: json.number(0)
        }
    }

    private func writeEnum(_ name: String, _ number: Int32, _ json: inout JSONText) {
        if name == "google.protobuf.NullValue" { return json.value(complete: Array("null".utf8)) }
        if let value = descriptors.enums[name]?.name(of: number) { json.string(value) } else { json.integer(number) }
    }

    private func writeScalar(
        _ field: FieldType, _ value: WireReader.Value, of bytes: [UInt8], _ json: inout JSONText
    ) throws(LineFault) {
        switch (field.kind, value) {
        case (.double, .fixed64(let bits)): writeNumber(Double(bitPattern: bits), &json)
        case (.float, .fixed32(let bits)): writeNumber(Float(bitPattern: bits), &json)
        case (.int64, .varint(let number)): json.string("\(Int64(bitPattern: number))")
        case (.sfixed64, .fixed64(let number)): json.string("\(Int64(bitPattern: number))")
        case (.uint64, .varint(let number)), (.fixed64, .fixed64(let number)): json.string("\(number)")
        case (.sint64, .varint(let number)): json.string("\(Self.unfolded(number))")
        case (.int32, .varint(let number)): json.integer(Int32(truncatingIfNeeded: number))
        case (.sint32, .varint(let number)):
            json.integer(Int32(truncatingIfNeeded: Self.unfolded(number & 0xFFFF_FFFF)))
        case (.sfixed32, .fixed32(let number)): json.integer(Int32(bitPattern: number))
        case (.uint32, .varint(let number)): json.integer(UInt32(truncatingIfNeeded: number))
        case (.fixed32, .fixed32(let number)): json.integer(number)
        case (.bool, .varint(let number)): json.flag(number != 0)
        case (.enumeration(let name), .varint(let number)): writeEnum(name, Int32(truncatingIfNeeded: number), &json)
        case (.string, .bytes(let range)):
            guard String(validUTF8: bytes[range]) != nil else {
                throw LineFault(range.lowerBound, "field \(field.number), \(field.name), is a string that is no UTF-8")
            }
            json.string(bytes[range])
        case (.bytes, .bytes(let range)): json.string(Base64Text.encode(bytes[range]))
        default: throw mismatch(field, value, at: 0)
        }
    }

    /// Undoes ZigZag, by which 0, -1, 1, -2 are 0, 1, 2, 3.
    private static func unfolded(_ number: UInt64) -> Int64 {
        Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
    }

    private func writeNumber(_ number: some BinaryFloatingPoint & CustomStringConvertible, _ json: inout JSONText) {
        if number.isNaN { return json.string("NaN") }
        guard number.isFinite else { return json.string(number < 0 ? "-Infinity" : "Infinity") }
        json.value(complete: Array(number.description.utf8))
    }

    // MARK: Well-known types

    private mutating func writeKnown(
        _ wellKnown: WellKnownType, _ values: Values, of bytes: [UInt8], _ type: MessageType, depth: Int,
        _ json: inout JSONText
    ) throws(LineFault) {
        switch wellKnown {
        case .timestamp: json.string(try SplitTime(integer(values, 1), integer(values, 2)).timestamp())
        case .duration: json.string(try SplitTime(integer(values, 1), integer(values, 2)).duration())
        case .fieldMask:
            var paths: [String] = []
            for value in values[1] ?? [] {
                guard case .bytes(let range) = value else { continue }
                let path = String(decoding: bytes[range], as: UTF8.self)
                paths.append(
                    path.split(separator: ".").map { DescriptorReader.jsonName(of: String($0)) }.joined(separator: "."))
            }
            json.string(paths.joined(separator: ","))
        case .any: try writeAny(values, of: bytes, type, depth: depth, &json)
        case .value:
            guard let field = type.fields.first(where: { values[$0.number] != nil }) else {
                return json.value(complete: Array("null".utf8))
            }
            try write(field, values[field.number] ?? [], of: bytes, depth: depth + 1, &json)
        default:
            // Struct, ListValue and the wrappers are their one field.
            guard let field = type.field(numbered: 1) else { throw LineFault(0, "\(type.name) has no field 1") }
            try write(field, values[1] ?? [], of: bytes, depth: depth + 1, &json)
        }
    }

    private func integer(_ values: Values, _ number: Int) -> Int64 {
        if case .varint(let value)? = values[number]?.last { Int64(bitPattern: value) } else { 0 }
    }

    private mutating func writeAny(
        _ values: Values, of bytes: [UInt8], _ type: MessageType, depth: Int, _ json: inout JSONText
    ) throws(LineFault) {
        func range(_ number: Int) -> Range<Int> {
            if case .bytes(let range)? = values[number]?.last { range } else { 0..<0 }
        }
        let (url, content) = (String(decoding: bytes[range(1)], as: UTF8.self), range(2))
        json.open("{")
        if !url.isEmpty || !content.isEmpty { json.member(named: "@type", url) }
        let name = String(url.split(separator: "/").last ?? "")
        if let inner = descriptors.messages[name] {
            guard depth + 1 < MessageType.depthBound else {
                throw LineFault(content.lowerBound, "messages go no more than \(MessageType.depthBound) levels deep")
            }
            if inner.wellKnown == nil {
                let values = try self.values([content], of: bytes, inner)
                try writeMembers(values, of: bytes, inner, depth: depth + 1, at: content.lowerBound, &json)
            } else {
                json.element()
                json.string("value")
                json.close(":")
                try write([content], of: bytes, as: name, depth: depth + 1, &json)
            }
        } else if !content.isEmpty {
            json.member(named: "value", Base64Text.encode(bytes[content]))
        }
        json.close("}")
    }
}
