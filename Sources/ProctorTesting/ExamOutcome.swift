internal import Foundation
internal import ProctorGrading
internal import Testing

/// A verdict on its way to the person who wrote the test.
struct ExamOutcome {
    let verdict: CaseVerdict
    let evidence: CaseEvidence
    /// Why callbacks may be missing; nil where none are.
    let hint: String?

    /// A failed verdict becomes an issue of the running test, or is thrown where there is none.
    ///
    /// One that was judged in part becomes a warning, which fails nothing.
    func report(at place: SourceLocation) throws(ExamFailure) {
        if verdict.outcome == .partly, Test.current != nil {
            Issue.record(Comment(rawValue: head), severity: .warning, sourceLocation: place)
        }
        guard verdict.outcome.isFailure else { return }
        keep(at: place)
        guard Test.current != nil else { throw ExamFailure(text) }
        Issue.record(Comment(rawValue: text), sourceLocation: place)
    }

    /// Whatever the verdict, beside an error of the body, which says nothing of what went over the wire.
    func report(besides error: any Error, at place: SourceLocation) {
        keep(at: place)
        let text = "the body threw \(error), and this is what was seen\n\n\(self.text)"
        guard Test.current != nil else {
            // The error itself is thrown on.
            return FileHandle.standardError.write(Data("\(text)\n".utf8))
        }
        let severity: Issue.Severity = verdict.outcome.isFailure ? .error : .warning
        Issue.record(Comment(rawValue: text), severity: severity, sourceLocation: place)
    }

    private var head: String { hint.map { "\(verdict)\n\n\($0)" } ?? "\(verdict)" }

    private var text: String { "\(head)\n\n\(Timeline(evidence, verdict: verdict))" }

    /// Attaches trace, journal and timeline, and writes them where PROCTOR_EVIDENCE says.
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
        guard let failure = EvidenceFiles.write(files) else { return }
        guard Test.current != nil else { return FileHandle.standardError.write(Data("\(failure)\n".utf8)) }
        Issue.record(Comment(rawValue: failure), severity: .warning, sourceLocation: place)
    }
}

/// Why an exam could not be held, or what its verdict is, for a framework that shows thrown errors.
public struct ExamFailure: Error, Sendable, CustomStringConvertible {
    /// What happened and what to do; several lines for a verdict.
    public let description: String

    /// A sentence for a person.
    init(_ description: String) { self.description = description }
}
