internal import Foundation
internal import ProctorGrading
internal import Testing

struct ExamOutcome {
    let verdict: CaseVerdict
    let evidence: CaseEvidence
    /// Why callbacks may be missing; nil where none are.
    let hint: String?

    /// Records a failed verdict as an issue of the running test, or throws it outside of a test; a partial verdict
    /// becomes a warning.
    func report(at place: SourceLocation) throws(ExamFailure) {
        if verdict.outcome == .partly, Test.current != nil {
            Issue.record(Comment(rawValue: head), severity: .warning, sourceLocation: place)
        }
        guard verdict.outcome.isFailure else { return }
        keep(at: place)
        guard Test.current != nil else { throw ExamFailure(text) }
        Issue.record(Comment(rawValue: text), sourceLocation: place)
    }

    /// Reports the verdict in addition to an error of the body, which does not show the traffic.
    func report(besides error: any Error, at place: SourceLocation) {
        keep(at: place)
        // The body's error is thrown by the caller.
        tell(
            "the body threw \(error), and this is what was seen\n\n\(text)",
            severity: verdict.outcome.isFailure ? .error : .warning, at: place)
    }

    private var head: String { hint.map { "\(verdict)\n\n\($0)" } ?? "\(verdict)" }

    private var text: String { "\(head)\n\n\(Timeline(evidence, verdict: verdict))" }

    /// Attaches trace, journal and timeline to the test, and writes them to PROCTOR_EVIDENCE.
    private func keep(at place: SourceLocation) {
        let name = EvidenceFiles.name(of: verdict.id)
        let wide = Timeline(evidence, verdict: verdict, width: 200, limit: 10_000)
        let files = [
            ("\(name).trace.jsonl", EvidenceFiles.trace(evidence.events)),
            ("\(name).journal.jsonl", EvidenceFiles.journal(evidence.journal ?? [], of: verdict.id)),
            ("\(name).timeline.txt", Array(wide.description.utf8)),
        ]
        if Test.current != nil {
            for (name, bytes) in files { Attachment.record(bytes, named: name, sourceLocation: place) }
        }
        if let failure = EvidenceFiles.write(files) { tell(failure, severity: .warning, at: place) }
    }
}

/// Records an issue of the running test, or writes to standard error outside of a test.
func tell(_ text: String, severity: Issue.Severity = .error, at place: SourceLocation) {
    if Test.current != nil {
        Issue.record(Comment(rawValue: text), severity: severity, sourceLocation: place)
    } else {
        FileHandle.standardError.write(Data("\(text)\n".utf8))
    }
}

/// Why an exam could not run, or its failed verdict.
public struct ExamFailure: Error, Sendable, CustomStringConvertible {
    /// The problem and what to do; several lines for a verdict.
    public let description: String

    init(_ description: String) { self.description = description }
}
