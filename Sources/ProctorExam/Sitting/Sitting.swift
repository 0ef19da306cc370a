public import ProctorGrading
public import ProctorTrace

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

    /// The callbacks and the wire on one time axis, for a person.
    public var timeline: Timeline {
        Timeline(evidence, verdict: verdict)
    }
}
