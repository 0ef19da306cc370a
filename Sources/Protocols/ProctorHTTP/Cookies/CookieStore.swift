import ProctorBase

/// The cookies of one user agent (RFC 6265 §5.3 and §5.4, or RFC 6265bis §5.7 and §5.8).
///
/// It has no clock: each call gets the time. Every request counts as same-site, since there is no document; a name of
/// one label counts as a public suffix.
package struct CookieStore: Sendable, Equatable {
    package let edition: CookieEdition
    package let limits: CookieLimits
    /// In order of creation; expired ones are removed by the next call.
    package private(set) var cookies: [Cookie] = []
    package internal(set) var lastResult: SetCookieResult?

    /// The index of ``cookies``, whose `order` ascends.
    private(set) var cookieIndex = CookieIndex()
    /// The number of cookies created so far, which orders the cookies of one second.
    private var createdCount = 0
    /// The number of the current response, if the caller counts them.
    var batch = 0
    private var useCount = 0

    package init(edition: CookieEdition = .rfc6265bis, limits: CookieLimits = CookieLimits()) {
        (self.edition, self.limits) = (edition, limits)
    }

    package mutating func field(for place: CookieURL, at unixSeconds: Int) -> [UInt8]? {
        Self.field(use(for: CookieTarget(place), at: unixSeconds))
    }

    /// The cookies to send, in order; marks them as used.
    mutating func use(for target: CookieTarget, at unixSeconds: Int) -> [Cookie] {
        removeExpired(at: unixSeconds)
        useCount += 1
        var fitting: [Cookie] = []
        for index in cookies.indices where cookies[index].fits(target) {
            cookies[index].use = useCount
            fitting.append(cookies[index])
        }
        return Self.sorted(fitting)
    }

    package func fitting(_ place: CookieURL, at unixSeconds: Int) -> [Cookie] {
        let target = CookieTarget(place)
        return Self.sorted(cookies.filter { $0.fits(target) && !$0.isExpired(at: unixSeconds) })
    }

    private static func sorted(_ cookies: [Cookie]) -> [Cookie] {
        cookies.sorted { $0.path.count == $1.path.count ? $0.order < $1.order : $0.path.count > $1.path.count }
    }

    /// The Cookie field of these cookies; nil for no cookie.
    static func field(_ cookies: [Cookie]) -> [UInt8]? {
        cookies.isEmpty ? nil : Array(cookies.map(\.pair).joined(separator: "; ".utf8))
    }

    /// Removes cookies without Max-Age and Expires.
    package mutating func endSession() {
        removeAll { $0.expiry == nil }
    }

    /// Removes the cookies that would be sent to that place; all of them if `name` is nil.
    package mutating func remove(named name: [UInt8]?, fitting place: CookieURL) {
        let target = CookieTarget(place)
        removeAll { $0.fits(target) && (name == nil || $0.name == name) }
    }

    /// Returns the removed cookies, which explain later differences.
    @discardableResult
    mutating func removeExpired(at unixSeconds: Int) -> [Cookie] {
        guard cookieIndex.mayHaveExpired(at: unixSeconds) else { return [] }
        let gone = removeAll { $0.isExpired(at: unixSeconds) }
        cookieIndex.didRemoveExpired(soonest: cookies.lazy.compactMap(\.expiry).min())
        return gone
    }
}

extension CookieStore {
    func index(of cookie: Cookie) -> Int? {
        guard let order = cookieIndex.order(of: CookieKey(cookie, edition)) else { return nil }
        var (low, high) = (cookies.startIndex, cookies.endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if cookies[middle].order < order { low = middle + 1 } else { high = middle }
        }
        return low < cookies.endIndex && cookies[low].order == order ? low : nil
    }

    /// Adds a cookie that replaces none; returns it as stored.
    mutating func add(_ cookie: Cookie) -> Cookie {
        var cookie = marked(cookie)
        createdCount += 1
        cookie.order = createdCount
        cookies.append(cookie)
        cookieIndex.add(cookie, as: CookieKey(cookie, edition))
        return cookie
    }

