import ProctorBase

/// What the reference says of a key: a row of `CFiles/Tables/language.tsv`.
struct KeyWords: Sendable {
    /// The struct of the key, by which the table names it.
    let keys: StaticString
    /// A default that is not that of the row.
    let leftOut: String?

    struct Row: Sendable {
        let leftOut: String
        let example: String?
        let sentence: String
    }

    /// The row for a key of that name; a key without one is a mistake of the program's.
    func row(of name: String) -> Row {
        guard let row = Self.rows["\(keys) \(name)"] else {
            preconditionFailure("language.tsv has no row for '\(name)' of \(keys)")
        }
        return row
    }

    /// Read when the schema, the reference or an explanation is made: no fixture needs it.
    private static let rows = Dictionary(
        uniqueKeysWithValues: TableCells.rows(of: "language").map { cells in
            let row = Row(
                leftOut: cells.text("left out") ?? "", example: cells.text("example"),
                sentence: cells.text("meaning") ?? "")
            return ("\(cells["keys"]) \(cells["key"])", row)
        })
}
