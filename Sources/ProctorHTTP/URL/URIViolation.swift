/// Why bytes are no URI reference.
public struct URIViolation: Error, Sendable, Equatable, CustomStringConvertible {
    /// Decides section and sentence.
    public let kind: Kind
    /// Where the offending byte stands, from the start of the reference.
    public let offset: Int
    /// The offending byte or component.
    public let detail: [UInt8]

    /// The stable name of each departure.
    public enum Kind: String, Sendable, CaseIterable {
        case illegalCharacter = "illegal-character"
        case badPercentEscape = "bad-percent-escape"
        case badHost = "bad-host"
        case badPort = "bad-port"
        case colonInFirstSegment = "colon-in-first-segment"
    }

    /// Where RFC 3986 rules it out.
    public var section: String { kind.row.section }

    /// For a person: what is wrong and what would be right.
    public var sentence: String { SentenceTemplate.fill(kind.row.sentence, bytes: detail) }

    /// Offset, sentence and section in one line.
    public var description: String { "byte \(offset): \(sentence) (\(section))" }
}

extension URIViolation.Kind {
    /// A new kind is a case and a row.
    var row: (section: String, sentence: String) {
        switch self {
        case .illegalCharacter:
            ("RFC 3986 §2", "{bytes} may not stand here unescaped; write it as a percent-escape")
        case .badPercentEscape:
            (
                "RFC 3986 §2.1",
                "{bytes} is no percent-escape; \"%\" needs two hexadecimal digits, a literal one is \"%25\""
            )
        case .badHost:
            (
                "RFC 3986 §3.2.2",
                "{bytes} is no host: an IPv6 address stands in brackets, a name has no such byte"
            )
        case .badPort: ("RFC 3986 §3.2.3", "{bytes} is no port; it is digits, 0 to 65535")
        case .colonInFirstSegment:
            (
                "RFC 3986 §4.2",
                "{bytes} before the first colon is no scheme, and no relative path begins so; write \"./\" before it"
            )
        }
    }
}
