import ProctorBase

/// The subject of each family of the shipped scenarios: `CFiles/Tables/families.tsv`.
package enum FamilySummary {
    /// At most 60 characters, without a full stop; nil where Proctor ships no such family.
    package static func sentence(of family: String) -> String? { sentences[family] }

    package static let sentences = Dictionary(
        uniqueKeysWithValues: TableCells.rows(of: "families").map { ($0["family"], $0["subject"]) })
}
