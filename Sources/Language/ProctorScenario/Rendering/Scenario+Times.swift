import ProctorProgram

extension Scenario {
    /// Every awaited event in replies and on connections, in the order of the file, then those of scripts.
    package var syncPoints: [SyncPoint] {
        actions.compactMap { action in
            if case .await(let point) = action { point } else { nil }
        } + scripts.flatMap(\.syncPoints)
    }

    /// Every action on connections, both before an exchange is chosen and in replies.
    package var actions: [Effect.Action] {
        let connections = origins.flatMap(\.connectionEffects).map(\.action)
        return connections + replies.flatMap(\.actions)
    }

    /// The replies of exchanges, then those of guards.
    package var replies: [Reply] {
        let own = exchanges.flatMap(\.replies) + guards.flatMap { $0.refusals + [$0.end?.reply].compactMap(\.self) }
        return own + own.compactMap(\.unsatisfiable)
    }

    /// The names of awaited events, each once, which a client must report at once; nil: none.
    package var awaitedEvents: [String]? {
        let names = Set(syncPoints.map(\.event))
        return names.isEmpty ? nil : names.sorted()
    }

    /// Milliseconds for which replies wait when the client reports none of the events; `bound` is the server's time
    /// limit.
    package func awaitMilliseconds(within bound: Duration) -> Int {
        let whole = syncPoints.reduce(0) { $0 &+ ($1.limit ?? bound).wholeMilliseconds }
        return min(max(0, whole), Self.mostAwaitMilliseconds)
    }

    private static let mostAwaitMilliseconds = 60_000
}

extension Reply {
    package var unsatisfiable: Reply? {
        guard case .structured(let reply)? = message else { return nil }
        return reply.unsatisfiable?.reply
    }

    /// All actions while the reply is sent.
    package var actions: [Effect.Action] {
        var actions: [Effect.Action] = []
        if case .structured(let reply)? = message {
            for case .effect(let action) in reply.interim { actions.append(action) }
            for case .effect(let action) in reply.body { actions.append(action) }
        }
        if case .raw(let pieces)? = message {
            for case .effect(let action) in pieces { actions.append(action) }
        }
        for case .effect(let action) in opaque ?? [] { actions.append(action) }
        actions += webSocket?.actions ?? []
        return actions + effects.map(\.action)
    }
}

extension Case {
    /// The most that the case permits of `client.processor`; 0 where it asks for no bound.
    fileprivate var permittedProcessorMilliseconds: Int {
        facts.reduce(0) { most, fact in
            guard case .spent("processor") = fact.name, case .range(_, let bound?) = fact.expected else { return most }
            return max(most, Int(clamping: Int64(exactly: bound.rounded()) ?? 0))
        }
    }
}

extension Scenario {
    /// Milliseconds that a slow client may need to read and send the bytes of a case, beyond the usual time of a load.
    ///
    /// Assumes 1 MB per second; even a client in a debugger is faster. What the case permits the client of processor time
    /// is beside that.
    package func transferMilliseconds(of item: Case) -> Int {
        let sent = item.client.reduce(0) { $0 &+ ($1.body?.byteCount ?? 0) }
        let received = replies.lazy.map(\.bodyByteCount).max() ?? 0
        let bytes = min(max(0, sent &+ received) / 1_000, Self.mostTransferMilliseconds)
        return bytes + min(item.permittedProcessorMilliseconds, Self.mostTransferMilliseconds)
    }

    /// Milliseconds for which the server delays its replies: waits, pace and slow reading.
    ///
    /// Each reply counts once, the total is at most two minutes; awaited events are counted elsewhere.
    package var heldMilliseconds: Int {
        var held = 0
        for time in actions.compactMap(\.row.delay) where held < Self.mostHeldMilliseconds {
            held += time.wholeMilliseconds
        }
        for exchange in exchanges where held < Self.mostHeldMilliseconds {
            if case .paced(let byteCount, let interval) = exchange.reads {
                let sent = cases.lazy.flatMap(\.client).compactMap { $0.body?.byteCount }.max() ?? 0
                held += Self.milliseconds(of: sent, by: byteCount, every: interval)
            }
        }
        for reply in replies where held < Self.mostHeldMilliseconds { held += reply.pacedMilliseconds }
        return min(held, Self.mostHeldMilliseconds)
    }

    /// The milliseconds at a pace; the first portion is sent at once.
    fileprivate static func milliseconds(of byteCount: Int, by portion: Int, every interval: Duration) -> Int {
        let count = max(0, byteCount - 1) / max(1, portion)
        let (product, overflow) = count.multipliedReportingOverflow(by: interval.wholeMilliseconds)
        return overflow ? mostHeldMilliseconds : min(product, mostHeldMilliseconds)
    }

    private static let mostTransferMilliseconds = 60_000
    private static let mostHeldMilliseconds = 120_000
}

extension Reply {
    /// The bytes of the fixture's body, or of all pieces that the reply sends.
    fileprivate var bodyByteCount: Int {
        switch message {
        case .structured(let reply)?:
            Self.byteCount(of: reply.body)
        case .raw(let pieces)?: Self.byteCount(of: pieces)
        case .forward?, .script?, nil: 0
        }
    }

    private static func byteCount(of pieces: [BodyPiece]) -> Int {
        pieces.reduce(0) { count, piece in
            guard case .bytes(let bytes) = piece else { return count }
            return count &+ (bytes.byteCount ?? 0)
        }
    }

    /// The milliseconds for the fixture's body at its pace.
    fileprivate var pacedMilliseconds: Int {
        guard case .structured(let reply)? = message, let pace = reply.pace else { return 0 }
        return Scenario.milliseconds(of: bodyByteCount, by: pace.byteCount, every: pace.interval)
    }
}
