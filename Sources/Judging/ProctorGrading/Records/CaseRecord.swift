package import ProctorScenario

/// All data of a report about one case of one client's exam.
///
/// It is made from a verdict and its evidence, written as a line of JSON, and read from it again.
package struct CaseRecord: Sendable, Equatable {
    /// The name of the client, as in its ``ExamHeader``; empty outside of an exam.
    package var client = ""
    package var id: CaseID
    package var kind: Case.Kind
    /// One sentence that says what the case tests; nil without the fixture.
    package var summary: String?
    /// The outcome, one of ``CaseVerdict/Outcome/words``.
    package var outcome: String
    /// The missing ability when the outcome is `lacks`.
    package var ability: String?
    /// One sentence; empty when there is none.
    package var reason = ""
    /// The cause of the failure, as ``FailureCause/key``; nil when the case did not fail.
    package var cause: String?
    /// The sections on which the cause itself is based; empty when they are those of the case.
    package var causeSpec: [SpecReference] = []
    /// What the client's project says about the cause; nil when the ledger has no entry for it.
    package var upstream: UpstreamReport?
    /// The number of the client's steps and the scenario's exchanges; the smallest case is the best example.
    ///
    /// nil: unknown.
    package var size: Int?
    /// The sections on which the case is based.
    package var spec: [SpecReference] = []
    /// The subjects of the case: `request, reply`; nil when no claim was judged.
    package var subject: String?
    /// The abilities that the case needs, by name.
    package var needs: [String] = []
    package var claims: [ClaimRecord] = []
    /// The duration of the client's run; nil when it was not measured.
    package var milliseconds: Int?
    /// Proctor's own time in microseconds; nil when it was not measured.
    package var ownMicroseconds: Int?
    package var ending = EndingRecord(how: "finished")
    /// The broken rules of any weight: `R12`.
    package var rules: [String] = []
    package var findings: [FindingRecord] = []
    package var cookiesBy: [String] = []
    package var notJudged: [String] = []
    package var undecided: [String] = []
    package var untold: [String] = []
    /// The place of the ledger's entry, and its reason; nil when no entry is about the case.
    package var ledgerEntry: String?
    package var ledgerReason: String?
    package var ledgerNotes: [String] = []
    /// The joint timeline of wire, callbacks and harness.
    package var timeline: [EventRecord] = []
    /// The client's report about its error: the facts `error` and `message` of its results.
    package var clientError: String?
    /// The last lines of the adapter's standard error.
    package var errorLines: [String] = []
    /// A curl command with the same request; nil when there is none.
    package var curl: String?
    /// The parts of the program that the curl command lacks, half a sentence.
    package var curlShortfall: String?
    /// The fixture: its file and the line of the case.
    package var file: String?
    package var line: Int?
    /// The line of the trace with an adapter error.
    package var traceLine: Int?

    package init(id: CaseID, kind: Case.Kind, outcome: String) {
        (self.id, self.kind, self.outcome) = (id, kind, outcome)
    }

    /// The first segment of the scenario's id.
    package var family: String { String(id.scenario.prefix { $0 != "/" }) }

    /// The findings that fail the case: failures that the ledger does not list.
    package var failures: [FindingRecord] { findings.filter { $0.weight == "failure" && $0.known == nil } }
}

/// A claim of the case with its state, in the words of JSON.
package struct ClaimRecord: Sendable, Equatable {
    /// `request`, `reply`, `callbacks` or `connections`.
    package var about: String
    package var claim: String
    /// `held`, `broken`, `not-judged` or `left-out`.
    package var state: String
    package var reason: String?
}

/// How the client's process ended.
package struct EndingRecord: Sendable, Equatable {
    /// `finished`, `exited`, `crashed`, `hung` or `could-not-start`.
    package var how: String
    package var code: Int?
    package var signal: String?
    package var milliseconds: Int?
    package var reason: String?
    /// The last line of standard error.
    package var errorLine: String?

    package init(how: String) { self.how = how }
}

/// One statement of the grader.
package struct FindingRecord: Sendable, Equatable {
    /// The subject, such as `expression`, `fact` or `rule`: a word of ``Finding/Subject``.
    package var about: String
    /// `failure` or `observation`.
    package var weight: String
    package var sentence: String
    /// The sentence in plain words; nil when `sentence` is in plain words already.
    package var plain: String?
    /// The reason in the ledger; nil when the ledger does not list the finding.
    package var known: String?
    /// The kind of its cause, as ledgers list it: ``FailureCause/kind``; nil when it fails no case.
    package var cause: String?
    package var details: [String] = []
    package var wanted: String?
    package var got: String?
    /// Rules of callback order: `R12`.
    package var rules: [String] = []
    /// The sections of specifications; never empty in a record of a shipped fixture.
    package var spec: [SpecReference] = []
    package var lane: String?
    /// The number of the client's event.
    package var event: Int?
    /// The sequence of the journal entry.
    package var entry: UInt64?
    /// The place in the fixture that requires the value: `file:line:column`.
    package var location: String?
    /// The request that the finding is about, from 0, and the lines of its head.
    package var request: Int?
    package var head: [String] = []
}

/// One line of a joint timeline.
package struct EventRecord: Sendable, Equatable {
    /// Nanoseconds since the first event of the case; nil where the time is unknown.
    package var nanoseconds: Int?
    /// The lane: `wire`, `harness`, `note`, or one of callbacks as `task[1]`.
    package var lane: String
    package var text: String
    /// The number of the connection, from 0, in the order of the run.
    package var connection: Int?
    package var request: Int?
    /// The HTTP/2 stream; nil for an event of the connection itself, and for HTTP/1.1.
    package var stream: Int?
    /// The number of equal adjacent events, this one included.
    package var count = 1
    /// The wanted value in place of the event; an event with one is marked.
    package var wanted: String?
    /// The head of a request or a reply, and other lines that belong to the event.
    package var details: [String] = []
}
