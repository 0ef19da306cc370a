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

/// What If-Match and If-None-Match hold: any state, or those with these tags (RFC 9110 §13.1.1, §13.1.2).
public struct EntityTagList: Sendable, Equatable {
    /// `*`: whichever state there is.
    public let isAny: Bool
    /// In order; none beside `*`.
    public let tags: [EntityTag]
    /// What was passed over; it matches nothing.
    public let violations: [FieldViolation]

    /// More are not read.
    public static let limit = 256

    /// Reads all fields of this name; nil where there is none.
    ///
    /// What is no tag is passed over up to the next comma, since one bad tag should not hide a good one.
    public init?(of fields: [HTTPField], named name: String) {
        let values = fields.all(named: name).map(\.bytes)
        guard !values.isEmpty else { return nil }
        self.init(values)
    }

    /// Reads the values of all lines as one list.
    public init(_ values: [[UInt8]]) {
        isAny = values == [[UInt8(ascii: "*")]]
        var tags: [EntityTag] = []
        var violations: [FieldViolation] = []
        for value in isAny ? [] : values {
            var cursor = FieldCursor(value)
            while true {
                cursor.skipBlanks()
                guard let byte = cursor.current else { break }
                if byte == UInt8(ascii: ",") {
                    cursor.index += 1
                    continue
                }
                let start = cursor.index
                guard tags.count + violations.count < Self.limit else {
                    violations.append(FieldViolation(.tooManyEntityTags, at: start, value[start...], bound: Self.limit))
                    break
                }
                let tag = EntityTag.take(from: &cursor)
                cursor.skipBlanks()
                if let tag, cursor.isAtEnd || cursor.current == UInt8(ascii: ",") {
                    tags.append(tag)
                } else {
                    _ = cursor.take { $0 != UInt8(ascii: ",") }
                    violations.append(FieldViolation(.badEntityTag, at: start, value[start..<cursor.index]))
                }
            }
        }
        self.tags = tags
        self.violations = violations
    }

    /// Whether one of them names these very bytes, as If-Match asks; `tag` is nil for a state without one.
    public func stronglyMatches(_ tag: EntityTag?) -> Bool {
        isAny || tag.map { tag in tags.contains { $0.stronglyMatches(tag) } } ?? false
    }

    /// Whether one of them names a state of the same meaning, as If-None-Match asks.
    public func weaklyMatches(_ tag: EntityTag?) -> Bool {
        isAny || tag.map { tag in tags.contains { $0.weaklyMatches(tag) } } ?? false
    }
}
