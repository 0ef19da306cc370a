import ProctorBase

/// What of the first request must be the same in the next one, by the reply's Vary (RFC 9111 §4.1).
public struct CacheVariant: Sendable, Hashable {
    private let conditions: [Condition]

    private struct Condition: Hashable {
        /// In lower case.
        let name: String
        /// Of all lines of the request; nil where there was none, and there must be none again.
        let value: [UInt8]?
    }

    /// Nil for `Vary: *`, by which no other request is answered.
    public init?(replyFields: [HTTPField], requestFields: [HTTPField]) {
        guard !replyFields.lists("*", in: "Vary") else { return nil }
        let names = Set(replyFields.elements(of: "Vary").map { FieldText.decode($0).lowercased() })
        conditions = names.sorted().map { Condition(name: $0, value: Self.value(of: $0, in: requestFields)) }
    }

    /// Whether the reply answers a request with these fields too.
    public func selects(_ requestFields: [HTTPField]) -> Bool {
        conditions.allSatisfy { Self.value(of: $0.name, in: requestFields) == $0.value }
    }

    /// The lines as one; where they are known to be a list, spaces around its commas and empty elements mean nothing.
    private static func value(of name: String, in fields: [HTTPField]) -> [UInt8]? {
        let found = fields.all(named: name)
        guard !found.isEmpty else { return nil }
        let pieces = lists.contains(name) ? found.flatMap(\.elements) : found.map { $0.bytes[...] }
        return Array(pieces.joined(separator: Array(", ".utf8)))
    }

    private static let lists: Set<String> = [
        "accept", "accept-charset", "accept-encoding", "accept-language", "cache-control", "prefer", "te",
    ]
}
