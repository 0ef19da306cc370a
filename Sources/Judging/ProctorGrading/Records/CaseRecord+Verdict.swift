import ProctorBase
import ProctorEvents
import ProctorHTTP
import ProctorJournal
package import ProctorScenario

extension CaseRecord {
    package init(_ verdict: CaseVerdict) { self.init(verdict, of: nil, in: nil, evidence: nil) }

    /// Makes a record from a verdict, its case, its scenario, and the evidence of the verdict.
    package init(_ verdict: CaseVerdict, of item: Case?, in scenario: Scenario?, evidence: CaseEvidence?) {
        self.init(id: verdict.id, kind: verdict.kind, outcome: verdict.outcome.word)
        summary = (item?.summary ?? scenario?.summary)?.recorded(RecordBounds.sentence)
        if case .lacks(let ability) = verdict.outcome { self.ability = ability.rawValue }
        if case .adapterError(let fault) = verdict.outcome { traceLine = fault.line }
        reason = verdict.reason.recorded(RecordBounds.sentence)
        let sections = item.map { $0.spec.isEmpty ? scenario?.spec ?? [] : $0.spec } ?? []
        spec = sections.prefix(RecordBounds.entries).map { SpecReference($0) }
        let own = verdict.claims.map(\.claim).filter { $0.saying != .always }
        if !own.isEmpty { subject = Claim.Subject.text(of: own) }
        needs = item?.needs.map(\.rawValue).sorted() ?? []
        claims = verdict.claims.prefix(RecordBounds.entries).map { ClaimRecord($0) }
        milliseconds = verdict.milliseconds
        ending = EndingRecord(verdict.ending)
        rules = verdict.brokenRules.map(\.description)
        let heads = evidence?.journal.map { RequestHeads($0) }
        findings = verdict.findings.prefix(RecordBounds.findings).map { finding in
            FindingRecord(finding, spec: sections, caseSections: verdict.caseSections, heads: heads)
        }
        cookiesBy = verdict.cookiesBy.map(\.rawValue)
        notJudged = verdict.notJudged.recorded(RecordBounds.entries)
        undecided = verdict.undecidedFacts.map(\.text).recorded(RecordBounds.entries)
        untold = verdict.untoldEvents.map(\.description).recorded(RecordBounds.entries)
        ledgerEntry = verdict.deviation?.location.description
        ledgerReason = verdict.deviation?.because
        ledgerNotes = verdict.ledgerNotes.recorded(RecordBounds.entries)
        if let evidence {
            timeline = EventRecord.timeline(evidence, verdict: verdict)
            clientError = evidence.clientError
        }
        file = item?.location.file
        line = (verdict.failures.first?.location ?? item?.location)?.line
        if let location = verdict.failures.first?.location, location.file != file { line = item?.location.line }
        cause = verdict.cause?.key.recorded(RecordBounds.line)
        causeSpec = verdict.causeSections.prefix(RecordBounds.entries).map { SpecReference($0) }
        upstream = verdict.upstream
        size = scenario.map { $0.exchanges.count + (item?.client.count ?? 0) }
    }
}

/// The heads of a journal's requests, by the sequence of any entry about them.
private struct RequestHeads {
    private var lines: [Int: [String]] = [:]
    private var requests: [UInt64: Int] = [:]

    init(_ journal: [JournalEntry]) {
        for entry in journal {
            guard let request = entry.request else { continue }
            requests[entry.sequence] = request
            if case .requestHead = entry.event { lines[request] = WireTimeline.wholeDetails(of: entry.event) }
        }
    }

    func request(at sequence: UInt64) -> (number: Int, head: [String])? {
        requests[sequence].map { ($0, (lines[$0] ?? []).recorded(RecordBounds.fields)) }
    }
}

extension FindingRecord {
    fileprivate init(_ finding: Finding, spec: [String], caseSections: [String], heads: RequestHeads?) {
        about = finding.subject.word
        weight = finding.weight.rawValue
        sentence = finding.sentence.recorded(RecordBounds.sentence)
        plain = finding.plain?.recorded(RecordBounds.sentence)
        known = finding.known
        if finding.weight == .failure { cause = finding.cause(sections: caseSections).kind.recorded(RecordBounds.line) }
        details = finding.details.recorded(RecordBounds.details)
        wanted = finding.wanted?.recorded(RecordBounds.sentence)
        got = finding.got?.recorded(RecordBounds.sentence)
        rules = finding.rules.map(\.description)
        let sections = finding.sections
        self.spec = (sections.isEmpty ? spec : sections).prefix(RecordBounds.entries).map { SpecReference($0) }
        lane = finding.lane?.description
        event = finding.event
        entry = finding.sequence
        location = finding.location?.description
        if let (number, head) = finding.sequence.flatMap({ heads?.request(at: $0) }) {
            request = number
            self.head = head
        }
    }
}

extension ClaimRecord {
    fileprivate init(_ judged: JudgedClaim) {
        about = judged.claim.subject.rawValue
        claim = judged.claim.description.recorded(RecordBounds.sentence)
        state = judged.state.word
        reason = judged.state.reason?.recorded(RecordBounds.sentence)
    }
}

extension EndingRecord {
    fileprivate init(_ ending: ClientEnding) {
        how = ending.word
        switch ending {
        case .finished: break
        case .exited(let code, _): self.code = Int(code)
        case .crashed(let signal, _): self.signal = signal
        case .hung(let milliseconds, _): self.milliseconds = milliseconds
        case .couldNotStart(let reason), .outOfBounds(let reason): self.reason = reason
        }
        errorLine = ending.errorLine
    }
}
