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
    /// What reports say of the sitting.
    package internal(set) var record: CaseRecord
    /// Whether the adapter was started; false for a skipped case and a run that could not be opened.
    package let wasAsked: Bool

    /// The assignment as the adapter read it, and the trace as it wrote it; empty unless the examiner keeps texts.
    package internal(set) var assignment: [UInt8] = []
    package internal(set) var trace: [UInt8] = []

    /// What the run came to, to be compared with others; nil unless the examiner keeps outlines.
    var outline: RunOutline?
    /// Whether another sitting of the case counts; only where cases are asked several times.
    package internal(set) var isRepetition = false

    /// What the client was told to do; nil unless the examiner records what is sent.
    package internal(set) var program: Assignment?

    /// What the adapter's process took.
    var childMicroseconds = 0
    /// What Proctor took besides that: the run, the assignment, the grading.
    package internal(set) var ownMicroseconds = 0

    init(
        verdict: CaseVerdict, evidence: CaseEvidence, header: TraceHeader?, errorOutput: [UInt8], wasAsked: Bool = false
    ) {
        self.verdict = verdict
        record = CaseRecord(verdict)
        self.evidence = evidence
        self.header = header
        self.errorOutput = errorOutput
        self.wasAsked = wasAsked
    }

    /// Whether the adapter ended by itself before it wrote the header of a trace.
    package var failedToStart: Bool {
        guard wasAsked, header == nil else { return false }
        return switch verdict.outcome {
        case .setupFailed, .adapterError: true
        default: false
        }
    }

    package var timeline: Timeline {
        Timeline(evidence, verdict: verdict)
    }

    /// The last lines of standard error, indented below a heading; empty when nothing was written.
    package var errorLines: String {
        let lines = lastErrorLines
        return lines.isEmpty ? "" : "standard error of the adapter:\n" + lines.map { "  \($0)\n" }.joined()
    }

    /// As far as records keep them.
    var lastErrorLines: [String] {
        errorOutput.split(separator: 0x0A).suffix(RecordBounds.errorLines).map {
            EscapedText.of($0, limit: RecordBounds.line)
        }
    }
}
