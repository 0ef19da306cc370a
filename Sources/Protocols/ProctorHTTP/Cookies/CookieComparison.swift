/// Compares a request's cookies with those that one model expects.
///
/// The time is linear in received pairs, stored cookies and remembered cookies, and the pairs that differ are sorted;
/// sentences are made only when they are
/// read.
struct CookieComparison {
    private let model: CookieModel
    private let sent: SentCookies
    private let doubts: CookieDoubts
    private let target: CookieTarget
    private let now: Int
    /// The cookies of a conforming client, in order.
    private let wanted: [Cookie]
    private let sentences: CookieSentences
    /// At most ``limit`` of them.
    private var findings: [CookieFinding] = []
    /// How much the request differs from this model; a wrong order has the smallest weight.
    private(set) var distance = 0
    /// Whether at most the order and the separators differ.
    private(set) var conforms = true
    /// The number of steps, for tests of the effort.
    private(set) var stepCount = 0

    // State of the running comparison.
    private var open: CookieLookup
    private var matched: [Cookie] = []
    /// Undecided cookies that were sent in one of the permitted ways.
    private var settled: Set<CookieKey> = []
    // Tables made at first use.
    private var keptTable: CookieLookup?
    private var pastTable: CookieLookup?
    private var matchedTable: CookieLookup?
    private var matchedCounts: [String: Int]?

    /// Seconds by which the client's clock may differ, or a field may be delayed.
    static let clockSkew = 2
    static let limit = 64

    /// `place` is the model's view of `asked`; `wanted` are the cookies that the model sends there.
    init(
        model: CookieModel, sent: SentCookies, place: CookieURL, asked: CookieURL, wanted: [Cookie],
        doubts: CookieDoubts, now: Int
    ) {
        (self.model, self.sent, self.doubts, self.now, self.wanted) = (model, sent, doubts, now, wanted)
        target = CookieTarget(place)
        sentences = CookieSentences(edition: model.edition, place: place, request: asked)
        open = CookieLookup(wanted)
        stepCount = model.store.cookies.count + wanted.count
    }

    var expected: [UInt8]? { CookieStore.field(wanted) }

    var edition: CookieEdition { model.edition }

    var differences: [CookieDifference] { findings.map { sentences.difference($0) } }

    /// nil if the other comparison has the same findings, apart from their sections.
    func reading(unlike other: CookieComparison?) -> CookieReading? {
        let (ours, theirs) = (differences, other?.differences ?? [])
        let isSame =
            ours.count == theirs.count && zip(ours, theirs).allSatisfy { $0.kind == $1.kind && $0.name == $1.name }
        return isSame ? nil : CookieReading(edition, expected: expected, differences: ours)
    }

    private mutating func report(_ finding: CookieFinding) {
        if findings.count < Self.limit { findings.append(finding) }
        distance += finding.weight
        conforms = conforms && (finding.isOfOrder || finding.isOfForm)
    }

    mutating func run() {
        if sent.fieldCount > 1 { report(.severalFields(sent.fieldCount)) }
        var toldSeparators = false
        for fault in sent.faults where !wasSet(fault.pair) {
            // Only the first is reported, so that a field of many pairs leaves room for other findings.
            guard fault.violation.kind.isOfSeparators else {
                report(.malformed(fault.violation))
                continue
            }
            if !toldSeparators { report(.malformed(fault.violation)) }
            toldSeparators = true
        }
        var rest: [CookieField.Pair] = []
        for pair in sent.pairs where !match(pair) { rest.append(pair) }
        // A client may send the cookies of one response in any order, so that their order must not decide which finding
        // is the first, by which a ledger knows the cause.
        for finding in rest.compactMap({ explain($0) }).sorted(by: CookieFinding.isBefore) { report(finding) }
        let lacking = wanted.indices.filter { !open.isTaken[$0] }.map { wanted[$0] }.filter { !mayBeMissing($0) }
        for cookie in lacking.isEmpty ? [] : withoutLookalikes(lacking) {
            report(.missing(cookie, hasField: sent.fieldCount > 0))
        }
        stepCount += sent.pairs.count + wanted.count
        if let wrong = wrongOrder { report(.wrongOrder(wrong.0, wrong.1)) }
    }

