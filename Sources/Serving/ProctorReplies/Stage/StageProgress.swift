internal import ProctorBase
package import ProctorScenario

/// The state of a stage; read and changed under the stage's lock.
package struct StageProgress {
    let epoch: Int
    var connectionCount = 0
    var connectionCountOfOrigin: [Int]
    var requestCount = 0
    /// Bounds that the journal has already.
    var reachedBounds: Set<Bound> = []
    /// The uses of an exchange since the last start, by exchange.
    private var useCounts: [Int]
    /// The connections answered since the last start, by exchange, where its turns are counted by connection.
    private var answeredConnectionCounts: [Int]
    /// The uses of a shared turn since the last start, by shared turn.
    private var sharedTurnCounts: [Int]
    private var startCount = 0
    private(set) var next = 0
    /// Nil where the scenario has no state.
    var state: StateValues?
    private let seed: RunSeed
    private let uses: ScenarioUses?

    enum Bound: Hashable {
        case requests, connections
        case refusals(guard: Int)
    }

    init(_ compiled: CompiledScenario, seed: RunSeed, uses: ScenarioUses? = nil, epoch: Int = 0) {
        (self.uses, self.epoch, self.seed) = (uses, epoch, seed)
        state = compiled.firstState
        connectionCountOfOrigin = Array(repeating: 0, count: compiled.scenario.origins.count)
        useCounts = Array(repeating: 0, count: compiled.exchanges.count)
        answeredConnectionCounts = useCounts
        sharedTurnCounts = Array(repeating: 0, count: compiled.turnGroupCount)
    }

    /// The number of the next request; 0 on a connection of another epoch.
    mutating func admitRequest(epoch: Int) -> Int {
        guard epoch == self.epoch else { return 0 }
        defer { requestCount += 1 }
        return requestCount
    }

    func isUsedUp(_ index: Int, in compiled: CompiledScenario) -> Bool {
        compiled.exchanges[index].useLimit.map { useCounts[index] >= $0 } ?? false
    }

    enum Choice {
        /// The exchange answers, and one of its turns is used.
        case exchange(Int, turn: Int, state: TakenState?)
        /// The exchange has guards that have not admitted the request; no turn is used.
        case guarded(Int)
        /// Whether the exchange answers is not known, since the request's budget was spent before; no turn is used.
        case undecided(Int, SpentBudget)
    }

    /// Uses one turn of the first exchange that may answer, if its guards are exactly those in `admitted`.
    ///
    /// `stateTurn` is nil where the scenario has no state.
    mutating func choose(
        _ request: RequestView, origin: Int, on memory: ConnectionMemory?, admitted: [Int],
        in compiled: CompiledScenario, _ stateTurn: StateTurn?, wraps: Bool
    ) -> Choice? {
        let isStrict = compiled.isStrict
        let candidates = isStrict ? next..<min(next + 1, compiled.exchanges.count) : compiled.exchanges.indices
        for index in candidates {
            let candidate = compiled.exchanges[index]
            guard candidate.origin == origin, isStrict || !isUsedUp(index, in: compiled) else { continue }
            switch candidate.verdict(on: request) {
            case .fails: continue
            case .holds: break
            case .undecided: return .undecided(index, request.comparison?.spent ?? .cancelled)
            }
            let isHeld = holds(candidate, stateTurn)
            if let spent = stateTurn?.spent { return .undecided(index, spent) }
            guard isHeld else { continue }
            guard candidate.isOpen(to: admitted) else { return .guarded(index) }
            return use(index, on: memory, in: compiled, stateTurn, wraps: wraps)
        }
        return nil
    }

    /// Uses one turn of an exchange that was found earlier; nil where other requests took it meanwhile.
    mutating func useTurn(
        _ index: Int, on memory: ConnectionMemory?, in compiled: CompiledScenario, _ stateTurn: StateTurn?, wraps: Bool
    ) -> Choice? {
        guard !isUsedUp(index, in: compiled), !compiled.isStrict || next == index,
            holds(compiled.exchanges[index], stateTurn)
        else { return nil }
        return use(index, on: memory, in: compiled, stateTurn, wraps: wraps)
    }

    private func holds(_ exchange: CompiledExchange, _ stateTurn: StateTurn?) -> Bool {
        guard exchange.asksState, let stateTurn, let state else { return true }
        return stateTurn.holds(exchange, in: state)
    }

    /// Takes the turn and changes the state; a strict sequence moves on after the last turn of an exchange, and never
    /// repeats.
    private mutating func use(
        _ index: Int, on memory: ConnectionMemory?, in compiled: CompiledScenario, _ stateTurn: StateTurn?, wraps: Bool
    ) -> Choice {
        let candidate = compiled.exchanges[index]
        let isStrict = compiled.isStrict
        var number = useCounts[index]
        if number == 0 { uses?.record(index) }
        useCounts[index] += 1
        if let memory, candidate.hasTurnsByConnection {
            let next = answeredConnectionCounts[index]
            number = memory.number(of: index, after: startCount, next: next)
            if number == next { answeredConnectionCounts[index] += 1 }
        }
        if let group = candidate.turnGroup {
            number = sharedTurnCounts[group]
            sharedTurnCounts[group] += 1
        }
        if isStrict, isUsedUp(index, in: compiled) { next += 1 }
        // Where uses are counted, the whole exchange starts again when they are used up.
        let startsOver = candidate.startsOver ?? wraps
        let turn = startsOver && !isStrict && candidate.useLimit == nil ? number % candidate.turnCount : number
        var reply = min(turn, candidate.lastTurn)
        if candidate.drawsReplies { reply = draw(ofTurn: reply, number: number, candidate.exchange) }
        guard var state else { return .exchange(index, turn: reply, state: nil) }
        guard candidate.setsState, let stateTurn else {
            return .exchange(index, turn: reply, state: TakenState(values: state, changes: [], refusal: nil))
        }
        let taken = stateTurn.applyChanges(candidate.exchange.replies[reply], of: candidate, in: &state)
        self.state = state
        return .exchange(index, turn: reply, state: taken)
    }

    /// The index of the reply; among several it is a function of the seed and of the number of the turn.
    private func draw(ofTurn turn: Int, number: Int, _ exchange: Exchange) -> Int {
        let draw = exchange.draws[turn]
        guard draw.weights.count > 1 else { return draw.first }
        let place = RandomPlace(.reply, index: exchange.index)
        return draw.reply(for: seed.number(in: 0...draw.totalWeight - 1, request: number, place: place))
    }

    /// Begins again with the first turns; in a strict sequence also with the first values of the state, which otherwise
    /// stay until the stage is reset.
    mutating func restart(_ compiled: CompiledScenario) -> Bool {
        guard next > 0 || useCounts.contains(where: { $0 > 0 }) else { return false }
        next = 0
        startCount += 1
        for index in useCounts.indices { useCounts[index] = 0 }
        answeredConnectionCounts = useCounts
        for group in sharedTurnCounts.indices { sharedTurnCounts[group] = 0 }
        if compiled.isStrict { state = compiled.firstState }
        return true
    }
}

