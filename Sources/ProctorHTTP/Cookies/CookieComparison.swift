/// The cookies of a request beside those that one model expects.
struct CookieComparison {
    private let model: CookieModel
    private let sent: SentCookies
    private let words: CookieWords
    private let now: Int
    /// What a conforming client sends, in order.
    private let wanted: [Cookie]
    /// At most ``limit`` of them.
    private(set) var differences: [CookieDifference] = []
    /// How far the request is from this model; the order counts least.
    private(set) var distance = 0
    /// Nothing but perhaps the order differs.
    private(set) var conforms = true

    /// Seconds that the client's clock may be apart, or a field may have been under way.
    static let clockSkew = 2
    /// More differences of one request are counted, not told.
    static let limit = 64

    /// `place` is as the model sees it, `target` as a person does.
    init(model: CookieModel, sent: SentCookies, place: CookiePlace, target: CookiePlace, now: Int) {
        self.model = model
        self.sent = sent
        self.now = now
        words = CookieWords(edition: model.edition, place: place, request: target)
        wanted = model.store.fitting(place, at: now)
    }

    var expected: [UInt8]? { CookieStore.field(wanted) }

    var edition: CookieEdition { model.edition }

    private mutating func tell(_ difference: CookieDifference) {
        if differences.count < Self.limit { differences.append(difference) }
        distance += difference.kind == .wrongOrder ? 1 : 2
        conforms = conforms && difference.kind == .wrongOrder
    }

    mutating func run() {
        if sent.fieldCount > 1 { tell(words.severalFields(sent.fieldCount)) }
        for violation in sent.form { tell(words.malformed(violation)) }
        var open = Set(wanted.indices)
        var matched: [Cookie] = []
        var rest: [CookieField.Pair] = []
        for pair in sent.pairs {
            if let index = wanted.indices.first(where: { open.contains($0) && wanted[$0].isSent(as: pair) }) {
                open.remove(index)
                matched.append(wanted[index])
            } else {
                rest.append(pair)
            }
        }
        for pair in rest { explain(pair, matched, &open) }
        for index in wanted.indices where open.contains(index) && !mayBeMissing(wanted[index], matched) {
            tell(words.missing(wanted[index], hasField: sent.fieldCount > 0))
        }
        if let wrong = zip(matched, matched.dropFirst()).first(where: { isBehind($0, $1) }) {
            tell(words.wrongOrder(wrong.0, wrong.1))
        }
    }

    /// Cookies of one response may have one creation-time, and then their order is free (RFC 6265 §5.4).
    private func isBehind(_ first: Cookie, _ second: Cookie) -> Bool {
        first.path.count == second.path.count ? first.batch > second.batch : first.path.count < second.path.count
    }

    /// About to expire, longer than a client has to keep, or one of more of its domain than a client has to keep.
    private func mayBeMissing(_ cookie: Cookie, _ matched: [Cookie]) -> Bool {
        if let expiry = cookie.expiry, expiry <= now.saturatingSum(Self.clockSkew) { return true }
        if edition == .rfc6265, cookie.fieldByteCount > CookieLimits.pairByteCount { return true }
        let least = CookieLimits.leastPerDomain
        return model.store.cookies.count { $0.domain == cookie.domain } > least
            && matched.count { $0.domain == cookie.domain } >= least
    }

    /// Why a pair that fits nothing may have been sent.
    private mutating func explain(_ pair: CookieField.Pair, _ matched: [Cookie], _ open: inout Set<Int>) {
        if matched.contains(where: { $0.isSent(as: pair) }) {
            return tell(words.twice(pair))
        }
        if let kept = model.store.cookies.first(where: { $0.isSent(as: pair) }) {
            return tell(words.elsewhere(kept))
        }
        let past = model.past.last(sentAs: pair)
        // A client may well keep more than the model does.
        if let past, past.fate == .evicted, past.cookie.fits(words.place) { return }
        if let past, past.fate == .expired || past.fate == .stillborn, let expiry = past.cookie.expiry,
            now <= expiry.saturatingSum(Self.clockSkew)
        {
            return
        }
        let index = wanted.indices.first { open.contains($0) && wanted[$0].name == pair.name }
        if let index { open.remove(index) }
        let instead = index.map { wanted[$0] }
        if let past {
            tell(words.gone(past, instead: instead))
        } else if let instead {
            tell(words.wrongValue(pair, instead))
        } else {
            let namesake =
                model.store.cookies.last { $0.name == pair.name } ?? model.past.last(named: pair.name)?.cookie
            tell(words.unknown(pair, namesake: namesake))
        }
    }
}

extension Int {
    fileprivate func saturatingSum(_ other: Int) -> Int {
        let (sum, isOver) = addingReportingOverflow(other)
        return isOver ? .max : sum
    }
}
