import ProctorBase
package import ProctorEvents
package import ProctorHTTP
package import ProctorScenario

package struct CaseVerdict: Sendable, CustomStringConvertible {
    package let id: CaseID
    package let kind: Case.Kind
    /// Set by ``conclude(_:as:)`` and what follows it alone, so that no outcome contradicts the claims.
    package private(set) var outcome: Outcome
    /// The first failure in one sentence for a person: what the client did, and what was wanted; nil when nothing
    /// failed.
    package internal(set) var sentence: String?
    /// A sentence when the client made no connection, with the address; else nil.
    package internal(set) var noConnection: String?
    /// The findings in this order: the client's end, lanes, rules and edges, wire and facts.
    package internal(set) var findings: [Finding]
    package var ending = ClientEnding.finished
    /// Whether a control failed, or what the case rests on was not so.
    var isUncontrolled = false
    /// Every claim of the case with its state; empty for a case that was not judged at all.
    package private(set) var claims: [JudgedClaim] = []
    package internal(set) var notJudged: [String] = []
    package internal(set) var undecidedFacts: [FactName] = []
    /// The broken rules of any weight, by number, each once.
    package internal(set) var brokenRules: [RuleNumber] = []
    package internal(set) var deviation: Ledger.Deviation?
    /// Whether a ledger says what the client is known to do.
    package internal(set) var hasLedger = false
    /// Whether any part of the ledger's entry happened.
    package internal(set) var deviationHappened = false
    /// Why a deviation is known, and which listed parts no longer happen.
    package internal(set) var ledgerNotes: [String] = []
    /// Events that the case expects and that the client never reports, by its ledger; they count as seen.
    package internal(set) var untoldEvents: [TraceEventSymbol] = []
    /// The editions by which the cookies of all requests are right; empty when the case does not check cookies, or none
    /// were judged.
    package internal(set) var cookiesBy: [CookieEdition] = []
    /// The duration in milliseconds; nil when it was not measured.
    package var milliseconds: Int?
    /// The sections of the case, or else of its scenario.
    package internal(set) var caseSections: [String] = []
    /// What the client's project says about the cause, by the ledger; nil when the ledger has no entry for it.
    package internal(set) var upstream: UpstreamReport?
    /// The fields that the timeline shows because the case names them.
    package internal(set) var shown = ShownFields()

    package enum Outcome: Sendable, Equatable {
        /// Every claim of the case was checked and held.
        case pass
        /// At least one finding is a failure that the ledger does not list.
        case fail
        case hang
        case crash
        /// The case failed, hung or crashed exactly as the client's ledger says.
        case known
        /// A part of the ledger's entry no longer happens, so that the entry must be corrected.
        case fixed
        /// The case only observes; its findings are the observations.
        case observed
        /// Every claim that could be checked held; ``CaseVerdict/claims`` says which could not be checked, and why.
        case partly
        case notJudged
        case lacks(Ability)
        /// The adapter can't make its client perform the program; the first of ``CaseVerdict/notJudged`` is the reason.
        case notInThisAdapter
        /// The case was not run; the reason is half a sentence.
        case skipped(String)
        /// The client was not judged; the reason is half a sentence.
        case setupFailed(String)
        /// The adapter broke its contract, so that the client was not judged.
        case adapterError(AdapterFault)

        package var word: String {
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
            case .adapterError: "adapter-error"
            }
        }

        /// The words of the outcomes, in the order in which summaries print them.
        package static let words = [
            "pass", "fail", "hang", "crash", "known", "fixed", "observed", "partly", "not-judged", "lacks",
            "not-in-this-adapter", "skipped", "setup-failed", "adapter-error",
        ]

        /// Whether reports print the sentence about the first failure below the headline.
        package var showsSentence: Bool { [.fail, .hang, .crash].contains(self) }

        /// Whether a person has to check the client, its ledger or the set-up.
        package var isFailure: Bool {
            switch self {
            case .fail, .hang, .crash, .fixed, .notJudged, .setupFailed, .adapterError: true
            case .pass, .known, .observed, .partly, .lacks, .notInThisAdapter, .skipped: false
            }
        }
    }

    private init(_ id: CaseID, _ kind: Case.Kind, _ outcome: Outcome, findings: [Finding] = []) {
        (self.id, self.kind, self.outcome, self.findings) = (id, kind, outcome, findings)
    }

    /// A verdict that is not judged until ``conclude(_:as:)``.
    init(id: CaseID, kind: Case.Kind, findings: [Finding]) { self.init(id, kind, .notJudged, findings: findings) }

    /// The verdict of a sitting whose evidence is judged elsewhere.
    package static func notGraded(_ id: CaseID, kind: Case.Kind) -> CaseVerdict { CaseVerdict(id, kind, .notJudged) }

    /// `reason` is half a sentence.
    package static func skipped(_ id: CaseID, kind: Case.Kind, reason: String) -> CaseVerdict {
        CaseVerdict(id, kind, .skipped(reason))
    }

    /// `reason` is half a sentence.
    package static func setupFailed(_ id: CaseID, kind: Case.Kind, reason: String) -> CaseVerdict {
        CaseVerdict(id, kind, .setupFailed(reason))
    }

    package static func adapterError(_ id: CaseID, kind: Case.Kind, _ fault: AdapterFault) -> CaseVerdict {
        CaseVerdict(id, kind, .adapterError(fault))
    }

    /// The findings that decide: failures that the ledger does not list.
    package var failures: [Finding] { findings.filter { $0.weight == .failure && $0.known == nil } }

    /// First the sentence about the failure, if any, then the headline, each finding as a paragraph, and what was not
    /// judged.
    package var description: String { lines(notation: true).joined(separator: "\n") }
}

