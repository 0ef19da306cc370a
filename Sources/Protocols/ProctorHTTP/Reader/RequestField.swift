import ProctorBase

/// A field of requests whose value has a grammar of its own in RFC 9110 or RFC 9111: a row of `field-grammars.tsv`.
///
/// Host, Content-Length, Transfer-Encoding, Connection and Expect have readers of their own, credentials are judged by
/// guards, and cookies by the cookie model.
package enum RequestField: String, Sendable, CaseIterable {
    case accept
    case acceptCharset = "accept-charset"
    case acceptEncoding = "accept-encoding"
    case acceptLanguage = "accept-language"
    case cacheControl = "cache-control"
    case contentEncoding = "content-encoding"
    case contentLanguage = "content-language"
    case contentLocation = "content-location"
    case contentRange = "content-range"
    case contentType = "content-type"
    case date
    case from
    case ifMatch = "if-match"
    case ifModifiedSince = "if-modified-since"
    case ifNoneMatch = "if-none-match"
    case ifRange = "if-range"
    case ifUnmodifiedSince = "if-unmodified-since"
    case maxForwards = "max-forwards"
    case range
    case referer
    case te
    case trailer
    case upgrade
    case userAgent = "user-agent"
    case via

    /// What the RFC says of the field.
    struct Row: Sendable {
        /// The section of the grammar: `RFC 9110 §13.1.2`.
        let section: String
        /// What the value is, a clause: `a date of this form: …`.
        let form: String
        let check: Check
    }

    /// What a reader needs of each field of each head: no text, so that nothing is counted.
    struct Check: Sendable {
        let grammar: FieldGrammar
        /// The field's bit among those that are no lists, so that they come once (RFC 9110 §5.3); 0 for a list.
        let bit: UInt32
    }

    private static let table = ContainedTable<Self, Row>("field-grammars") { cells in
        let position = RequestField(rawValue: cells["kind"]).flatMap { allCases.firstIndex(of: $0) } ?? 0
        return Row(
            section: cells["section"], form: cells["form"],
            check: Check(
                grammar: cells.value("grammar", FieldGrammar.init),
                bit: cells.text("once") == nil ? 0 : 1 << UInt32(position)))
    }

    private static let checks = Dictionary(uniqueKeysWithValues: allCases.map { ($0, table[$0].check) })

    var row: Row { Self.table[self] }

    /// How far a value matches the grammar of the field.
    package func reading(of value: Span<UInt8>) -> FieldGrammar.Reading { check.grammar.reading(of: value) }

    var check: Check { Self.checks[self] ?? row.check }
}

extension RequestField {
    /// nil for every other name; the length selects the candidates, so that most names need only one comparison.
    init?(_ name: Span<UInt8>) {
        switch name.count {
        case 2 where name.equalsIgnoringCase("te"): self = .te
        case 3 where name.equalsIgnoringCase("via"): self = .via
        case 4 where name.equalsIgnoringCase("date"): self = .date
        case 4 where name.equalsIgnoringCase("from"): self = .from
        case 5 where name.equalsIgnoringCase("range"): self = .range
        case 6 where name.equalsIgnoringCase("accept"): self = .accept
        case 7 where name.equalsIgnoringCase("referer"): self = .referer
        case 7 where name.equalsIgnoringCase("trailer"): self = .trailer
        case 7 where name.equalsIgnoringCase("upgrade"): self = .upgrade
        case 8 where name.equalsIgnoringCase("if-match"): self = .ifMatch
        case 8 where name.equalsIgnoringCase("if-range"): self = .ifRange
        case 10 where name.equalsIgnoringCase("user-agent"): self = .userAgent
        case 12 where name.equalsIgnoringCase("content-type"): self = .contentType
        case 12 where name.equalsIgnoringCase("max-forwards"): self = .maxForwards
        case 13 where name.equalsIgnoringCase("if-none-match"): self = .ifNoneMatch
        case 13 where name.equalsIgnoringCase("cache-control"): self = .cacheControl
        case 13 where name.equalsIgnoringCase("content-range"): self = .contentRange
        case 14 where name.equalsIgnoringCase("accept-charset"): self = .acceptCharset
        case 15 where name.equalsIgnoringCase("accept-encoding"): self = .acceptEncoding
        case 15 where name.equalsIgnoringCase("accept-language"): self = .acceptLanguage
        case 16 where name.equalsIgnoringCase("content-encoding"): self = .contentEncoding
        case 16 where name.equalsIgnoringCase("content-language"): self = .contentLanguage
        case 16 where name.equalsIgnoringCase("content-location"): self = .contentLocation
        case 17 where name.equalsIgnoringCase("if-modified-since"): self = .ifModifiedSince
        case 19 where name.equalsIgnoringCase("if-unmodified-since"): self = .ifUnmodifiedSince
        default: return nil
        }
    }

    /// The field of a detail `Name: value`, as a violation of its grammar has it.
    init?(ofDetail detail: [UInt8]) {
        guard let colon = detail.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        self.init(detail.span.extracting(0..<colon))
    }
}

/// The fields that were seen in one head, for those that may come once.
struct SeenFields: Sendable {
    private var once: UInt32 = 0

    /// Reports a second line of a field that may come once, and a value that does not match the field's grammar.
    ///
    /// RFC 9110 §2.2: a sender MUST NOT generate what does not match the grammar. The value is read over, since each
    /// section says what a recipient makes of it (§12.5, §13.1.3, §14.2).
    mutating func readField(
        _ field: RequestField, name: Span<UInt8>, value: Span<UInt8>, line: Int, start: Int, findings: inout Findings
    ) {
        let check = field.check
        if once & check.bit != 0 { findings.report(.duplicateField, at: line, value.excerpt(0..<value.count)) }
        once |= check.bit
        switch check.grammar.reading(of: value) {
        case .whole: break
        case .emptyElement: findings.report(.emptyListElement, at: start, value.excerpt(0..<value.count))
        case .malformed:
            findings.report(
                .malformedValue, at: start,
                name.excerpt(0..<name.count) + [UInt8(ascii: ":"), .space] + value.excerpt(0..<value.count))
        }
    }
}
