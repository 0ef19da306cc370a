import ProctorHTTP
import ProctorScenario
import ProctorTrace

extension WireGrader {
    /// Why credentials were refused, beside something that failed; they may be what it failed by.
    ///
    /// Refusals that the case asks for, and got, explain nothing and are left out.
    func refusals(in record: WireRecord, beside findings: [Finding], of facts: [Fact]) -> [Finding] {
        guard findings.contains(where: { $0.weight == .failure }) else { return [] }
        let failed = Set(
            findings.compactMap { finding -> FactName? in
                if case .fact(let name) = finding.subject { name } else { nil }
            })
        let granted = Set(facts.map(\.name).filter { !failed.contains($0) })
        return record.verdicts.compactMap { sequence, request, verdict in
            guard verdict.isRefusal, !Self.isGranted(verdict, request, granted) else { return nil }
            return Finding(
                .credential(verdict), .observation, Self.sentence(verdict, request, record),
                details: LabelledText.lines("fault", GuardText.details(of: verdict)),
                got: verdict.faults.map(\.kind.rawValue).joined(separator: " "), sequence: sequence)
        }
    }

    private static func isGranted(_ verdict: GuardVerdict, _ request: Int?, _ granted: Set<FactName>) -> Bool {
        granted.contains(.guarding(guardName: nil, .faults))
            || granted.contains(.guarding(guardName: verdict.guardName, .faults))
            || request.map { granted.contains(.wire(index: $0, .guardFaults)) } ?? false
    }

    private static func sentence(_ verdict: GuardVerdict, _ request: Int?, _ record: WireRecord) -> String {
        let owner = request.map { "request \($0), \(record.requests[$0].symbol.argument ?? ""): " } ?? ""
        return EventText.printable(owner, limit: 500) + GuardText.sentence(verdict)
    }
}

extension Finding {
    /// The first thing that was wrong with a refused credential, in a sentence; nil for any other finding.
    var faultSentence: String? {
        guard case .credential(let verdict) = subject else { return nil }
        return GuardText.details(of: verdict).first
    }
}
