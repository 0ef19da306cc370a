internal import ProctorBase
public import ProctorEvents
public import ProctorGrading

/// One client at one case: what was seen, and the verdict.
public struct Sitting: Sendable {
    /// What became of it.
    public let verdict: CaseVerdict
    /// What the verdict was made from.
    public let evidence: CaseEvidence
    /// What the trace says of its client; nil when the adapter wrote no header.
    public let header: TraceHeader?
    /// The last the adapter wrote to standard error.
    public let errorOutput: [UInt8]
    /// Whether the adapter was started for it; not so where the case is skipped or its run could not be opened.
    public internal(set) var wasAsked = false

    /// Whether the adapter ended, by itself and without a hang, before it wrote the header of a trace.
    public var failedToStart: Bool {
        guard wasAsked, header == nil, case .setupFailed = verdict.outcome else { return false }
        return true
    }

    /// The callbacks and the wire on one time axis, for a person.
    public var timeline: Timeline {
        Timeline(evidence, verdict: verdict)
    }

    /// The last lines of standard error, indented below a line that says so; empty when nothing was written.
    public var errorLines: String {
        let lines = errorOutput.split(separator: 0x0A).suffix(10).map { "  \(EscapedText.of($0, limit: 300))\n" }
        return lines.isEmpty ? "" : "standard error of the adapter:\n\(lines.joined())"
    }
}
