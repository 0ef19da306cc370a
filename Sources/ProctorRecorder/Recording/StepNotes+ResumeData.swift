internal import ProctorTrace

/// A cancel that asks for something to go on with, and what it gives.
extension StepNotes {
    private static let method: EventFacts = [EventFact(.sel, .text("cancel(byProducingResumeData:)"))]

    /// `cancel`, with the method that leaves resume data.
    package func cancelProducingResumeData() { note(.cancel, Self.method) }

    /// `handler`, by that method: the size of what it gave in bytes, nil when it gave nothing.
    package func resumeData(byteCount: Int?) {
        recorder.record(
            TraceEvent(
                lane: .handler, task: number, name: .handler, argument: byteCount == nil ? "unknown" : "ok",
                facts: Self.method.appending([EventFact(.bytes, .integer(byteCount ?? 0))])))
    }

    /// Waits until ``resumeData(byteCount:)`` has been called, or the time is over.
    package func waitForResumeData(within limit: Duration) async {
        let number = number
        _ = await recorder.event(within: limit) {
            $0.task == number && $0.lane == .handler && $0.facts.text(.sel) == Self.method.text(.sel)
        }
    }
}
