import ProctorHTTP
import ProctorJournal

/// The exchanges of a load or of a whole run, in the order of their requests, indexed for the checks.
struct ExchangeLookup {
    let all: [SeenExchange]
    /// Exchanges with request content.
    let uploads: [SeenExchange]
    /// Exchanges whose reply can't be read, so that it may have any status; without tunnels.
    let unreadable: [SeenExchange]
    /// Whether any reply can't be read, those of tunnels included.
    let isUnclear: Bool
    /// Whether the fields of every reply are known.
    let hasAllFields: Bool
    /// Indexes of exchanges other than CONNECT.
    private let plain: [Int]
    private let ofStatus: [Int: [Int]]
    /// Whether some reply may have any status.
    private let mayHaveAny: Bool
    /// Whether a reply began whose status is unknown, or depends on a stored response.
    private let hadAny: Bool
    private let finalStatuses: Set<Int>
    private let beganStatuses: Set<Int>
    /// For each count of exchanges, how many of these first ones have a credential for the origin, and for a proxy.
    private let credentials: [(origin: Int, proxy: Int)]

    /// The most replies of a run that are searched, since the search is repeated for each event.
    static let mostOfRun = 128

    init(_ all: [SeenExchange]) {
        self.all = all
        func isUnreadable(_ exchange: SeenExchange) -> Bool {
            exchange.hasBytesOfEffects || exchange.reply != nil && exchange.status == nil
        }
        plain = all.indices.filter { !all[$0].isConnect }
        uploads = all.filter { !$0.isConnect && $0.head.framing != .none }
        unreadable = all.filter { !$0.isConnect && isUnreadable($0) }
        isUnclear = all.contains(where: isUnreadable)
        hasAllFields = all.allSatisfy { $0.isConnect || $0.reply?.fields != nil }
        ofStatus = plain.reduce(into: [:]) { places, index in
            if let status = all[index].status { places[status, default: []].append(index) }
        }
        finalStatuses = Set(all.compactMap(\.status))
        let isOfStored = all.contains { $0.status == 304 }
        mayHaveAny = isUnclear || isOfStored || all.contains { $0.status == nil }
        hadAny = isUnclear || isOfStored || all.isEmpty
        // For the server's own pages, the journal has only the status.
        beganStatuses = Set(
            all.flatMap { ([$0.sentStatus, $0.status] + $0.interim.map(\.status)).compactMap(\.self) })
        credentials = all.reduce(into: [(0, 0)]) { counts, exchange in
            let last = counts[counts.count - 1]
            func count(isProxy: Bool) -> Int { exchange.hasCredential(isProxy: isProxy) ? 1 : 0 }
            counts.append((last.origin + count(isProxy: false), last.proxy + count(isProxy: true)))
        }
    }

    func replies(withStatus status: Int) -> [SeenExchange] { (ofStatus[status] ?? []).map { all[$0] } }

    func contains(status: Int) -> Bool { ofStatus[status] != nil }

    func last(among count: Int, includingTunnels: Bool) -> SeenExchange? {
        guard !includingTunnels else { return all.isEmpty || count == 0 ? nil : all[count - 1] }
        let behind = plain.firstSortedIndex { $0 >= count }
        return behind == 0 ? nil : all[plain[behind - 1]]
    }

    /// The only exchange; nil where there are several, or none.
    func only(includingTunnels: Bool) -> SeenExchange? {
        guard !includingTunnels else { return all.count == 1 ? all[0] : nil }
        return plain.count == 1 ? all[plain[0]] : nil
    }

    /// The only exchange whose final reply has that status; nil where there are several, or none.
    func only(withStatus status: Int) -> SeenExchange? {
        ofStatus[status].flatMap { $0.count == 1 ? all[$0[0]] : nil }
    }

    func first(behind count: Int) -> SeenExchange? {
        let next = plain.firstSortedIndex { $0 >= count }
        return next == plain.count ? nil : all[plain[next]]
    }

    func credentialCount(among count: Int, isProxy: Bool) -> Int {
        let counts = credentials[min(count, credentials.count - 1)]
        return isProxy ? counts.proxy : counts.origin
    }

    func mayHave(status: Int) -> Bool { mayHaveAny || finalStatuses.contains(status) }

    func hadReply(status: Int) -> Bool { hadAny || beganStatuses.contains(status) }
}
