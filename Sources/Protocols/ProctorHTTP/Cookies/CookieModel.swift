struct CookieModel: Sendable {
    private(set) var store: CookieStore
    private(set) var past = PastCookies()
    private(set) var history = CookieHistory()
    let trustsLoopback: Bool

    var edition: CookieEdition { store.edition }

    init(_ edition: CookieEdition, trustsLoopback: Bool = false) {
        store = CookieStore(edition: edition)
        self.trustsLoopback = trustsLoopback
    }

    /// Compares received cookies with expected ones; matching cookies count as used.
    ///
    /// `undecided` are responses that the client may not have read.
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

    /// Begins a response, numbered from 1; `others` were in transit at the same time.
    mutating func beginResponse(beside others: Set<Int> = []) {
        store.batch += 1
        history.recordResponse(store.batch, beside: others)
    }

    mutating func setCookie(_ field: [UInt8], by place: CookieURL, at now: Int) -> SetCookieResult {
        expire(at: now)
        store.setCookie(field, from: seen(place), at: now)
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
        // If the client read another response first, there may have been a cookie to delete.
        if result.refusal == nil, let cookie = result.cookie {
            let isGone = result.outcome == .deleted || result.outcome == .ignored
            history.recordChange(
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

/// Removed and refused cookies, kept to explain why a client should not send them.
struct PastCookies: Sendable {
    struct Entry: Sendable {
        let cookie: Cookie
        let fate: Fate
    }

    enum Fate: Sendable, Equatable {
        case replaced(by: [UInt8])
        case deleted
        case expired
        case expiredOnArrival
        case refused(CookieRefusal)
        case evicted
    }

    /// The oldest first; entries before `start` count as removed.
    private var all: [Entry] = []
    private var start = 0
    private var byteCount = 0

    /// The most entries; beyond it the oldest are removed.
    static let entryLimit = 512
    static let byteLimit = 1 << 20

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
        // Frees the removed entries rarely, unless they hold much memory.
        guard start > Self.slack || isTooLong else { return }
        all.removeFirst(start)
        start = 0
    }

    private static let slack = 64

    private static func size(_ cookie: Cookie) -> Int { cookie.name.count + cookie.value.count + cookie.path.count }
}

/// The changes that responses made to a model's cookies.
///
/// A change is stored as long as a client may not have read its response, or may have read it in another order.
struct CookieHistory: Sendable {
    private struct Change {
        let response: Int
        let key: CookieKey
        let before: Cookie?
        /// The cookie after the change; nil if it was deleted.
        let after: Cookie?
    }

    private var changes: [Change] = []
    /// For each response: the responses that were in transit on other connections at the same time.
    private var besides: [Int: Set<Int>] = [:]

    /// The least number of changes that are stored; a client is assumed to know older ones.
    static let changeLimit = 1024
    /// The most responses in `besides`.
    static let besideLimit = 256

    mutating func recordResponse(_ response: Int, beside others: Set<Int>) {
        guard !others.isEmpty else { return }
        besides[response] = others
        if besides.count > Self.besideLimit, let oldest = besides.keys.min() { besides[oldest] = nil }
    }

    mutating func recordChange(_ response: Int, _ key: CookieKey, before: Cookie?, after: Cookie?) {
        changes.append(Change(response: response, key: key, before: before, after: after))
        // In batches, so that on average a change moves only one other.
        if changes.count >= 2 * Self.changeLimit { changes.removeFirst(Self.changeLimit) }
    }

    /// What a client that knows only some of the `undecided` responses may send instead.
    ///
    /// It may have each cookie as it was after the last response that it has certainly read, after any later one, or
    /// after one that was in transit together with that last one.
    func doubts(_ undecided: Set<Int>, _ target: CookieTarget, at now: Int) -> CookieDoubts {
        guard !undecided.isEmpty || !besides.isEmpty else { return CookieDoubts() }
        var doubts = CookieDoubts(undecided: undecided, besides: besides)
        for (key, changes) in Dictionary(grouping: changes, by: \.key) {
            var versions = versions(changes, undecided)
            guard versions.count > 1, let last = versions.popLast() else { continue }
            let sent = versions.map { $0.flatMap { $0.fits(target) && !$0.isExpired(at: now) ? $0 : nil } }
            doubts.add(key, sent.filter { $0 != last })
        }
        return doubts
    }

    /// All versions of a cookie that a client may have; the last one is the model's.
    private func versions(_ changes: [Change], _ undecided: Set<Int>) -> [Cookie?] {
        var versions: [Cookie?] = []
        var next = 0
        if let sure = changes.lastIndex(where: { !undecided.contains($0.response) }) {
            let beside = besides[changes[sure].response] ?? []
            if !beside.isEmpty {
                versions = changes[..<sure].filter { beside.contains($0.response) }.map(\.after)
            }
            versions.append(changes[sure].after)
            next = sure + 1
        } else if let first = changes.first {
            versions.append(first.before)
        }
        return versions + changes[next...].map(\.after)
    }
}

/// How a request's cookies may differ from the model's while the client may not know all responses.
struct CookieDoubts {
    private let undecided: Set<Int>
    private let besides: [Int: Set<Int>]
    /// Cookies that may be omitted.
    private var lacking: Set<CookieKey> = []
    /// Cookies that may replace the one with the same key.
    private var others: [(key: CookieKey, cookie: Cookie)] = []
    private var table: [[UInt8]: [Int]] = [:]

    init(undecided: Set<Int> = [], besides: [Int: Set<Int>] = [:]) {
        (self.undecided, self.besides) = (undecided, besides)
    }

    var isEmpty: Bool { lacking.isEmpty && others.isEmpty }

    mutating func add(_ key: CookieKey, _ versions: [Cookie?]) {
        for version in versions {
            guard let version else {
                lacking.insert(key)
                continue
            }
            table[version.pair, default: []].append(others.count)
            others.append((key, version))
        }
    }

    func mayLack(_ key: CookieKey) -> Bool { lacking.contains(key) }

    func holds(_ pair: [UInt8]) -> Bool { table[pair] != nil }

    func other(sentAs pair: CookieField.Pair, except settled: Set<CookieKey>) -> CookieKey? {
        for text in [pair.raw, pair.text] {
            for index in table[text] ?? []
            where others[index].cookie.isSent(as: pair) && !settled.contains(others[index].key) {
                return others[index].key
            }
        }
        return nil
    }

    func leavesOpen(_ cookie: Cookie) -> Bool { undecided.contains(cookie.batch) }

    /// Whether the client may have received the two cookies in either order.
    func leavesOrderOpen(_ first: Cookie, _ second: Cookie) -> Bool {
        leavesOpen(first) || leavesOpen(second)
            || besides[first.batch]?.contains(second.batch) == true
            || besides[second.batch]?.contains(first.batch) == true
    }
}
