package import ProctorScenario

/// Everything that a report says of one case of one client's exam.
///
/// It is made from a verdict and its evidence, written as a line of JSON, and read back from it.
package struct CaseRecord: Sendable, Equatable {
    /// The client, as in its ``ExamHeader``; empty outside of an exam.
    package var client = ""
    package var id: CaseID
    package var kind: Case.Kind
    /// One sentence: what the case asks; nil where the fixture was not at hand.
    package var summary: String?
    /// A word of ``CaseVerdict/Outcome/words``.
    package var outcome: String
    /// What the client lacks, where the outcome is `lacks`.
    package var ability: String?
    /// One sentence; empty when there is none.
    package var reason = ""
    /// ``FailureCause/key``, which failed cases share; nil where nothing failed.
    package var cause: String?
    /// The sections that the cause itself rests on; empty where they are those of the case.
    package var causeSpec: [SpecReference] = []
    /// What the client's project knows of the cause; nil where its ledger says nothing of it.
    package var upstream: UpstreamReport?
    /// Steps of the client and exchanges of the scenario together: the smaller, the better an example; nil: unknown.
    package var size: Int?
    /// The sections that the case comes from.
    package var spec: [SpecReference] = []
    /// What the case is about: `request, reply`; nil where no claim was judged.
    package var subject: String?
    /// The abilities that the case needs, by name.
    package var needs: [String] = []
    package var claims: [ClaimRecord] = []
    /// How long the client took; nil when it was not measured.
    package var milliseconds: Int?
    /// How long Proctor itself took, in microseconds; nil when it was not measured.
    package var ownMicroseconds: Int?
    package var ending = EndingRecord(how: "finished")
    /// Rules that broke, whatever they weigh: `R12`.
    package var rules: [String] = []
    package var findings: [FindingRecord] = []
    package var cookiesBy: [String] = []
    package var notJudged: [String] = []
    package var undecided: [String] = []
    package var untold: [String] = []
    /// The place of the ledger's entry and its reason; nil where no entry speaks of the case.
    package var ledgerEntry: String?
    package var ledgerReason: String?
    package var ledgerNotes: [String] = []
    /// The joint timeline of wire, callbacks and harness.
    package var timeline: [EventRecord] = []
    /// What the client said of its error: the facts `error` and `message` of its results.
    package var clientError: String?
    /// The last lines of the adapter's standard error.
    package var errorLines: [String] = []
    /// A command that shows the same with curl; nil where there is none.
    package var curl: String?
    /// What curl can't do of it, half a sentence.
    package var curlShortfall: String?
    /// The fixture: its file and the line of the case.
    package var file: String?
    package var line: Int?
    /// The line of the trace at which an adapter error was found.
    package var traceLine: Int?

    package init(id: CaseID, kind: Case.Kind, outcome: String) {
        self.id = id
        self.kind = kind
        self.outcome = outcome
    }

    /// The first segment of the scenario's id.
    package var family: String { String(id.scenario.prefix { $0 != "/" }) }

    /// The findings that decide: failures that the ledger does not list.
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

/// One statement of grading.
package struct FindingRecord: Sendable, Equatable {
    /// `expression`, `fact`, `rule` …: a word of ``Finding/Subject``.
    package var about: String
    /// `failure` or `observation`.
    package var weight: String
    package var sentence: String
    /// The sentence in words alone; nil where it is in words already.
    package var plain: String?
    /// The reason in the ledger; nil when it is not listed.
    package var known: String?
    package var details: [String] = []
    package var wanted: String?
    package var got: String?
    /// Rules of callback order: `R12`.
    package var rules: [String] = []
    /// Never empty in a record of a shipped fixture.
    package var spec: [SpecReference] = []
    package var lane: String?
    /// The number of the client's event.
    package var event: Int?
    /// The sequence of the journal's entry.
    package var entry: UInt64?
    /// The place in the fixture that asks for it: `file:line:column`.
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
    /// From 0, in the order of the run.
    package var connection: Int?
    package var request: Int?
    /// The stream of HTTP/2; nil for the connection itself, and for HTTP/1.
    package var stream: Int?
    /// Equal events in a row, this one included.
    package var count = 1
    /// What was wanted here instead; an event with it is the marked place.
    package var wanted: String?
    /// The head of a request or a reply, and other lines that belong to the event.
    package var details: [String] = []
}
