internal import ProctorBase
package import ProctorEvents
package import ProctorGrading

package struct Sitting: Sendable {
    package internal(set) var verdict: CaseVerdict
    package let evidence: CaseEvidence
    /// The header of the trace; nil when the adapter wrote none.
    package let header: TraceHeader?
    package let errorOutput: [UInt8]
    /// Whether the adapter was started; false for a skipped case and a run that could not be opened.
    package let wasAsked: Bool

    init(
        verdict: CaseVerdict, evidence: CaseEvidence, header: TraceHeader?, errorOutput: [UInt8], wasAsked: Bool = false
    ) {
        self.verdict = verdict
        self.evidence = evidence
        self.header = header
        self.errorOutput = errorOutput
        self.wasAsked = wasAsked
    }

    /// Whether the adapter ended by itself before it wrote the header of a trace.
    package var failedToStart: Bool {
        guard wasAsked, header == nil, case .setupFailed = verdict.outcome else { return false }
        return true
    }

    package var timeline: Timeline {
        Timeline(evidence, verdict: verdict)
    }

    /// The last lines of standard error, indented below a heading; empty when nothing was written.
    package var errorLines: String {
        let lines = errorOutput.split(separator: 0x0A).suffix(10).map { "  \(EscapedText.of($0, limit: 300))\n" }
        return lines.isEmpty ? "" : "standard error of the adapter:\n\(lines.joined())"
    }
}
