import ProctorBase

/// One thing by which a request's cookies differ from what the algorithm sends, told so that a client can be mended.
public struct CookieDifference: Sendable, Equatable {
    /// The stable name.
    public let kind: Kind
    /// The name of the cookie; empty for what concerns the field as a whole.
    public let name: [UInt8]
    /// What was expected, what came and, where it can be told, why; whole, for a person.
    public let sentence: String
    /// Where the rule stands: `RFC 6265 §5.4`.
    public let section: String

    /// A difference with its words.
    public init(_ kind: Kind, _ name: [UInt8], sentence: String, section: String) {
        self.kind = kind
        self.name = name
        self.sentence = sentence
        self.section = section
    }

    /// The stable name of each difference.
    public enum Kind: String, Sendable, CaseIterable {
        /// A cookie that is kept and fits was not sent.
        case missing
        /// A cookie that no response set was sent.
        case unknown
        /// The cookie was set with another value.
        case wrongValue = "wrong-value"
        /// The cookie was replaced since, and this is its old value.
        case oldValue = "old-value"
        /// The cookie was deleted.
        case deleted
        /// The cookie has expired.
        case expired
        /// The cookie belongs to another host.
        case wrongHost = "wrong-host"
        /// The cookie belongs below another path.
        case wrongPath = "wrong-path"
        /// The cookie is for secure connections alone.
        case wrongScheme = "wrong-scheme"
        /// The Set-Cookie field that brought it was to be ignored.
        case refused
        /// The cookie came more than once.
        case twice
        /// The cookies are the right ones in another order.
        case wrongOrder = "wrong-order"
        /// More than one Cookie field.
        case severalFields = "several-fields"
        /// Pairs are not parted by a semicolon and one space, or carry what is no pair.
        case malformed
        /// The program forbids cookies.
        case forbidden
    }
}

/// The sentences of differences: what came, what was expected and what to do.
struct CookieSentences {
    let edition: CookieEdition
    /// The URL as the model sees it.
    let place: CookieURL
    /// The URL that the request was sent to.
    let request: CookieURL

    func missing(_ cookie: Cookie, hasField: Bool) -> CookieDifference {
        let came = hasField ? "it is not in the Cookie field" : "there is no Cookie field"
        return CookieDifference(
            .missing, cookie.name,
            sentence:
                "the cookie \(quote(cookie)) is missing: \(came), though it is kept for \(scope(cookie)) and fits "
                + "this request to \(target); send it",
            section: retrieval)
    }

    func twice(_ pair: CookieField.Pair) -> CookieDifference {
        CookieDifference(
            .twice, pair.name, sentence: "the cookie \(quote(pair)) comes more often than it is kept; send each once",
            section: retrieval)
    }

    func wrongValue(_ pair: CookieField.Pair, _ cookie: Cookie) -> CookieDifference {
        CookieDifference(
            .wrongValue, pair.name,
            sentence: "the cookie \(quote(pair)) never had this value; expected \(quote(cookie))"
                + CookieValueHint.hint(sent: pair.value, set: cookie.value),
            section: retrieval)
    }

    func unknown(_ pair: CookieField.Pair, namesake: Cookie?) -> CookieDifference {
        if pair.name.first == UInt8(ascii: "$") {
            return CookieDifference(
                .unknown, pair.name,
                sentence:
                    "\(quote(pair)) is how RFC 2109 and RFC 2965 told attributes to servers; send names and values alone",
                section: retrieval)
        }
        let other = namesake.map { "; the one that was set last is \(quote($0)) for \(scope($0))" } ?? ""
        return CookieDifference(
            .unknown, pair.name, sentence: "nobody set the cookie \(quote(pair))\(other); leave it out",
            section: retrieval)
    }

    /// A cookie that is kept, but not for this request.
    func elsewhere(_ cookie: Cookie) -> CookieDifference {
        let asked = CookieTarget(place)
        let text = "the cookie \(quote(cookie)) is kept for \(scope(cookie)) and does not go to \(target)"
        if !cookie.coversHost(asked) {
            let rule =
                cookie.isHostOnly ? "it had no Domain, so it goes to that very host" : "its Domain ends elsewhere"
            return CookieDifference(
                .wrongHost, cookie.name, sentence: "\(text): \(rule); leave it out",
                section: numbered("§5.1.3", "§5.1.3"))
        }
        if !cookie.coversPath(asked) {
            return CookieDifference(
                .wrongPath, cookie.name,
                sentence: "\(text): a path covers itself and what follows it behind a slash; leave it out",
                section: numbered("§5.1.4", "§5.1.4"))
        }
        if !cookie.coversScheme(asked) {
            return CookieDifference(
                .wrongScheme, cookie.name, sentence: "\(text): it is Secure and the connection is not; leave it out",
                section: retrieval)
        }
        return CookieDifference(
            .twice, cookie.name,
            sentence: "the cookie \(quote(cookie)) comes more often than it is kept; send each once",
            section: retrieval)
    }

