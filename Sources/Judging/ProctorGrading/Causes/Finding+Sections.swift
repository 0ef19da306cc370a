import ProctorEvents
import ProctorHTTP
import ProctorJournal
import ProctorNotation
import ProctorRules
import ProctorScenario

extension Finding {
    /// The sections on which the finding itself is based; empty when they are the sections of the case.
    package var sections: [String] {
        if let unheeded { return [unheeded.section] }
        let own: [String] =
            switch subject {
            case .violation(let violation): [violation.section]
            case .frameViolation(let violation): [violation.section]
            case .gathered(let departure): [departure.section].compactMap(\.self)
            case .credential(let verdict): verdict.faults.map(\.section)
            case .cookies(let verdict): verdict.differences.map(\.section)
            case .tolerated(let departure): [departure.row.section]
            case .unreportedRule(let rule): ["callback rule \(rule)"]
            case .expression(let diagnosis) where rules.isEmpty && Self.isNameOfError(diagnosis):
                // HTTP and TLS require that the load fails; only Foundation specifies the name of the error.
                ["Foundation, URLError.Code"]
            case .fact where fault != nil: fault.map { [$0.section] } ?? []
            default: rules.map { "callback rule \($0)" }
            }
        return own.unique
    }

    /// Whether a load failed as it may, but with an error of another name than the wanted one.
    private static func isNameOfError(_ diagnosis: NotationDiagnosis) -> Bool {
        guard let got = diagnosis.got, ["complete", "handler"].contains(got.name), got.argument != "ok",
            !diagnosis.endIsWanted
        else { return false }
        let ends = diagnosis.wanted.compactMap(\.symbol).filter { $0.name == got.name }
        return !ends.isEmpty && ends.allSatisfy { !$0.arguments.isEmpty && !$0.arguments.contains(.exact("ok")) }
    }
}
