import ProctorBase

/// The grammar that Set-Cookie and Cookie share (RFC 6265 §4.1.1, §4.2.1).
struct CookieGrammar {
    let section: String
    private(set) var violations: [CookieViolation] = []

    static let limit = 64

    init(section: String) { self.section = section }

    mutating func report(_ kind: CookieRule, _ bytes: ArraySlice<UInt8>, section: String? = nil) {
        guard violations.count < Self.limit else { return }
        violations.append(
            CookieViolation(
                kind: kind, offset: bytes.startIndex, detail: Array(bytes.prefix(ByteQuote.longest + 1)),
                section: section ?? self.section))
    }

    /// The part after a semicolon, without the one required space; nil if nothing is left.
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
    /// `cookie-octet`: visible ASCII without quotation marks, commas, semicolons and backslashes.
    var isCookieOctet: Bool {
        switch self {
        case 0x21, 0x23...0x2B, 0x2D...0x3A, 0x3C...0x5B, 0x5D...0x7E: true
        default: false
        }
    }
}

/// A violation of the grammar of Set-Cookie or Cookie; reading continues after it.
package typealias CookieViolation = GrammarViolation<CookieRule>

package enum CookieRule: String, GrammarRule, CaseIterable {
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

    private static let sentences = ContainedTable<Self, String>("cookie-violations") { $0["sentence"] }

    package var sentence: String { Self.sentences[self] }
}

/// Whitespace and splitting of cookie fields (RFC 6265 §5.2); WSP is SP and HTAB (RFC 5234 appendix B.1).
extension ArraySlice<UInt8> {
    var cookieTrimmed: ArraySlice<UInt8> {
        var slice = self
        while let first = slice.first, first.isBlank { slice = slice.dropFirst() }
        while let last = slice.last, last.isBlank { slice = slice.dropLast() }
        return slice
    }

    /// The text before and after the first `=`; the second is nil without `=`.
    var cookieHalves: (name: ArraySlice<UInt8>, value: ArraySlice<UInt8>?) {
        guard let sign = firstIndex(of: UInt8(ascii: "=")) else { return (self, nil) }
        return (self[startIndex..<sign], self[(sign + 1)...])
    }

    var cookieParts: [ArraySlice<UInt8>] {
        split(separator: UInt8(ascii: ";"), omittingEmptySubsequences: false)
    }
}

extension Sequence<UInt8> {
    /// Lower-cases `A`–`Z` only.
    var cookieLowercased: [UInt8] { map(\.asciiLowercased) }
}

extension Collection<UInt8> {
    /// Ignores ASCII case; `word` is in lower case.
    func isCookieWord(_ word: StaticString) -> Bool { count == word.utf8CodeUnitCount && hasCookiePrefix(word) }

    /// Ignores ASCII case; `word` is in lower case.
    func hasCookiePrefix(_ word: StaticString) -> Bool {
        cookieLowercased.starts(with: String(describing: word).utf8)
    }

    /// Whether the text has a control character other than HTAB.
    var hasCookieControl: Bool { contains { $0.isControl && $0 != .tab } }
}
