import ProctorBase

/// One Set-Cookie field value, read as a user agent reads it (RFC 6265 §5.2, RFC 6265bis §5.6).
///
/// Nothing is decoded: quotation marks and percent signs belong to the value. Unknown attributes, such as those of RFC
/// 2109 and RFC 2965, are kept without an effect.
public struct SetCookie: Sendable, Equatable {
    /// Empty for a cookie without a name, which RFC 6265 ignores and RFC 6265bis keeps.
    public let name: [UInt8]
    /// The received bytes, with any quotation marks.
    public let value: [UInt8]
    /// In order, without empty ones; includes those that RFC 6265bis ignores as too long.
    package let attributes: [Attribute]
    package let edition: CookieEdition

    /// The text between two semicolons after the pair.
    package struct Attribute: Sendable, Equatable {
        /// In lower case.
        package let name: [UInt8]
        package let value: [UInt8]

        /// Whether RFC 6265bis uses the attribute; it ignores longer values (§5.6).
        var isShort: Bool { value.count <= CookieLimits.attributeByteCount }
    }

    /// To which requests a cookie is limited (RFC 6265bis §5.6.7).
    public enum SameSite: String, Sendable, CaseIterable {
        case strict, lax, none
    }

    /// nil if the field is ignored; ``refusal(of:edition:)`` gives the reason.
    package init?(parsing field: [UInt8], edition: CookieEdition) {
        guard Self.refusal(of: field, edition: edition) == nil else { return nil }
        let parts = field[...].cookieParts
        (name, value) = Self.pair(parts[0])
        attributes = parts.dropFirst().compactMap(Self.attribute)
        self.edition = edition
    }

    /// Why the field is ignored whatever its origin; nil if it is not.
    package static func refusal(of field: [UInt8], edition: CookieEdition) -> CookieRefusal? {
        if edition == .rfc6265bis, field.hasCookieControl { return .controlCharacter }
        let text = field.prefix { $0 != UInt8(ascii: ";") }
        let (name, value) = pair(text)
        switch edition {
        case .rfc6265:
            if !text.contains(UInt8(ascii: "=")) { return .noEqualsSign }
            return name.isEmpty ? .emptyName : nil
        case .rfc6265bis:
            if name.count + value.count > CookieLimits.pairByteCount { return .tooLong }
            return name.isEmpty && value.isEmpty ? .empty : nil
        }
    }

    /// Text without `=` is the value of a nameless cookie.
    private static func pair(_ text: ArraySlice<UInt8>) -> (name: [UInt8], value: [UInt8]) {
        let halves = text.cookieHalves
        guard let value = halves.value else { return ([], Array(text.cookieTrimmed)) }
        return (Array(halves.name.cookieTrimmed), Array(value.cookieTrimmed))
    }

    private static func attribute(_ text: ArraySlice<UInt8>) -> Attribute? {
        let halves = text.cookieHalves
        let name = halves.name.cookieTrimmed.cookieLowercased
        let value = Array((halves.value ?? []).cookieTrimmed)
        return name.isEmpty && value.isEmpty ? nil : Attribute(name: name, value: value)
    }
}

/// The meaning of the attributes; of several with the same name the last has an effect (RFC 6265 §5.3, RFC 6265bis
/// §5.7).
extension SetCookie {
    /// In Unix seconds, from the last Expires with a readable date; RFC 6265bis limits it on storing.
    package var expires: Int? { last("expires") { CookieDate.unixSeconds($0) } }

    /// In seconds, from the last numeric Max-Age, clamped to `Int`.
    ///
    /// A single `-` is no number (RFC 6265bis §5.6.2).
    package var maxAge: Int? {
        last("max-age") { text in
            guard text.first == UInt8(ascii: "-") else { return text.saturatedNumber }
            return text.dropFirst().saturatedNumber.map { -$0 }
        }
    }

