internal import Foundation
internal import ProctorEvents
package import Testing

/// Reports the verdict of an exam to its test.
struct VerdictIssue {
    let run: any ServedRun
    let verdict: any ExamVerdict
    let events: [TraceEvent]
    /// Why callbacks may be missing from the record; nil when none are missing.
    let hint: String?

    /// Records a failed verdict as an issue of the running test, or throws it outside of a test; a partial verdict
    /// becomes a warning.
    func report(at place: SourceLocation) throws(ExamFailure) {
        if verdict.isPartial, Test.current != nil {
            Issue.record(Comment(rawValue: head), severity: .warning, sourceLocation: place)
        }
        guard verdict.isFailure else { return }
        attachEvidence(at: place)
        guard Test.current != nil else { throw ExamFailure(text) }
        Issue.record(Comment(rawValue: text), sourceLocation: place)
    }

    /// Reports the verdict in addition to an error of the body, since that error does not show the traffic.
    func report(besides error: any Error, at place: SourceLocation) {
        attachEvidence(at: place)
        // The body's error is thrown by the caller.
        TestIssue.record(
            "the body threw \(error), and this is what was seen\n\n\(text)",
            severity: verdict.isFailure ? .error : .warning, at: place)
    }

    private var head: String { hint.map { "\(verdict.summary)\n\n\($0)" } ?? verdict.summary }

    private var text: String {
        "\(head)\n\n\(verdict.timeline)" + (run.again.map { "\n\nagain: \($0)" } ?? "")
    }

    /// Attaches trace, journal and timeline to the test, and writes them to PROCTOR_EVIDENCE.
    private func attachEvidence(at place: SourceLocation) {
        let name = EvidenceFiles.name(of: run)
        let files = [
            ("\(name).trace.jsonl", EvidenceFiles.trace(events, of: run, isMonotonic: verdict.isMonotonic)),
            ("\(name).journal.jsonl", verdict.journal),
            ("\(name).timeline.txt", Array(verdict.wideTimeline.utf8)),
        ]
        if Test.current != nil {
            for (name, bytes) in files { Attachment.record(bytes, named: name, sourceLocation: place) }
        }
        if let failure = EvidenceFiles.write(files) { TestIssue.record(failure, severity: .warning, at: place) }
    }
}

package enum TestIssue {
    /// Records an issue of the running test, or writes to standard error outside of a test.
    package static func record(_ text: String, severity: Issue.Severity = .error, at place: SourceLocation) {
        if Test.current != nil {
            Issue.record(Comment(rawValue: text), severity: severity, sourceLocation: place)
        } else {
            FileHandle.standardError.write(Data("\(text)\n".utf8))
        }
    }
}