extension CaseVerdict {
    /// What is known of a run beside its claims.
    enum Conclusion {
        /// The claims decide: one that is broken fails the case, and without one that counts the outcome is `otherwise`.
        case byClaims(otherwise: Outcome)
        /// The client was stopped, which breaks a claim.
        case stopped(Ledger.Deviation.Stop)
        /// The case demands nothing.
        case observed
        /// The case is not one for this client or adapter, or the test's own code is at fault.
        case notAsked(Outcome)
    }

    /// Sets the claims and the outcome that follows from them; a failure that breaks no claim of the case breaks one of every case.
    mutating func conclude(_ judged: [JudgedClaim], as conclusion: Conclusion) {
        claims = judged
        switch conclusion {
        case .byClaims(let otherwise):
            if claims.contains(where: { $0.state == .broken }) {
                outcome = .fail
                return
            }
            switch claims.extent {
            case .whole: outcome = .pass
            case .partial: outcome = .partly
            case .nothing: outcome = .notJudged
            case .notOfThisClient: outcome = otherwise
            }
        case .stopped(let stop):
            if !claims.contains(where: { $0.state == .broken }) { addBroken(.always(.reply)) }
            outcome = stop == .crash ? .crash : .hang
        case .observed: outcome = .observed
        case .notAsked(let other): outcome = other
        }
    }

    /// Fails a verdict by something that was found after its claims were judged.
    mutating func fail(by subject: Claim.Subject) {
        addBroken(.always(subject))
        outcome = .fail
    }

    /// The ledger lists every failure, or something that no longer happens.
    mutating func conclude(byLedger isKnown: Bool) { outcome = isKnown ? .known : .fixed }

    private mutating func addBroken(_ claim: Claim) {
        guard !claims.contains(where: { $0.claim == claim }) else { return }
        claims.append(JudgedClaim(claim: claim, state: .broken))
    }
}

extension CaseVerdict {
    /// Whether a run with other slices can change the verdict; a failed case is not run again.
    package var invitesReslicing: Bool { outcome == .pass || outcome == .partly || outcome == .observed }

    /// Adds the differences in runs with other slices; they fail a case that passed, and are observations in a case
    /// that observes.
    package mutating func addDifferences(_ differences: [Finding]) {
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
        fail(by: .reply)
        sentence = differences.first?.sentence
    }

    /// Adds why runs with other slices show nothing; `reason` is half a sentence.
    package mutating func noteUnsliced(_ reason: String) { notJudged.append("other slices: \(reason)") }
}

