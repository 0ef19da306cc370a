/// Names a state of a resource: `"abc"`, or weakly `W/"abc"` (RFC 9110 §8.8.3).
public struct EntityTag: Sendable, Hashable {
    /// Two states with this tag mean the same and may differ in bytes.
    public let isWeak: Bool
    /// What stands between the quotation marks; a backslash escapes nothing there.
    public let opaque: [UInt8]

    /// Reads the value of an ETag field; `w/` in lower case makes no tag weak, since case counts here.
    public init(_ value: [UInt8]) throws(FieldViolation) {
        var cursor = FieldCursor(value)
        guard let tag = Self.take(from: &cursor), cursor.isAtEnd else {
            throw FieldViolation(.badEntityTag, at: 0, value)
        }
        self = tag
    }

    /// A tag of one's own; nil where a byte can't stand between the quotation marks.
    public init?(opaque: some Sequence<UInt8>, isWeak: Bool = false) {
        let opaque = Array(opaque)
        guard opaque.allSatisfy(\.isTagByte) else { return nil }
        self.init(unchecked: opaque, isWeak)
    }

    private init(unchecked opaque: [UInt8], _ isWeak: Bool) {
        self.opaque = opaque
        self.isWeak = isWeak
    }

    /// Nil where none stands at the cursor, which then may have moved.
    static func take(from cursor: inout FieldCursor) -> EntityTag? {
        let isWeak = cursor.take(UInt8(ascii: "W"))
        if isWeak, !cursor.take(UInt8(ascii: "/")) { return nil }
        guard cursor.take(UInt8(ascii: "\"")) else { return nil }
        let opaque = cursor.take(while: \.isTagByte)
        guard cursor.take(UInt8(ascii: "\"")) else { return nil }
        return EntityTag(unchecked: Array(opaque), isWeak)
    }

    /// The value of the field.
    public var bytes: [UInt8] {
        (isWeak ? Array("W/".utf8) : []) + [UInt8(ascii: "\"")] + opaque + [UInt8(ascii: "\"")]
    }

    /// The same bytes: both are strong and alike (§8.8.3.2).
    public func stronglyMatches(_ other: EntityTag) -> Bool { !isWeak && !other.isWeak && opaque == other.opaque }

    /// The same meaning: alike, weak or not (§8.8.3.2).
    public func weaklyMatches(_ other: EntityTag) -> Bool { opaque == other.opaque }
}

extension UInt8 {
    /// `etagc`.
    fileprivate var isTagByte: Bool { self == 0x21 || (0x23...0x7E).contains(self) || self >= 0x80 }
}
