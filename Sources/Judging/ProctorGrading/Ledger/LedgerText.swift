internal import ProctorBase
internal import ProctorDocument
import ProctorEvents
import ProctorNotation
import ProctorScenario

/// The text of a ledger in which records write and remove entries; every other line stays as it is.
///
/// Cases with the same reason and the same causes share an entry; entries are sorted by their first case. A new failure
/// becomes an entry, an entry that no longer happens is removed, and one that still happens, or whose case was not run,
/// keeps its lines.
package struct LedgerText: Sendable {
    /// The lines up to `deviations:`.
    private var head: [String]
    /// The lines from the next key of the ledger on.
    private var tail: [String] = []
    private var entries: [LedgerEntry] = []
    private let rules: Set<RuleNumber>
    /// The client's version; nil: unknown.
    private let version: String?
    /// The client's version where the ledger is for another one; new entries are for this version alone.
    private let otherVersion: String?

    /// Reads the lines of `text`, which ``Ledger/parse(_:file:)`` has read as `ledger`; nil: an empty ledger of the client.
    package init(_ former: (text: String, ledger: Ledger)?, client: String, version: String?) {
        self.version = version
        otherVersion = former.flatMap { former in
            version.flatMap { former.ledger.speaks(ofVersion: $0) ? nil : $0 }
        }
        rules = Set(former?.ledger.rules.map(\.subject) ?? [])
        guard let former else {
            head = ["client: \(YAMLText.scalar(client))"]
            if let version { head.append("version: \(YAMLText.quoted(version))") }
            head.append(Self.key)
            return
        }
        head = []
        read(former.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init), former.ledger)
    }

    private static let key = "deviations:"

    private mutating func read(_ lines: [String], _ ledger: Ledger) {
        let end = lines.lastIndex { !$0.isEmpty }.map { $0 + 1 } ?? 0
        let start = lines.firstIndex { $0.hasPrefix(Self.key) }
        head = Array(lines[..<(start ?? end)]) + [Self.key]
        guard let start else { return }
        let after = lines[(start + 1)..<end].firstIndex { $0.first?.isLetter ?? false } ?? end
        tail = Array(lines[after..<end])
        var byLine: [Int: [Ledger.Deviation]] = [:]
        for deviation in ledger.deviations { byLine[deviation.entry.line, default: []].append(deviation) }
        // Where an entry begins on the line of another one, its lines can't be kept.
        let places = byLine.keys.sorted().filter { $0 > start + 1 && Set(byLine[$0]?.map(\.entry) ?? []).count == 1 }
        var next = start + 1
        for (index, place) in places.enumerated() {
            var last = index + 1 < places.count ? places[index + 1] - 1 : after
            while last > place, Self.isBlank(lines[last - 1]) { last -= 1 }
            entries += LedgerEntry(byLine[place] ?? [], lines: Array(lines[next..<last])).map { [$0] } ?? []
            next = last
        }
        tail = lines[next..<after] + tail
        for (line, deviations) in byLine.sorted(by: { $0.key < $1.key }) where !places.contains(line) {
            for entry in deviations.map(\.entry).unique {
                entries += LedgerEntry(deviations.filter { $0.entry == entry }, lines: []).map { [$0] } ?? []
            }
        }
    }

    /// Whether the line is empty or a comment, which belongs to the line below it.
    private static func isBlank(_ line: String) -> Bool { (line.first { $0 != " " } ?? "#") == "#" }

    // MARK: Writing entries

    /// Writes, keeps or removes the entry of the verdict's case.
    package mutating func record(_ verdict: CaseVerdict) { record(CaseRecord(verdict)) }

    /// Writes the entry of a case that failed in a way that was not known, removes one that no longer happens, and keeps
    /// all others.
    package mutating func record(_ record: CaseRecord) {
        switch record.outcome {
        case "fail", "hang", "crash": write(record.id, by: [record])
        case "fixed" where entry(of: record.id) != nil:
            if record.hasKnownFailures { write(record.id, by: [record]) } else { remove(record.id) }
        default: break
        }
    }

    /// Writes the entry of a case anew from its records, which are one for each protocol, or removes it.
    ///
    /// An entry stays as it is where it says by more than causes what fails and each failure was known, and where no
    /// record shows whether the case fails. Without `addsNew`, a case without an entry gets none; then false is returned
    /// where it has failed.
    package mutating func rewrite(_ id: CaseID, by records: [CaseRecord], addsNew: Bool) -> Bool {
        let failed = records.filter { ["fail", "hang", "crash", "known"].contains($0.outcome) || $0.hasKnownFailures }
        let own = entry(of: id).map { entries[$0].deviation }
        guard !failed.isEmpty else {
            let isGone = records.contains { ["pass", "fixed", "observed"].contains($0.outcome) }
            if isGone, let own, !own.isSporadic { remove(id) }
            return true
        }
        let isKnown = failed.allSatisfy { $0.outcome == "known" || $0.outcome == "fixed" }
        if let own {
            if isKnown, own.wire != nil || !own.parts.hasCausesAlone { return true }
        } else if isKnown || !addsNew {
            // A known failure without an entry of its own is known by a rule or by a pattern.
            return isKnown
        }
        write(id, by: failed)
        return true
    }

    /// Takes out the entries that name nothing of what fails; the cases that they were about.
    package mutating func removeNameless() -> [String] {
        let isNameless = { (entry: LedgerEntry) in entry.deviation.wire == nil && entry.deviation.parts.isEmpty }
        let cases = entries.filter(isNameless).flatMap(\.cases)
        entries.removeAll(where: isNameless)
        return cases
    }

    /// The entry that lists exactly this case for the client's version.
    private func entry(of id: CaseID) -> Int? {
        let name = id.description
        return entries.firstIndex { entry in
            guard entry.cases.contains(name) else { return false }
            guard let version, let versions = entry.deviation.versions else { return true }
            return versions.contains(version)
        }
    }

    private mutating func remove(_ id: CaseID) {
        guard let index = entry(of: id) else { return }
        entries[index].remove(id.description)
        if entries[index].cases.isEmpty { entries.remove(at: index) }
    }

    private mutating func write(_ id: CaseID, by records: [CaseRecord]) {
        let place = entry(of: id)
        let own = place.map { entries[$0].deviation }
        guard var made = LedgerEntry(id, records, like: own, rules: rules, otherVersion: otherVersion) else { return }
        if let place {
            if entries[place].isAlike(made) { return }
            if entries[place].cases.count == 1 { made.addComments(of: entries[place]) }
        }
        remove(id)
        if let other = entries.firstIndex(where: { $0.isAlike(made) }) {
            entries[other].add(made)
        } else {
            entries.append(made)
        }
    }

    /// The number of cases with an entry.
    package var count: Int { entries.reduce(0) { $0 + $1.cases.count } }

    /// The ledger with a line feed at its end.
    package var text: String {
        let sorted = entries.sorted { ($0.cases.first ?? "") < ($1.cases.first ?? "") }.flatMap(\.lines)
        return (head + sorted + tail).joined(separator: "\n") + "\n"
    }
}
