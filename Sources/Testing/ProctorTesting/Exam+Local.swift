// A test imports this module alone; the exam is shared with ProctorRemoteTesting.
@_exported public import ProctorHarness
public import ProctorJournal
public import ProctorScenario
internal import ProctorServer

extension Exam {
    /// The served scenario.
    public var scenario: Scenario { local.scenario }

    /// The case that judges the client.
    public var item: Case { local.item }

    /// The verdicts of the scenario's guards so far, in order; empty without guards.
    public var guardVerdicts: [GuardVerdict] {
        local.run.journal.snapshot().entries.compactMap { entry in
            if case .guarded(let verdict) = entry.event { verdict } else { nil }
        }
    }

    private var local: LocalRun {
        guard let local = run as? LocalRun else {
            preconditionFailure("\(scenarioID) is served by another process, which does not tell this")
        }
        return local
    }
}