/// The state that a stage keeps for one connection; on the connection's loop thread only, and the turns under the
/// stage's lock.
package final class ConnectionMemory {
    /// The latest turn of an exchange, by exchange, where its turns are counted by connection.
    private var turns: [Int: Turn] = [:]
    /// The negotiation with a guard, by guard, for a scheme that authenticates the connection.
    private var negotiations: [Int: Negotiation] = [:]
    /// What scripts keep of the connection.
    package var values = StateValues()

    private struct Turn {
        /// The stage's start count when the turn was taken.
        let start: Int
        let number: Int
    }

    struct Negotiation {
        let scheme: Int
        var isAdmitted: Bool
        /// What a message of the scheme left for the next one.
        var exchange: (any Sendable)?
    }

    /// Nil where there is nothing to keep.
    package init?(_ compiled: CompiledScenario) {
        guard compiled.hasTurnsByConnection || compiled.hasMessages || compiled.hasScripts else { return nil }
    }

    /// The number of this connection among those that the exchange has answered; `next` for a new one.
    package func number(of exchange: Int, after start: Int, next: Int) -> Int {
        if let turn = turns[exchange], turn.start == start { return turn.number }
        turns[exchange] = Turn(start: start, number: next)
        return next
    }

    subscript(guard index: Int) -> Negotiation? {
        get { negotiations[index] }
        set { negotiations[index] = newValue }
    }
}
