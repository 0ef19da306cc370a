/// One way of keeping cookies: a store, and what became of those that left it.
struct CookieModel: Sendable {
    private(set) var store: CookieStore
    private(set) var past = PastCookies()
    private(set) var history = CookieHistory()
    /// The machine itself counts as secure without TLS, as some user agents have it.
    let trustsLoopback: Bool

    var edition: CookieEdition { store.edition }

    init(_ edition: CookieEdition, trustsLoopback: Bool = false) {
        store = CookieStore(edition: edition)
        self.trustsLoopback = trustsLoopback
    }

    /// Compares what came with what is expected; the cookies that fit count as used.
    ///
    /// `undecided` are responses that the client perhaps did not know.
    mutating func compare(
        _ sent: SentCookies, to asked: CookieURL, at now: Int, undecided: Set<Int> = []
    ) -> CookieComparison {
        let place = seen(asked)
        let target = CookieTarget(place)
        expire(at: now)
        let wanted = store.use(for: target, at: now)
        var comparison = CookieComparison(
            model: self, sent: sent, place: place, asked: asked, wanted: wanted,
            doubts: history.doubts(undecided, target, at: now), now: now)
        comparison.run()
        return comparison
    }

    /// Another response begins, the numbers of which count up from 1; `others` were under way beside it.
    mutating func beginResponse(beside others: Set<Int> = []) {
        store.batch += 1
        history.begin(store.batch, beside: others)
    }

    mutating func take(_ field: [UInt8], by place: CookieURL, at now: Int) -> SetCookieResult {
        expire(at: now)
        store.take(field, from: seen(place), at: now)
        guard let result = store.lastResult else { return SetCookieResult(.ignored) }
        for cookie in result.evicted { past.remember(cookie, .evicted) }
        switch result.outcome {
        case .replaced: past.remember(result.old, .replaced(by: result.cookie?.value ?? []))
        case .deleted:
            past.remember(result.old, .deleted)
            past.remember(result.cookie, .expiredOnArrival)
        case .ignored: past.remember(result.cookie, result.refusal.map { .refused($0) } ?? .expiredOnArrival)
        case .stored: break
        }
        // A client that reads another response first may have had something to delete.
        if result.refusal == nil, let cookie = result.cookie {
            let isGone = result.outcome == .deleted || result.outcome == .ignored
            history.note(
                store.batch, CookieKey(cookie, edition), before: result.old, after: isGone ? nil : cookie)
        }
        return result
    }

    private mutating func expire(at now: Int) {
        for cookie in store.removeExpired(at: now) { past.remember(cookie, .expired) }
    }

    private func seen(_ place: CookieURL) -> CookieURL {
        guard trustsLoopback, place.isLoopback else { return place }
        var place = place
        place.isSecure = true
        return place
    }
}

/// Cookies that are no more, or never were, so that a client which still sends them can be told why it should not.
struct PastCookies: Sendable {
    struct Entry: Sendable {
        let cookie: Cookie
        let fate: Fate
    }

    enum Fate: Sendable, Equatable {
        case replaced(by: [UInt8])
        case deleted
        case expired
        /// The cookie had expired when it came.
        case expiredOnArrival
        case refused(CookieRefusal)
        case evicted
    }

    /// The oldest first; what stands before ``start`` is gone.
    private var all: [Entry] = []
    private var start = 0
    private var byteCount = 0

    /// Kept at most; the oldest go.
    static let entryLimit = 512
    /// Bytes of names and values kept at most.
    static let byteLimit = 1 << 20

    /// The oldest first.
    var entries: ArraySlice<Entry> { all[start...] }

    mutating func remember(_ cookie: Cookie?, _ fate: Fate) {
        guard let cookie, Self.size(cookie) <= Self.byteLimit else { return }
        all.append(Entry(cookie: cookie, fate: fate))
        byteCount += Self.size(cookie)
        var isTooLong = false
        while all.count - start > Self.entryLimit || byteCount > Self.byteLimit {
            isTooLong = byteCount > Self.byteLimit
            byteCount -= Self.size(all[start].cookie)
            start += 1
        }
        // Not for each entry that goes, unless it holds much.
        guard start > Self.slack || isTooLong else { return }
        all.removeFirst(start)
        start = 0
    }

    private static let slack = 64

    private static func size(_ cookie: Cookie) -> Int { cookie.name.count + cookie.value.count + cookie.path.count }
}
