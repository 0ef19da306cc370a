import ProctorEvents
public import ProctorJournal
public import ProctorNotation

/// Judges the verdicts of one client by its ledger, and at the end the ledger by the verdicts.
public struct LedgerAudit: Sendable {
    /// What the client is known to do.
    public let ledger: Ledger
    /// For each deviation: whether a case that it speaks of was judged, and whether one deviated.
    private var seen: [Bool]
    private var deviated: [Bool]
    /// Rules that broke in any case that was noted.
    private var brokenRules: Set<RuleNumber> = []
    private var judgedCount = 0

    /// What the ledger makes of a verdict.
    public enum Judgement: Sendable, Equatable {
        /// Passed, or observed, and nothing else was known.
        case asExpected
        /// Failed, as it is known to.
        case known(Ledger.Deviation)
        /// Passed, though it is listed: the entry is to be removed.
        case fixed(Ledger.Deviation)
        /// Failed, and nothing is listed.
        case unlisted
        /// Failed, but not in the listed manner.
        case changed(Ledger.Deviation, NotationDiagnosis)
        /// There was no verdict.
        case notJudged

        /// Whether the client, or its ledger, has to be looked at.
        public var isFailure: Bool {
            switch self {
            case .asExpected, .known: false
            case .fixed, .unlisted, .changed, .notJudged: true
            }
        }
    }

    /// Begins with nothing seen.
    public init(_ ledger: Ledger) {
        self.ledger = ledger
        seen = Array(repeating: false, count: ledger.deviations.count)
        deviated = seen
    }

    /// Judges one case; `entries` is the journal that the verdict came from.
    ///
    /// A case that passes below a `*` is as expected; ``fixed`` tells at the end whether the whole entry is.
    public mutating func judge(_ id: CaseID, _ verdict: WireVerdict, entries: [JournalEntry]) -> Judgement {
        judge(id, verdict.outcome, entries: entries)
    }

    /// Judges one case of which more than the wire was looked at; `outcome` is what all of it together says.
    public mutating func judge(
        _ id: CaseID, _ outcome: WireVerdict.Outcome, entries: [JournalEntry]
    ) -> Judgement {
        if case .setupFailed = outcome { return .notJudged }
        guard let deviation = ledger.deviation(for: id) else {
            return outcome == .fail ? .unlisted : .asExpected
        }
        if let index = ledger.deviations.firstIndex(of: deviation) {
            seen[index] = true
            if outcome == .fail { deviated[index] = true }
        }
        guard outcome == .fail else { return deviation.isPrefix ? .asExpected : .fixed(deviation) }
        let symbols = WireRecord(entries).requests.map(\.symbol)
        if let diagnosis = deviation.wire?.diagnosis(of: symbols, terminals: []) {
            return .changed(deviation, diagnosis)
        }
        return .known(deviation)
    }

    /// Remembers what the verdict of a whole case, made with this ledger, says of its entries.
    public mutating func note(_ verdict: CaseVerdict) {
        switch verdict.outcome {
        case .skipped, .setupFailed, .lacks, .notInThisAdapter: return
        case .pass, .fail, .hang, .crash, .known, .fixed, .observed, .partly, .notJudged: break
        }
        judgedCount += 1
        brokenRules.formUnion(verdict.brokenRules)
        guard let deviation = verdict.deviation, let index = ledger.deviations.firstIndex(of: deviation) else { return }
        seen[index] = true
        if verdict.deviationHappened { deviated[index] = true }
    }

    /// Rules listed for every case that broke in none of those noted; they are to be removed.
    public var fixedRules: [Ledger.KnownRule] {
        judgedCount == 0 ? [] : ledger.rules.filter { !brokenRules.contains($0.rule) }
    }

    /// Deviations of which cases were judged and none deviated; they are to be removed.
    public var fixed: [Ledger.Deviation] {
        ledger.deviations.indices.filter { seen[$0] && !deviated[$0] && !ledger.deviations[$0].isSporadic }.map {
            ledger.deviations[$0]
        }
    }

    /// Deviations that no judged case belongs to: of a scenario that was not run, or is no more.
    public var unseen: [Ledger.Deviation] {
        ledger.deviations.indices.filter { !seen[$0] }.map { ledger.deviations[$0] }
    }
}
