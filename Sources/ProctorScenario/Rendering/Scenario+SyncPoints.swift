import ProctorProgram

extension Scenario {
    /// Every event that a reply or a connection waits for, in the order of the file.
    public var syncPoints: [SyncPoint] {
        actions.compactMap { action in
            if case .await(let point) = action { point } else { nil }
        }
    }

    /// Everything that is done to a connection, before an exchange is known and in replies.
    public var actions: [Effect.Action] {
        let connections = origins.flatMap(\.connectionEffects).map(\.action)
        return connections + replies.flatMap(\.actions)
    }

    /// Everything that can be sent: the replies of exchanges, then those of guards.
    var replies: [Reply] {
        let own = exchanges.flatMap(\.replies) + guards.flatMap { $0.refusals + [$0.end?.reply].compactMap(\.self) }
        return own + own.compactMap(\.unsatisfiable)
    }

    /// The names of those events, each once; nil where nothing is awaited: what a client must report as it comes.
    public var awaitedEvents: [String]? {
        let names = Set(syncPoints.map(\.event))
        return names.isEmpty ? nil : names.sorted()
    }

    /// Milliseconds that replies wait for a client which reports nothing of what it should; `bound` is the server's.
    public func awaitMilliseconds(within bound: Duration) -> Int {
        let whole = syncPoints.reduce(0) { $0 &+ ($1.limit ?? bound).wholeMilliseconds }
        return min(max(0, whole), Self.mostAwaitMilliseconds)
    }

    private static let mostAwaitMilliseconds = 60_000
}

extension Reply {
    /// What is sent in its place where no range is within its content.
    var unsatisfiable: Reply? {
        guard case .structured(let reply)? = message else { return nil }
        return reply.unsatisfiable?.reply
    }

    /// What is done while it is sent, wherever the file says so.
    fileprivate var actions: [Effect.Action] {
        var actions: [Effect.Action] = []
        if case .structured(let reply)? = message {
            for case .effect(let action) in reply.interim { actions.append(action) }
            for case .effect(let action) in reply.body { actions.append(action) }
        }
        if case .raw(let pieces)? = message {
            for case .effect(let action) in pieces { actions.append(action) }
        }
        for case .effect(let action) in opaque ?? [] { actions.append(action) }
        return actions + effects.map(\.action)
    }
}
