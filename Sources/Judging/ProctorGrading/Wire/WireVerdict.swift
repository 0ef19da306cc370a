public import ProctorHTTP
package import ProctorScenario

/// The verdict on a case from the journal alone.
public struct WireVerdict: Sendable, Equatable, CustomStringConvertible {
    /// The overall result for the case.
    public internal(set) var outcome: Outcome
    /// The first failure in one sentence for a person: what the client did, and what was wanted; nil when nothing
    /// failed.
    public internal(set) var sentence: String?
    /// The findings in this order: expression, facts in the order of the case, misses and violations in the order of
    /// arrival, missing requests.
    public internal(set) var findings: [Finding] = []
    /// Facts of the client, which the journal can't decide, in the order of the case.
    package internal(set) var undecidedFacts: [FactName] = []
    /// The case's lanes, which only a trace can show, by name.
    public internal(set) var lanesNotJudged: [String] = []
    /// A sentence when the client made no connection, with the address; else nil.
    var noConnection: String?
    /// Every claim of the case with its state; empty when nothing was judged.
    public internal(set) var claims: [JudgedClaim] = []
    /// Whether the end of the load is unknown, as of a command that nobody said does the load of the case.
    package var lacksResult = true
    /// The editions by which the cookies of all requests are right; empty when the case does not check cookies, or none
    /// were judged.
    public internal(set) var cookiesBy: [CookieEdition] = []

    /// The possible results of a case by its journal.
    public enum Outcome: Sendable, Equatable {
        /// Every claim was judged and held; claims about callbacks do not count here.
        case pass
        /// The claims that the journal can show held, and the case has others.
        case partly
        /// The journal can show none of the case's claims.
        case notJudged
        /// At least one finding is a failure.
        case fail
        /// The case only observes; its findings are the observations.
        case observed
        /// Nothing was judged; the reason is half a sentence.
        case setupFailed(String)

        /// The word for programs.
        package var word: String {
            switch self {
            case .pass: "pass"
            case .fail: "fail"
            case .partly: "partly"
            case .observed: "observed"
            case .notJudged: "not-judged"
            case .setupFailed: "setup-failed"
            }
        }
    }

    /// The number of facts that the journal could not decide.
    public var undecidedFactCount: Int { undecidedFacts.count }

    /// The findings that fail the case.
    public var failures: [Finding] { findings.filter { $0.weight == .failure } }

    /// The outcome's word, followed by the first failure or by why nothing was judged.
    public var headline: String {
        if case .setupFailed(let reason) = outcome { return "\(outcome.word): \(reason)" }
        guard outcome == .fail, let sentence else { return outcome.word }
        return "\(outcome.word): \(sentence)"
    }

    /// The headline, each finding as a paragraph, and what was not judged.
    public var description: String { text(details: true) }

    /// The description; without `details`, expressions with their carets and other notation are left out, and so is the sentence
    /// that a text has as its `opening`.
    package func text(details: Bool, after opening: String? = nil) -> String {
        var notJudged: [String] = []
        for claim in claims where claim.counts && !claim.isJudged {
            guard case .end = claim.claim.saying else { continue }
            let reason = lacksResult ? "the command reports no result" : claim.state.reason ?? "unknown"
            notJudged.append("not judged: \(claim.claim.description) (\(reason))")
        }
        notJudged += undecidedLines
        if !lanesNotJudged.isEmpty {
            let names = lanesNotJudged.joined(separator: ", ")
            notJudged.append("not judged: \(names) (the command reports no callbacks)")
        }
        // Parts that could not be judged do not explain the failure.
        if !details, outcome == .fail { notJudged = [] }
        let shown = details ? findings.map(\.description) : Finding.inWords(findings, after: opening)
        return ([headline] + shown + CookieText.met(cookiesBy) + notJudged).joined(separator: "\n")
    }
}

extension WireVerdict {
    /// One line for each reason for which facts could not be decided, in the order of the case.
    private var undecidedLines: [String] {
        var reasons: [String: String] = [:]
        for judged in claims {
            if case .fact(let name) = judged.claim.saying { reasons[name.text] = judged.state.reason }
        }
        func reason(_ name: FactName) -> String {
            switch name {
            case .client, .spent: "the command reports none"
            default: reasons[name.text] ?? "nothing shows it"
            }
        }
        let lines = undecidedFacts.map(reason).unique
        return lines.map { line in
            let names = undecidedFacts.filter { reason($0) == line }.map(\.text).joined(separator: ", ")
            return "not judged: \(names) (\(line))"
        }
    }

    init(_ verdict: CaseVerdict, of item: Case) {
        let outcome: Outcome =
            switch verdict.outcome {
            case .pass: .pass
            case .partly: .partly
            case .fail, .hang, .crash, .known, .fixed: .fail
            case .observed: .observed
            case .setupFailed(let reason), .skipped(let reason): .setupFailed(reason)
            case .adapterError(let fault): .setupFailed(fault.description)
            case .notJudged, .lacks, .notInThisAdapter: .notJudged
            }
        self.init(
            outcome: outcome, findings: verdict.findings, undecidedFacts: verdict.undecidedFacts,
            lanesNotJudged: verdict.claims.isEmpty ? [] : item.lanes.keys.sorted(), claims: verdict.claims,
            cookiesBy: verdict.cookiesBy)
        sentence = verdict.sentence
        noConnection = verdict.noConnection
    }
}
