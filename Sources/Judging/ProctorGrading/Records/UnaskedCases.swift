import ProctorBase
import ProctorEvents

/// The cases that an exam did not ask, by what the client or its adapter lacks, with what would have them asked.
package struct UnaskedCases {
    private let header: ExamHeader
    private let records: [CaseRecord]
    private let caseCount: Int

    /// The reasons that are told one by one.
    private static let mostReasons = 8

    package init(_ exam: ExamRecord) {
        header = exam.header
        records = exam.cases.filter(\.isNotForClient)
        caseCount = exam.cases.count
    }

    /// `256 of 259 cases were not asked`; nil where all were.
    package var headline: String? {
        guard !records.isEmpty else { return nil }
        return "\(records.count) of \(Plural.count(caseCount, "case")) \(records.count == 1 ? "was" : "were") not asked"
    }

    /// A sentence for each reason, the most frequent first, and one for a command line that has more cases asked; none
    /// where all were asked.
    package var lines: [String] {
        let reasons = records.grouped(by: reason).enumerated().sorted {
            ($1.element.elements.count, $0.offset) < ($0.element.elements.count, $1.offset)
        }
        var lines = reasons.prefix(Self.mostReasons).map { reason in
            EventText.printable(
                "\(Plural.count(reason.element.elements.count, "case")): \(reason.element.key)", limit: 1_000)
        }
        let rest = reasons.dropFirst(Self.mostReasons)
        if !rest.isEmpty {
            let count = rest.reduce(0) { $0 + $1.element.elements.count }
            lines.append("\(Plural.count(count, "case")) for \(Plural.count(rest.count, "other reason"))")
        }
        if let wider = header.widerCommand, !records.isEmpty {
            lines.append("to ask more, add your own options to: \(EventText.printable(wider, limit: 1_000))")
        }
        return lines
    }

    private func reason(of record: CaseRecord) -> String {
        guard let ability = record.ability else {
            let own = "the adapter says: "
            return record.reason.hasPrefix(own) ? String(record.reason.dropFirst(own.count)) : record.reason
        }
        return "\(ability)\(remedy(for: ability))"
    }

    /// What it takes to have the ability asked; empty where nothing is known of it.
    private func remedy(for word: String) -> String {
        guard let ability = Ability(rawValue: word) else { return "" }
        guard header.adapter == ExamHeader.commandLineAdapter, let line = header.command else {
            return "; where the client has it, the adapter declares it (proctor docs abilities)"
        }
        guard let shown = ability.row.commandLine else { return "; only an adapter can show it" }
        let placeholders = AbilityRow.placeholders(in: shown)
        let missing = placeholders.filter { !line.contains(text: "{\($0)}") }
        let option = shown.firstRange(ofText: "--ability").map { String(shown[$0.lowerBound...]) }
        let group = missing.isEmpty ? nil : String(shown[...(shown.lastIndex(of: "]") ?? shown.startIndex)])
        if let group {
            let always = ability == .redirects ? ", or say --ability redirects if it always follows them" : ""
            return "; write \(group) with the client's own option\(always)"
                + (option.map { ", and say \($0) if it has it" } ?? "")
        }
        return option.map { "; say \($0) if the client has it" } ?? "; the client lacks it"
    }
}

extension CaseRecord {
    /// Whether the client was not judged, since it or the adapter lacks something that the case needs.
    package var isNotForClient: Bool { ["lacks", "not-in-this-adapter", "skipped"].contains(outcome) }
}
