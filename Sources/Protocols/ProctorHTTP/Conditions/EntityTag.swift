/// An entity tag, `"abc"` or weakly `W/"abc"` (RFC 9110 §8.8.3).
package struct EntityTag: Sendable, Hashable {
    /// Representations with equal weak tags are equivalent and may differ in bytes.
    package let isWeak: Bool
    /// The bytes between the quotation marks; a backslash is no escape there.
    package let opaque: [UInt8]

    /// nil if no tag is at the cursor, which may have moved then.
    static func read(from cursor: inout FieldCursor) -> EntityTag? {
        let isWeak = cursor.consume(UInt8(ascii: "W"))
        if isWeak, !cursor.consume(UInt8(ascii: "/")) { return nil }
        guard cursor.consume(UInt8(ascii: "\"")) else { return nil }
        let opaque = cursor.consume(while: \.isEntityTagByte)
        guard cursor.consume(UInt8(ascii: "\"")) else { return nil }
        return EntityTag(isWeak: isWeak, opaque: Array(opaque))
    }

    package var bytes: [UInt8] {
        (isWeak ? Array("W/".utf8) : []) + [UInt8(ascii: "\"")] + opaque + [UInt8(ascii: "\"")]
    }

    /// Both tags are strong and equal (§8.8.3.2).
    package func stronglyMatches(_ other: EntityTag) -> Bool { !isWeak && !other.isWeak && opaque == other.opaque }

    /// The opaque parts are equal, weak or not (§8.8.3.2).
    package func weaklyMatches(_ other: EntityTag) -> Bool { opaque == other.opaque }
}

extension EntityTag {
    /// Reads the value of an ETag field; a lower-case `w/` is refused, since the prefix is case-sensitive.
    package init(_ value: [UInt8]) throws(FieldViolation) {
        var cursor = FieldCursor(value)
        guard let tag = Self.read(from: &cursor), cursor.isAtEnd else {
            throw FieldViolation(.badEntityTag, at: 0, value)
        }
        self = tag
    }

    /// nil if a byte is illegal between the quotation marks.
    package init?(opaque: some Sequence<UInt8>, isWeak: Bool = false) {
        let opaque = Array(opaque)
        guard opaque.allSatisfy(\.isEntityTagByte) else { return nil }
        self.init(isWeak: isWeak, opaque: opaque)
    }
}

/// The value of If-Match or If-None-Match (RFC 9110 §13.1.1, §13.1.2).
package struct EntityTagList: Sendable, Equatable {
    /// Whether the value is `*`, which matches any existing representation.
    package let isAny: Bool
    /// The tags in order; empty for `*`.
    package let tags: [EntityTag]
    /// Malformed elements, which match nothing.
    package let violations: [FieldViolation]

    package static let limit = 256

    /// Reads all fields of this name; nil if there is none.
    ///
    /// A malformed tag is skipped up to the next comma, so that the others still have an effect.
    package init?(of fields: [HTTPField], named name: String) {
        let values = fields.all(named: name).map(\.bytes)
        guard !values.isEmpty else { return nil }
        self.init(values)
    }

    package init(_ values: [[UInt8]]) {
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
                let tag = EntityTag.read(from: &cursor)
                cursor.skipBlanks()
                if let tag, cursor.isAtEnd || cursor.current == UInt8(ascii: ",") {
                    tags.append(tag)
                } else {
                    _ = cursor.consume { $0 != UInt8(ascii: ",") }
                    violations.append(FieldViolation(.badEntityTag, at: start, value[start..<cursor.index]))
                }
            }
        }
        (self.tags, self.violations) = (tags, violations)
    }

    /// The comparison of If-Match; `tag` is nil for a representation without a tag.
    package func stronglyMatches(_ tag: EntityTag?) -> Bool {
        isAny || tag.map { tag in tags.contains { $0.stronglyMatches(tag) } } ?? false
    }

    /// The comparison of If-None-Match.
    package func weaklyMatches(_ tag: EntityTag?) -> Bool {
        isAny || tag.map { tag in tags.contains { $0.weaklyMatches(tag) } } ?? false
    }
}
