import ProctorBase

/// The sentences of differences: what came, what was expected and what to do.
struct CookieWords {
    let edition: CookieEdition
    /// As the model sees it.
    let place: CookiePlace
    /// As it was sent to.
    let request: CookiePlace

    func missing(_ cookie: Cookie, hasField: Bool) -> CookieDifference {
        let came = hasField ? "it is not in the Cookie field" : "there is no Cookie field"
        return CookieDifference(
            .missing, cookie.name,
            "the cookie \(quote(cookie)) is missing: \(came), though it is kept for \(scope(cookie)) and fits "
                + "this request to \(target); send it",
            section: retrieval)
    }

    func twice(_ pair: CookieField.Pair) -> CookieDifference {
        CookieDifference(
            .twice, pair.name, "the cookie \(quote(pair)) comes more often than it is kept; send each once",
            section: retrieval)
    }

    func wrongValue(_ pair: CookieField.Pair, _ cookie: Cookie) -> CookieDifference {
        CookieDifference(
            .wrongValue, pair.name,
            "the cookie \(quote(pair)) never had this value; expected \(quote(cookie))"
                + CookieSlip.hint(sent: pair.value, set: cookie.value),
            section: retrieval)
    }

    func unknown(_ pair: CookieField.Pair, namesake: Cookie?) -> CookieDifference {
        if pair.name.first == UInt8(ascii: "$") {
            return CookieDifference(
                .unknown, pair.name,
                "\(quote(pair)) is how RFC 2109 and RFC 2965 told attributes to servers; send names and values alone",
                section: retrieval)
        }
        let other = namesake.map { "; the one that was set last is \(quote($0)) for \(scope($0))" } ?? ""
        return CookieDifference(
            .unknown, pair.name, "nobody set the cookie \(quote(pair))\(other); leave it out", section: retrieval)
    }

    /// It is kept, but not for this request.
    func elsewhere(_ cookie: Cookie) -> CookieDifference {
        let asked = CookieTarget(place)
        let text = "the cookie \(quote(cookie)) is kept for \(scope(cookie)) and does not go to \(target)"
        if !cookie.coversHost(asked) {
            let rule =
                cookie.isHostOnly ? "it had no Domain, so it goes to that very host" : "its Domain ends elsewhere"
            return CookieDifference(
                .wrongHost, cookie.name, "\(text): \(rule); leave it out", section: numbered("§5.1.3", "§5.1.3"))
        }
        if !cookie.coversPath(asked) {
            return CookieDifference(
                .wrongPath, cookie.name,
                "\(text): a path covers itself and what follows it behind a slash; leave it out",
                section: numbered("§5.1.4", "§5.1.4"))
        }
        if !cookie.coversScheme(asked) {
            return CookieDifference(
                .wrongScheme, cookie.name, "\(text): it is Secure and the connection is not; leave it out",
                section: retrieval)
        }
        return CookieDifference(
            .twice, cookie.name, "the cookie \(quote(cookie)) comes more often than it is kept; send each once",
            section: retrieval)
    }

    /// It was there once, or never came to be.
    func gone(_ past: CookiePast.Entry, instead: Cookie?) -> CookieDifference {
        let cookie = past.cookie
        let advice = instead.map { "expected \(quote($0))" } ?? "leave it out"
        switch past.fate {
        case .replaced(let value):
            return CookieDifference(
                .oldValue, cookie.name,
                "the cookie \(quote(cookie)) was replaced by the value \(ByteQuote.quote(value)) for "
                    + "\(scope(cookie)); \(advice)", section: storage)
        case .deleted:
            return CookieDifference(
                .deleted, cookie.name,
                "the cookie \(quote(cookie)) was deleted, by one of its name, domain and path whose time was over; "
                    + advice, section: storage)
        case .expired:
            return CookieDifference(
                .expired, cookie.name,
                "the time of the cookie \(quote(cookie)) is over\(until(cookie)); \(advice)", section: storage)
        case .stillborn:
            return CookieDifference(
                .expired, cookie.name,
                "the time of the cookie \(quote(cookie)) was over as it came\(until(cookie)), which deletes a cookie; "
                    + advice, section: storage)
        case .refused(let refusal):
            return CookieDifference(
                .refused, cookie.name,
                "the field that set the cookie \(quote(cookie)) is to be ignored, for \(refusal.reason); \(advice)",
                section: refusal.section(edition))
        case .evicted:
            return CookieDifference(
                .unknown, cookie.name,
                "the cookie \(quote(cookie)) was evicted, for too many were kept; \(advice)", section: storage)
        }
    }

    func wrongOrder(_ first: Cookie, _ second: Cookie) -> CookieDifference {
        let rule =
            first.path.count < second.path.count
            ? "the longer path goes first, and \(ByteQuote.quote(second.path)) is longer than "
                + ByteQuote.quote(first.path)
            : "of paths of one length the older cookie goes first"
        return CookieDifference(
            .wrongOrder, second.name, "the cookie \(quote(second)) stands behind \(quote(first)): \(rule)",
            section: retrieval)
    }

    func severalFields(_ count: Int) -> CookieDifference {
        CookieDifference(
            .severalFields, [], "\(count) Cookie fields came; send one, its pairs parted by \"; \"",
            section: numbered("§5.4", "§5.8.1"))
    }

    func malformed(_ violation: CookieViolation) -> CookieDifference {
        let sentence =
            violation.kind == .emptyName
            ? "\(ByteQuote.quote(violation.detail)) has no name; send the value alone, without \"=\""
            : violation.sentence
        return CookieDifference(
            .malformed, [], "the Cookie field is malformed at byte \(violation.offset): \(sentence)",
            section: retrieval)
    }
}

/// Parts of sentences.
extension CookieWords {
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
