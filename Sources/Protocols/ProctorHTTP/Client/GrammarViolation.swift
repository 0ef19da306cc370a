import ProctorBase

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
            section: FieldRule.table[kind].section)
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

    package var sentence: String { Self.table[self].sentence }

    fileprivate static let table = ContainedTable<Self, (section: String, sentence: String)>("field-violations") {
        ($0["section"], $0["sentence"])
    }
}
