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
        var facts = state.response.map { ResponseFacts($0).facts } ?? []
        facts.add(.bytes, state.bodyByteCount)
        if state.bodyByteCount == state.body.count {
            if let text = Self.text(state.body) {
                facts.add(.body, text)
            } else {
                facts.add(.bodyBase64, Data(state.body).base64EncodedString())
            }
        }
        if let outcome = state.outcome, outcome != "ok" { facts.add(.error, outcome) }
        if !hasEnded { facts.add(.message, "the step did not end in its time") }
        recorder.record(
            TraceEvent(lane: .harness, task: role.number, name: .result, facts: facts))
    }

    /// nil for what is no UTF-8, or has NUL in it.
    private static func text(_ bytes: [UInt8]) -> String? {
        bytes.contains(0) ? nil : String(validating: bytes, as: UTF8.self)
    }
}
