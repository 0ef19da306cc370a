import ProctorEvents
import ProctorGrading
import Testing

/// One observed load of URLSession on Linux, and our case that asks for the same.
struct YardstickRow: CustomTestStringConvertible {
    /// As the observation is named.
    let name: String
    /// `family/scenario#case`.
    let id: String
    /// Rules that were seen to break.
    let rules: Set<RuleNumber>
    /// Rules that were seen to break in some runs only.
    let sporadicRules: Set<RuleNumber>
    let outcome: Outcome
    /// Why our verdict is another one; nil when it is the same.
    let difference: String?

    /// What became of the load.
    enum Outcome: String {
        case ok, deviates, trap, hang
        /// Left to a platform, or to chance.
        case open
    }

    var testDescription: String { "\(name) \(id)" }

    private static let columns = ["row", "case", "rules", "outcome", "differs", "remark"]

    /// The lines of the table that are no comments; the first of them names the columns.
    static func all(in text: String) throws -> [YardstickRow] {
        var lines = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        let head = try #require(lines.isEmpty ? nil : lines.removeFirst())
        #expect(head.split(separator: "\t").map(String.init) == columns)
        return try lines.map { try YardstickRow($0) }
    }

    private init(_ line: Substring) throws {
        let cells = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        try #require(cells.count == Self.columns.count, "\(line)")
        name = cells[0]
        id = cells[1]
        var always: Set<RuleNumber> = []
        var sometimes: Set<RuleNumber> = []
        for word in cells[2].split(separator: " ") where word != "-" {
            let isSporadic = word.last == "*"
            let rule = try #require(RuleNumber(parsing: String(isSporadic ? word.dropLast() : word)), "\(line)")
            if isSporadic { sometimes.insert(rule) } else { always.insert(rule) }
        }
        rules = always
        sporadicRules = sometimes
        outcome = try #require(Outcome(rawValue: cells[3]), "\(line)")
        difference = cells[4] == "-" ? nil : cells[4]
    }

    /// What is otherwise in a verdict, in a few words; nil when it agrees.
    func difference(from verdict: CaseVerdict) -> String? {
        let seen = Outcome(verdict)
        var parts: [String] = []
        if outcome != .open, seen != outcome { parts.append("\(seen.rawValue), not \(outcome.rawValue)") }
        let broken = Set(verdict.brokenRules).subtracting(Self.named(nowhere: id))
        // That a load ends is a rule as well, which a hang need not be named by.
        let implied: Set<RuleNumber> = seen == .hang && outcome == .hang ? [RuleNumber(45)] : []
        let extra = broken.subtracting(rules).subtracting(sporadicRules).subtracting(implied)
        if !extra.isEmpty { parts.append("breaks \(Self.text(extra)) too") }
        // What a load that trapped did not come to, it could not break.
        let missing = seen == .trap ? [] : rules.subtracting(broken)
        if !missing.isEmpty { parts.append("does not break \(Self.text(missing))") }
        return parts.isEmpty ? nil : parts.joined(separator: "; ")
    }

    /// Rules that break in so many loads that the table names them in none.
    private static func named(nowhere id: String) -> Set<RuleNumber> {
        id.hasPrefix("protocol/") ? Set([41, 48, 49, 52].map { RuleNumber($0) }) : [RuleNumber(41)]
    }

    private static func text(_ rules: Set<RuleNumber>) -> String {
        rules.sorted().map(\.description).joined(separator: " ")
    }
}

extension YardstickRow.Outcome {
    /// Of a sitting, whatever its ledger makes of it.
    init(_ verdict: CaseVerdict) {
        for finding in verdict.findings {
            guard case .ending(let ending) = finding.subject else { continue }
            if case .crashed = ending { self = .trap } else { self = .hang }
            return
        }
        self =
            verdict.findings.contains { Self.isDeviation($0, isObserved: verdict.outcome == .observed) }
            ? .deviates : .ok
    }

    /// Whether it says more than the rules that break everywhere.
    private static func isDeviation(_ finding: Finding, isObserved: Bool) -> Bool {
        let everywhere = Set([41, 48, 49, 52].map { RuleNumber($0) })
        if !finding.rules.isEmpty, everywhere.isSuperset(of: finding.rules) { return false }
        switch finding.subject {
        // Observations of the rules are named like others.
        case .rule: return true
        case .expression: return finding.weight == .failure || isObserved && finding.lane?.lane == .task
        case .fact, .miss, .opaque, .cookies, .grammar, .content, .edge, .ending, .unreportedRule, .result, .slices,
            .bound:
            return finding.weight == .failure
        case .violation, .credential: return false
        }
    }
}
