/// What the journal alone says about a case.
public struct WireVerdict: Sendable, Equatable, CustomStringConvertible {
    /// The verdict proper.
    public let outcome: Outcome
    /// In the order: expression, facts as the case writes them, misses and violations as they came.
    public let findings: [Finding]
    /// Facts of the client's side, which the wire cannot decide.
    public let undecidedFactCount: Int

    /// What became of the case.
    public enum Outcome: Sendable, Equatable {
        /// Everything the wire can show was as the case asks.
        case pass
        /// At least one finding is a failure.
        case fail
        /// The case asks for nothing; what was seen is in the findings.
        case observed
        /// Nothing was judged; the reason is half a sentence.
        case setupFailed(String)
    }

    init(outcome: Outcome, findings: [Finding] = [], undecidedFactCount: Int = 0) {
        self.outcome = outcome
        self.findings = findings
        self.undecidedFactCount = undecidedFactCount
    }

    /// The findings that decide.
    public var failures: [Finding] { findings.filter { $0.weight == .failure } }

    /// One word, and one finding a paragraph below it.
    public var description: String {
        let word =
            switch outcome {
            case .pass: "pass"
            case .fail: "fail"
            case .observed: "observed"
            case .setupFailed(let reason): "setup-failed: \(reason)"
            }
        return ([word] + findings.map(\.description)).joined(separator: "\n")
    }
}
