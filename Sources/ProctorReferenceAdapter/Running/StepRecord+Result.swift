internal import ProctorBase
package import ProctorRecorder
package import ProctorReference
package import ProctorTrace

/// What the client had of a step in the end.
extension StepRecord {
    /// A new response makes what came before it void (R26); what comes after the end changes nothing.
    package func received(_ response: LoadResponse) {
        state.withLock { state in
            guard state.outcome == nil else { return }
            state.response = response
            state.body = KeptBody()
        }
    }

    /// Bytes after those before; what comes after the end changes nothing.
    package func received(_ bytes: [UInt8]) {
        state.withLock { state in
            guard state.outcome == nil else { return }
            state.body.append(bytes)
        }
    }

    /// All of the body at once: a finished file, or what a completion handler was given.
    package func received(whole body: KeptBody, of response: LoadResponse?) {
        state.withLock { state in
            state.body = body
            if let response { state.response = response }
        }
    }

    /// The end, with the response the task has in the end where no callback brought one.
    package func ended(with error: LoadError?, response: LoadResponse? = nil) {
        let outcome = FailureFacts(error).name
        state.withLock { state in
            state.outcome = outcome
            if state.response == nil { state.response = response }
        }
    }

    /// Waits for the return of the callback that ends the step; false when the time was over first.
    ///
    /// Where nothing is given that is `complete` of lane `task`. Resume data that is due is waited for as well.
    package func waitForEnd(
        before end: UInt64,
        where isEnd: @escaping @Sendable (TraceEvent) -> Bool = { $0.lane == .task && $0.name == .complete }
    ) async -> Bool {
        let number = number
        let event = await recorder.event(within: .left(until: end)) { event in
            event.task == number && event.phase == .exit && isEnd(event)
        }
        guard event != nil else { return false }
        if state.withLock({ $0.isResumeDataDue }) {
            await notes.waitForResumeData(within: .left(until: end))
        }
        return true
    }

    /// Writes `result`: without an error's name when there was none, or when there was no end.
    package func writeResult(hasEnded: Bool) {
        let state = state.withLock { $0 }
        var facts = state.response.map { ReplyFacts($0, hasFields: false).facts } ?? []
        facts = facts.appending(state.body.facts)
        if let outcome = state.outcome, outcome != URLErrorName.success { facts.add(.error, outcome) }
        if !hasEnded { facts.add(.message, "the step did not end in its time") }
        notes.result(facts)
    }
}
