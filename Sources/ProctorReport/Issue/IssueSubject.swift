package import ProctorGrading
package import ProctorJournal
package import ProctorProgram
package import ProctorScenario

/// A failed case of one client, with everything that a report to the client's project says of it.
package struct IssueSubject: Sendable {
    package let scenario: Scenario
    package let verdict: CaseVerdict
    package let evidence: CaseEvidence
    package let record: CaseRecord
    /// What the client was told to do, with the addresses of the recorded run.
    package let program: Assignment
    /// What the server sent in that run.
    package let tape: [WireTape.Entry]
    /// The client, its version, and the system.
    package let client: ExamHeader
    /// What the case demands, and by which sections.
    package let demands: [Demand]
    /// The same case of other clients; empty where no records are at hand.
    package let others: [OtherClient]
    /// When it was recorded, in seconds since 1970.
    package let moment: Int

    /// What another client made of the case.
    package struct OtherClient: Sendable {
        package let title: String
        /// A word of ``CaseVerdict/Outcome/words``.
        package let outcome: String

        package init(title: String, outcome: String) {
            self.title = title
            self.outcome = outcome
        }
    }

    package init(
        scenario: Scenario, verdict: CaseVerdict, evidence: CaseEvidence, record: CaseRecord, program: Assignment,
        tape: [WireTape.Entry], client: ExamHeader, demands: [Demand], others: [OtherClient], moment: Int
    ) {
        self.scenario = scenario
        self.verdict = verdict
        self.evidence = evidence
        self.record = record
        self.program = program
        self.tape = tape
        self.client = client
        self.demands = demands
        self.others = others
        self.moment = moment
    }
}
