import ProctorBase
public import ProctorEvents
public import ProctorHTTP
public import ProctorScenario

/// What became of one case with one client.
public struct CaseVerdict: Sendable, CustomStringConvertible {
    /// Which case.
    public let id: CaseID
    /// How binding it is.
    public let kind: Case.Kind
    /// The verdict proper.
    public internal(set) var outcome: Outcome
    /// How the client ended first, then lanes, rules and edges, wire and facts.
    public internal(set) var findings: [Finding]
    /// How the client's process ended.
    public internal(set) var ending = ClientEnding.finished
    /// Every claim of the case, and what came of it; empty for one that was not judged at all.
    public internal(set) var claims: [JudgedClaim] = []
    /// What could not be judged and why, a sentence each.
    public internal(set) var notJudged: [String] = []
    /// Facts that could not be decided.
    public internal(set) var undecidedFacts: [FactName] = []
    /// Every rule that was seen to break, whatever it weighs; by number, each once.
    public internal(set) var brokenRules: [RuleNumber] = []
    /// The entry of the ledger that speaks of the case.
    public internal(set) var deviation: Ledger.Deviation?
    /// Whether anything that entry lists did happen.
    public internal(set) var deviationHappened = false
    /// What the ledger has to say: why something is known, and what of it no longer happens.
    public internal(set) var ledgerNotes: [String] = []
    /// What the case expects and the client, as its ledger says, never tells; it counted as told.
    public internal(set) var untoldEvents: [TraceEventSymbol] = []
    /// The editions by which the cookies of all requests are right, where the case asks for them and any came.
    public internal(set) var cookiesBy: [CookieEdition] = []
    /// How long the client took; nil when it was not measured.
    public var milliseconds: Int?
    /// The fields that a timeline shows, for the case speaks of them.
    public internal(set) var shown = ShownFields()

    /// What became of a case.
    public enum Outcome: Sendable, Equatable {
        /// Every claim of the case was looked at, and held.
        case pass
        /// At least one finding is a failure that no ledger lists.
        case fail
        /// The client, or one of its tasks, did not come to an end.
        case hang
        /// The client died.
        case crash
        /// Failed, hung or crashed exactly as its ledger says.
        case known
        /// Something that the ledger lists no longer happens; the entry is to be corrected.
        case fixed
        /// The case asks for nothing; what was seen is in the findings.
        case observed
        /// What was looked at held, and some claims could not be looked at; the claims say which, and why.
        case partly
        /// Nothing that the case says could be looked at.
        case notJudged
        /// The case needs an ability that the client does not have.
        case lacks(Ability)
        /// The adapter cannot have its client do what the program asks; the reason is the first of ``CaseVerdict/notJudged``.
        case notInThisAdapter
        /// The case was not asked; the reason is half a sentence.
        case skipped(String)
        /// Nothing can be said of the client; the reason is half a sentence.
        case setupFailed(String)

        /// The word for it in reports: `setup-failed`.
        public var word: String {
            switch self {
            case .pass: "pass"
            case .fail: "fail"
            case .hang: "hang"
            case .crash: "crash"
            case .known: "known"
            case .fixed: "fixed"
            case .observed: "observed"
            case .partly: "partly"
            case .notJudged: "not-judged"
            case .lacks: "lacks"
            case .notInThisAdapter: "not-in-this-adapter"
            case .skipped: "skipped"
            case .setupFailed: "setup-failed"
            }
        }

        /// Every word there is, in the order in which summaries name them.
        public static let words = [
            "pass", "fail", "hang", "crash", "known", "fixed", "observed", "partly", "not-judged", "lacks",
            "not-in-this-adapter", "skipped", "setup-failed",
        ]

        /// Whether a person has to look at the client, at its ledger or at the set-up.
        public var isFailure: Bool {
            switch self {
            case .fail, .hang, .crash, .fixed, .notJudged, .setupFailed: true
            case .pass, .known, .observed, .partly, .lacks, .notInThisAdapter, .skipped: false
            }
        }
    }

    init(id: CaseID, kind: Case.Kind, outcome: Outcome, findings: [Finding] = []) {
        self.id = id
        self.kind = kind
        self.outcome = outcome
        self.findings = findings
    }

    /// The verdict on a case that was not asked; `reason` is half a sentence.
    public static func skipped(_ id: CaseID, kind: Case.Kind, reason: String) -> CaseVerdict {
        CaseVerdict(id: id, kind: kind, outcome: .skipped(reason))
    }

    /// The verdict on a case that could not be asked; `reason` is half a sentence.
    public static func setupFailed(_ id: CaseID, kind: Case.Kind, reason: String) -> CaseVerdict {
        CaseVerdict(id: id, kind: kind, outcome: .setupFailed(reason))
    }

