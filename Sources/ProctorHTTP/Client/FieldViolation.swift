/// Why the value of a field is not what its grammar wants; a reader may then ignore the field, and says so.
public struct FieldViolation: Error, Sendable, Equatable {
    /// Decides section and sentence.
    public let kind: Kind
    /// Bytes from the start of the value; of a field in several lines, of the line that it is in.
    public let offset: Int
    /// The offending bytes, or the first of them.
    public let detail: [UInt8]
    /// The limit that was passed, for kinds that have one.
    public let bound: Int?

    init(_ kind: Kind, at offset: Int, _ detail: some Collection<UInt8>, bound: Int? = nil) {
        self.kind = kind
        self.offset = offset
        self.detail = Array(detail.prefix(ByteQuote.longest))
        self.bound = bound
    }

    /// The stable name of each departure.
    public enum Kind: String, Sendable, CaseIterable {
        case severalValues = "several-values"
        case otherRangeUnit = "other-range-unit"
        case badRange = "bad-range"
        case backwardRange = "backward-range"
        case tooManyRanges = "too-many-ranges"
        case badEntityTag = "bad-entity-tag"
        case tooManyEntityTags = "too-many-entity-tags"
        case badDate = "bad-date"
        case impossibleDate = "impossible-date"
        case wrongWeekday = "wrong-weekday"
        case badCoding = "bad-coding"
        case badWeight = "bad-weight"
        case tooManyCodings = "too-many-codings"
    }

    /// The paragraph that rules it out: `RFC 9110 §14.1.1`.
    public var section: String { kind.row.section }

    /// For a person: what is wrong and what would be right.
    public var sentence: String {
        SentenceTemplate.fill(
            kind.row.sentence, bytes: detail, limit: bound.map { String($0) } ?? "the permitted number of")
    }
}

extension FieldViolation.Kind {
    /// A new kind is a case and a row.
    var row: (section: String, sentence: String) {
        switch self {
        case .severalValues:
            ("RFC 9110 §5.3", "the field comes more than once, here with {bytes}; it has one value")
        case .otherRangeUnit: ("RFC 9110 §14.1", "the range unit {bytes} is not known; only \"bytes\" is")
        case .badRange: ("RFC 9110 §14.1.1", "{bytes} is no byte range; expected FIRST-LAST, FIRST- or -LENGTH")
        case .backwardRange:
            (
                "RFC 9110 §14.1.1",
                "the byte range {bytes} ends before it begins; the first number is the smaller one"
            )
        case .tooManyRanges: ("RFC 9110 §14.2", "{bytes} begins one byte range too many; at most {limit} are read")
        case .badEntityTag:
            (
                "RFC 9110 §8.8.3",
                "{bytes} is no entity tag; expected one in double quotes, with no space or double quote within, and "
                    + "\"W/\" before it where it is weak"
            )
        case .tooManyEntityTags: ("RFC 9110 §17.5", "{bytes} is one entity tag too many; at most {limit} are read")
        case .badDate:
            ("RFC 9110 §5.6.7", "{bytes} is no date; expected one like \"Sun, 06 Nov 1994 08:49:37 GMT\"")
        case .impossibleDate:
            ("RFC 9110 §5.6.7", "there is no such moment as {bytes}; look at the day of the month and at the time")
        case .wrongWeekday:
            (
                "RFC 5322 §3.3",
                "{bytes} is not the day of the week of that date; the names go from \"Mon\" to \"Sun\""
            )
        case .badCoding:
            (
                "RFC 9110 §12.5.3",
                "{bytes} is no content coding; expected a name like gzip, or \"*\", and maybe \";q=0.5\""
            )
        case .badWeight:
            ("RFC 9110 §12.4.2", "{bytes} is no weight; expected 0 to 1 with at most three digits behind the point")
        case .tooManyCodings:
            ("RFC 9110 §17.5", "{bytes} is one content coding too many; at most {limit} are read")
        }
    }
}

extension FieldViolation: CustomStringConvertible {
    /// Place, sentence and section in one line.
    public var description: String { "byte \(offset): \(sentence) (\(section))" }
}
