internal import ProctorGrading
internal import ProctorTrace
internal import Testing

/// A verdict on its way to the person who wrote the test.
struct ExamOutcome {
    let verdict: CaseVerdict
    let evidence: CaseEvidence

    /// A failed verdict becomes an issue of the running test, or is thrown where there is none.
    ///
    /// One that was judged in part becomes a warning, which fails nothing.
    func report(at place: SourceLocation) throws(ExamFailure) {
        if verdict.outcome == .partly, Test.current != nil {
            Issue.record(Comment(rawValue: "\(verdict)"), severity: .warning, sourceLocation: place)
        }
        guard verdict.outcome.isFailure else { return }
        let text = "\(verdict)\n\n\(Timeline(evidence, verdict: verdict))"
        guard Test.current != nil else { throw ExamFailure(text) }
        attach(at: place)
        Issue.record(Comment(rawValue: text), sourceLocation: place)
    }

    private func attach(at place: SourceLocation) {
        let name = EvidenceFiles.name(of: verdict.id)
        Attachment.record(EvidenceFiles.trace(evidence.events), named: "\(name).trace.jsonl", sourceLocation: place)
        Attachment.record(
            EvidenceFiles.journal(evidence.journal ?? [], of: verdict.id), named: "\(name).journal.jsonl",
            sourceLocation: place)
        let wide = Timeline(evidence, verdict: verdict, width: 200, limit: 10_000)
        Attachment.record(wide.description, named: "\(name).timeline.txt", sourceLocation: place)
    }
}
