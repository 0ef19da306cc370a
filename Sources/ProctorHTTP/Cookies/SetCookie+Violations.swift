import ProctorBase

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
