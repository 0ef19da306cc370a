public import ProctorHTTP
public import ProctorScenario

/// What the journal alone says about a case.
public struct WireVerdict: Sendable, Equatable, CustomStringConvertible {
    /// The verdict proper.
    public let outcome: Outcome
    /// In the order: expression, facts as the case writes them, misses and violations as they came.
    public let findings: [Finding]
    /// Facts of the client's side, which the wire cannot decide, in the order of the case.
    public let undecidedFacts: [FactName]
    /// Lanes of the case, which only a trace could show, by name.
    public let lanesNotJudged: [String]
    /// Every claim of the case, and what came of it; empty where nothing was judged.
    public let claims: [JudgedClaim]
    /// The editions by which the cookies of all requests are right, where the case asks for them and any came.
    public let cookiesBy: [CookieEdition]

    /// What became of the case.
    public enum Outcome: Sendable, Equatable {
        /// Every claim of the case could be judged by the wire, but those about callbacks, and held.
        case pass
        /// What the wire can show was as the case asks, and the case says more.
        case partly
        /// The wire can show nothing of what the case says.
        case notJudged
        /// At least one finding is a failure.
        case fail
        /// The case asks for nothing; what was seen is in the findings.
        case observed
        /// Nothing was judged; the reason is half a sentence.
        case setupFailed(String)
    }

    init(
        outcome: Outcome, findings: [Finding] = [], undecidedFacts: [FactName] = [], lanesNotJudged: [String] = [],
        claims: [JudgedClaim] = [], cookiesBy: [CookieEdition] = []
    ) {
        self.claims = claims
        self.cookiesBy = cookiesBy
        self.outcome = outcome
        self.findings = findings
        self.undecidedFacts = undecidedFacts
        self.lanesNotJudged = lanesNotJudged
    }

    /// Of a verdict on evidence without a trace.
    init(_ verdict: CaseVerdict, of item: Case) {
        let outcome: Outcome =
            switch verdict.outcome {
            case .pass: .pass
            case .partly: .partly
            case .fail, .hang, .crash, .known, .fixed: .fail
            case .observed: .observed
            case .setupFailed(let reason), .skipped(let reason): .setupFailed(reason)
            case .notJudged, .lacks, .notInThisAdapter: .notJudged
            }
        self.init(
            outcome: outcome, findings: verdict.findings, undecidedFacts: verdict.undecidedFacts,
            lanesNotJudged: verdict.claims.isEmpty ? [] : item.lanes.keys.sorted(), claims: verdict.claims,
            cookiesBy: verdict.cookiesBy)
    }

    /// How many facts the wire could not decide.
    public var undecidedFactCount: Int { undecidedFacts.count }

    /// The findings that decide.
    public var failures: [Finding] { findings.filter { $0.weight == .failure } }

    /// One word, one finding a paragraph below it, and what was not judged.
    public var description: String {
        let word =
            switch outcome {
            case .pass: "pass"
            case .partly: "partly"
            case .notJudged: "not-judged"
            case .fail: "fail"
            case .observed: "observed"
            case .setupFailed(let reason): "setup-failed: \(reason)"
            }
        var notJudged: [String] = []
        for claim in claims where claim.counts && !claim.isJudged {
            guard case .end = claim.claim.saying else { continue }
            notJudged.append("not judged: \(claim.claim.description) (the command reports no result)")
        }
        if !undecidedFacts.isEmpty {
            let names = undecidedFacts.map(\.text).joined(separator: ", ")
            notJudged.append("not judged: \(names) (the command reports none)")
        }
        if !lanesNotJudged.isEmpty {
            let names = lanesNotJudged.joined(separator: ", ")
            notJudged.append("not judged: \(names) (the command reports no callbacks)")
        }
        return ([word] + findings.map(\.description) + CookieText.met(cookiesBy) + notJudged).joined(separator: "\n")
    }
}
