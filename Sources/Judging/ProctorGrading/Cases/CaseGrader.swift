package import ProctorBase
import ProctorEvents
import ProctorNotation
import ProctorProgram
package import ProctorRules
package import ProctorScenario

/// Grades one run of a case by a client: how the client ended, its callbacks, the wire and its facts, compared with its
/// ledger.
///
/// A pure function: the same evidence always gives the same verdict.
package struct CaseGrader: Sendable {
    package let id: CaseID
    private let item: Case
    private let context: TemplateContext?
    private let platform: Platform
    private let ledger: Ledger?

    /// `context` has the values of late-bound text in facts; without it such facts are undecided.
    package init(
        _ case: Case, scenario: String, context: TemplateContext? = nil, platform: Platform = .neutral,
        ledger: Ledger? = nil
    ) {
        id = CaseID(scenario: scenario, name: `case`.name)
        item = `case`
        (self.context, self.ledger) = (context, ledger)
        self.platform = platform.heeding(`case`.client.first?.session)
    }

    /// Why the case cannot be run on the platform, half a sentence; nil when it can.
    package var skipReason: String? {
        let missing = item.client.map(\.task.family).first { family in
            platform.families.isDisjoint(with: family.takers)
        }
        return missing.map { "\(platform.name) has no tasks of family \($0.rawValue)" }
    }

    /// The most steps of one grading: each reading of a trace event or a journal entry is a step, and a long trace
    /// takes about forty for each event.
    package static let stepLimit = 4_000_000_000

    /// Grades the evidence; when the budget is spent, the outcome names the bound and does not judge the client.
    package func grade(
        _ evidence: CaseEvidence, within budget: WorkBudget = WorkBudget(stepLimit: stepLimit)
    ) -> CaseVerdict {
        var verdict: CaseVerdict
        do throws(SpentBudget) {
            verdict = try judge(evidence, within: budget)
        } catch {
            let reason = "judging was not finished: \(error); give a shorter trace, or a journal with fewer entries"
            verdict = .setupFailed(id, kind: item.kind, reason: reason)
        }
        verdict.caseSections = item.spec.isEmpty ? item.scenarioSpec : item.spec
        verdict.upstream = verdict.cause.flatMap { ledger?.upstream(of: $0) }
        verdict.hasLedger = ledger != nil
        verdict.ending = evidence.ending
        verdict.milliseconds = evidence.milliseconds
        verdict.shown = verdict.outcome.showsSentence ? ShownFields(item).withReplies : ShownFields(item)
        return verdict
    }

    private func judge(_ evidence: CaseEvidence, within budget: WorkBudget) throws(SpentBudget) -> CaseVerdict {
        try budget.spend(evidence.events.count + (evidence.journal?.count ?? 0))
        let record = evidence.journal.map { WireRecord($0, hasOwnURLs: item.hasOwnURLs) }
        if let record, evidence.droppedCount > 0, let verdict = endlessVerdict(record) { return verdict }
        let fault =
            Self.setupFault(evidence, record) ?? (record ?? WireRecord([])).fault(droppedCount: evidence.droppedCount)
        if let fault { return .setupFailed(id, kind: item.kind, reason: fault) }
        let grading = try CaseGrading(
            item, evidence, record, platform: platform, context: context, ledger: ledger, within: budget)
        var verdict = try judge(grading)
        verdict.brokenRules = Set(grading.report.hits.map(\.rule)).sorted()
        if let ledger {
            var comparison = LedgerComparison(ledger, grading, id: id)
            comparison.apply(to: &verdict)
        }
        if verdict.outcome == .known, let reason = evidence.failedControls[.load] {
            // What a client does that can't load anything is nothing that its ledger knows.
            return .setupFailed(id, kind: item.kind, reason: reason)
        }
        verdict.sentence = PlainSentences(item, record: grading.record, base: context?.base).first(of: verdict.findings)
        try budget.checkBounds()
        if item.kind == .should {
            for index in verdict.findings.indices { verdict.findings[index].isRecommendation = true }
        }
        return verdict
    }

    /// The verdict on a client that repeated requests until the journal was full; the dropped entries are further
    /// repetitions.
    private func endlessVerdict(_ record: WireRecord) -> CaseVerdict? {
        let findings = WireGrader.boundFindings(in: record).sorted { ($0.sequence ?? 0) < ($1.sequence ?? 0) }
        guard !findings.isEmpty else { return nil }
        let isObserved = item.kind == .observes
        var verdict = CaseVerdict(
            id: id, kind: item.kind, findings: isObserved ? findings.map(\.observed) : findings)
        if isObserved { verdict.conclude([], as: .observed) } else { verdict.fail(by: .request) }
        verdict.sentence = isObserved ? nil : findings.first?.sentence
        return verdict
    }

    private static func setupFault(_ evidence: CaseEvidence, _ record: WireRecord?) -> String? {
        switch evidence.ending {
        case .couldNotStart(let reason): return "the client could not start: \(reason)"
        case .exited(let code, let line) where code != 0:
            let said = line.map { ": \(EventText.printable($0, limit: 500))" } ?? ""
            return "the client \(exitPhrase(code)) (exit code \(code))\(said)"
        case .finished, .exited, .crashed, .hung, .outOfBounds:
            guard evidence.lacksBeginning, record?.exchanges.isEmpty ?? true else { return nil }
            return
                "the client \(phrase(ofEndBeforeBeginning: evidence.ending)): its trace has no event, and no request came"
        }
    }

    /// How a client ended that never began, half a sentence.
    private static func phrase(ofEndBeforeBeginning ending: ClientEnding) -> String {
        switch ending {
        case .crashed(let signal, _): "crashed with \(EventText.printable(signal, limit: 40)) before it began"
        case .hung(let milliseconds, _): "was still running after \(milliseconds) ms, and had not begun"
        case .finished, .exited, .couldNotStart, .outOfBounds: "never began"
        }
    }

    private func judge(_ grading: CaseGrading) throws(SpentBudget) -> CaseVerdict {
        let (wireFindings, undecidedFacts) = try wireFindings(grading)
        let (laneFindings, lanesNotJudged) = try grading.laneFindings()
        let (edgeFindings, edgesNotJudged) = try grading.edgeFindings()
        let ending = grading.endingFindings()
        try grading.budget.checkBounds()
        var findings = ending + laneFindings + grading.resultFindings(lanesNotJudged) + grading.endFindings()
        findings += try grading.ruleFindings()
        findings += try grading.grammarFindings()
        findings += try grading.contentFindings()
        findings += edgeFindings + wireFindings
        if let record = grading.record {
            findings += WireGrader(item, context: context).notes(in: record, beside: findings)
        }
        let excuse = grading.reasonOfHTTP10 ?? grading.reasonOfProxyTrust
        if excuse != nil {
            findings = findings.map { $0.subject.row.traits.contains(.ofClientAlone) ? $0 : $0.observed }
        }
        let excused = grading.excuseUnofferedCodings(&findings)
        let sentences = PlainSentences(item, record: grading.record, base: context?.base)
        sentences.addPlainWords(to: &findings)
        grading.markUnheededErrors(in: &findings)
        var verdict = CaseVerdict(id: id, kind: item.kind, findings: findings)
        verdict.noConnection = sentences.noConnection
        verdict.undecidedFacts = undecidedFacts.map(\.name)
        let undone = grading.undoneActs()
        let claims = grading.claims(
            findings,
            Unjudged(
                lanes: lanesNotJudged, edges: edgesNotJudged,
                facts: Dictionary(undecidedFacts.map { ($0.name, $0.reason) }, uniquingKeysWith: { first, _ in first })),
            undone: undone, notShown: excuse, excused: excused)
        verdict.cookiesBy = grading.record.map { WireGrader(item).editionsMet(in: $0) } ?? []
        verdict.notJudged =
            lanesNotJudged.keys.compactMap { CaseLane($0) }.sorted().compactMap { lane in
                lanesNotJudged[lane.key]?.text.map { "\(lane.key): \($0)" }
            }
            + edgesNotJudged.keys.sorted().compactMap { index in
                edgesNotJudged[index]?.text.map { "\(item.edges[index].text): \($0)" }
            } + [grading.orderNotJudged].compactMap(\.self) + grading.questionsNotJudged + grading.missedSyncPoints
        verdict.notJudged += undone.remarks
        verdict.untoldEvents = grading.untoldEvents
        verdict.notJudged += grading.report.notJudged
        if grading.evidence.isPartial {
            verdict.notJudged.append("what is missing from the trace: a log need not have every event")
        }
        if let bound = grading.report.bound { verdict.notJudged.append("the rest of the trace: \(bound)") }
        if grading.record == nil, item.wire != nil { verdict.notJudged.append("wire: there is no journal") }
        verdict.isUncontrolled = grading.evidence.failedControl != nil || grading.reasonNotGiven != nil
        verdict.conclude(claims, as: conclusion(grading, claims: claims))
        if let reason = reasonNotAsked(verdict.outcome, grading) { verdict.notJudged.insert(reason, at: 0) }
        switch verdict.outcome {
        case .lacks, .notInThisAdapter, .observed: verdict.findings = findings.map(\.observed)
        default: break
        }
        return verdict
    }

    private func conclusion(_ grading: CaseGrading, claims: [JudgedClaim]) -> CaseVerdict.Conclusion {
        if grading.stop == .crash { return .stopped(.crash) }
        if case .hung = grading.evidence.ending, grading.stop == .hang { return .stopped(.hang) }
        if let missing = grading.abilities.firstMissing(of: item.needs, oneOf: item.applies) {
            return .notAsked(.lacks(missing))
        }
        if grading.unimplementedReason != nil { return .notAsked(.notInThisAdapter) }
        if let question = grading.neverAsked { return .notAsked(.lacks(question.ability)) }
        if grading.tunnelsPlainHTTP { return .notAsked(.lacks(.proxy)) }
        if grading.stop == .hang { return .stopped(.hang) }
        if let hit = grading.harnessFault {
            return .notAsked(
                .setupFailed("the test's own code broke \(hit.rule): \(EventText.printable(hit.sentence, limit: 500))"))
        }
        if item.kind == .observes { return .observed }
        guard grading.abilities.include(.callbacks) else { return .byClaims(otherwise: .lacks(.callbacks)) }
        let reasons = claims.filter { $0.claim.subject == .callbacks }.compactMap(\.state.reason)
        return .byClaims(otherwise: .skipped(reasons.first ?? "the case says nothing of such a load"))
    }

    /// Why the case can't be judged for the client or its adapter, a sentence; nil when it can.
    private func reasonNotAsked(_ outcome: CaseVerdict.Outcome, _ grading: CaseGrading) -> String? {
        switch outcome {
        case .notInThisAdapter: return grading.unimplementedReason.map { "the adapter says: \($0)" }
        case .lacks(let ability):
            if let question = grading.neverAsked, question.ability == ability {
                return "never asked: \(question.reason)"
            }
            if ability == .proxy, grading.tunnelsPlainHTTP {
                return
                    "the client asks the proxy for http by CONNECT, as it may (RFC 9112 §3.2.2), and the case is about "
                    + "requests in absolute form"
            }
            if item.applies.contains(ability) {
                return "the case rests on rules of \(ability.rawValue), which the client does not declare"
            }
            if ability == .callbacks, !item.needs.contains(.callbacks) {
                return "the case is about callbacks alone, and the client has none"
            }
            return "the case needs \(ability.rawValue), which the client does not declare"
        default: return nil
        }
    }

    private static func exitPhrase(_ code: Int32) -> String {
        switch code {
        case 64: "could not read its assignment"
        case 74: "could not write its trace"
        default: "broke off"
        }
    }

    private func wireFindings(
        _ grading: CaseGrading
    ) throws(SpentBudget) -> ([Finding], [(name: FactName, reason: String)]) {
        let (findings, undecidedFacts) = try CountedRequests(WireGrader(item, context: context), grading).findings()
        guard grading.stop != nil else { return (findings, undecidedFacts) }
        // A stopped client is not blamed for steps that it did not reach.
        let weighed = findings.map { finding in
            switch finding.subject {
            case .fact: finding.observed
            case .expression(let diagnosis) where grading.course.explains(diagnosis): finding.observed
            default: finding
            }
        }
        return (weighed, undecidedFacts)
    }
}

extension CallbackFamily {
    /// The families that can run a program of this one: a data task may be a connection or a load of a URLProtocol.
    fileprivate var takers: Set<CallbackFamily> {
        switch self {
        case .sessionData: [.sessionData, .connection, .urlProtocol, .sequence]
        case .sessionDownload: [.sessionDownload, .connectionDownload, .download]
        default: [self]
        }
    }
}

extension Platform {
    /// The platform with the limit of redirects that a program sets in place of its own (R9), or none where a circle ends them.
    fileprivate func heeding(_ session: SessionProgram?) -> Platform {
        guard let session, session.redirectLimit != nil || session.redirectCycles != nil else { return self }
        var platform = self
        platform.redirectLimit = session.redirectLimit
        return platform
    }
}
