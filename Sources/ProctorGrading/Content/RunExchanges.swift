import ProctorHTTP
import ProctorJournal

/// The exchanges of all loads of a run, with what the checks look up, found once.
struct RunExchanges {
    let all: [ContentExchange]
    /// Without tunnels.
    private let ofStatus: [Int: [ContentExchange]]
    /// Replies that may have any status, for theirs cannot be read; without tunnels.
    let unreadable: [ContentExchange]
    /// Whether a reply cannot be read, a tunnel's included.
    let isUnclear: Bool
    /// Whether the fields of every reply are known.
    let hasAllFields: Bool

    /// Whatever is looked for among all replies of a run is looked for again for each event.
    private static let mostExchanges = 128

    /// nil for more exchanges than are compared with each event.
    init?(_ all: [ContentExchange]) {
        guard all.count <= Self.mostExchanges else { return nil }
        self.all = all
        func isUnreadable(_ exchange: ContentExchange) -> Bool {
            exchange.request.hasBytesOfEffects || exchange.reply != nil && exchange.status == nil
        }
        let plain = all.filter { !$0.isTunnel }
        unreadable = plain.filter(isUnreadable)
        isUnclear = all.contains(where: isUnreadable)
        ofStatus = plain.reduce(into: [:]) { exchanges, exchange in
            if let status = exchange.status { exchanges[status, default: []].append(exchange) }
        }
        hasAllFields = all.allSatisfy { $0.isTunnel || $0.reply?.fields != nil }
    }

    func replies(withStatus status: Int) -> [ContentExchange] { ofStatus[status] ?? [] }

    func contains(status: Int) -> Bool { ofStatus[status] != nil }
}
