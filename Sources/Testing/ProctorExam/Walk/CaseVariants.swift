import ProctorGrading

/// The different results of one case that is run several times: its verdicts, findings and callbacks, and how often
/// each occurred.
struct CaseVariants {
    let id: CaseID
    private var sittingCount = 0
    /// In the order in which they first occurred.
    private var aspects: [Aspect] = []

    private struct Aspect {
        let name: String
        var texts: [(text: String, count: Int)] = []
    }

    init(id: CaseID) { self.id = id }

    mutating func add(_ sitting: Sitting) {
        sittingCount += 1
        let record = sitting.record
        count(record.outcome + (record.ability.map { "(\($0))" } ?? ""), of: "the verdict")
        // A case that the client can't be asked is not judged; what came of it depends on when the adapter gave up.
        guard !["lacks", "not-in-this-adapter"].contains(record.outcome) else { return }
        // The sentence of a finding has times and ports, which differ between runs; its rules, lane and location do
        // not.
        let findings = record.findings.map { finding in
            ([finding.about] + finding.rules + [finding.lane, finding.location].compactMap(\.self)).joined(
                separator: " ")
        }
        count(Set(findings).sorted().joined(separator: ", "), of: "the findings")
        for part in sitting.outline?.parts ?? [] where part.isOfCallbacks { count(part.text, of: part.name) }
    }

    private mutating func count(_ text: String, of name: String) {
        guard !text.isEmpty else { return }
        let place = aspects.firstIndex { $0.name == name } ?? aspects.endIndex
        if place == aspects.endIndex { aspects.append(Aspect(name: name)) }
        if let index = aspects[place].texts.firstIndex(where: { $0.text == text }) {
            aspects[place].texts[index].count += 1
        } else {
            aspects[place].texts.append((text, 1))
        }
    }

    /// nil when every sitting had the same result.
    func unsteady(by ledger: Ledger?) -> UnsteadyCase? {
        let differences = aspects.compactMap { aspect -> UnsteadyCase.Difference? in
            var texts = aspect.texts
            let missing = sittingCount - texts.reduce(0) { $0 + $1.count }
            if missing > 0 { texts.append(("nothing", missing)) }
            return texts.count > 1 ? UnsteadyCase.Difference(of: aspect.name, texts) : nil
        }
        guard !differences.isEmpty else { return nil }
        let isKnown = ledger?.deviation(for: id)?.isSporadic ?? false
        return UnsteadyCase(id: id, sittingCount: sittingCount, isKnown: isKnown, differences: differences)
    }
}
