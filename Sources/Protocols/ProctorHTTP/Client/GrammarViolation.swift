/// A violation of the grammar of a field, of credentials, of cookies or of a URI.
public struct GrammarViolation<Rule: GrammarRule>: Error, Sendable, Equatable {
    /// The kinds of violations of this grammar.
    public typealias Kind = Rule

    package let kind: Rule
    /// The index of the field line, from 0.
    public internal(set) var line = 0
    /// The offset in bytes from the start of the value; if there are several lines, from the start of line `line`.
    public let offset: Int
    /// The illegal bytes, or the first of them.
    public let detail: [UInt8]
    /// The limit that was exceeded, for kinds that have one.
    public internal(set) var bound: Int?
    /// The section of the rule, such as `RFC 9110 §14.1.1`.
    public let section: String

    package var sentence: String {
        SentenceTemplate.fill(
            kind.sentence, bytes: detail, limit: bound.map { String($0) } ?? "the permitted number of")
    }
}

extension GrammarViolation: CustomStringConvertible {
    /// Offset, sentence and section in one line.
    public var description: String {
        "\(Rule.isOfSeveralFields ? "field \(line + 1), " : "")byte \(offset): \(sentence) (\(section))"
    }
}

/// The kinds of violations of one grammar, each with its sentence.
public protocol GrammarRule: Equatable, Sendable {
    /// Whether the grammar covers several fields, so that a message must name the field.
    static var isOfSeveralFields: Bool { get }

    /// The error and the correct form; `{bytes}` is replaced by the illegal bytes, `{limit}` by the limit.
    var sentence: String { get }
}

extension GrammarRule {
    /// False, since most grammars are that of one value.
    public static var isOfSeveralFields: Bool { false }
}

/// Why the value of a field violates its grammar; the reader ignores the field and reports this.
package typealias FieldViolation = GrammarViolation<FieldRule>

extension FieldViolation {
    init(_ kind: FieldRule, at offset: Int, _ detail: some Collection<UInt8>, bound: Int? = nil) {
        self.init(
            kind: kind, offset: offset, detail: Array(detail.prefix(ByteQuote.longest)), bound: bound,
            section: kind.row.section)
    }
}

package enum FieldRule: String, GrammarRule, CaseIterable {
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

    package var sentence: String { row.sentence }

    fileprivate var row: (section: String, sentence: String) {
        switch self {
        case .severalValues:
            ("RFC 9110 §5.3", "the field comes more than once, here with {bytes}; it has one value")
        case .otherRangeUnit: ("RFC 9110 §14.1", "the range unit {bytes} is not known; only \"bytes\" is")
        case .badRange: ("RFC 9110 §14.1.1", "{bytes} is no byte range; expected FIRST-LAST, FIRST- or -LENGTH")
        case .backwardRange:
            ("RFC 9110 §14.1.1", "the byte range {bytes} ends before it begins; the first number is the smaller one")
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
            ("RFC 5322 §3.3", "{bytes} is not the day of the week of that date; the names go from \"Mon\" to \"Sun\"")
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