    /// The first two cookies in wrong order.
    ///
    /// A cookie whose position is undecided is skipped, and its neighbours are compared with each other.
    private var wrongOrder: (Cookie, Cookie)? {
        var last: Cookie?
        var newest: Cookie?
        for cookie in matched {
            for other in [last, newest] {
                if let other, isBehind(other, cookie) { return (other, cookie) }
            }
            last = cookie
            if newest?.path.count != cookie.path.count { newest = nil }
            if !doubts.leavesOpen(cookie), newest.map({ $0.batch < cookie.batch }) ?? true { newest = cookie }
        }
        return nil
    }

    /// Whether a response set a cookie with exactly these bytes, so that an illegal byte is not the client's fault.
    private func wasSet(_ pair: [UInt8]?) -> Bool {
        guard let pair else { return false }
        return open.holds(pair) || doubts.holds(pair)
    }

    private mutating func match(_ pair: CookieField.Pair) -> Bool {
        while let index = open.takeFirst(sentAs: pair) {
            // A client sends only one of the permitted versions; another cookie may have the same bytes.
            guard doubts.isEmpty || settled.insert(CookieKey(wanted[index], edition)).inserted else { continue }
            matched.append(wanted[index])
            return true
        }
        guard !doubts.isEmpty, let other = doubts.other(sentAs: pair, except: settled) else { return false }
        settled.insert(other)
        return true
    }

    /// Whether the cookies are in wrong order.
    ///
    /// Cookies of one response may share a creation time, and are then in any order (RFC 6265 §5.4).
    private func isBehind(_ first: Cookie, _ second: Cookie) -> Bool {
        if first.path.count != second.path.count { return first.path.count < second.path.count }
        return first.batch > second.batch && !doubts.leavesOrderOpen(first, second)
    }

    /// Whether a client may omit the cookie: it is undecided, about to expire, or beyond the length or number that a
    /// client must store.
    private mutating func mayBeMissing(_ cookie: Cookie, wasSent: Bool = false) -> Bool {
        if !doubts.isEmpty {
            let key = CookieKey(cookie, edition)
            if !wasSent && settled.contains(key) || doubts.mayLack(key) { return true }
        }
        if let expiry = cookie.expiry, expiry <= now.saturatingSum(Self.clockSkew) { return true }
        if edition == .rfc6265, cookie.fieldByteCount > CookieLimits.pairByteCount { return true }
        guard model.store.cookieIndex.count(of: cookie.domain) > CookieLimits.leastPerDomain else { return false }
        return countOfMatched(cookie.domain) >= CookieLimits.leastPerDomain
    }

    /// Removes the cookies whose pair was sent for another cookie that may be omitted.
    private mutating func withoutLookalikes(_ lacking: [Cookie]) -> [Cookie] {
        var spare: [[UInt8]: [Int]] = [:]
        for (position, cookie) in matched.enumerated() where mayBeMissing(cookie, wasSent: true) {
            spare[cookie.pair, default: []].append(position)
        }
        stepCount += matched.count
        return lacking.filter { cookie in
            guard let position = spare[cookie.pair]?.popLast() else { return true }
            matched[position] = cookie
            return false
        }
    }

    /// Why the pair is not among the wanted cookies; nil if a client may send it all the same.
    private mutating func explain(_ pair: CookieField.Pair) -> CookieFinding? {
        if lookUpMatched().firstIndex(sentAs: pair) != nil { return .twice(pair) }
        if let index = lookUpKept().firstIndex(sentAs: pair) { return .elsewhere(model.store.cookies[index]) }
        let index = lookUpPast().lastIndex(sentAs: pair)
        let past = index.map { model.past.entries[model.past.entries.startIndex + $0] }
        // A client may store more cookies than the model.
        if let past, past.fate == .evicted, past.cookie.fits(target) { return nil }
        if let past, past.fate == .expired || past.fate == .expiredOnArrival, let expiry = past.cookie.expiry,
            now <= expiry.saturatingSum(Self.clockSkew)
        {
            return nil
        }
        let instead = open.takeFirst(named: pair.name).map { wanted[$0] }
        if let past { return .gone(past, instead: instead) }
        if let instead { return .wrongValue(pair, instead) }
        return .unknown(pair, namesake: namesake(pair.name))
    }

