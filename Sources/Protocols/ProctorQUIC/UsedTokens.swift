/// The tokens of Retry that have opened connections, as long as they are good (RFC 9000 §8.1.4).
///
/// A token is good for one id of ours, which therefore stands for it.
struct UsedTokens {
    private var used: Set<ConnectionID> = []
    /// In the order in which they were used.
    private var deadlines: [(id: ConnectionID, deadline: UInt64)] = []

    /// Beyond so many, no further token is taken: its client sends its first packet again (RFC 9002 §6.2).
    static let most = 16_384

    /// False for a token that was used before, or beyond the bound.
    mutating func use(_ id: ConnectionID, _ now: UInt64, _ lifetime: UInt64) -> Bool {
        let over = deadlines.prefix { $0.deadline < now }
        for token in over { used.remove(token.id) }
        deadlines.removeFirst(over.count)
        guard used.count < Self.most, used.insert(id).inserted else { return false }
        deadlines.append((id, now.addingReportingOverflow(lifetime).partialValue))
        return true
    }
}
