package import ProctorDemands
package import ProctorGrading
package import ProctorJournal
package import ProctorProgram
package import ProctorScenario

/// A failed case of one client, with all data for a report to the client's project.
package struct IssueSubject: Sendable {
    package let scenario: Scenario
    package let verdict: CaseVerdict
    package let evidence: CaseEvidence
    package let record: CaseRecord
    /// The assignment of the client, with the addresses of the recorded run.
    package let program: Assignment
    /// The bytes that the server sent in that run.
    package let tape: [WireTape.Entry]
    /// The client, its version, and the system.
    package let client: ExamHeader
    /// The demands on which the case rests, with their sections.
    package let demands: [Demand]
    /// The results of other clients in the same case; empty without their records.
    package let others: [OtherClient]
    /// What ran the client; nil for a shipped adapter, which the client's project does not have.
    package let command: IssueCommand?
    /// Whether a client that makes no request at all can be right.
    package let permitsNoRequest: Bool
    /// The time of the recording, in seconds since 1970.
    package let moment: Int

    /// The result of another client in the case.
    package struct OtherClient: Sendable {
        package let title: String
        /// The outcome, one of ``CaseVerdict/Outcome/words``.
        package let outcome: String

        package init(title: String, outcome: String) {
            (self.title, self.outcome) = (title, outcome)
        }
    }

    package init(
        scenario: Scenario, verdict: CaseVerdict, evidence: CaseEvidence, record: CaseRecord, program: Assignment,
        tape: [WireTape.Entry], client: ExamHeader, demands: [Demand], others: [OtherClient], permitsNoRequest: Bool,
        moment: Int, command: IssueCommand? = nil
    ) {
        (self.scenario, self.verdict, self.evidence, self.record) = (scenario, verdict, evidence, record)
        (self.program, self.tape, self.client, self.demands, self.others) = (program, tape, client, demands, others)
        (self.permitsNoRequest, self.moment, self.command) = (permitsNoRequest, moment, command)
    }
}
