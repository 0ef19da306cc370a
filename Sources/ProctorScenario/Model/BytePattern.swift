/// Raw bytes with holes: `*` is any run of bytes, `{name}` one non-empty run without `/` and `?`.
public struct BytePattern: Sendable, Equatable {
    /// In order; neighbours are never both literals.
    public let parts: [Part]

    /// Bytes that stand for themselves, or a hole.
    public enum Part: Sendable, Equatable {
        case literal([UInt8])
        case capture(String)
        case wildcard
    }

    /// A pattern of these parts.
    public init(parts: [Part]) {
        self.parts = parts
    }

    /// A pattern that only `bytes` themselves match.
    public init(exactly bytes: [UInt8]) {
        parts = bytes.isEmpty ? [] : [.literal(bytes)]
    }

    /// The bytes, if the pattern has no holes.
    public var exactBytes: [UInt8]? {
        switch parts.count {
        case 0: return []
        case 1:
            guard case .literal(let bytes) = parts[0] else { return nil }
            return bytes
        default: return nil
        }
    }
}
