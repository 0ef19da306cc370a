extension Scenario {
    /// Milliseconds that a slow client may need for the bytes of a case, beyond what every load may take.
    ///
    /// Bodies are counted at 1 MB a second, which is less than a client in a debugger manages.
    public func transferMilliseconds(of item: Case) -> Int {
        let sent = item.client.reduce(0) { $0 &+ ($1.body?.byteCount ?? 0) }
        let received = exchanges.lazy.flatMap(\.replies).map(\.bodyByteCount).max() ?? 0
        return min(max(0, sent &+ received) / 1_000, Self.mostTransferMilliseconds)
    }

    private static let mostTransferMilliseconds = 60_000
}

extension Reply {
    /// Of what the fixture gives as its body, or of all it sends.
    fileprivate var bodyByteCount: Int {
        switch message {
        case .structured(let reply)?:
            reply.body.reduce(0) { count, piece in
                guard case .bytes(let bytes) = piece else { return count }
                return count &+ (bytes.byteCount ?? 0)
            }
        case .raw(let bytes)?: bytes.byteCount ?? 0
        case nil: 0
        }
    }
}
