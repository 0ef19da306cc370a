import ProctorScenario

extension CaseVerdict {
    /// Whether sittings with other slices can say more of the case: one that failed anyhow is not asked again.
    public var invitesReslicing: Bool { outcome == .pass || outcome == .partly || outcome == .observed }

    /// Takes over what sittings with other slices showed: a case that passed fails by it, one that observes notes it.
    public mutating func take(_ differences: [Finding]) {
        guard !differences.isEmpty else { return }
        guard outcome == .pass || outcome == .partly else {
            findings += differences.map(\.observed)
            return
        }
        findings += differences.map { finding in
            var finding = finding
            finding.isRecommendation = kind == .should
            return finding
        }
        outcome = .fail
    }

    /// Says why nothing is known of other slices, half a sentence.
    public mutating func noteUnsliced(_ reason: String) {
        notJudged.append("other slices: \(reason)")
    }
}
