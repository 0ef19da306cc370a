internal import ProctorBase
package import ProctorEvents
package import ProctorGrading
package import ProctorProgram

package struct Sitting: Sendable {
    package internal(set) var verdict: CaseVerdict
    package internal(set) var evidence: CaseEvidence
    /// The header of the trace; nil when the adapter wrote none.
    package let header: TraceHeader?
    package let errorOutput: [UInt8]
    /// The record of the sitting for reports.
    package internal(set) var record: CaseRecord
    /// Whether the adapter was started; false for a skipped case and for a run that could not be opened.
    package let wasAsked: Bool

    /// The assignment as the adapter read it, and the trace as it wrote it; empty unless the examiner keeps texts.
    package internal(set) var assignment: [UInt8] = []
    package internal(set) var trace: [UInt8] = []

    /// Why the connection to the adapter was lost, or none came; nil in all other cases.
    package internal(set) var loss: String?

    /// What the client did, for comparison with other sittings; nil unless the examiner keeps outlines.
    var outline: RunOutline?
    /// Whether another sitting of the same case is the one that counts; only true when cases are run several times.
    package internal(set) var isRepetition = false

    /// The assignment of the client; nil unless the examiner records the bytes that are sent.
    package internal(set) var program: Assignment?

    /// The time of the adapter's process.
    var childMicroseconds = 0
    /// Proctor's own time beside that: the run, the assignment, the grading.
    package internal(set) var ownMicroseconds = 0

    /// The origins to which the adapter has TCP connections open behind the end of the case, by `/proc`, one for each; empty where
    /// the examiner does not wait for their ends.
    package internal(set) var heldConnections: [String] = []

    init(
        verdict: CaseVerdict, evidence: CaseEvidence, header: TraceHeader?, errorOutput: [UInt8], wasAsked: Bool = false
    ) {
        self.verdict = verdict
        record = CaseRecord(verdict)
        (self.evidence, self.header, self.errorOutput, self.wasAsked) = (evidence, header, errorOutput, wasAsked)
    }

    /// Whether the adapter ended by itself before it wrote the header of a trace.
    package var failedToStart: Bool {
        guard wasAsked, header == nil, loss == nil else { return false }
        return switch verdict.outcome {
        case .setupFailed, .adapterError: true
        default: false
        }
    }

    package var timeline: Timeline {
        Timeline(evidence, verdict: verdict)
    }

    /// The first and last lines of standard error, indented below a heading; empty when nothing was written.
    package var errorLines: String {
        let lines = shownErrorLines
        return lines.isEmpty ? "" : "standard error of the adapter:\n" + lines.map { "  \($0)\n" }.joined()
    }

    /// The first and last lines of standard error, as many as a record holds.
    var shownErrorLines: [String] {
        errorOutput.lines(
            first: RecordBounds.firstErrorLines, last: RecordBounds.errorLines, limit: RecordBounds.line)
    }
}
