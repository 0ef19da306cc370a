internal import ProctorBase
internal import ProctorJournal
internal import ProctorReplies

/// Comparing that takes long, by a thread for which the request waits.
extension StageRequest {
    /// Compares the request with the exchanges as far as its budget goes; nothing for a request without one.
    ///
    /// Throws where the client leaves before the end.
    func compare(_ view: RequestView, origin: Int, headsAlone: Bool) async throws(ConnectionEnd) {
        guard let comparison = view.comparison, comparison.spent == nil,
            !stage.compiled.compareWithinShare(view, origin: origin, headsAlone: headsAlone)
        else { return }
        let compiled = stage.compiled
        try await work(for: view, comparison) { compiled.compareRest($0, origin: origin, headsAlone: headsAlone) }
    }

    /// The nearest exchange, as far as another budget of the same size goes; throws where the client leaves before.
    func nearest(to unanswered: Stage.Unanswered) async throws(ConnectionEnd) -> Miss {
        guard let comparison = unanswered.request.comparison else { return unanswered.miss() }
        return try await work(for: unanswered, comparison) { $0.miss() }
    }

    private func work<Input, Result: Sendable>(
        for input: Input, _ comparison: Comparison, _ job: @escaping @Sendable (Input) -> Result
    ) async throws(ConnectionEnd) -> Result {
        let flag = CancelFlag()
        comparison.startBudget(endedBy: flag)
        let lent = LentInput(value: input)
        let (result, end) = await WaitingPeer.bound(wire).whilePeerStays(orSet: flag) {
            await WorkThreads.matching.run(within: .ofOwnBudget) { _ in job(lent.value) }
        }
        if comparison.budget.spent == .cancelled, let end { throw end }
        return result
    }
}

/// What a thread looks at while the request's task waits for it, so that no other one does.
private struct LentInput<Value>: @unchecked Sendable {
    let value: Value
}