    private mutating func namesake(_ name: [UInt8]) -> Cookie? {
        if let index = lookUpKept().lastIndex(named: name) { return model.store.cookies[index] }
        let entries = model.past.entries
        return lookUpPast().lastIndex(named: name).map { entries[entries.startIndex + $0].cookie }
    }
}

// Values that are computed once, on first use.
extension CookieComparison {
    private mutating func table(
        _ place: WritableKeyPath<Self, CookieLookup?>, of list: (Self) -> [Cookie]
    ) -> CookieLookup {
        if let table = self[keyPath: place] { return table }
        let cookies = list(self)
        let table = CookieLookup(cookies)
        stepCount += cookies.count
        self[keyPath: place] = table
        return table
    }

    private mutating func lookUpKept() -> CookieLookup { table(\.keptTable) { $0.model.store.cookies } }

    private mutating func lookUpPast() -> CookieLookup { table(\.pastTable) { $0.model.past.entries.map(\.cookie) } }

    private mutating func lookUpMatched() -> CookieLookup { table(\.matchedTable) { $0.matched } }

    private mutating func countOfMatched(_ domain: String) -> Int {
        if let matchedCounts { return matchedCounts[domain] ?? 0 }
        let counts = matched.reduce(into: [:]) { $0[$1.domain, default: 0] += 1 }
        stepCount += matched.count
        matchedCounts = counts
        return counts[domain] ?? 0
    }
}

extension Int {
    fileprivate func saturatingSum(_ other: Int) -> Int {
        let (sum, isOver) = addingReportingOverflow(other)
        return isOver ? .max : sum
    }
}

/// One finding; its sentence is made only when it is read.
enum CookieFinding {
    case severalFields(Int)
    case malformed(CookieViolation)
    case twice(CookieField.Pair)
    /// A stored cookie that does not match this request.
    case elsewhere(Cookie)
    case gone(PastCookies.Entry, instead: Cookie?)
    case wrongValue(CookieField.Pair, Cookie)
    case unknown(CookieField.Pair, namesake: Cookie?)
    case missing(Cookie, hasField: Bool)
    case wrongOrder(Cookie, Cookie)

    /// What the finding adds to the distance; a wrong order has the smallest weight.
    var weight: Int { isOfOrder ? 1 : 2 }

    var isOfOrder: Bool {
        if case .wrongOrder = self { true } else { false }
    }

    /// Puts a wanted cookie with another value before a cookie that is not wanted; findings of one kind are ordered by
    /// the cookie's bytes.
    static func isBefore(_ first: Self, _ second: Self) -> Bool {
        let (one, other) = (first.place, second.place)
        return one.rank != other.rank ? one.rank < other.rank : one.pair.lexicographicallyPrecedes(other.pair)
    }

    private var place: (rank: Int, pair: [UInt8]) {
        switch self {
        case .severalFields: (0, [])
        case .malformed(let violation): (1, violation.detail)
        case .wrongValue(let pair, _): (2, pair.text)
        case .gone(let entry, .some): (3, entry.cookie.pair)
        case .gone(let entry, .none): (4, entry.cookie.pair)
        case .elsewhere(let cookie): (5, cookie.pair)
        case .twice(let pair): (6, pair.text)
        case .unknown(let pair, _): (7, pair.text)
        case .missing(let cookie, _): (8, cookie.pair)
        case .wrongOrder(_, let cookie): (9, cookie.pair)
        }
    }

    /// Whether the finding is about separators only, so that the cookies can still be read.
    var isOfForm: Bool {
        switch self {
        case .severalFields: true
        case .malformed(let violation): violation.kind.isOfSeparators
        default: false
        }
    }
}
