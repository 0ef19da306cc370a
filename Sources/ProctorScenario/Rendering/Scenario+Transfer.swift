import ProctorProgram

extension Scenario {
    /// Milliseconds that a slow client may need for the bytes of a case, beyond what every load may take.
    ///
    /// Bodies are counted at 1 MB a second, which is less than a client in a debugger manages.
    public func transferMilliseconds(of item: Case) -> Int {
        let sent = item.client.reduce(0) { $0 &+ ($1.body?.byteCount ?? 0) }
        let received = replies.lazy.map(\.bodyByteCount).max() ?? 0
        return min(max(0, sent &+ received) / 1_000, Self.mostTransferMilliseconds)
    }

    /// Milliseconds for which the server by itself holds its replies back: waits, pace and slow reading.
    ///
    /// Every reply counts once, and two minutes at most in all; sync points are counted apart.
    public var heldMilliseconds: Int {
        var held = 0
        for case .wait(let time) in actions where held < Self.mostHeldMilliseconds { held += time.wholeMilliseconds }
        for exchange in exchanges where held < Self.mostHeldMilliseconds {
            if case .paced(let byteCount, let interval) = exchange.reads {
                let sent = cases.lazy.flatMap(\.client).compactMap { $0.body?.byteCount }.max() ?? 0
                held += Self.milliseconds(of: sent, by: byteCount, every: interval)
            }
        }
        for reply in replies where held < Self.mostHeldMilliseconds { held += reply.pacedMilliseconds }
        return min(held, Self.mostHeldMilliseconds)
    }

    /// How long portions take, the first one at once.
    fileprivate static func milliseconds(of byteCount: Int, by portion: Int, every interval: Duration) -> Int {
        let count = max(0, byteCount - 1) / max(1, portion)
        let (product, overflow) = count.multipliedReportingOverflow(by: interval.wholeMilliseconds)
        return overflow ? mostHeldMilliseconds : min(product, mostHeldMilliseconds)
    }

    private static let mostTransferMilliseconds = 60_000
    private static let mostHeldMilliseconds = 120_000
}

extension Reply {
    /// Of what the fixture gives as its body, or of all it sends.
    fileprivate var bodyByteCount: Int {
        switch message {
        case .structured(let reply)?:
            Self.byteCount(of: reply.body)
        case .raw(let pieces)?: Self.byteCount(of: pieces)
        case .forward?, nil: 0
        }
    }

    private static func byteCount(of pieces: [BodyPiece]) -> Int {
        pieces.reduce(0) { count, piece in
            guard case .bytes(let bytes) = piece else { return count }
            return count &+ (bytes.byteCount ?? 0)
        }
    }

    /// The time that its pace takes for the body as the fixture gives it.
    fileprivate var pacedMilliseconds: Int {
        guard case .structured(let reply)? = message, let pace = reply.pace else { return 0 }
        return Scenario.milliseconds(of: bodyByteCount, by: pace.byteCount, every: pace.interval)
    }
}
