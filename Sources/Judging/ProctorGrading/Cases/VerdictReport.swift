package import ProctorBase
import ProctorJournal

/// A verdict, split into the parts that a test reports.
package struct VerdictReport: Sendable {
    private let verdict: CaseVerdict
    private let evidence: CaseEvidence

    /// `verdict` must be made from the same evidence.
    package init(_ verdict: CaseVerdict, _ evidence: CaseEvidence) {
        (self.verdict, self.evidence) = (verdict, evidence)
    }

    /// Whether the test must report the verdict as a failure.
    package var isFailure: Bool { verdict.isFailure }
    /// Whether nothing failed and a part could not be judged.
    package var isPartial: Bool { verdict.outcome == .partly }
    /// The outcome and its findings.
    package var summary: String { verdict.description }
    /// The timeline for a terminal.
    package var timeline: String { Timeline(evidence, verdict: verdict).description }
    /// The whole timeline, for a file.
    package var wideTimeline: String { Timeline(evidence, verdict: verdict, width: 200, limit: 10_000).description }

    /// The number of requests that arrived.
    package var requestCount: Int {
        (evidence.journal ?? []).count { entry in
            if case .requestHead = entry.event { true } else { false }
        }
    }

    package func write(to json: inout JSONText) {
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
