import ProctorBase

/// Receiving a cookie (RFC 6265 §5.3, its revision §5.7).
extension CookieStore {
    /// Takes one Set-Cookie field value; ``lastReceipt`` tells more.
    @discardableResult
    public mutating func take(
        _ field: [UInt8], from place: CookiePlace, at unixSeconds: Int
    ) -> SetCookieNote.Outcome {
        let receipt = receive(field, from: place, at: unixSeconds)
        lastReceipt = receipt
        return receipt.outcome
    }

    private mutating func receive(_ field: [UInt8], from place: CookiePlace, at now: Int) -> CookieReceipt {
        removeExpired(at: now)
        if let refusal = SetCookie.refusal(of: field, edition: edition) {
            // Read by the other edition if need be, so that a client that keeps it all the same can be told why not.
            let other: CookieEdition = edition == .rfc6265 ? .rfc6265bis : .rfc6265
            let cookie = SetCookie(parsing: field, edition: other)
            return CookieReceipt(
                .ignored, refusal: refusal,
                cookie: cookie.map { self.cookie($0, domain: nil, from: place, at: now, byteCount: field.count) })
        }
        guard let set = SetCookie(parsing: field, edition: edition) else { return CookieReceipt(.ignored) }
        let domain = scope(of: set, from: place)
        let cookie = cookie(set, domain: domain.name, from: place, at: now, byteCount: field.count)
        if let refusal = domain.refusal ?? refusal(of: cookie, set, from: place) {
            return CookieReceipt(.ignored, refusal: refusal, cookie: cookie)
        }
        let index = index(of: cookie)
        let old = index.map { cookies[$0] }
        if cookie.isExpired(at: now) {
            if let index { remove(index) }
            return CookieReceipt(old == nil ? .ignored : .deleted, cookie: cookie, old: old)
        }
        if let index {
            return CookieReceipt(.replaced, cookie: replace(index, by: cookie), old: old)
        }
        let kept = add(cookie)
        return CookieReceipt(.stored, cookie: kept, evicted: removeExcess(of: kept.domain))
    }

    /// The domain that a cookie asks for; nil: its host alone.
    private func scope(of set: SetCookie, from place: CookiePlace) -> (name: String?, refusal: CookieRefusal?) {
        guard let domain = set.domain, !domain.isEmpty else { return (nil, nil) }
        if edition == .rfc6265bis, domain.contains(where: { $0 > 0x7F }) { return (nil, .domainNotASCII) }
        let host = place.canonicalHost
        if CookieDomain.isPublicSuffix(domain) { return (nil, domain == host ? nil : .publicSuffix) }
        let name = String(decoding: domain, as: UTF8.self)
        return (name, CookieDomain.matches(host, domain) ? nil : .foreignDomain)
    }

    private func cookie(
        _ set: SetCookie, domain: String?, from place: CookiePlace, at now: Int, byteCount: Int
    ) -> Cookie {
        Cookie(
            name: set.name, value: set.value,
            domain: domain ?? String(decoding: place.canonicalHost, as: UTF8.self),
            path: set.path ?? place.defaultPath, expiry: expiry(of: set, at: now), creation: now,
            isHostOnly: domain == nil, isSecure: set.isSecure, isHTTPOnly: set.isHTTPOnly, sameSite: set.sameSite,
            fieldByteCount: byteCount)
    }

    /// Max-Age before Expires; nil: until the session ends.
    private func expiry(of set: SetCookie, at now: Int) -> Int? {
        let moment: Int
        if let age = set.maxAge {
            if age <= 0 { return .min }
            let (sum, isOver) = now.addingReportingOverflow(age)
            moment = isOver ? .max : sum
        } else if let expires = set.expires {
            moment = expires
        } else {
            return nil
        }
        guard edition == .rfc6265bis else { return moment }
        let (limit, isOver) = now.addingReportingOverflow(CookieLimits.longestLife)
        return min(moment, isOver ? .max : limit)
    }

    /// What the revision refuses beside the Domain, in its order (§5.7).
    private func refusal(of cookie: Cookie, _ set: SetCookie, from place: CookiePlace) -> CookieRefusal? {
        guard edition == .rfc6265bis else { return nil }
        if cookie.isSecure, !place.isSecure { return .secureFromInsecure }
        if !cookie.isSecure, !place.isSecure, ledger.hasSecure(cookie.name),
            cookies.contains(where: { overlays(cookie, $0) })
        {
            return .overlaysSecure
        }
        if cookie.sameSite == SetCookie.SameSite.none, !cookie.isSecure { return .sameSiteNoneInsecure }
        if cookie.name.hasCookiePrefix("__secure-"), !cookie.isSecure { return .securePrefix }
        if cookie.name.hasCookiePrefix("__host-") {
            let isRoot = set.hasPath && cookie.path == [UInt8(ascii: "/")]
            if !cookie.isSecure || !cookie.isHostOnly || !isRoot { return .hostPrefix }
        }
        if cookie.name.isEmpty, cookie.value.hasCookiePrefix("__secure-") || cookie.value.hasCookiePrefix("__host-") {
            return .namelessPrefix
        }
        return nil
    }

    /// The paths are not compared both ways: `/` may be set beside a Secure cookie of `/login`.
    private func overlays(_ cookie: Cookie, _ kept: Cookie) -> Bool {
        guard kept.isSecure, kept.name == cookie.name, CookiePath.matches(cookie.path, kept.path) else { return false }
        let (domain, other) = (Array(cookie.domain.utf8), Array(kept.domain.utf8))
        return CookieDomain.matches(other, domain) || CookieDomain.matches(domain, other)
    }
}