    /// In lower case without one leading dot; empty for none.
    ///
    /// RFC 6265 ignores an empty Domain (§5.2.3); under RFC 6265bis it replaces an earlier one (§5.6.3).
    package var domain: [UInt8]? {
        last("domain") { text in
            if edition == .rfc6265, text.isEmpty { return nil }
            return (text.first == UInt8(ascii: ".") ? text.dropFirst() : text[...]).cookieLowercased
        }
    }

    /// The last Path; nil means the default-path, also for a value that does not begin with a slash (§5.2.4).
    package var path: [UInt8]? {
        guard let path = last("path", { $0 }), path.first == UInt8(ascii: "/") else { return nil }
        return path
    }

    package var hasPath: Bool { last("path") { $0 } != nil }

    /// True whatever the attribute's value.
    package var isSecure: Bool { last("secure") { $0 } != nil }

    /// True whatever the attribute's value.
    package var isHTTPOnly: Bool { last("httponly") { $0 } != nil }

    /// nil means the default, also for an unknown word in the last SameSite.
    package var sameSite: SameSite? {
        guard let text = last("samesite", { $0 }) else { return nil }
        return SameSite.allCases.first { $0.rawValue.utf8.elementsEqual(text.cookieLowercased) }
    }

    /// The last attribute of that name for which `read` returns a value.
    private func last<Value>(_ name: StaticString, _ read: ([UInt8]) -> Value?) -> Value? {
        for attribute in attributes.reversed()
        where attribute.name.isCookieWord(name) && (edition == .rfc6265 || attribute.isShort) {
            if let value = read(attribute.value) { return value }
        }
        return nil
    }
}

/// The server's grammar (RFC 6265 §4.1.1), much narrower than what user agents read.
extension SetCookie {
    /// The violations in the order of the field; at most 64.
    ///
    /// Attributes without a rule may have any ASCII bytes without controls.
    package static func violations(of field: [UInt8]) -> [CookieViolation] {
        var grammar = CookieGrammar(section: "RFC 6265 §4.1.1")
        let parts = field[...].cookieParts
        let pair = parts[0].cookieTrimmed
        if pair.count != parts[0].count { grammar.report(.extraSpace, parts[0]) }
        grammar.pair(pair)
        var seen: Set<[UInt8]> = []
        for part in parts.dropFirst() {
            guard let text = grammar.inside(part) else { continue }
            grammar.attribute(text, &seen)
        }
        return grammar.violations.sorted { $0.offset < $1.offset }
    }
}

extension CookieGrammar {
    fileprivate mutating func attribute(_ text: ArraySlice<UInt8>, _ seen: inout Set<[UInt8]>) {
        let halves = text.cookieHalves
        let name = halves.name.cookieLowercased
        if !seen.insert(name).inserted { report(.twice, halves.name) }
        if let bad = text.firstIndex(where: { $0.isControl || $0 > 0x7F }) { report(.attributeByte, text[bad...]) }
        let value = halves.value ?? text[text.endIndex...]
        switch String(decoding: name, as: UTF8.self) {
        case "expires": if !Self.isDate(Array(value)) { report(.expires, value) }
        case "max-age": if !Self.isAge(value) { report(.maxAge, value) }
        case "domain": if !Self.isSubdomain(value) { report(.domain, value) }
        case "secure", "httponly": if halves.value != nil { report(.flagValue, text) }
        case "samesite":
            let words: [StaticString] = ["strict", "lax", "none"]
            if !words.contains(where: { value.isCookieWord($0) }) {
                report(.sameSite, value, section: "RFC 6265bis §4.1.1")
            }
        default: break
        }
    }

    /// The fixed length of RFC 1123, in the spelling of RFC 9110 §5.6.7.
    private static func isDate(_ text: [UInt8]) -> Bool {
        guard text.count == 29, let seconds = CookieDate.unixSeconds(text) else { return false }
        return HTTPDate.imfFixdate(unixSeconds: seconds) == text
    }

    private static func isAge(_ text: ArraySlice<UInt8>) -> Bool {
        text.first != UInt8(ascii: "0") && text.saturatedNumber != nil
    }

