/// A table that the program contains, with one row for each case of `Kind`: a file of `CFiles/Tables`.
///
/// Its first line names the columns, of which `kind` is the first. Tabs part the cells; a cell that holds a backslash is
/// a JSON string without its quotation marks, and an empty cell is no value. A table of another form is a mistake of the
/// program's, which ends it when the table is first used.
package struct ContainedTable<Kind: ContainedTableKind, Row: Sendable>: Sendable {
    private let rows: [Kind: Row]

    /// The rows of the file of that name, without its ending, stand in the order of the cases.
    package init(_ name: String, row: (TableCells) -> Row) {
        let cells = TableCells.rows(of: name)
        guard cells.map(\.kind) == Kind.allCases.map(\.rawValue) else {
            preconditionFailure("the rows of \(name).tsv are not those of the cases of \(Kind.self), in their order")
        }
        rows = Dictionary(uniqueKeysWithValues: zip(Kind.allCases, cells.map(row)))
    }

    package subscript(kind: Kind) -> Row {
        guard let row = rows[kind] else { preconditionFailure("\(kind) is not among the cases of \(Kind.self)") }
        return row
    }
}

/// What a table has a row for: an enumeration whose raw values are the names in the first column.
package typealias ContainedTableKind = RawRepresentable<String> & CaseIterable & Hashable & Sendable

/// The cells of one row of a table that the program contains.
package struct TableCells: Sendable {
    private let table: String
    private let cells: [Substring: String]

    /// The text of a column that has one in each row.
    package subscript(column: Substring) -> String { value(column) { $0 } }

    package func text(_ column: Substring) -> String? { cells[column] }

    /// What the text of a column that has one in each row stands for.
    package func value<Value>(_ column: Substring, _ read: (String) -> Value?) -> Value {
        guard let value = valueIfAny(column, read) else {
            preconditionFailure("\(table).tsv: the row of \(kind) has no '\(column)'")
        }
        return value
    }

    /// What the text of a column stands for; nil for an empty cell.
    package func valueIfAny<Value>(_ column: Substring, _ read: (String) -> Value?) -> Value? {
        guard let text = cells[column] else { return nil }
        guard let value = read(text) else {
            preconditionFailure("\(table).tsv: the row of \(kind) says '\(text)' as '\(column)', which means nothing")
        }
        return value
    }

    fileprivate var kind: String { cells["kind"] ?? "" }

    /// The first column of the table of that name, which a module reads that does not know the cases.
    package static func kinds(of name: String) -> [String] { rows(of: name).map(\.kind) }

    /// All rows of the table of that name, without its ending, in their order.
    package static func rows(of name: String) -> [TableCells] {
        let text = String(decoding: ContainedFile.bytes(of: "Tables/\(name).tsv"), as: UTF8.self)
        let lines = text.split(separator: "\n").map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
        let columns = lines.first ?? []
        return lines.dropFirst().map { line in
            let cells = zip(columns, line).filter { !$1.isEmpty }.map { ($0, Self.unescaped($1, in: name)) }
            return TableCells(table: name, cells: Dictionary(uniqueKeysWithValues: cells))
        }
    }

    private static func unescaped(_ cell: Substring, in table: String) -> String {
        guard cell.utf8.contains(UInt8(ascii: "\\")) else { return String(cell) }
        guard case .text(let bytes)? = try? JSONTree.read(Array("\"\(cell)\"".utf8).span) else {
            preconditionFailure("\(table).tsv: no JSON string: \(cell)")
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
