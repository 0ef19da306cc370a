internal import Foundation
internal import ProctorTrace

#if canImport(FoundationNetworking)
    internal import FoundationNetworking
#endif

/// The `result` of a task: what the client had of it in the end.
struct ResultFacts {
    private let role: TaskRole

    init(_ role: TaskRole) { self.role = role }

    /// Without an error's name when there was none, or when there was no end.
    func record(to recorder: TraceRecorder, hasEnded: Bool) {
        let state = role.snapshot
        var facts = state.response.map { ResponseFacts($0, hasFields: false).facts } ?? []
        facts = facts.appending(state.body.facts)
        if let outcome = state.outcome, outcome != "ok" { facts.add(.error, outcome) }
        if !hasEnded { facts.add(.message, "the step did not end in its time") }
        StepNotes(role.number, recorder: recorder).result(facts)
    }
}
