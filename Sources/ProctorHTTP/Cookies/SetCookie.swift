import ProctorBase

/// One Set-Cookie field value, read as a user agent reads it (RFC 6265 §5.2, its revision §5.6).
///
/// Nothing is decoded: quotation marks and percent signs are part of a value. Attributes that no edition knows, such as
/// Version, Comment, CommentURL, Port and Discard of RFC 2109 and RFC 2965, are kept and mean nothing.
public struct SetCookie: Sendable, Equatable {
    /// Empty for a cookie without a name, which RFC 6265 ignores and its revision keeps.
    public let name: [UInt8]
    /// As it stands, quotation marks included.
    public let value: [UInt8]
    /// In their order, all that are not empty, those of the edition's too long ones as well.
    public let attributes: [Attribute]
    /// Whose rules the values below follow.
    public let edition: CookieEdition

    /// What stands between two semicolons behind the pair.
    public struct Attribute: Sendable, Equatable {
        /// In lower case.
        public let name: [UInt8]
        /// Empty where there is none.
        public let value: [UInt8]

        /// Whether it counts by the revision, which ignores longer values (§5.6).
        var isShort: Bool { value.count <= CookieLimits.attributeByteCount }
    }

    /// To which requests a cookie is limited (RFC 6265bis §5.6.7).
    public enum SameSite: String, Sendable, CaseIterable {
        case strict, lax, none
    }

    /// Nil where the field is ignored entirely; ``refusal(of:edition:)`` says why.
    public init?(parsing field: [UInt8], edition: CookieEdition) {
        guard Self.refusal(of: field, edition: edition) == nil else { return nil }
        let parts = field[...].cookieParts
        (name, value) = Self.pair(parts[0])
        attributes = parts.dropFirst().compactMap(Self.attribute)
        self.edition = edition
    }

    /// Why the field is ignored without regard to where it comes from; nil: it is not.
    public static func refusal(of field: [UInt8], edition: CookieEdition) -> CookieRefusal? {
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

    /// Without `=` all of it is the value of a cookie without a name.
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

/// What the attributes mean; of several of one name the last counts (RFC 6265 §5.3, its revision §5.7).
extension SetCookie {
    /// In Unix seconds, as the last Expires with a readable date says; the revision caps it where it is stored.
    public var expires: Int? { last("expires") { CookieDate.unixSeconds($0) } }

    /// In seconds, as the last Max-Age that is a number says; beyond the range of `Int` its ends.
    ///
    /// A `-` alone is no number, which RFC 6265 leaves open and its revision spells out (§5.6.2).
    public var maxAge: Int? {
        last("max-age") { text in
            guard text.first == UInt8(ascii: "-") else { return text.saturatedNumber }
            return text.dropFirst().saturatedNumber.map { -$0 }
        }
    }

    /// In lower case and without one leading dot; empty: as if there were none.
    ///
    /// RFC 6265 passes over an empty Domain (§5.2.3), by its revision it hides one before it (§5.6.3).
    public var domain: [UInt8]? {
        last("domain") { text in
            if edition == .rfc6265, text.isEmpty { return nil }
            return (text.first == UInt8(ascii: ".") ? text.dropFirst() : text[...]).cookieLowercased
        }
    }

    /// The last Path; nil: the default-path, which also stands for one that does not begin with a slash (§5.2.4).
    public var path: [UInt8]? {
        guard let path = last("path", { $0 }), path.first == UInt8(ascii: "/") else { return nil }
        return path
    }

    /// A Path attribute is there, whatever it says.
    public var hasPath: Bool { last("path") { $0 } != nil }

    /// Whatever value it has.
    public var isSecure: Bool { last("secure") { $0 } != nil }

    /// Whatever value it has.
    public var isHTTPOnly: Bool { last("httponly") { $0 } != nil }

    /// Nil: the default, also where the last SameSite is none of the three words.
    public var sameSite: SameSite? {
        guard let text = last("samesite", { $0 }) else { return nil }
        return SameSite.allCases.first { $0.rawValue.utf8.elementsEqual(text.cookieLowercased) }
    }

    /// The last one of that name that `read` makes something of.
    private func last<Value>(_ name: StaticString, _ read: ([UInt8]) -> Value?) -> Value? {
        for attribute in attributes.reversed()
        where attribute.name.isCookieWord(name) && (edition == .rfc6265 || attribute.isShort) {
            if let value = read(attribute.value) { return value }
        }
        return nil
    }
}

/// The grammar that servers should keep to (RFC 6265 §4.1.1), which is much narrower than what user agents read.
extension SetCookie {
    /// What departs from it, in the order of the field; at most 64 are told.
    ///
    /// Attributes that no rule names, those of RFC 2109 and RFC 2965 among them, may be any ASCII without control
    /// characters.
    public static func violations(of field: [UInt8]) -> [CookieViolation] {
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