    /// The findings that decide: failures that no ledger lists.
    public var failures: [Finding] { findings.filter { $0.weight == .failure && $0.known == nil } }

    /// The first line, one finding a paragraph below it, and what was not judged.
    public var description: String { lines.joined(separator: "\n") }
}

extension CaseVerdict {
    /// Whether sittings with other slices can say more of the case: one that failed anyhow is not asked again.
    public var invitesReslicing: Bool { outcome == .pass || outcome == .partly || outcome == .observed }

    /// Takes over what sittings with other slices showed: a case that passed fails by it, one that observes notes it.
    public mutating func take(_ differences: [Finding]) {
        guard !differences.isEmpty else { return }
        guard outcome == .pass || outcome == .partly else {
            findings += differences.map(\.observed)
            return
        }
        findings += differences.map { finding in
            var finding = finding
            finding.isRecommendation = kind == .should
            return finding
        }
        outcome = .fail
    }

    /// Says why nothing is known of other slices, half a sentence.
    public mutating func noteUnsliced(_ reason: String) {
        notJudged.append("other slices: \(reason)")
    }
}

extension CaseVerdict {
    /// `fail: redirect/302#follow (should)`.
    public var headline: String {
        let reason =
            switch outcome {
            case .skipped(let reason), .setupFailed(let reason): ": \(EventText.printable(reason, limit: 2_000))"
            default: ""
            }
        var word = outcome.word
        if case .lacks(let ability) = outcome { word += " \(ability.rawValue)" }
        return "\(word): \(id)\(kind == .must ? "" : " (\(kind.rawValue))")\(reason)"
    }

    /// All lines of the verdict for a person, without the timeline.
    var lines: [String] {
        var lines = [headline]
        for note in ledgerNotes { lines += LabelledText.lines("ledger", [note]) }
        lines += findings.map(\.description)
        lines += CookieText.met(cookiesBy)
        for sentence in notJudged { lines.append("not judged: \(sentence)") }
        for claim in claims where claim.counts && !claim.isJudged {
            let reason = claim.state.reason ?? ""
            // What stands among the sentences already is not said twice.
            if notJudged.contains(where: { $0.hasSuffix(reason) }) { continue }
            lines.append("not judged: \(claim.claim.description): \(reason)")
        }
        return lines
    }

    /// One sentence: the first finding that decides, or why there is none, and what else was wrong that may explain it.
    public var reason: String {
        switch outcome {
        case .skipped(let reason), .setupFailed(let reason): reason
        case .notInThisAdapter: notJudged.first ?? "the adapter cannot do it"
        case .lacks(let ability): notJudged.first ?? "the client has no \(ability.rawValue)"
        case .partly, .notJudged: claimNote
        case .known, .fixed: ledgerNotes.first ?? findings.first?.sentence ?? ""
        case .pass, .observed: (failures.first ?? findings.first)?.sentence ?? ""
        case .fail, .hang, .crash:
            ([(failures.first ?? findings.first)?.sentence ?? ""] + refusalNote + cookieNote).joined(separator: "; ")
        }
    }

    /// Which claims were not looked at, and why.
    private var claimNote: String {
        let open = claims.filter { $0.counts && !$0.isJudged }
        let reasons = open.map { "\($0.claim.description): \($0.state.reason ?? "")" }
        let judgedCount = claims.count(where: { $0.counts && $0.isJudged })
        let count =
            "\(judgedCount) of \(Plural.count(judgedCount + open.count, "claim")) \(judgedCount == 1 ? "was" : "were") judged"
        return ([count] + reasons).joined(separator: "; ")
    }

    /// What was wrong with the first cookies that differ, where that decides nothing.
    private var cookieNote: [String] {
        findings.lazy.filter { $0.weight == .observation }.compactMap(\.cookieSentence).prefix(1)
            .map { "cookies differ: \($0)" }
    }

    /// What was wrong with the first credential that was refused, where one was: it explains much of what followed.
    private var refusalNote: [String] {
        findings.lazy.compactMap(\.faultSentence).prefix(1).map { "a credential was refused: \($0)" }
    }
}

/// The name of a case everywhere: `redirect/302-post-becomes-get#follow`.
public struct CaseID: Sendable, Hashable, CustomStringConvertible {
    /// The path of the fixture without extension.
    public let scenario: String
    /// The case's name in the fixture.
    public let name: String

    /// Both parts as they are.
    public init(scenario: String, name: String) {
        self.scenario = scenario
        self.name = name
    }

    /// The two parts with `#` between them.
    public var description: String { "\(scenario)#\(name)" }
}
