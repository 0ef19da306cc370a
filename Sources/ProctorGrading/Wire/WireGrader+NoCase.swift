public import ProctorScenario
public import ProctorTrace

extension WireGrader {
    /// Judges a whole journal of a run that was set no case, by what is asked of every run: no request that nothing expects,
    /// none that can't be read, no repeating without end.
    ///
    /// `observed` where nothing is wrong and the scenario has no case to judge by; `notJudged` where it has some.
    public static func gradeWithoutCase(
        _ entries: [JournalEntry], droppedCount: Int = 0, of scenario: Scenario
    ) -> WireVerdict {
        let bounds = boundFindings(in: entries)
        // What is missing is more of the same.
        if droppedCount > 0, !bounds.isEmpty { return WireVerdict(outcome: .fail, findings: bounds) }
        if let fault = WireRecord.fault(in: entries, droppedCount: droppedCount) {
            return WireVerdict(outcome: .setupFailed(fault))
        }
        let record = WireRecord(entries)
        let nothing = Case(
            name: "", kind: .must, summary: nil, spec: [], client: [], wire: nil, lanes: [:], ambient: [:], facts: [],
            contraryOrigins: scenario.cases.flatMap(\.contraryOrigins), location: scenario.location)
        let findings = WireGrader(nothing).findings(in: record, client: nil).findings
        guard !findings.contains(where: { $0.weight == .failure }) else {
            return WireVerdict(outcome: .fail, findings: findings)
        }
        return WireVerdict(outcome: scenario.cases.isEmpty ? .observed : .notJudged, findings: findings)
    }
}