    /// Replaces a cookie, whose place and creation time stay; returns the new one as stored.
    mutating func replace(_ index: Int, by cookie: Cookie) -> Cookie {
        let old = cookies[index]
        var cookie = marked(cookie)
        cookie.creation = old.creation
        cookie.order = old.order
        cookie.batch = old.batch
        cookies[index] = cookie
        cookieIndex.remove(old, as: CookieKey(old, edition))
        cookieIndex.add(cookie, as: CookieKey(cookie, edition))
        return cookie
    }

    @discardableResult
    mutating func remove(_ index: Int) -> Cookie {
        let cookie = cookies.remove(at: index)
        cookieIndex.remove(cookie, as: CookieKey(cookie, edition))
        return cookie
    }

    @discardableResult
    private mutating func removeAll(where isGone: (Cookie) -> Bool) -> [Cookie] {
        let gone = cookies.filter(isGone)
        guard !gone.isEmpty else { return [] }
        cookies.removeAll(where: isGone)
        for cookie in gone { cookieIndex.remove(cookie, as: CookieKey(cookie, edition)) }
        return gone
    }

    private mutating func marked(_ cookie: Cookie) -> Cookie {
        useCount += 1
        var cookie = cookie
        cookie.use = useCount
        cookie.batch = batch
        return cookie
    }
}

extension CookieStore {
    /// Stores the value of one Set-Cookie field; ``lastResult`` has the details.
    @discardableResult
    package mutating func setCookie(_ field: [UInt8], from place: CookieURL, at unixSeconds: Int)
        -> SetCookieNote.Outcome
    {
        let result = receive(field, from: place, at: unixSeconds)
        lastResult = result
        return result.outcome
    }

    private mutating func receive(_ field: [UInt8], from place: CookieURL, at now: Int) -> SetCookieResult {
        removeExpired(at: now)
        if let refusal = SetCookie.refusal(of: field, edition: edition) {
            let other: CookieEdition = edition == .rfc6265 ? .rfc6265bis : .rfc6265
            let cookie = SetCookie(parsing: field, edition: other)
            return SetCookieResult(
                .ignored, refusal: refusal,
                cookie: cookie.map { self.cookie($0, domain: nil, from: place, at: now, byteCount: field.count) })
        }
        guard let set = SetCookie(parsing: field, edition: edition) else { return SetCookieResult(.ignored) }
        let domain = scope(of: set, from: place)
        let cookie = cookie(set, domain: domain.name, from: place, at: now, byteCount: field.count)
        if let refusal = domain.refusal ?? refusal(of: cookie, set, from: place) {
            return SetCookieResult(.ignored, refusal: refusal, cookie: cookie)
        }
        let index = index(of: cookie)
        let old = index.map { cookies[$0] }
        if cookie.isExpired(at: now) {
            if let index { remove(index) }
            return SetCookieResult(old == nil ? .ignored : .deleted, cookie: cookie, old: old)
        }
        if let index {
            return SetCookieResult(.replaced, cookie: replace(index, by: cookie), old: old)
        }
        let kept = add(cookie)
        return SetCookieResult(.stored, cookie: kept, evicted: removeExcess(of: kept.domain))
    }

    /// The domain of the cookie; a nil name means host-only.
    private func scope(of set: SetCookie, from place: CookieURL) -> (name: String?, refusal: CookieRefusal?) {
        guard let domain = set.domain, !domain.isEmpty else { return (nil, nil) }
        if edition == .rfc6265bis, domain.contains(where: { $0 > 0x7F }) { return (nil, .domainNotASCII) }
        let host = place.canonicalHost
        if CookieDomain.isPublicSuffix(domain) { return (nil, domain == host ? nil : .publicSuffix) }
        let name = String(decoding: domain, as: UTF8.self)
        return (name, CookieDomain.matches(host, domain) ? nil : .foreignDomain)
    }

