/// One way of keeping cookies: a store, and what became of those that left it.
struct CookieModel: Sendable {
    private(set) var store: CookieStore
    private(set) var past = CookiePast()
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
        _ sent: SentCookies, to asked: CookiePlace, at now: Int, undecided: Set<Int> = []
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

    mutating func take(_ field: [UInt8], by place: CookiePlace, at now: Int) -> CookieReceipt {
        expire(at: now)
        store.take(field, from: seen(place), at: now)
        guard let receipt = store.lastReceipt else { return CookieReceipt(.ignored) }
        for cookie in receipt.evicted { past.remember(cookie, .evicted) }
        switch receipt.outcome {
        case .replaced: past.remember(receipt.old, .replaced(by: receipt.cookie?.value ?? []))
        case .deleted:
            past.remember(receipt.old, .deleted)
            past.remember(receipt.cookie, .stillborn)
        case .ignored: past.remember(receipt.cookie, receipt.refusal.map { .refused($0) } ?? .stillborn)
        case .stored: break
        }
        // Who reads another response first may have had something to delete.
        if receipt.refusal == nil, let cookie = receipt.cookie {
            let isGone = receipt.outcome == .deleted || receipt.outcome == .ignored
            history.note(
                store.batch, CookieKey(cookie, edition), before: receipt.old, after: isGone ? nil : cookie)
        }
        return receipt
    }

    private mutating func expire(at now: Int) {
        for cookie in store.removeExpired(at: now) { past.remember(cookie, .expired) }
    }

    private func seen(_ place: CookiePlace) -> CookiePlace {
        guard trustsLoopback, place.isLoopback else { return place }
        var place = place
        place.isSecure = true
        return place
    }
}
