import ProctorBase
public import ProctorEvents
import ProctorRules

/// The verdicts of one client over many cases, and what they say of its ledger.
public struct ExamReport: Sendable {
    /// The client's name in its ledger and its trace.
    public let client: String
    /// nil when it does not say.
    public let clientVersion: String?
    /// The platform whose constants and switches the client was judged by.
    public let platform: String
    /// The verdicts in the order in which they are reported.
    public let verdicts: [CaseVerdict]
    /// Rules and entries of the ledger that no longer happen, a sentence each.
    public let ledgerFaults: [String]
    /// What is otherwise than when the ledger was written, a sentence each; it fails nothing.
    public let ledgerMismatches: [String]
    /// What the client never tells, with the rule that asks for it and the number of cases that expect it, a sentence each.
    public let neverTold: [String]
    /// Cases whose verdict is not that of their first sitting, because that one failed.
    public let askedAgain: [CaseID]

    /// Cases that were not asked because the adapter does not start; nil where it starts.
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
            let cases = "\(Plural.count(count, "case")) \(count == 1 ? "expects" : "expect") it"
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

extension ExamReport {
    /// A table with a line for every case that is not as it should be, and the counts below it.
    ///
    /// `isComplete` gives a line to every other case, too.
    public func summary(isComplete: Bool = false, width: Int = 120) -> String {
        let version = clientVersion.map { " \($0)" } ?? ""
        var lines = ["\(EventText.printable(client + version)) on \(EventText.printable(platform))"]
        let shown = verdicts.filter { isComplete || $0.outcome.isFailure }
        let wordWidth = shown.map(\.outcome.word.count).max() ?? 0
        let ids = shown.map { EventText.printable($0.id.description) }
        let idWidth = min(60, ids.map(\.count).max() ?? 0)
        for (verdict, id) in zip(shown, ids) {
            let head = "  \(Self.right(verdict.outcome.word, wordWidth))  \(Self.right(id, idWidth))"
            let reason = EventText.printable(verdict.reason, limit: 1_000)
            lines.append(Self.cut(Self.trimmed("\(head)  \(reason)"), to: max(40, width)))
        }
        for sentence in neverTold { lines.append("  known   \(EventText.printable(sentence, limit: 1_000))") }
        for sentence in ledgerMismatches {
            let text = EventText.printable(sentence, limit: 1_000)
            lines.append("  ledger  \(text): its entries may speak of something else")
        }
        for fault in ledgerFaults { lines.append("  ledger  \(EventText.printable(fault, limit: 1_000))") }
        if !askedAgain.isEmpty {
            let ids = askedAgain.map { EventText.printable($0.description) }
            lines.append("  asked more than once, since the first sitting failed: \(ids.joined(separator: ", "))")
        }
        lines.append(tally)
        return lines.joined(separator: "\n")
    }

    /// `120 cases: 100 pass, 2 fail, 18 known`.
    public var tally: String {
        let counts = counts
        let parts = CaseVerdict.Outcome.words.compactMap { word in counts[word].map { "\($0) \(word)" } }
        let total = Plural.count(verdicts.count, "case")
        let left = notAskedCount.map { "; \(Plural.count($0, "other")) not asked" } ?? ""
        return (parts.isEmpty ? total : "\(total): \(parts.joined(separator: ", "))") + left
    }

    private static func right(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }

    private static func trimmed(_ text: String) -> String {
        var text = text
        while text.last == " " { text.removeLast() }
        return text
    }

    private static func cut(_ text: String, to width: Int) -> String {
        text.count > width ? text.prefix(width - 1) + "…" : text
    }
}
