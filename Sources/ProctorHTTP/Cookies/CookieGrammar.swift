import ProctorBase

/// What the grammars of both directions share: pairs and how parts follow one another (RFC 6265 §4.1.1 and §4.2.1).
struct CookieGrammar {
    /// Where the grammar stands.
    let section: String
    private(set) var violations: [CookieViolation] = []

    /// More is not told of one field.
    static let limit = 64

    init(section: String) { self.section = section }

    mutating func report(_ kind: CookieViolation.Kind, _ bytes: ArraySlice<UInt8>, section: String? = nil) {
        guard violations.count < Self.limit else { return }
        violations.append(.init(kind, at: bytes.startIndex, bytes, section: section ?? self.section))
    }

    /// What is left of a part behind a semicolon without the one space before it; nil: nothing is.
    mutating func inside(_ part: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let text = part.cookieTrimmed
        guard !text.isEmpty else {
            report(.emptyPart, part)
            return nil
        }
        if text.startIndex == part.startIndex {
            report(.missingSpace, text)
        } else if part.first == .tab || text.startIndex - part.startIndex > 1 {
            report(.extraSpace, part)
        }
        if text.endIndex != part.endIndex { report(.extraSpace, part[text.endIndex...]) }
        return text
    }

    /// `token "=" value`.
    mutating func pair(_ text: ArraySlice<UInt8>) {
        let halves = text.cookieHalves
        guard let value = halves.value else { return report(.missingEqualsSign, text) }
        if halves.name.isEmpty { report(.emptyName, text) }
        if let bad = halves.name.firstIndex(where: { !$0.isTokenByte }) { report(.nameByte, halves.name[bad...]) }
        self.value(value)
    }

    private mutating func value(_ text: ArraySlice<UInt8>) {
        let quote = UInt8(ascii: "\"")
        var inner = text
        let (opens, closes) = (text.first == quote, text.last == quote)
        if opens, closes, text.count >= 2 {
            inner = text.dropFirst().dropLast()
        } else if opens || closes {
            report(.loneQuote, text)
            inner = opens ? text.dropFirst() : text.dropLast()
        }
        if let bad = inner.firstIndex(where: { !$0.isCookieOctet }) { report(.valueByte, inner[bad...]) }
    }
}

extension UInt8 {
    /// What a value is made of: visible ASCII without quotation marks, commas, semicolons and backslashes.
    var isCookieOctet: Bool {
        switch self {
        case 0x21, 0x23...0x2B, 0x2D...0x3A, 0x3C...0x5B, 0x5D...0x7E: true
        default: false
        }
    }
}
