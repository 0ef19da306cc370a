import ProctorBase
package import ProctorEvents
import ProctorRules

/// The verdicts on many cases run by one client, and the errors in its ledger that they show.
package struct ExamReport: Sendable {
    package let client: String
    package let clientVersion: String?
    package let platform: String
    package let verdicts: [CaseVerdict]
    /// A ledger says what its client does: with one, a case that shows nothing is told and fails nothing.
    package let hasLedger: Bool
    /// Rules and entries of the ledger that no longer happen, a sentence each.
    package let ledgerFaults: [String]
    /// Differences between the client and the one that the ledger is for, a sentence each; they do not fail the report.
    package let ledgerMismatches: [String]
    /// Causes in the ledger's `upstream` that no failure has, a sentence each; they do not fail the report.
    package let unmetCauses: [String]
    /// Events that the client never reports, with the rule and the number of cases that expect them, a sentence each.
    package let neverTold: [String]
    /// Cases that failed first and were run again; the second verdict counts.
    package let askedAgain: [CaseID]

    /// The number of cases that were not run because the adapter does not start; nil when it starts.
    package var notAskedCount: Int?

    /// Cases that were run several times, with different results.
    package var unsteady: [UnsteadyCase] = []

    /// `ledger` is the one with which the verdicts were made; `isWhole` means that all cases were run, so that a rule
    /// which was never broken is out of date.
    package init(
        client: String, clientVersion: String? = nil, platform: String, verdicts: [CaseVerdict], ledger: Ledger? = nil,
        isWhole: Bool = true, askedAgain: [CaseID] = [], header: TraceHeader? = nil
    ) {
        ledgerMismatches = ledger.flatMap { ledger in header.map { ledger.mismatches(with: $0) } } ?? []
        (self.askedAgain, self.client, self.clientVersion) = (askedAgain, client, clientVersion)
        (self.platform, self.verdicts) = (platform, verdicts)
        hasLedger = ledger != nil
        let mustHappen = ledger?.mustHappen(inVersion: header?.clientVersion ?? clientVersion) ?? false
        unmetCauses = isWhole && mustHappen ? ledger?.unmet(by: Set(verdicts.compactMap(\.cause))) ?? [] : []
        neverTold = ledger.map { Self.neverTold(of: $0, verdicts) } ?? []
        ledgerFaults =
            ledger.map {
                Self.faults(of: $0, verdicts, isWhole: isWhole, version: header?.clientVersion ?? clientVersion)
            }
            ?? []
    }

    private static func neverTold(of ledger: Ledger, _ verdicts: [CaseVerdict]) -> [String] {
        ledger.never.compactMap { never in
            let count = verdicts.count { $0.untoldEvents.contains(never.subject) }
            guard count > 0 else { return nil }
            let rule = never.rule.map { "\($0.titled): " } ?? ""
            let cases = "\(Plural.count(count, "case")) \(count == 1 ? "expects" : "expect") it"
            return "\(rule)\(never.subject) is never told, and \(cases): \(never.because)"
        }
    }

    private static func faults(
        of ledger: Ledger, _ verdicts: [CaseVerdict], isWhole: Bool, version: String?
    ) -> [String] {
        var audit = LedgerAudit(ledger)
        for verdict in verdicts { audit.record(verdict) }
        // An entry for one case is reported by the case itself.
        let fixed = audit.fixed.filter { $0.isPrefix && ledger.mustHappen($0, inVersion: version) }
        var faults = fixed.map {
            "\($0.location): no case of \($0.pattern) deviates any more: remove the entry"
        }
        guard isWhole, ledger.mustHappen(inVersion: version) else { return faults }
        faults += audit.fixedRules.map { "\($0.location): \($0.subject) breaks in no case any more: remove it" }
        // The scenario may be in another library.
        let asked = Set(verdicts.map(\.id.scenario))
        faults += audit.unseen.filter { $0.isPrefix || asked.contains($0.scenario) }.map {
            "\($0.location): no case was asked that \($0.pattern) speaks of"
        }
        return faults
    }

    package var isFailure: Bool {
        notAskedCount != nil || !ledgerFaults.isEmpty || differs || !failures.isEmpty
    }

    /// The verdicts that fail the report.
    package var failures: [CaseVerdict] {
        let failing = FailingCases(hasLedger: hasLedger)
        return verdicts.filter { failing.include($0.outcome.word, of: $0.kind) }
    }

    /// Whether a case was not the same in each sitting of which the ledger does not say so.
    package var differs: Bool { unsteady.contains { !$0.isKnown } }

    package var counts: [String: Int] { verdicts.reduce(into: [:]) { $0[$1.outcome.word, default: 0] += 1 } }

    /// One line for each verdict, as ``CaseVerdict/json`` writes it.
    package var jsonLines: [UInt8] { verdicts.flatMap(\.json) }
}

extension ExamReport {
    /// The platform that says nothing of a client.
    private static let plainPlatform = "neutral"

    /// A table of the cases that did not pass as expected, and the counts below it.
    ///
    /// `isComplete` adds a line for every other case.
    package func summary(isComplete: Bool = false, width: Int = 120) -> String {
        let header = ExamHeader(client: client, platform: platform, proctor: "")
        let exam = ExamRecord(header: header, cases: verdicts.map { CaseRecord($0) })
        return summary(of: exam, isComplete: isComplete, width: width)
    }

    /// The summary of this exam, which may have more cases than there are verdicts.
    package func summary(of exam: ExamRecord, isComplete: Bool = false, width: Int = 120) -> String {
        let records = exam.cases
        let unasked = UnaskedCases(exam)
        let version = clientVersion.map { " \($0)" } ?? ""
        let place = platform == Self.plainPlatform ? "" : " on \(platform)"
        let name = EventText.printable(client + version + place)
        var lines = [[name, unasked.headline].compactMap(\.self).joined(separator: ": ")]
        let text = RecordSummary(records, width: max(40, width))
        lines += text.caseLines(isComplete: isComplete)
        for sentence in neverTold { lines.append("  known   \(EventText.printable(sentence, limit: 1_000))") }
        for sentence in ledgerMismatches {
            let text = EventText.printable(sentence, limit: 1_000)
            lines.append("  ledger  \(text): its entries may speak of something else")
        }
        for sentence in unmetCauses { lines.append("  ledger  \(EventText.printable(sentence, limit: 1_000))") }
        for fault in ledgerFaults { lines.append("  ledger  \(EventText.printable(fault, limit: 1_000))") }
        if !askedAgain.isEmpty {
            let ids = askedAgain.map { EventText.printable($0.description) }
            lines.append("  asked more than once, since the first sitting failed: \(ids.joined(separator: ", "))")
        }
        lines += unsteady.flatMap(\.lines)
        lines += text.causeLines + unasked.lines.map { "  not asked: \($0)" } + text.kindLines
        lines.append(tally(of: records))
        return lines.joined(separator: "\n")
    }

    /// `120 cases: 100 pass, 2 fail, 18 known`.
    package var tally: String { tally(of: verdicts.map { CaseRecord($0) }) }

    private func tally(of records: [CaseRecord]) -> String {
        let left = notAskedCount.map { "; \(Plural.count($0, "other")) not asked" } ?? ""
        return RecordSummary(records, width: 0).tally + left
    }
}
