internal import ProctorBase
internal import ProctorDocument
package import ProctorGrading
import ProctorNotation
import ProctorScenario

/// The text of a ledger in which verdicts write and remove entries; every other line stays as it is.
///
/// Entries are sorted by case. A new failure becomes an entry, an entry that no longer happens is removed, and one that
/// still happens, or whose case was not run, keeps its lines.
package struct LedgerText: Sendable {
    /// The lines up to `deviations:`.
    private var head: [String]
    /// The lines of each entry, with the comments above it, by its pattern.
    private var entries: [String: [String]] = [:]
    /// The lines from the next key of the ledger on.
    private var tail: [String] = []
    /// The client's version where the ledger is for another one; new entries are for this version alone.
    private let otherVersion: String?

    /// Reads the lines of `text`, which ``Ledger/parse(_:file:)`` has read as `ledger`; nil: an empty ledger of the client.
    package init(_ former: (text: String, ledger: Ledger)?, client: String, version: String?) {
        otherVersion = former.flatMap { former in
            version.flatMap { former.ledger.speaks(ofVersion: $0) ? nil : $0 }
        }
        guard let former else {
            head = ["client: \(YAMLText.scalar(client))"]
            if let version { head.append("version: \(YAMLText.quoted(version))") }
            head.append(Self.key)
            return
        }
        head = []
        read(former.text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
    }

    private static let key = "deviations:"

    private mutating func read(_ lines: [String]) {
        var lines = lines[...]
        while lines.last == "" { lines.removeLast() }
        let start = lines.firstIndex { $0.hasPrefix(Self.key) }
        head = Array(lines[..<(start ?? lines.endIndex)]) + [Self.key]
        guard let start else { return }
        let rest = lines[(start + 1)...]
        let end = rest.firstIndex { ($0.first?.isLetter ?? false) } ?? rest.endIndex
        tail = Array(rest[end...])
        let indentation = rest[..<end].first { !Self.isBlank($0) }?.prefix { $0 == " " }.count
        var pattern: String?
        var comments: [String] = []
        for line in rest[..<end] {
            if Self.isBlank(line) {
                comments.append(line)
            } else if line.prefix(while: { $0 == " " }).count == indentation {
                pattern = Self.pattern(of: line)
                entries[pattern ?? "", default: []] += comments + [line]
                comments = []
            } else {
                entries[pattern ?? "", default: []] += comments + [line]
                comments = []
            }
        }
    }

    /// Whether the line is empty or a comment, which belongs to the line below it.
    private static func isBlank(_ line: String) -> Bool { (line.first { $0 != " " } ?? "#") == "#" }

    /// The key of a line; a pattern has no colon and no space.
    private static func pattern(of line: String) -> String {
        String(line.prefix { $0 != ":" }.filter { !" \"'".contains($0) })
    }

    /// Writes, keeps or removes the entry of the verdict's case.
    package mutating func record(_ verdict: CaseVerdict) {
        let id = verdict.id.description
        switch verdict.outcome {
        case .fail, .hang, .crash: entries[id] = entry(verdict)
        case .fixed where verdict.deviation?.pattern == id:
            entries[id] = verdict.findings.contains { $0.known != nil } ? entry(verdict) : nil
        case .pass, .known, .fixed, .observed, .partly, .notJudged, .lacks, .notInThisAdapter, .skipped, .setupFailed,
            .adapterError:
            break
        }
    }

    /// The lines of a new entry; the reason of a former one is kept, else it is what failed, in words.
    private func entry(_ verdict: CaseVerdict) -> [String] {
        let own = verdict.deviation.flatMap { $0.pattern == verdict.id.description ? $0 : nil }
        var lines = ["  \(verdict.id):"]
        if let cause = verdict.cause { lines.append("    # \(cause.key)") }
        if let rule = own?.rule ?? verdict.caseSections.first { lines.append("    rule: \(YAMLText.scalar(rule))") }
        let reason = own?.because ?? verdict.findings.cause?.plain ?? verdict.sentence ?? verdict.headline
        lines.append("    because: \(YAMLText.scalar(reason))")
        let failures = verdict.findings.filter { $0.weight == .failure }
        let facts = failures.compactMap(\.listedFact)
        switch verdict.outcome {
        case .hang: lines.append("    outcome: hang")
        case .crash: lines.append("    outcome: crash")
        case _ where facts.count == failures.count && !facts.isEmpty:
            lines.append("    facts: [\(facts.map { YAMLText.quoted($0.text) }.unique.joined(separator: ", "))]")
        default: break
        }
        if let otherVersion { lines.append("    versions: \(YAMLText.quoted(otherVersion))") }
        return lines
    }

    /// The number of entries.
    package var count: Int { entries.count }

    /// The ledger with a line feed at its end.
    package var text: String {
        let sorted = entries.sorted { $0.key < $1.key }.flatMap(\.value)
        return (head + sorted + tail).joined(separator: "\n") + "\n"
    }
}

extension Finding {
    /// The fact by which an entry lists the finding; nil when `facts:` can't list it.
    fileprivate var listedFact: FactName? {
        switch subject {
        case .fact(let name): name
        case .result(let step): .client(step: step, .error)
        default: nil
        }
    }
}
