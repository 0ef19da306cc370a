import ProctorEvents
import ProctorHTTP
import ProctorJournal
import ProctorNotation
import ProctorRules
import ProctorScenario

extension Finding {
    /// The sections that the finding itself rests on; empty where they are those of the case.
    var sections: [String] {
        let own: [String] =
            switch subject {
            case .violation(let violation): [violation.section]
            case .frameViolation(let violation): [violation.section]
            case .credential(let verdict): verdict.faults.map(\.section)
            case .cookies(let verdict): verdict.differences.map(\.section)
            case .tolerated(let departure): [departure.row.section]
            case .unreportedRule(let rule): ["callback rule \(rule)"]
            case .expression(let diagnosis) where rules.isEmpty && Self.isNameOfError(diagnosis):
                // HTTP and TLS say that a load fails; how its error is called, Foundation alone says.
                ["Foundation, URLError.Code"]
            case .expression, .fact, .miss, .opaque, .rule, .grammar, .content, .edge, .ending, .result, .slices,
                .bound,
                .state, .reply, .unasked:
                rules.map { "callback rule \($0)" }
            }
        var seen: Set<String> = []
        return own.filter { seen.insert($0).inserted }
    }

    /// Whether a load failed where it may, and its error has another name than was wanted.
    private static func isNameOfError(_ diagnosis: NotationDiagnosis) -> Bool {
        guard let got = diagnosis.got, ["complete", "handler"].contains(got.name), got.argument != "ok",
            !diagnosis.endIsWanted
        else { return false }
        let ends = diagnosis.wanted.compactMap(\.symbol).filter { $0.name == got.name }
        return !ends.isEmpty && ends.allSatisfy { !$0.arguments.isEmpty && !$0.arguments.contains(.exact("ok")) }
    }
}
