public import ProctorTrace

/// The verdicts of one client over many cases, and what they say of its ledger.
public struct ExamReport: Sendable {
    /// As its ledger and its trace name it.
    public let client: String
    /// nil when it does not say.
    public let clientVersion: String?
    /// By whose constants and switches it was judged.
    public let platform: String
    /// In the order in which they are reported.
    public let verdicts: [CaseVerdict]
    /// Rules and entries of the ledger that no longer happen, a sentence each.
    public let ledgerFaults: [String]
    /// What is otherwise than when the ledger was written, a sentence each; it fails nothing.
    public let ledgerMismatches: [String]
    /// What the client never tells, with the rule that asks for it and the number of cases that expect it, a sentence each.
    public let neverTold: [String]
    /// Cases whose verdict is not that of their first sitting, because that one failed.
    public let askedAgain: [CaseID]

    /// Cases that nobody was asked because the adapter does not start; nil: it does.
    public var notAskedCount: Int?

    /// `ledger` is the one that the verdicts were made with; `isWhole` says that every case was asked, so that a rule which
    /// broke nowhere is fixed.
    public init(
        client: String, clientVersion: String? = nil, platform: String, verdicts: [CaseVerdict],
        ledger: Ledger? = nil, isWhole: Bool = true, askedAgain: [CaseID] = [], header: TraceHeader? = nil
    ) {
        ledgerMismatches = ledger.flatMap { ledger in header.map { ledger.mismatches(with: $0) } } ?? []
        self.askedAgain = askedAgain
        self.client = client
        self.clientVersion = clientVersion
        self.platform = platform
        self.verdicts = verdicts
        neverTold = ledger.map { Self.neverTold(of: $0, verdicts) } ?? []
        ledgerFaults = ledger.map { Self.faults(of: $0, verdicts, isWhole: isWhole) } ?? []
    }

    private static func neverTold(of ledger: Ledger, _ verdicts: [CaseVerdict]) -> [String] {
        ledger.never.compactMap { never in
            let count = verdicts.count { $0.untoldEvents.contains(never.symbol) }
            guard count > 0 else { return nil }
            let rule =
                never.rule.map { number in "\(number)\(Rules.rule(number).map { " \($0.title)" } ?? ""): " } ?? ""
            let cases = "\(WireText.count(count, "case")) \(count == 1 ? "expects" : "expect") it"
            return "\(rule)\(never.symbol) is never told, and \(cases): \(never.because)"
        }
    }

    private static func faults(of ledger: Ledger, _ verdicts: [CaseVerdict], isWhole: Bool) -> [String] {
        var audit = LedgerAudit(ledger)
        for verdict in verdicts { audit.note(verdict) }
        // Entries for one case are told by that case.
        var faults = audit.fixed.filter(\.isPrefix).map {
            "\($0.location): no case of \($0.pattern) deviates any more: remove the entry"
        }
        guard isWhole else { return faults }
        faults += audit.fixedRules.map { "\($0.location): \($0.rule) breaks in no case any more: remove it" }
        faults += audit.unseen.map { "\($0.location): no case was asked that \($0.pattern) speaks of" }
        return faults
    }

    /// Whether any case, or the ledger, has to be looked at.
    public var isFailure: Bool {
        notAskedCount != nil || !ledgerFaults.isEmpty || verdicts.contains { $0.outcome.isFailure }
    }

    /// How many verdicts there are of each outcome's word.
    public var counts: [String: Int] {
        verdicts.reduce(into: [:]) { $0[$1.outcome.word, default: 0] += 1 }
    }

    /// One object a line for every verdict, as ``CaseVerdict/json`` writes it.
    public var jsonLines: [UInt8] { verdicts.flatMap(\.json) }
}
