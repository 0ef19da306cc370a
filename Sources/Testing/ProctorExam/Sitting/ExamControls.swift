internal import ProctorBase
import ProctorGrading
import ProctorScenario
import ProctorServer

/// The results of the controls of one examiner; each control is run when it is first needed.
final class ExamControls: Sendable {
    private let known = Locked(KnownControls())

    /// Why a pass shows nothing; nil when the control passed.
    ///
    /// `ask` runs a sitting of a scenario's only case. A control that `library` lacks shows nothing.
    func reason(
        _ control: ExamControl, in library: (String) -> Scenario?, ask: (Scenario, Case) async -> Sitting
    ) async -> String? {
        while true {
            if let known = known.withLock({ $0[control] }) { return known }
            guard let scenario = control.scenario(in: library), let item = scenario.cases.first else { return nil }
            let outcome = await ask(scenario, item).verdict.outcome
            _ = known.withLock { $0.record(outcome, of: control) }
        }
    }
}