extension CaseVerdict {
    /// `fail: redirect/302#follow (should)`.
    package var headline: String {
        let reason =
            switch outcome {
            case .skipped(let reason), .setupFailed(let reason): ": \(EventText.printable(reason, limit: 2_000))"
            case .adapterError(let fault): ": \(EventText.printable(fault.description, limit: 2_000))"
            default: ""
            }
        var word = outcome.word
        if case .lacks(let ability) = outcome { word += " \(ability.rawValue)" }
        return "\(word): \(id)\(kind == .must ? "" : " (\(kind.rawValue))")\(reason)"
    }

    /// The sentence about the first failure, or else the headline.
    package var opening: String { outcome.showsSentence ? sentence ?? headline : headline }

    /// The opening, a timeline, then each finding as a paragraph, and what was not judged.
    ///
    /// Without `notation`, expressions with their carets are left out; after a failure, what was not judged is left out
    /// too.
    package func text(around timeline: Timeline, notation: Bool) -> String {
        let lines = lines(notation: notation)
        let rest = opening == headline ? lines.dropFirst() : [headline] + lines.dropFirst(2)
        return ([opening, "", timeline.description] + (rest.isEmpty ? [] : [""] + rest)).joined(separator: "\n")
    }

    private func lines(notation: Bool) -> [String] {
        var lines = opening == headline ? [headline] : [opening, headline]
        for note in ledgerNotes { lines += LabelledText.lines("ledger", [note]) }
        lines += notation ? findings.map(\.description) : Finding.inWords(findings, after: opening)
        lines += CookieText.met(cookiesBy)
        // Parts that could not be judged do not explain the failure.
        guard notation || !outcome.showsSentence else { return lines }
        for sentence in notJudged { lines.append("not judged: \(sentence)") }
        for claim in claims where claim.counts && !claim.isJudged {
            let reason = claim.state.reason ?? ""
            // A reason that is already among the sentences is not repeated.
            if notJudged.contains(where: { $0.hasSuffix(reason) }) { continue }
            lines.append("not judged: \(claim.claim.description): \(reason)")
        }
        return lines
    }

    /// One sentence: the first failure, or why there is no verdict.
    package var reason: String {
        switch outcome {
        case .skipped(let reason), .setupFailed(let reason): reason
        case .adapterError(let fault): fault.description
        case .notInThisAdapter: notJudged.first ?? "the adapter cannot do it"
        case .lacks(let ability): notJudged.first ?? "the client has no \(ability.rawValue)"
        case .partly, .notJudged: claimNote
        case .known, .fixed: ledgerNotes.first ?? findings.first?.sentence ?? ""
        case .pass, .observed: (failures.first ?? findings.first)?.sentence ?? ""
        case .fail, .hang, .crash: sentence ?? (failures.first ?? findings.first)?.sentence ?? ""
        }
    }

    /// Why a test of the case is skipped: nothing was judged of what a client may leave undone.
    ///
    /// A must that can't be judged fails.
    package var reasonToSkip: String? { outcome == .notJudged && kind != .must ? reason : nil }

    private var claimNote: String {
        let open = claims.filter { $0.counts && !$0.isJudged }
        let reasons = open.map { "\($0.claim.description): \($0.state.reason ?? "")" }
        let judgedCount = claims.count(where: { $0.counts && $0.isJudged })
        let count =
            "\(judgedCount) of \(Plural.count(judgedCount + open.count, "claim")) \(judgedCount == 1 || judgedCount + open.count == 1 ? "was" : "were") judged"
        return ([count] + reasons).joined(separator: "; ")
    }
}

/// How an adapter broke its contract (Docs/clients/adapters.md).
package struct AdapterFault: Sendable, Equatable, CustomStringConvertible {
    /// One sentence without its place.
    package let sentence: String
    /// The line of the trace, from 1; nil when the fault is not in one line.
    package let line: Int?

    package init(_ sentence: String, line: Int? = nil) {
        (self.sentence, self.line) = (sentence, line)
    }

    package var description: String { line.map { "line \($0) of the trace: \(sentence)" } ?? sentence }
}

package struct CaseID: Sendable, Hashable, CustomStringConvertible {
    package let scenario: String
    package let name: String

    package init(scenario: String, name: String) {
        (self.scenario, self.name) = (scenario, name)
    }

    package var description: String { "\(scenario)#\(name)" }
}
