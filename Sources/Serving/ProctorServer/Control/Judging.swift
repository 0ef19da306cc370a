internal import ProctorBase
internal import ProctorEvents
internal import ProctorGrading
internal import ProctorLoop
internal import ProctorReplies
internal import ProctorServing

extension ControlAPI {
    /// Judges on a thread that may take its time, in turn with other calls, and returns what `work` gives.
    ///
    /// The work has a budget; it is cancelled when the caller leaves, and when the server cuts its connections at the end
    /// of a stop. `byteCount` is what the work holds in memory, for ``GradingTurns``.
    func judge<Answer: Sendable>(
        _ byteCount: Int, for request: ControlRequest,
        by work: @escaping @Sendable (WorkBudget) throws -> Answer
    ) async throws(ControlError) -> Answer {
        let flag = CancelFlag()
        let peer = request.peer
        let outcome = await withTaskGroup(of: Void.self) { group -> Result<Answer, any Error>? in
            group.addTask {
                // Ended before it has begun where the work was done first.
                guard !Task.isCancelled, let peer = peer?.value else { return }
                if await peer.waitUntilPeerLeaves() { flag.set() }
            }
            let outcome = await inTurn(byteCount) {
                Result {
                    let budget = WorkBudget(
                        stepLimit: CaseGrader.stepLimit, time: GradingTurns.timeLimit, flag: flag)
                    try budget.checkBounds()
                    return try work(budget)
                }
            }
            group.cancelAll()
            peer?.value.endWait()
            return outcome
        }
        switch outcome {
        case nil: throw .busy("\(GradingTurns.waitingLimit) traces wait to be judged, which is the limit")
        case .success(let answer)?: return answer
        case .failure(let error as SpentBudget)?: throw .busy("judging was not finished: \(error)")
        case .failure(let error)?: throw .badRequest("\(error)")
        }
    }

    /// nil where too many wait already.
    private func inTurn<Outcome: Sendable>(
        _ byteCount: Int, _ work: @escaping @Sendable () -> Outcome
    ) async -> Outcome? {
        guard await gradings.enter(byteCount) else { return nil }
        defer { gradings.endTurn(byteCount) }
        // On the loop it would block the other connections.
        return await WorkThreads.judging.run(work)
    }
}
