import ProctorHTTP
import ProctorJournal

/// The exchanges of a load in the order of their requests, with what the checks look up, found once.
struct ContentExchanges {
    private let all: [ContentExchange]
    /// Those that carry request content.
    let uploads: [ContentExchange]
    /// Indexes of exchanges that ask for no tunnel.
    private let plain: [Int]
    private let ofStatus: [Int: [Int]]
    private let finalStatuses: Set<Int>
    private let beganStatuses: Set<Int>
    /// Whether a reply may have any status.
    private let mayHaveAny: Bool
    /// Whether a reply began whose status is unknown, or that leaves the status to a stored response.
    private let hadAny: Bool
    /// For each count of exchanges, how many of the first ones have a credential for the origin, and for a proxy.
    private let credentials: [(origin: Int, proxy: Int)]

    init(_ all: [ContentExchange]) {
        self.all = all
        plain = all.indices.filter { !all[$0].isTunnel }
        uploads = all.filter { !$0.isTunnel && $0.request.head.framing != .none }
        ofStatus = plain.reduce(into: [:]) { places, index in
            if let status = all[index].status { places[status, default: []].append(index) }
        }
        finalStatuses = Set(all.compactMap(\.status))
        mayHaveAny = all.contains { $0.request.hasBytesOfEffects || $0.status == nil || $0.status == 304 }
        hadAny =
            all.isEmpty
            || all.contains { exchange in
                exchange.request.hasBytesOfEffects
                    || exchange.reply.map { $0.status == nil || $0.status == 304 } ?? false
            }
        // The journal has only the status of the server's own pages.
        beganStatuses = Set(
            all.flatMap { exchange in
                ([exchange.request.status, exchange.reply?.status] + exchange.request.interim.map(\.status)).compactMap(
                    \.self)
            })
        credentials = all.reduce(into: [(0, 0)]) { counts, exchange in
            let last = counts[counts.count - 1]
            let fields = exchange.request.head.fields
            counts.append(
                (
                    last.origin + (fields.contains(named: Array("Authorization".utf8)) ? 1 : 0),
                    last.proxy + (fields.contains(named: Array("Proxy-Authorization".utf8)) ? 1 : 0)
                ))
        }
    }

    func last(among count: Int, includingTunnels: Bool) -> ContentExchange? {
        guard !includingTunnels else { return all.isEmpty || count == 0 ? nil : all[count - 1] }
        let behind = plain.firstSortedIndex { $0 >= count }
        return behind == 0 ? nil : all[plain[behind - 1]]
    }

    /// The only exchange; nil where there are several, or none.
    func only(includingTunnels: Bool) -> ContentExchange? {
        guard !includingTunnels else { return all.count == 1 ? all[0] : nil }
        return plain.count == 1 ? all[plain[0]] : nil
    }

    /// The only exchange whose final reply has that status; nil where there are several, or none.
    func only(withStatus status: Int) -> ContentExchange? {
        ofStatus[status].flatMap { $0.count == 1 ? all[$0[0]] : nil }
    }

    func first(behind count: Int) -> ContentExchange? {
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
