internal import ProctorScenario

/// Where a stage stands; changed as a whole under the stage's lock.
struct StageProgress {
    /// The journal's, whose entries hold the numbers given out here.
    let epoch: Int
    var connectionCount = 0
    var connectionCountOfOrigin: [Int]
    var requestCount = 0
    /// The bounds whose end the journal tells of.
    var reachedBounds: Set<Bound> = []
    /// How often each exchange was used since the last start.
    private var useCounts: [Int]
    /// On how many connections each exchange answered since then, where its turns go by them.
    private var answeredConnectionCounts: [Int]
    /// How often each turn that exchanges share was taken since then.
    private var sharedTurnCounts: [Int]
    /// How often all turns were given back.
    private var startCount = 0
    /// The exchange whose turn it is in a strict sequence.
    private(set) var next = 0

    /// A bound of the run; that of a guard is known by the guard's index.
    enum Bound: Hashable {
        case requests, connections
        case refusals(guard: Int)
    }

    init(_ compiled: CompiledScenario, epoch: Int = 0) {
        self.epoch = epoch
        connectionCountOfOrigin = Array(repeating: 0, count: compiled.scenario.origins.count)
        useCounts = Array(repeating: 0, count: compiled.exchanges.count)
        answeredConnectionCounts = useCounts
        sharedTurnCounts = Array(repeating: 0, count: compiled.turnGroupCount)
    }

    func isUsedUp(_ index: Int, in compiled: CompiledScenario) -> Bool {
        compiled.exchanges[index].useLimit.map { useCounts[index] >= $0 } ?? false
    }

    /// What the first exchange that may answer does with the request.
    enum Found {
        /// The exchange answers, and one turn of it is used up.
        case exchange(Int, turn: Int)
        /// The exchange has guards that have not admitted the request; nothing is used up.
        case guarded(Int)
    }

    /// Uses up one turn of the first exchange that may answer, if there is one and the guards in `admitted` are its own.
    mutating func choose(
        _ request: RequestView, origin: Int, on turns: ConnectionTurns?, admitted: [Int], in compiled: CompiledScenario,
        wraps: Bool
    ) -> Found? {
        if compiled.scenario.sequence == .strict {
            return chooseNext(request, origin: origin, on: turns, admitted: admitted, in: compiled)
        }
        for (index, candidate) in compiled.exchanges.enumerated() where candidate.exchange.origin == origin {
            guard !isUsedUp(index, in: compiled), candidate.matches(request) else { continue }
            guard candidate.isOpen(to: admitted) else { return .guarded(index) }
            return .exchange(index, turn: takeTurn(of: index, candidate, on: turns, wraps: wraps))
        }
        return nil
    }

    /// Uses up one turn of an exchange that was found for a request a moment ago; nil where others took it meanwhile.
    mutating func take(
        _ index: Int, on turns: ConnectionTurns?, in compiled: CompiledScenario, wraps: Bool
    ) -> Int? {
        guard !isUsedUp(index, in: compiled) else { return nil }
        guard compiled.scenario.sequence == .strict else {
            return takeTurn(of: index, compiled.exchanges[index], on: turns, wraps: wraps)
        }
        guard next == index, case .exchange(_, let turn) = step(on: turns, in: compiled) else { return nil }
        return turn
    }

    private mutating func chooseNext(
        _ request: RequestView, origin: Int, on turns: ConnectionTurns?, admitted: [Int], in compiled: CompiledScenario
    ) -> Found? {
        guard next < compiled.exchanges.count else { return nil }
        let candidate = compiled.exchanges[next]
        guard candidate.exchange.origin == origin, candidate.matches(request) else { return nil }
        guard candidate.isOpen(to: admitted) else { return .guarded(next) }
        return step(on: turns, in: compiled)
    }

    /// Uses up one turn of the exchange that is next in a strict sequence.
    private mutating func step(on turns: ConnectionTurns?, in compiled: CompiledScenario) -> Found {
        let index = next
        let turn = takeTurn(of: index, compiled.exchanges[index], on: turns, wraps: false)
        if isUsedUp(index, in: compiled) { next += 1 }
        return .exchange(index, turn: turn)
    }

    /// Which reply is played, 0-based.
    private mutating func takeTurn(
        of index: Int, _ candidate: CompiledExchange, on turns: ConnectionTurns?, wraps: Bool
    ) -> Int {
        let exchange = candidate.exchange
        var number = useCounts[index]
        useCounts[index] += 1
        if exchange.turns == .connection, let turns {
            let next = answeredConnectionCounts[index]
            number = turns.number(of: index, after: startCount, next: next)
            if number == next { answeredConnectionCounts[index] += 1 }
        }
        if let group = exchange.turnGroup {
            number = sharedTurnCounts[group]
            sharedTurnCounts[group] += 1
        }
        // Where the uses are counted, the exchange starts over when they are used up.
        let turn = wraps && candidate.useLimit == nil ? number % candidate.turnCount : number
        return min(turn, exchange.replies.count - 1)
    }

    /// Gives all turns back; false when none was taken.
    mutating func restart() -> Bool {
        guard next > 0 || useCounts.contains(where: { $0 > 0 }) else { return false }
        next = 0
        startCount += 1
        for index in useCounts.indices { useCounts[index] = 0 }
        answeredConnectionCounts = useCounts
        for group in sharedTurnCounts.indices { sharedTurnCounts[group] = 0 }
        return true
    }
}

/// What a stage keeps of one connection, to its end.
///
/// Belongs to its connection.
struct ConnectionMemory {
    /// Nil where no exchange's turns go by connections.
    let turns: ConnectionTurns?
    /// Nil where no guard offers a scheme that is bound to its connection.
    let messages: ConnectionMessages?

    /// Nil where there is nothing to keep.
    init?(_ compiled: CompiledScenario) {
        guard compiled.hasTurnsByConnection || compiled.hasMessages else { return nil }
        turns = compiled.hasTurnsByConnection ? ConnectionTurns() : nil
        messages = compiled.hasMessages ? ConnectionMessages() : nil
    }
}

/// The turns that one connection has of exchanges whose turns go by connections; it keeps them to its end.
///
/// Belongs to its connection and is changed under the stage's lock.
final class ConnectionTurns {
    private var taken: [Int: Turn] = [:]

    private struct Turn {
        /// Which start of the stage it was taken after.
        let start: Int
        let number: Int
    }

    /// The number of this connection among those on which the exchange has answered; `next` when it is a new one.
    func number(of exchange: Int, after start: Int, next: Int) -> Int {
        if let turn = taken[exchange], turn.start == start { return turn.number }
        taken[exchange] = Turn(start: start, number: next)
        return next
    }
}
