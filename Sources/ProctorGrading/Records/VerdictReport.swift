import ProctorBase
import ProctorJournal

/// A verdict as the parts of which a test makes its report.
package struct VerdictReport: Sendable {
    private let verdict: CaseVerdict
    private let evidence: CaseEvidence

    /// `verdict` must be made from the same evidence.
    package init(_ verdict: CaseVerdict, _ evidence: CaseEvidence) {
        self.verdict = verdict
        self.evidence = evidence
    }

    /// Whether a person has to look at it.
    package var isFailure: Bool { verdict.outcome.isFailure }
    /// Whether nothing failed and something could not be judged.
    package var isPartial: Bool { verdict.outcome == .partly }
    /// The outcome and its findings.
    package var summary: String { verdict.description }
    /// For a terminal.
    package var timeline: String { Timeline(evidence, verdict: verdict).description }
    /// The whole one, for a file.
    package var wideTimeline: String { Timeline(evidence, verdict: verdict, width: 200, limit: 10_000).description }

    /// The requests that came.
    package var requestCount: Int {
        (evidence.journal ?? []).count { entry in
            if case .requestHead = entry.event { true } else { false }
        }
    }

    func write(to json: inout JSONText) {
        json.open("{")
        json.member("isFailure", isFailure)
        json.member("isPartial", isPartial)
        json.member("summary", summary)
        json.member("timeline", timeline)
        json.member("wideTimeline", wideTimeline)
        json.member("requestCount", requestCount)
        json.close("}")
    }
}
