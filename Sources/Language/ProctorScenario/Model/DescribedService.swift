package import ProctorDocument
package import ProctorJournal

/// What the messages of a scenario are held against beside its exchanges (`expect:`), which a module above reads.
package protocol DescribedService: Sendable {
    /// What of it is not judged.
    var warnings: [Diagnostic] { get }

    /// Reports exchanges that are not as it says, as far as they are known when the scenario is loaded.
    func check(_ exchanges: [Exchange], _ sink: DiagnosticSink)

    /// The judge of one run of the scenario.
    func judge(of scenario: Scenario) -> any MessageJudge
}
