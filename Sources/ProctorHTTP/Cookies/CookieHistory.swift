/// What responses did to the cookies of one model, as far back as a client may not have read them yet, or may have read
/// them in another order.
struct CookieHistory: Sendable {
    private struct Change {
        let response: Int
        let key: CookieKey
        /// The cookie before the change; nil: there was none.
        let before: Cookie?
        /// The cookie after the change; nil: it was deleted.
        let after: Cookie?
    }

    private var changes: [Change] = []
    /// For each response those that were under way beside it on other connections; few have any.
    private var besides: [Int: Set<Int>] = [:]

    /// Changes kept at least; a client is taken to know of earlier ones.
    static let changeLimit = 1024
    /// Responses kept that went out beside others.
    static let besideLimit = 256

    mutating func begin(_ response: Int, beside others: Set<Int>) {
        guard !others.isEmpty else { return }
        besides[response] = others
        if besides.count > Self.besideLimit, let oldest = besides.keys.min() { besides[oldest] = nil }
    }

    mutating func note(_ response: Int, _ key: CookieKey, before: Cookie?, after: Cookie?) {
        changes.append(Change(response: response, key: key, before: before, after: after))
        // Now and then, so that each change costs one move.
        if changes.count >= 2 * Self.changeLimit { changes.removeFirst(Self.changeLimit) }
    }

    /// What a client may send otherwise to `target` that perhaps knows none, some or all of these responses.
    ///
    /// Of each cookie it may have what the last response left that it surely knows, what each later one left, and what
    /// was left by one that went out beside the last that it surely knows.
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

    /// The one that the model has is the last of them.
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

/// In which ways the cookies of a request may differ from the model's, since its client may not know all responses yet.
struct CookieDoubts {
    private let undecided: Set<Int>
    private let besides: [Int: Set<Int>]
    /// May be left out.
    private var lacking: Set<CookieKey> = []
    /// May be sent in the place of the cookie with the same key.
    private var others: [(key: CookieKey, cookie: Cookie)] = []
    private var table: [[UInt8]: [Int]] = [:]

    init(undecided: Set<Int> = [], besides: [Int: Set<Int>] = [:]) {
        self.undecided = undecided
        self.besides = besides
    }

    var isEmpty: Bool { lacking.isEmpty && others.isEmpty }

    /// Nil among `versions`: nothing is sent.
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

    /// Whether any is sent in these very bytes.
    func holds(_ pair: [UInt8]) -> Bool { table[pair] != nil }

    /// The key of one that is sent so.
    func other(sentAs pair: CookieField.Pair, except settled: Set<CookieKey>) -> CookieKey? {
        for text in [pair.raw, pair.text] {
            for index in table[text] ?? []
            where others[index].cookie.isSent(as: pair) && !settled.contains(others[index].key) {
                return others[index].key
            }
        }
        return nil
    }

    /// Whether the client may have come by the cookie before any other.
    func leavesOpen(_ cookie: Cookie) -> Bool { undecided.contains(cookie.batch) }

    /// Whether the client may have come by the two cookies in either order.
    func leavesOrderOpen(_ first: Cookie, _ second: Cookie) -> Bool {
        leavesOpen(first) || leavesOpen(second)
            || besides[first.batch]?.contains(second.batch) == true
            || besides[second.batch]?.contains(first.batch) == true
    }
}
