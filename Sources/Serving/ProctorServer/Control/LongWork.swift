package import ProctorBase
internal import ProctorEvents
internal import ProctorGrading
internal import ProctorLoop
package import ProctorReplies
internal import ProctorServing

/// Calls of one kind whose work grows with their bodies: where they work, how many at a time, and what one may cost.
package struct LongWork: Sendable {
    let threads: WorkThreads
    let turns: WorkTurns
    let stepLimit: Int
    /// How long one call may work: many times what the longest body takes.
    let time: Duration
    /// As in "256 traces wait to be judged".
    let waiting: String
    /// As in "judging was not finished".
    let doing: String

    /// `width` is how many of these calls work at a time; other calls wait in their order.
    package init(
        on threads: WorkThreads, width: Int, stepLimit: Int = .max, time: Duration, waiting: String, doing: String
    ) {
        (self.threads, self.stepLimit, self.time) = (threads, stepLimit, time)
        (self.waiting, self.doing) = (waiting, doing)
        turns = WorkTurns(limit: width)
    }

    /// The judging of one server; other servers of the process have turns of their own, on the same threads.
    static func judging() -> LongWork {
        LongWork(
            on: .judging, width: WorkThreads.judgingLimit, stepLimit: CaseGrader.stepLimit, time: .seconds(60),
            waiting: "traces wait to be judged", doing: "judging")
    }
}

extension LongWork {
    /// Searches of words, which read every text; what a client asks that has left is not searched.
    static func searching() -> LongWork {
        LongWork(on: .streaming, width: 1, time: .seconds(10), waiting: "searches wait", doing: "the search")
    }
}

extension ControlAPI {
    package func judge<Answer: Sendable>(
        _ byteCount: Int, for request: ControlRequest, by work: @escaping @Sendable (WorkBudget) throws -> Answer
    ) async throws(ControlError) -> Answer {
        try await perform(judging, byteCount, for: request, by: work)
    }

    /// Searches by words of `request`, in turn with other searches.
    package func search<Answer: Sendable>(
        for request: ControlRequest, by work: @escaping @Sendable (WorkBudget) throws -> Answer
    ) async throws(ControlError) -> Answer {
        try await perform(searching, 0, for: request, by: work)
    }

    /// Works on a thread that may take its time, in turn with other calls, and returns what `work` gives.
    ///
    /// The work has a budget; it is cancelled when the caller leaves, and when the server cuts its connections at the end
    /// of a stop. `byteCount` is what the work holds in memory, for ``WorkTurns``.
    package func perform<Answer: Sendable>(
        _ kind: LongWork, _ byteCount: Int, for request: ControlRequest,
        by work: @escaping @Sendable (WorkBudget) throws -> Answer
    ) async throws(ControlError) -> Answer {
        let flag = CancelFlag()
        let bounds = WorkBounds(stepLimit: kind.stepLimit, time: kind.time, endedBy: flag)
        let (outcome, _) = await request.peer.whilePeerStays(orSet: flag) { () -> Result<Answer, any Error>? in
            await kind.inTurn(byteCount, within: bounds) { budget in
                Result {
                    try budget.checkBounds()
                    return try work(budget)
                }
            }
        }
        switch outcome {
        case nil: throw .busy("\(WorkTurns.waitingLimit) \(kind.waiting), which is the limit")
        case .success(let answer)?: return answer
        case .failure(let error as SpentBudget)?: throw .busy("\(kind.doing) was not finished: \(error)")
        case .failure(let error as ControlError)?: throw error
        case .failure(let error)?: throw .badRequest("\(error)")
        }
    }
}

extension LongWork {
    /// nil where too many wait already.
    fileprivate func inTurn<Outcome: Sendable>(
        _ byteCount: Int, within bounds: WorkBounds, _ work: @escaping @Sendable (WorkBudget) -> Outcome
    ) async -> Outcome? {
        guard await turns.enter(byteCount) else { return nil }
        defer { turns.endTurn(byteCount) }
        // On the loop it would block the other connections.
        return await threads.run(within: bounds, work)
    }
}
