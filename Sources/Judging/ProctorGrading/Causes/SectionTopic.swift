import ProctorBase
import ProctorEvents
import ProctorRules

/// What a section is about, in the words by which a person tells causes apart.
enum SectionTopic {
    /// `incomplete messages` for `RFC 9112 §8`; the title of a callback rule, and the section itself where the table
    /// has no row.
    static func words(of section: String) -> String {
        if let words = table[section] { return words }
        let prefix = "callback rule R"
        guard section.hasPrefix(prefix), let number = Int(section.dropFirst(prefix.count)) else { return section }
        return RuleNumber(number).titled
    }

    /// A row for each topic of the fixtures' sections, which ``FailureCause/topic(of:)`` makes of them; the words of no
    /// two rows are equal.
    private static let table = Dictionary(
        uniqueKeysWithValues: TableCells.rows(of: "section-topics").map { ($0["section"], $0["topic"]) })
}
