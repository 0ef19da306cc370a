import ProctorBase

/// The subject of each family of the shipped scenarios, what most people look for first: `CFiles/Tables/families.tsv`.
package enum FamilySummary {
    /// At most 60 characters, without a full stop; nil where Proctor ships no such family.
    package static func sentence(of family: String) -> String? { sentences[family] }

    /// The place of a family in the table; nil where Proctor ships no such family.
    package static func rank(of family: String) -> Int? { ranks[family] }

    private static let ranks = Dictionary(
        uniqueKeysWithValues: TableCells.rows(of: "families").enumerated().map { ($0.element["family"], $0.offset) })

    package static let sentences = Dictionary(
        uniqueKeysWithValues: TableCells.rows(of: "families").map { ($0["family"], $0["subject"]) })
}
