/// A message of a descriptor.
package struct MessageType: Sendable {
    /// With its package: `shop.Order`.
    package let name: String
    /// In the order of the descriptor.
    package let fields: [FieldType]
    /// Whether it is the entry of a map, with a key and a value.
    package let isMapEntry: Bool
    private let byNumber: [Int: Int]
    private let byName: [String: Int]

    /// The most messages, lists and maps inside each other.
    package static let depthBound = 100

    init(name: String, fields: [FieldType], isMapEntry: Bool) {
        (self.name, self.fields, self.isMapEntry) = (name, fields, isMapEntry)
        byNumber = Dictionary(fields.enumerated().map { ($1.number, $0) }) { first, _ in first }
        byName = Dictionary(fields.enumerated().flatMap { [($1.jsonName, $0), ($1.name, $0)] }) { first, _ in first }
    }

    package func field(numbered number: Int) -> FieldType? { byNumber[number].map { fields[$0] } }

    /// The field with that name in JSON or in the descriptor's source.
    package func field(named name: String) -> FieldType? { byName[name].map { fields[$0] } }

    /// A message whose JSON is not an object of its fields.
    package var wellKnown: WellKnownType? { WellKnownType(rawValue: name) }
}

/// Messages that the mapping to JSON treats by themselves.
package enum WellKnownType: String, Sendable {
    case timestamp = "google.protobuf.Timestamp"
    case duration = "google.protobuf.Duration"
    case fieldMask = "google.protobuf.FieldMask"
    case any = "google.protobuf.Any"
    case structure = "google.protobuf.Struct"
    case value = "google.protobuf.Value"
    case list = "google.protobuf.ListValue"
    case double = "google.protobuf.DoubleValue"
    case float = "google.protobuf.FloatValue"
    case int64 = "google.protobuf.Int64Value"
    case uint64 = "google.protobuf.UInt64Value"
    case int32 = "google.protobuf.Int32Value"
    case uint32 = "google.protobuf.UInt32Value"
    case boolean = "google.protobuf.BoolValue"
    case string = "google.protobuf.StringValue"
    case bytes = "google.protobuf.BytesValue"

    /// The kind of the value of a wrapper; nil for the others.
    package var wrapped: FieldType.Kind? {
        switch self {
        case .double: .double
        case .float: .float
        case .int64: .int64
        case .uint64: .uint64
        case .int32: .int32
        case .uint32: .uint32
        case .boolean: .bool
        case .string: .string
        case .bytes: .bytes
        default: nil
        }
    }
}

package struct FieldType: Sendable {
    package let name: String
    package let jsonName: String
    package let number: Int
    package let kind: Kind
    package let isRepeated: Bool
    package let isRequired: Bool
    /// Whether the values of a repeated field are written behind one tag.
    package let isPacked: Bool
    /// Whether a value that is the default one differs from none.
    package let hasPresence: Bool
    /// The number of its oneof; nil: none that an author has written.
    package let oneof: Int?

    package enum Kind: Sendable, Equatable {
        case double, float, int64, uint64, int32, fixed64, fixed32, bool, string, bytes, uint32, sfixed32, sfixed64
        case sint32, sint64
        /// A message of that name.
        case message(String)
        /// A group of that name.
        case group(String)
        /// An enumeration of that name.
        case enumeration(String)

        /// As messages name it.
        package var noun: String {
            switch self {
            case .message(let name), .group(let name), .enumeration(let name): name
            default: "\(self)"
            }
        }

        package var wireType: UInt64 {
            switch self {
            case .double, .fixed64, .sfixed64: 1
            case .float, .fixed32, .sfixed32: 5
            case .string, .bytes, .message: 2
            case .group: 3
            case .int64, .uint64, .int32, .bool, .uint32, .sint32, .sint64, .enumeration: 0
            }
        }

        var isPackable: Bool { wireType != 2 && wireType != 3 }
    }
}

package struct EnumType: Sendable {
    package let name: String
    /// In the order of the descriptor; the first one is the default.
    package let values: [(name: String, number: Int32)]

    package func number(of name: String) -> Int32? { values.first { $0.name == name }?.number }
    package func name(of number: Int32) -> String? { values.first { $0.number == number }?.name }
}

package struct ServiceType: Sendable {
    package let name: String
    package let methods: [Method]

    package struct Method: Sendable {
        package let name: String
        /// The names of the messages.
        package let input: String
        package let output: String
        package let clientStreams: Bool
        package let serverStreams: Bool
    }
}
