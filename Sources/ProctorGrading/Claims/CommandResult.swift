public import ProctorTrace

/// What a command that writes no trace says of its load, by its exit code.
public struct CommandResult: Sendable, Equatable {
    /// The neutral name of what its exit code stands for; nil: the load went well.
    public let error: String?

    /// A name as `complete(…)` shows it.
    public init(error: String?) {
        self.error = error
    }
}

extension CaseEvidence {
    /// Of a command: it has no callbacks, and of its result there is the end at most.
    static func ofCommand(_ entries: [JournalEntry], result: CommandResult?) -> CaseEvidence {
        var evidence = CaseEvidence(reportedLanes: [.harness], reportedFacts: [], journal: entries)
        guard let result else { return evidence }
        evidence.reportedFacts = [.error]
        var event = TraceEvent(sequence: 1, time: nil, lane: .harness, task: 0, name: .result, argument: nil, facts: [])
        if let error = result.error { event.facts.append(EventFact(.error, .text(error))) }
        evidence.events = [event]
        return evidence
    }
}
