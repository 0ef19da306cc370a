import ProctorBase
import ProctorDocument
import ProctorEvents
import ProctorNotation
import ProctorScenario

/// An entry of a ledger with its cases; its lines are those of the file until it is changed.
struct LedgerEntry: Sendable {
    /// The content of the entry, with the name of one of its cases.
    let deviation: Ledger.Deviation
    /// The names of its cases, in the order of the file; sorted once the entry was changed.
    private(set) var cases: [String]
    /// The comments and empty lines above the entry.
    private var comments: [String]
    /// The lines of the file, with those above; nil once the entry was changed.
    private var kept: [String]?

    /// Makes the entry of these deviations; nil for none.
    ///
    /// Without lines it is written anew.
    init?(_ deviations: [Ledger.Deviation], lines: [String]) {
        guard let first = deviations.first else { return nil }
        deviation = first
        cases = deviations.map(\.pattern)
        comments = Array(lines.prefix { ($0.first { $0 != " " } ?? "#") == "#" })
        kept = lines.isEmpty ? nil : lines
    }

    /// Makes the entry of a failure from the records of its case; nil where they do not say what failed.
    ///
    /// Reason, section, versions and `sometimes` are those of the former entry. Failures that the client's `rules` list are
    /// left out.
    init?(
        _ id: CaseID, _ records: [CaseRecord], like former: Ledger.Deviation?, rules: Set<RuleNumber>,
        otherVersion: String?
    ) {
        guard let first = records.first else { return nil }
        var parts = Ledger.Deviation.Parts()
        parts.causes = records.flatMap { $0.brokenCauses(beside: rules) }.unique.map { FailureCause(key: $0) }
        parts.stop = records.lazy.compactMap(\.stop).first
        guard !parts.isEmpty else { return nil }
        let root = first.findings.first { $0.cause != nil && $0.cause == first.causeKind }
        let reason = root.map { $0.plain ?? $0.sentence } ?? first.reason
        let place = SourceLocation(file: "", line: 1, column: 1)
        let made = try? Ledger.Deviation(
            pattern: id.description, rule: former.map(\.rule) ?? first.spec.first?.section,
            because: former?.because ?? (reason.isEmpty ? first.headline : reason), wire: nil, parts: parts,
            isSporadic: former?.isSporadic ?? false,
            versions: former.map(\.versions) ?? otherVersion.flatMap { VersionRange(parsing: $0) }, location: place,
            entry: place)
        guard let made else { return nil }
        deviation = made
        cases = [id.description]
        comments = []
    }

    /// Whether both say the same of their cases.
    func isAlike(_ other: LedgerEntry) -> Bool {
        let (one, two) = (deviation, other.deviation)
        return one.because == two.because && one.rule == two.rule && one.wire == two.wire && one.parts == two.parts
            && one.isSporadic == two.isSporadic && one.versions == two.versions
    }

    /// Takes the cases of another entry, and the comments above it.
    mutating func add(_ other: LedgerEntry) {
        cases = (cases + other.cases).sorted()
        comments += other.comments
        kept = nil
    }

    /// Takes the comments above an entry in whose place this one stands.
    mutating func addComments(of other: LedgerEntry) { comments += other.comments }

    mutating func remove(_ name: String) {
        cases = cases.filter { $0 != name }.sorted()
        kept = nil
    }

    // MARK: Text

    var lines: [String] {
        if let kept { return kept }
        guard let first = cases.first else { return [] }
        var lines = comments + ["  \(YAMLText.scalar(first)):"]
        func add(_ key: String, _ value: String?) { if let value { lines.append("    \(key): \(value)") } }
        func add(_ key: String, _ texts: [String]) {
            guard !texts.isEmpty else { return }
            let line = "    \(key): " + (texts.count == 1 ? texts[0] : "[\(texts.joined(separator: ", "))]")
            lines +=
                texts.count > 1 && line.count > Self.width ? ["    \(key):"] + texts.map { "      - \($0)" } : [line]
        }
        let parts = deviation.parts
        // The sign of a section needs no quotes.
        let isPlain = deviation.rule.map { YAMLText.scalar($0.filter { $0 != "§" }).first != "\"" } ?? false
        add("rule", isPlain ? deviation.rule : deviation.rule.map(YAMLText.quoted))
        add("because", YAMLText.scalar(deviation.because))
        add("causes", parts.causes.map { YAMLText.quoted($0.key) })
        add("outcome", parts.stop?.rawValue)
        add("rules", parts.rules.map(\.description))
        add("facts", parts.facts.map { YAMLText.quoted($0.text) })
        add("fields", parts.fields.map(YAMLText.quoted))
        add("wire", deviation.wire.map { YAMLText.quoted($0.text) })
        let lanes = parts.lanes.sorted { $0.key < $1.key }.map {
            "\(YAMLText.quoted($0.key)): \(YAMLText.quoted($0.value.text))"
        }
        add("lanes", lanes.isEmpty ? nil : "{ \(lanes.joined(separator: ", ")) }")
        add("sometimes", deviation.isSporadic ? "true" : nil)
        add("versions", deviation.versions.map { YAMLText.quoted($0.text) })
        let others = cases.dropFirst().map(YAMLText.scalar)
        if !others.isEmpty { lines += ["    also:"] + others.map { "      - \($0)" } }
        return lines
    }

    /// The longest line with a list.
    private static let width = 120
}

extension CaseRecord {
    /// The cause without what tells it apart; nil when the case did not fail.
    var causeKind: String? { cause.map { FailureCause(key: $0).kind } }

    /// Whether failures are listed although the whole entry no longer happens.
    var hasKnownFailures: Bool { outcome == "fixed" && findings.contains { $0.weight == "failure" && $0.known != nil } }

    /// The kinds of all that failed, the cause of the case first; a crash, a hang and what `rules` list are left out.
    ///
    /// The cause may be of no failure: a refused credential explains them. Older records have no other causes.
    fileprivate func brokenCauses(beside rules: Set<RuleNumber>) -> [String] {
        let failures = findings.filter { $0.weight == "failure" && $0.about != "ending" && !$0.isListed(by: rules) }
        let causes = failures.compactMap(\.cause)
        guard let own = causeKind, outcome != "fixed" else { return causes }
        if findings.contains(where: { $0.weight == "failure" && $0.cause == own }) {
            return causes.contains(own) ? [own] + causes : causes
        }
        let isOfEnd = stop != nil && ["hang", "crash", "a load without an end"].contains { own.hasPrefix($0) }
        return isOfEnd ? causes : [own] + causes
    }

    /// A crash or a hang.
    fileprivate var stop: Ledger.Deviation.Stop? {
        guard let ending = findings.first(where: { $0.about == "ending" && $0.weight == "failure" }) else {
            return Ledger.Deviation.Stop(rawValue: outcome)
        }
        let kind = ending.cause ?? causeKind ?? ""
        return kind.hasPrefix("crash by") ? .crash : .hang
    }
}

extension FindingRecord {
    /// Whether one of the rules, which the client breaks in every case, explains the finding.
    fileprivate func isListed(by known: Set<RuleNumber>) -> Bool {
        ["rule", "grammar", "content", "edge", "expression"].contains(about)
            && rules.contains { RuleNumber(parsing: $0).map(known.contains) ?? false }
    }
}
