import ProctorBase

/// One difference between a request's cookies and the expected ones, worded for the author of a client.
package struct CookieDifference: Sendable, Equatable {
    package let kind: Kind
    /// The cookie's name; empty if the difference concerns the whole field.
    package let name: [UInt8]
    /// What was expected, what was received and, if known, why.
    package let sentence: String
    /// The section of the rule, such as `RFC 6265 §5.4`.
    package let section: String

    package init(_ kind: Kind, _ name: [UInt8], sentence: String, section: String) {
        (self.kind, self.name, self.sentence, self.section) = (kind, name, sentence, section)
    }

    package enum Kind: String, Sendable, CaseIterable {
        case missing
        case unknown
        case wrongValue = "wrong-value"
        case oldValue = "old-value"
        case deleted
        case expired
        case wrongHost = "wrong-host"
        case wrongPath = "wrong-path"
        case wrongScheme = "wrong-scheme"
        case refused
        case twice
        case wrongOrder = "wrong-order"
        case severalFields = "several-fields"
        case separators
        case malformed
        case forbidden
    }
}

extension CookieRule {
    /// Whether the violation is one of the separators between pairs and around names and values.
    var isOfSeparators: Bool { self == .emptyPart || self == .missingSpace || self == .extraSpace }
}

struct CookieSentences {
    let edition: CookieEdition
    let place: CookieURL
    let request: CookieURL

    func difference(_ finding: CookieFinding) -> CookieDifference {
        switch finding {
        case .severalFields(let count):
            difference(
                .severalFields, of: [], "\(count) Cookie fields came; send one, its pairs parted by \"; \"",
                section: numbered("§5.4", "§5.8.1"))
        case .malformed(let violation): malformed(violation)
        case .twice(let pair):
            difference(
                .twice, of: pair.name, "the cookie \(quote(pair)) comes more often than it is kept; send each once")
        case .elsewhere(let cookie): elsewhere(cookie)
        case .gone(let entry, let instead): gone(entry, instead: instead)
        case .wrongValue(let pair, let cookie):
            difference(
                .wrongValue, of: pair.name,
                "the cookie \(quote(pair)) never had this value; expected \(quote(cookie))"
                    + CookieValueHint.hint(sent: pair.value, set: cookie.value))
        case .unknown(let pair, let namesake): unknown(pair, namesake: namesake)
        case .missing(let cookie, let hasField):
            difference(
                .missing, of: cookie.name,
                "the cookie \(quote(cookie)) is missing: "
                    + (hasField ? "it is not in the Cookie field" : "there is no Cookie field")
                    + ", though it is kept for \(scope(cookie)) and fits this request to \(target); send it")
        case .wrongOrder(let first, let second): wrongOrder(first, second)
        }
    }

    /// The section is that of the Cookie field (§5.4) unless another one is given.
    private func difference(
        _ kind: CookieDifference.Kind, of name: [UInt8], _ sentence: String, section: String? = nil
    ) -> CookieDifference {
        CookieDifference(kind, name, sentence: sentence, section: section ?? numbered("§5.4", "§5.8.3"))
    }

    private func unknown(_ pair: CookieField.Pair, namesake: Cookie?) -> CookieDifference {
        if pair.name.first == UInt8(ascii: "$") {
            return difference(
                .unknown, of: pair.name,
                "\(quote(pair)) is how RFC 2109 and RFC 2965 told attributes to servers; send names and values alone")
        }
        let other = namesake.map { "; the one that was set last is \(quote($0)) for \(scope($0))" } ?? ""
        return difference(.unknown, of: pair.name, "no reply set the cookie \(quote(pair))\(other); leave it out")
    }

    private func elsewhere(_ cookie: Cookie) -> CookieDifference {
        let asked = CookieTarget(place)
        let text = "the cookie \(quote(cookie)) is kept for \(scope(cookie)) and does not go to \(target)"
        if !cookie.coversHost(asked) {
            let rule =
                cookie.isHostOnly ? "it had no Domain, so it goes to that very host" : "its Domain ends elsewhere"
            return difference(
                .wrongHost, of: cookie.name, "\(text): \(rule); leave it out", section: numbered("§5.1.3", "§5.1.3"))
        }
        if !cookie.coversPath(asked) {
            return difference(
                .wrongPath, of: cookie.name,
                "\(text): a path covers itself and what follows it behind a slash; leave it out",
                section: numbered("§5.1.4", "§5.1.4"))
        }
        if !cookie.coversScheme(asked) {
            return difference(
                .wrongScheme, of: cookie.name, "\(text): it is Secure and the connection is not; leave it out")
        }
        return difference(
            .twice, of: cookie.name, "the cookie \(quote(cookie)) comes more often than it is kept; send each once")
    }