    private func cookie(
        _ set: SetCookie, domain: String?, from place: CookieURL, at now: Int, byteCount: Int
    ) -> Cookie {
        Cookie(
            name: set.name, value: set.value, domain: domain ?? String(decoding: place.canonicalHost, as: UTF8.self),
            path: set.path ?? place.defaultPath, expiry: expiry(of: set, at: now), creation: now,
            isHostOnly: domain == nil, isSecure: set.isSecure, isHTTPOnly: set.isHTTPOnly, sameSite: set.sameSite,
            fieldByteCount: byteCount)
    }

    /// Max-Age has precedence over Expires; nil means a session cookie.
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

    /// The refusals of RFC 6265bis apart from Domain, in the order of §5.7.
    private func refusal(of cookie: Cookie, _ set: SetCookie, from place: CookieURL) -> CookieRefusal? {
        guard edition == .rfc6265bis else { return nil }
        if cookie.isSecure, !place.isSecure { return .secureFromInsecure }
        if !cookie.isSecure, !place.isSecure, cookieIndex.hasSecure(cookie.name),
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

    /// Compares paths in one direction: `/` may be set although there is a Secure cookie of `/login`.
    private func overlays(_ cookie: Cookie, _ kept: Cookie) -> Bool {
        guard kept.isSecure, kept.name == cookie.name, CookiePath.matches(cookie.path, kept.path) else { return false }
        let (domain, other) = (Array(cookie.domain.utf8), Array(kept.domain.utf8))
        return CookieDomain.matches(other, domain) || CookieDomain.matches(domain, other)
    }
}

extension CookieStore {
    /// Enforces the limits after a cookie of `domain` was added; returns the removed cookies.
    ///
    /// Under RFC 6265bis cookies without Secure are removed first, then those used least recently.
    mutating func removeExcess(of domain: String) -> [Cookie] {
        var evicted: [Cookie] = []
        while cookieIndex.count(of: domain) > limits.perDomain {
            let open = edition == .rfc6265 ? nil : leastUsed { $0.domain == domain && !$0.isSecure }
            guard let index = open ?? leastUsed(where: { $0.domain == domain }) else { break }
            evicted.append(remove(index))
        }
        while cookies.count > limits.total, let index = leastUsed(where: { _ in true }) {
            evicted.append(remove(index))
        }
        return evicted
    }

    private func leastUsed(where isOpen: (Cookie) -> Bool) -> Int? {
        var least: Int?
        for index in cookies.indices where isOpen(cookies[index]) {
            guard let other = least else {
                least = index
                continue
            }
            // Of equal cookies the older one is removed, since the list is ordered by age.
            if cookies[index].use < cookies[other].use { least = index }
        }
        return least
    }
}

/// The document whose algorithm a user agent follows.
public enum CookieEdition: String, Sendable, CaseIterable {
    /// RFC 6265 of 2011.
    case rfc6265
    /// The revision, draft-ietf-httpbis-rfc6265bis: prefixes, SameSite, limits of size, nameless cookies.
    case rfc6265bis
}

/// How many cookies a store keeps.
///
/// The defaults are those of browsers; RFC 6265 §6.1 requires at least 50 cookies of a domain and 3000 in all.
public struct CookieLimits: Sendable, Equatable {
    /// The most cookies of one domain.
    public var perDomain: Int
    /// The most cookies in all.
    public var total: Int

    /// Limits below 1 count as 1.
    public init(perDomain: Int = 180, total: Int = 3000) {
        self.perDomain = max(1, perDomain)
        self.total = max(1, total)
    }

    /// Bytes of a name and its value together; the revision ignores a longer cookie (§5.6).
    package static let pairByteCount = 4096
    /// Bytes of an attribute's value; the revision ignores a longer attribute (§5.6).
    package static let attributeByteCount = 1024
    /// The longest lifetime of a cookie in seconds by RFC 6265bis: 400 days (§5.5).
    package static let longestLife = 34_560_000
    /// The number of cookies of one domain that a general-use user agent must at least store (RFC 6265 §6.1).
    package static let leastPerDomain = 50
}
