public import ProctorBase
public import ProctorEvents
public import ProctorHTTP
public import ProctorJournal
public import ProctorNotation
public import ProctorRules
public import ProctorScenario

/// One thing that grading has to say about a case, for a person and for a program.
public struct Finding: Sendable, Equatable, CustomStringConvertible {
    /// What it is about.
    public let subject: Subject
    /// Whether it decides the verdict.
    public internal(set) var weight: Weight
    /// One line: what was wanted, what came.
    public let sentence: String
    /// Further lines: the expression with its carets, the rule that explains it.
    public internal(set) var details: [String]
    /// What the case asks for, where that can be said in a few words.
    public let wanted: String?
    /// What was measured.
    public let got: String?
    /// The journal entry it is about; nil for what never came, or came from the client.
    public let sequence: UInt64?
    /// Where the fixture asks for it; nil for what is always asked.
    public let location: SourceLocation?
    /// The rules that broke there, or that explain why something else did; by number.
    public internal(set) var rules: [RuleNumber] = []
    /// The client's lane it shows in; nil for the wire and for the case as a whole.
    public internal(set) var lane: LaneID?
    /// The number of the client's event it is about; nil for what never came.
    public internal(set) var event: Int?
    /// Why the client is known to do so, by its ledger; nil when it is not.
    public internal(set) var known: String?
    /// The case's own name of the lane, where its expression of that lane failed.
    var laneKey: String?
    /// Whether the case only recommends what was not found (`kind: should`).
    public internal(set) var isRecommendation = false

    /// What a finding is about.
    public enum Subject: Sendable, Equatable {
        /// The order of a lane, or of the requests.
        case expression(NotationDiagnosis)
        /// A fact of the case.
        case fact(FactName)
        /// A request that no exchange answers.
        case miss(Miss)
        /// What the client's bytes broke.
        case violation(Violation)
        /// Bytes that the fixture expects where the connection is no HTTP any more, and that did not come.
        case opaque(ExpectedBytes)
        /// A credential that a guard refused; it fails nothing by itself.
        case credential(GuardVerdict)
        /// The Cookie field of a request, or that it has none.
        case cookies(CookieVerdict)
        /// A universal rule of callback order.
        case rule(RuleHit)
        /// What every lane of a family must satisfy.
        case grammar(CallbackFamily, NotationDiagnosis)
        /// What a callback says, against what the server sent or what the sum is; the field as traces name it.
        case content(field: String)
        /// The order of two events of different lanes, as the case or this module writes it.
        case edge(String)
        /// A crash, or a hang.
        case ending(ClientEnding)
        /// A rule that the case breaks on purpose and that no monitor reported.
        case unreportedRule(RuleNumber)
        /// What a client without callbacks said of the end of a step.
        case result(step: Int)
        /// Something was otherwise when the server cut its replies by that seed.
        case slices(seed: UInt64)
        /// The client repeated itself until the run answered no more.
        case bound(ReachedBound)
    }

    /// Whether a finding fails the case.
    public enum Weight: String, Sendable {
        /// The finding fails the case.
        case failure
        /// The finding is told, and the verdict does not depend on it.
        case observation
    }

    init(
        _ subject: Subject, _ weight: Weight, _ sentence: String, details: [String] = [], wanted: String? = nil,
        got: String? = nil, sequence: UInt64? = nil, location: SourceLocation? = nil
    ) {
        self.subject = subject
        self.weight = weight
        self.sentence = sentence
        self.details = details
        self.wanted = wanted
        self.got = got
        self.sequence = sequence
        self.location = location
    }

    /// The same, told and no more.
    var observed: Finding {
        var copy = self
        copy.weight = .observation
        return copy
    }

    /// The sentence, with its place and its details below it.
    public var description: String {
        let place = location.map { "\($0): " } ?? ""
        let note =
            if weight == .observation { "observed: " } else if known != nil {
                "known: "
            } else if isRecommendation {
                "should: "
            } else {
                ""
            }
        let reason = known.map { LabelledText.lines("because", [$0]) } ?? []
        return (["\(place)\(note)\(sentence)"] + details + reason).joined(separator: "\n")
    }
}
