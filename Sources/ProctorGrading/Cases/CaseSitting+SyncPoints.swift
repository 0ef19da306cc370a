import ProctorTrace

extension CaseSitting {
    /// What replies waited for in vain, a sentence each: there the order between client and server was left to chance.
    var missedSyncPoints: [String] {
        var missed: [(event: String, how: JournalEvent.SyncPassing, first: UInt64, count: Int)] = []
        for entry in evidence.journal ?? [] {
            guard case .syncPassed(let event, let how) = entry.event, how != .reached else { continue }
            if let index = missed.firstIndex(where: { $0.event == event && $0.how == how }) {
                missed[index].count += 1
            } else {
                missed.append((event, how, entry.sequence, 1))
            }
        }
        return missed.map { miss in
            let reason =
                miss.how == .timedOut ? "the client did not report it in time" : "the client had reported nothing"
            let more = miss.count > 1 ? ", and \(WireText.count(miss.count - 1, "more", "more"))" : ""
            return "the order at 'await \(EventText.printable(miss.event))': the reply went on without it, for "
                + "\(reason) (journal entry \(miss.first)\(more))"
        }
    }
}
