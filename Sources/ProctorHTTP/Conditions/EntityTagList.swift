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