    /// A cookie that was there once, or was never stored.
    func gone(_ past: PastCookies.Entry, instead: Cookie?) -> CookieDifference {
        let cookie = past.cookie
        let advice = instead.map { "expected \(quote($0))" } ?? "leave it out"
        switch past.fate {
        case .replaced(let value):
            return CookieDifference(
                .oldValue, cookie.name,
                sentence: "the cookie \(quote(cookie)) was replaced by the value \(ByteQuote.quote(value)) for "
                    + "\(scope(cookie)); \(advice)", section: storage)
        case .deleted:
            return CookieDifference(
                .deleted, cookie.name,
                sentence:
                    "the cookie \(quote(cookie)) was deleted, by one of its name, domain and path whose time was over; "
                    + advice, section: storage)
        case .expired:
            return CookieDifference(
                .expired, cookie.name,
                sentence: "the time of the cookie \(quote(cookie)) is over\(until(cookie)); \(advice)", section: storage
            )
        case .expiredOnArrival:
            return CookieDifference(
                .expired, cookie.name,
                sentence:
                    "the time of the cookie \(quote(cookie)) was over as it came\(until(cookie)), which deletes a cookie; "
                    + advice, section: storage)
        case .refused(let refusal):
            return CookieDifference(
                .refused, cookie.name,
                sentence:
                    "the field that set the cookie \(quote(cookie)) is to be ignored, for \(refusal.reason); \(advice)",
                section: refusal.section(edition))
        case .evicted:
            return CookieDifference(
                .unknown, cookie.name,
                sentence: "the cookie \(quote(cookie)) was evicted, for too many were kept; \(advice)", section: storage
            )
        }
    }

    func wrongOrder(_ first: Cookie, _ second: Cookie) -> CookieDifference {
        let rule =
            first.path.count < second.path.count
            ? "the longer path goes first, and \(ByteQuote.quote(second.path)) is longer than "
                + ByteQuote.quote(first.path)
            : "of paths of one length the older cookie goes first"
        return CookieDifference(
            .wrongOrder, second.name, sentence: "the cookie \(quote(second)) stands behind \(quote(first)): \(rule)",
            section: retrieval)
    }

    func severalFields(_ count: Int) -> CookieDifference {
        CookieDifference(
            .severalFields, [], sentence: "\(count) Cookie fields came; send one, its pairs parted by \"; \"",
            section: numbered("§5.4", "§5.8.1"))
    }

    func malformed(_ violation: CookieViolation) -> CookieDifference {
        let sentence =
            violation.kind == .emptyName
            ? "\(ByteQuote.quote(violation.detail)) has no name; send the value alone, without \"=\""
            : violation.sentence
        return CookieDifference(
            .malformed, [], sentence: "the Cookie field is malformed at byte \(violation.offset): \(sentence)",
            section: retrieval)
    }
}

/// Parts of sentences.
extension CookieSentences {
    private var retrieval: String { numbered("§5.4", "§5.8.3") }
    private var storage: String { numbered("§5.3", "§5.7") }

    private func numbered(_ first: String, _ revised: String) -> String {
        edition == .rfc6265 ? "RFC 6265 \(first)" : "RFC 6265bis \(revised)"
    }

    private var target: String {
        let scheme = request.isSecure ? "https" : "http"
        let host = EscapedText.of(request.host.utf8, limit: 260)
        return "\(scheme)://\(host)\(EscapedText.of(request.requestPath, limit: 80))"
    }

    private func quote(_ cookie: Cookie) -> String { ByteQuote.quote(cookie.pair) }

    private func quote(_ pair: CookieField.Pair) -> String { ByteQuote.quote(pair.text) }

    /// Domain, path and scheme that a cookie is for.
    private func scope(_ cookie: Cookie) -> String {
        let domain = EscapedText.of(cookie.domain.utf8, limit: 260)
        let names = cookie.isHostOnly ? domain : "\(domain) and the names below it"
        let secure = cookie.isSecure ? " over secure connections" : ""
        return "\(names), path \(ByteQuote.quote(cookie.path))\(secure)"
    }

    private func until(_ cookie: Cookie) -> String {
        guard let expiry = cookie.expiry, expiry > .min else { return "" }
        return ", since " + String(decoding: HTTPDate.imfFixdate(unixSeconds: expiry), as: UTF8.self)
    }
}

/// What clients are known to do to values that they should send back as they are.
enum CookieValueHint {
    /// Begins with a semicolon; empty where nothing comes to mind.
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
