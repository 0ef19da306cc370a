/// A departure from the grammar of challenges and credentials (RFC 9110 §11); the reading went on behind it.
public struct AuthenticationViolation: Error, Sendable, Equatable {
    /// Decides the sentence.
    public let kind: Kind
    /// Which of the fields it is in, from 0.
    public let line: Int
    /// Bytes from the start of that field's value.
    public let offset: Int
    /// The offending bytes, or the first of them.
    public let detail: [UInt8]
    /// Where the grammar of that field stands: `RFC 9110 §11.6.2`.
    public let section: String

    /// The stable name of each departure.
    public enum Kind: String, Sendable, CaseIterable {
        case illegalCharacter = "illegal-character"
        case parameterWithoutScheme = "parameter-without-scheme"
        case parameterBesideToken = "parameter-beside-token"
        case missingValue = "missing-value"
        case unterminatedString = "unterminated-string"
        case duplicateParameter = "duplicate-parameter"
        case missingComma = "missing-comma"
        case controlInString = "control-in-string"
        case tabBehindScheme = "tab-behind-scheme"
        case strayComma = "stray-comma"
        case tooManyParameters = "too-many-parameters"
    }

    /// For a person: what is wrong and what would be right.
    public var sentence: String {
        let quoted = ByteQuote.quote(detail)
        return switch kind {
        case .illegalCharacter:
            "\(quoted) may not stand here; expected a scheme or a parameter, both begin with a token"
        case .parameterWithoutScheme: "the parameter \(quoted) stands before any scheme; write the scheme first"
        case .parameterBesideToken: "the parameter \(quoted) follows a token68; a scheme has the one or the other"
        case .missingValue: "the parameter \(quoted) has no value; write a token or a quoted string behind the \"=\""
        case .unterminatedString: "the string that begins with \(quoted) never ends; close it with a quotation mark"
        case .duplicateParameter: "the parameter \(quoted) comes twice; each stands once behind its scheme"
        case .missingComma: "\(quoted) follows without a comma; put one between parameters and between challenges"
        case .controlInString: "the control character \(quoted) stands in a quoted string; only the tab may (§5.6.4)"
        case .tabBehindScheme: "a tab follows the scheme \(quoted); expected a space (§11.4)"
        case .strayComma:
            "a comma parts nothing here; the field holds one scheme and what belongs to it, no list (§11.4)"
        case .tooManyParameters:
            "\(quoted) is one parameter too many; at most \(AuthenticationScanner.parameterLimit) are read"
        }
    }
}

extension AuthenticationViolation: CustomStringConvertible {
    /// Place, sentence and section in one line.
    public var description: String { "field \(line + 1), byte \(offset): \(sentence) (\(section))" }
}
