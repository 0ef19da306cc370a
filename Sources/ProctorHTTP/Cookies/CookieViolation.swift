/// A departure from the grammar of Set-Cookie or Cookie; user agents and servers read on behind it.
public struct CookieViolation: Error, Sendable, Equatable {
    /// Decides the sentence.
    public let kind: Kind
    /// Bytes from the start of the field's value.
    public let offset: Int
    /// The offending bytes, or the first of them.
    public let detail: [UInt8]
    /// Where the grammar stands: `RFC 6265 §4.1.1`.
    public let section: String

    /// The stable name of each departure.
    public enum Kind: String, Sendable, CaseIterable {
        case missingEqualsSign = "missing-equals-sign"
        case emptyName = "empty-name"
        case nameByte = "name-byte"
        case valueByte = "value-byte"
        case loneQuote = "lone-quote"
        case missingSpace = "missing-space"
        case extraSpace = "extra-space"
        case emptyPart = "empty-part"
        case attributeByte = "attribute-byte"
        case expires = "expires"
        case maxAge = "max-age"
        case domain = "domain"
        case flagValue = "flag-value"
        case sameSite = "same-site"
        case twice = "twice"
    }

    /// For a person: what is wrong and what would be right.
    public var sentence: String {
        let quoted = ByteQuote.quote(detail)
        return switch kind {
        case .missingEqualsSign: "\(quoted) is no pair; write NAME=VALUE"
        case .emptyName: "nothing stands before the \"=\"; write a name, which is a token"
        case .nameByte: "\(quoted) may not stand in a name; expected letters, digits and !#$%&'*+-.^_`|~"
        case .valueByte:
            "\(quoted) may not stand in a value, nor may spaces, quotation marks, commas, semicolons, backslashes, "
                + "control characters and bytes beyond ASCII; encode it, for instance in Base64"
        case .loneQuote: "the value \(quoted) has a quotation mark at one end alone; put one at both or at none"
        case .missingSpace: "no space follows the semicolon before \(quoted); write \"; \""
        case .extraSpace: "white space stands where none may, beside \(quoted); parts are parted by \"; \" alone"
        case .emptyPart: "nothing stands here; leave the semicolon out"
        case .attributeByte: "\(quoted) may not stand in an attribute; expected ASCII without control characters"
        case .expires:
            "Expires says \(quoted); expected a date like Sun, 06 Nov 1994 08:49:37 GMT, with four digits of a year"
        case .maxAge: "Max-Age says \(quoted); expected seconds, 1 or more, in digits that do not begin with 0"
        case .domain:
            "Domain says \(quoted); expected a name of letters, digits, hyphens and dots, without a dot in front"
        case .flagValue: "\(quoted) is a word alone; leave out \"=\" and what follows"
        case .sameSite: "SameSite says \(quoted); expected Strict, Lax or None"
        case .twice: "\(quoted) comes twice; the last one counts, so write one"
        }
    }

    init(_ kind: Kind, at offset: Int, _ detail: some Sequence<UInt8>, section: String) {
        self.kind = kind
        self.offset = offset
        self.detail = Array(detail.prefix(ByteQuote.longest + 1))
        self.section = section
    }
}

extension CookieViolation: CustomStringConvertible {
    /// Place, sentence and section in one line.
    public var description: String { "byte \(offset): \(sentence) (\(section))" }
}