    private func gone(_ past: PastCookies.Entry, instead: Cookie?) -> CookieDifference {
        let cookie = past.cookie
        let quoted = "the cookie \(quote(cookie))"
        let advice = instead.map { "expected \(quote($0))" } ?? "leave it out"
        let storage = numbered("§5.3", "§5.7")
        let (kind, sentence, section): (CookieDifference.Kind, String, String) =
            switch past.fate {
            case .replaced(let value):
                (
                    .oldValue, "\(quoted) was replaced by the value \(ByteQuote.quote(value)) for \(scope(cookie))",
                    storage
                )
            case .deleted:
                (.deleted, "\(quoted) was deleted, by one of its name, domain and path whose time was over", storage)
            case .expired: (.expired, "the time of \(quoted) is over\(until(cookie))", storage)
            case .expiredOnArrival:
                (
                    .expired, "the time of \(quoted) was over as it came\(until(cookie)), which deletes a cookie",
                    storage
                )
            case .refused(let refusal):
                (
                    .refused, "the field that set \(quoted) is to be ignored, for \(refusal.reason)",
                    refusal.section(edition)
                )
            case .evicted: (.unknown, "\(quoted) was evicted, for too many were kept", storage)
            }
        return difference(kind, of: cookie.name, "\(sentence); \(advice)", section: section)
    }

    private func wrongOrder(_ first: Cookie, _ second: Cookie) -> CookieDifference {
        let rule =
            first.path.count < second.path.count
            ? "the longer path goes first, and \(ByteQuote.quote(second.path)) is longer than "
                + ByteQuote.quote(first.path)
            : "of paths of one length the older cookie goes first"
        return difference(
            .wrongOrder, of: second.name, "the cookie \(quote(second)) stands behind \(quote(first)): \(rule)")
    }

    private func malformed(_ violation: CookieViolation) -> CookieDifference {
        let sentence =
            violation.kind == .emptyName
            ? "\(ByteQuote.quote(violation.detail)) has no name; send the value alone, without \"=\""
            : violation.sentence
        return difference(
            violation.kind.isOfSeparators ? .separators : .malformed, of: [],
            "the Cookie field is malformed at byte \(violation.offset): \(sentence)")
    }
}

extension CookieSentences {
    private func numbered(_ first: String, _ revised: String) -> String {
        edition == .rfc6265 ? "RFC 6265 \(first)" : "RFC 6265bis \(revised)"
    }

    private var target: String {
        let scheme = request.isSecure ? "https" : "http"
        let host = EscapedText.escape(request.host.utf8, limit: 260)
        return "\(scheme)://\(host)\(EscapedText.escape(request.requestPath, limit: 80))"
    }

    private func quote(_ cookie: Cookie) -> String { ByteQuote.quote(cookie.pair) }

    private func quote(_ pair: CookieField.Pair) -> String { ByteQuote.quote(pair.text) }

    private func scope(_ cookie: Cookie) -> String {
        let domain = EscapedText.escape(cookie.domain.utf8, limit: 260)
        let names = cookie.isHostOnly ? domain : "\(domain) and the names below it"
        let secure = cookie.isSecure ? " over secure connections" : ""
        return "\(names), path \(ByteQuote.quote(cookie.path))\(secure)"
    }

    private func until(_ cookie: Cookie) -> String {
        guard let expiry = cookie.expiry, expiry > .min else { return "" }
        return ", since " + String(decoding: HTTPDate.imfFixdate(unixSeconds: expiry), as: UTF8.self)
    }
}

/// Known ways in which clients change values that they should send back unchanged.
enum CookieValueHint {
    /// A text that begins with a semicolon; empty if no known change explains the value.
    static func hint(sent: [UInt8], set: [UInt8]) -> String {
        let quote = [UInt8(ascii: "\"")]
        if set == quote + sent + quote { return "; the quotation marks are part of the value" }
        if sent == quote + set + quote { return "; the quotation marks were not part of the value" }
        if sent.isEmpty { return "; the value is gone" }
        if set.starts(with: sent) { return "; \(set.count - sent.count) bytes are cut off its end" }
        if decoded(set) == sent { return "; percent-encoded bytes are part of the value and are not decoded" }
        if decoded(sent) == set { return "; the value is sent as it was set, without encoding" }
        if sent.cookieLowercased == set.cookieLowercased { return "; the letter case is part of the value" }
        return ""
    }

    private static func decoded(_ text: [UInt8]) -> [UInt8] { PercentText.decode(text) ?? text }
}
