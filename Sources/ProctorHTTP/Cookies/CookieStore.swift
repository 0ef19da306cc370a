import ProctorBase

/// The cookies of one user agent (RFC 6265 §5.3 and §5.4, or its revision's §5.7 and §5.8).
///
/// A value without a clock: each call is told the time. There is no document, so every request counts as same-site,
/// and SameSite matters for what is refused alone. A name of one label counts as a public suffix; no list is carried.
public struct CookieStore: Sendable, Equatable {
    /// The document whose rules the store follows.
    public let edition: CookieEdition
    /// How much it keeps.
    public let limits: CookieLimits
    /// In the order in which they came first; expired ones leave with the next call.
    public private(set) var cookies: [Cookie] = []
    /// What became of the field that was taken last.
    public internal(set) var lastResult: SetCookieResult?

    /// The index of ``cookies``, whose `order` ascends.
    private(set) var cookieIndex = CookieIndex()
    /// Counts cookies, so that those of one second have an order.
    private var createdCount = 0
    /// The response that cookies come with, where a caller counts them.
    var batch = 0
    /// Counts requests, so that the cookie that was used least recently can be found.
    private var useCount = 0

    /// An empty store.
    public init(edition: CookieEdition = .rfc6265bis, limits: CookieLimits = CookieLimits()) {
        self.edition = edition
        self.limits = limits
    }

    /// The value of the Cookie field of a request, in the order of §5.4; nil: it has none.
    public mutating func field(for place: CookieURL, at unixSeconds: Int) -> [UInt8]? {
        Self.field(use(for: CookieTarget(place), at: unixSeconds))
    }

    /// What goes along with a request, in order, which counts as used from now on.
    mutating func use(for target: CookieTarget, at unixSeconds: Int) -> [Cookie] {
        removeExpired(at: unixSeconds)
        useCount += 1
        var found: [Cookie] = []
        for index in cookies.indices where cookies[index].fits(target) {
            cookies[index].use = useCount
            found.append(cookies[index])
        }
        return Self.sorted(found)
    }

    /// What goes along with a request, longer paths first, and of those of equal length the older first.
    public func fitting(_ place: CookieURL, at unixSeconds: Int) -> [Cookie] {
        let target = CookieTarget(place)
        return Self.sorted(cookies.filter { $0.fits(target) && !$0.isExpired(at: unixSeconds) })
    }

    private static func sorted(_ cookies: [Cookie]) -> [Cookie] {
        cookies.sorted { $0.path.count == $1.path.count ? $0.order < $1.order : $0.path.count > $1.path.count }
    }

    /// Pairs parted by a semicolon and a space; nil for no cookie.
    static func field(_ cookies: [Cookie]) -> [UInt8]? {
        cookies.isEmpty ? nil : Array(cookies.map(\.pair).joined(separator: "; ".utf8))
    }

    /// Cookies without Max-Age and Expires are over.
    public mutating func endSession() {
        removeAll { $0.expiry == nil }
    }

    /// Removes the cookies that have expired at that time, and returns them for explanations.
    @discardableResult
    mutating func removeExpired(at unixSeconds: Int) -> [Cookie] {
        guard cookieIndex.mayHaveExpired(at: unixSeconds) else { return [] }
        let gone = removeAll { $0.isExpired(at: unixSeconds) }
        cookieIndex.didRemoveExpired(soonest: cookies.lazy.compactMap(\.expiry).min())
        return gone
    }
}

// How cookies come and go.
extension CookieStore {
    /// Where the cookie stands that this one would replace.
    func index(of cookie: Cookie) -> Int? {
        guard let order = cookieIndex.order(of: CookieKey(cookie, edition)) else { return nil }
        var (low, high) = (cookies.startIndex, cookies.endIndex)
        while low < high {
            let middle = low + (high - low) / 2
            if cookies[middle].order < order { low = middle + 1 } else { high = middle }
        }
        return low < cookies.endIndex && cookies[low].order == order ? low : nil
    }

    /// Adds a cookie that replaces none; gives it as it is kept.
    mutating func add(_ cookie: Cookie) -> Cookie {
        var cookie = marked(cookie)
        createdCount += 1
        cookie.order = createdCount
        cookies.append(cookie)
        cookieIndex.add(cookie, as: CookieKey(cookie, edition))
        return cookie
    }

    /// In the place and with the age of the cookie that stands there; gives it as it is kept.
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

/// Receiving a cookie (RFC 6265 §5.3, its revision §5.7).
extension CookieStore {
    /// Takes one Set-Cookie field value; ``lastResult`` tells more.
    @discardableResult
    public mutating func take(
        _ field: [UInt8], from place: CookieURL, at unixSeconds: Int
    ) -> SetCookieNote.Outcome {
        let result = receive(field, from: place, at: unixSeconds)
        lastResult = result
        return result.outcome
    }

    private mutating func receive(_ field: [UInt8], from place: CookieURL, at now: Int) -> SetCookieResult {
        removeExpired(at: now)
        if let refusal = SetCookie.refusal(of: field, edition: edition) {
            // Read by the other edition if need be, so that a client that keeps it all the same can be told why not.
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

    /// The domain that a cookie asks for; nil: its host alone.
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

    /// The paths are not compared both ways: `/` may be set beside a Secure cookie of `/login`.
    private func overlays(_ cookie: Cookie, _ kept: Cookie) -> Bool {
        guard kept.isSecure, kept.name == cookie.name, CookiePath.matches(cookie.path, kept.path) else { return false }
        let (domain, other) = (Array(cookie.domain.utf8), Array(kept.domain.utf8))
        return CookieDomain.matches(other, domain) || CookieDomain.matches(domain, other)
    }
}

/// Removing excess cookies (RFC 6265 §5.3, its revision §5.7).
extension CookieStore {
    /// Brings the store under its limits again after a cookie of `domain` came; returns what was removed.
    ///
    /// Expired ones are gone already. Of a domain with too many go, by the revision, those without Secure first; of
    /// cookies that are alike, the one that was used least recently.
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
            // Of equals the older stays the least, for they stand in their order.
            if cookies[index].use < cookies[other].use { least = index }
        }
        return least
    }
}
