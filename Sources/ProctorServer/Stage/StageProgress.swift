internal import ProctorScenario

/// Where a stage stands; changed as a whole under the stage's lock.
struct StageProgress {
    /// The journal's, whose entries hold the numbers given out here.
    let epoch: Int
    var connectionCount = 0
    var connectionCountOfOrigin: [Int]
    var requestCount = 0
    /// How often each exchange was used since the last start.
    private var useCounts: [Int]
    /// The exchange whose turn it is in a strict sequence.
    private(set) var next = 0
    /// Two for each reply: with its content, and without for HEAD.
    var plans: [KeptPlan?]

    init(_ compiled: CompiledScenario, epoch: Int = 0) {
        self.epoch = epoch
        connectionCountOfOrigin = Array(repeating: 0, count: compiled.scenario.origins.count)
        useCounts = Array(repeating: 0, count: compiled.exchanges.count)
        plans = Array(repeating: nil, count: compiled.replyCount * 2)
    }

    func isUsedUp(_ index: Int, in compiled: CompiledScenario) -> Bool {
        compiled.exchanges[index].useLimit.map { useCounts[index] >= $0 } ?? false
    }

    /// Uses up one turn of the first exchange that may answer, if there is one.
    mutating func choose(
        _ request: RequestView, origin: Int, in compiled: CompiledScenario, wraps: Bool
    ) -> Stage.Choice? {
        if compiled.scenario.sequence == .strict {
            return chooseNext(request, origin: origin, in: compiled)
        }
        for (index, candidate) in compiled.exchanges.enumerated() where candidate.exchange.origin == origin {
            guard !isUsedUp(index, in: compiled), candidate.matches(request) else { continue }
            let replies = candidate.exchange.replies.count
            // Where the uses are counted, the exchange starts over when they are used up.
            let startsOver = wraps && candidate.useLimit == nil
            let turn = startsOver ? useCounts[index] % replies : min(useCounts[index], replies - 1)
            useCounts[index] += 1
            return .exchange(index, turn: turn)
        }
        return nil
    }

    private mutating func chooseNext(
        _ request: RequestView, origin: Int, in compiled: CompiledScenario
    ) -> Stage.Choice? {
        guard next < compiled.exchanges.count else { return nil }
        let candidate = compiled.exchanges[next]
        guard candidate.exchange.origin == origin, candidate.matches(request) else { return nil }
        let index = next
        let turn = min(useCounts[index], candidate.exchange.replies.count - 1)
        useCounts[index] += 1
        if isUsedUp(index, in: compiled) { next += 1 }
        return .exchange(index, turn: turn)
    }

    /// Gives all turns back; false when none was taken.
    mutating func restart() -> Bool {
        guard next > 0 || useCounts.contains(where: { $0 > 0 }) else { return false }
        next = 0
        for index in useCounts.indices { useCounts[index] = 0 }
        return true
    }
}

/// A reply's plan and the authority that its URLs were made for; nil when it names none.
struct KeptPlan {
    let authority: [UInt8]?
    let plan: ReplyPlan
}