    /// Labels of letters, digits and inner hyphens, up to 63 bytes each and 253 in all (RFC 1034 §3.5, RFC 1123 §2.1).
    private static func isSubdomain(_ text: ArraySlice<UInt8>) -> Bool {
        text.count <= 253
            && text.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false).allSatisfy { label in
                let hyphen = UInt8(ascii: "-")
                return (1...63).contains(label.count) && label.first != hyphen && label.last != hyphen
                    && label.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == hyphen }
            }
    }
}

/// Why a user agent ignores a Set-Cookie field.
package enum CookieRefusal: String, Sendable, CaseIterable {
    case noEqualsSign = "no-equals-sign"
    case emptyName = "empty-name"
    case empty
    case controlCharacter = "control-character"
    case tooLong = "too-long"
    case domainNotASCII = "domain-not-ascii"
    /// A Domain that is a public suffix, under which anyone can register names.
    case publicSuffix = "public-suffix"
    case foreignDomain = "foreign-domain"
    case secureFromInsecure = "secure-from-insecure"
    case overlaysSecure = "overlays-secure"
    case sameSiteNoneInsecure = "same-site-none-insecure"
    case securePrefix = "secure-prefix"
    /// `__Host-` without Secure, without Path=/ or with a Domain.
    case hostPrefix = "host-prefix"
    /// A cookie without a name whose value looks like a prefix.
    case namelessPrefix = "nameless-prefix"

    /// Completes "is ignored, for …".
    package var reason: String {
        switch self {
        case .noEqualsSign: "its pair has no \"=\"; write NAME=VALUE"
        case .emptyName: "nothing stands before its \"=\"; write a name"
        case .empty: "it has neither a name nor a value"
        case .controlCharacter: "it holds a control character other than the tab"
        case .tooLong: "its name and value are longer than \(CookieLimits.pairByteCount) bytes together"
        case .domainNotASCII: "its Domain holds a byte beyond ASCII; write an international name as its A-labels"
        case .publicSuffix:
            "its Domain is a public suffix, here every name of one label, and not the host itself"
        case .foreignDomain: "its Domain is neither the host that set it nor a domain above that"
        case .secureFromInsecure: "it is Secure and came over a connection that is not"
        case .overlaysSecure:
            "it came over a connection that is not secure and would overlay a Secure cookie of that name"
        case .sameSiteNoneInsecure: "it says SameSite=None without Secure"
        case .securePrefix: "its name begins with __Secure- and it is not Secure"
        case .hostPrefix: "its name begins with __Host-, which asks for Secure, for Path=/ and for no Domain"
        case .namelessPrefix: "it has no name, and its value begins like the prefix of one"
        }
    }

    package func section(_ edition: CookieEdition) -> String {
        switch self {
        case .noEqualsSign, .emptyName: "RFC 6265 §5.2"
        case .controlCharacter, .tooLong: "RFC 6265bis §5.6"
        case .publicSuffix, .foreignDomain: edition == .rfc6265 ? "RFC 6265 §5.3" : "RFC 6265bis §5.7"
        default: "RFC 6265bis §5.7"
        }
    }
}

package struct SetCookieResult: Sendable, Equatable {
    /// An expired field with nothing to delete counts as ignored, without a refusal.
    package let outcome: SetCookieNote.Outcome
    /// nil if the field was not refused.
    package let refusal: CookieRefusal?
    /// Set even if the field was refused; nil if it could not be read.
    package let cookie: Cookie?
    package let old: Cookie?
    /// Removed because the store was full.
    package let evicted: [Cookie]

    init(
        _ outcome: SetCookieNote.Outcome, refusal: CookieRefusal? = nil, cookie: Cookie? = nil, old: Cookie? = nil,
        evicted: [Cookie] = []
    ) {
        (self.outcome, self.refusal, self.cookie, self.old, self.evicted) = (outcome, refusal, cookie, old, evicted)
    }
}
