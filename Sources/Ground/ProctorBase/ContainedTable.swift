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
///
/// The text of a cell is made when it is asked for, since most starts of a program need few cells of its tables.
package struct TableCells: Sendable {
    private let table: String
    private let columns: [String]
    private let line: ArraySlice<UInt8>

    /// The text of a column that has one in each row.
    package subscript(column: String) -> String {
        guard let text = text(column) else {
            preconditionFailure("\(table).tsv: the row of \(kind) has no '\(column)'")
        }
        return text
    }

    /// nil for an empty cell.
    package func text(_ column: String) -> String? {
        let cell = cell(column)
        guard cell.contains(UInt8(ascii: "\\")) else {
            return cell.isEmpty ? nil : String(decoding: cell, as: UTF8.self)
        }
        let quote = UInt8(ascii: "\"")
        guard case .text(let bytes)? = try? JSONTree.read(([quote] + cell + [quote]).span) else {
            preconditionFailure("\(table).tsv: no JSON string: \(String(decoding: cell, as: UTF8.self))")
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Whether a column lists that word, between blanks.
    package func lists(_ word: String, in column: String) -> Bool {
        cell(column).split(separator: UInt8(ascii: " ")).contains { $0.elementsEqual(word.utf8) }
    }

    /// The words of a column, between blanks.
    package func words(of column: String) -> [String] {
        cell(column).split(separator: UInt8(ascii: " ")).map { String(decoding: $0, as: UTF8.self) }
    }

    /// What the text of a column that has one in each row stands for.
    package func value<Value>(_ column: String, _ read: (String) -> Value?) -> Value {
        guard let value = read(self[column]) else { refuse(column) }
        return value
    }

    /// What the text of a column stands for; nil for an empty cell.
    package func valueIfAny<Value>(_ column: String, _ read: (String) -> Value?) -> Value? {
        guard let text = text(column) else { return nil }
        guard let value = read(text) else { refuse(column) }
        return value
    }

    private func refuse(_ column: String) -> Never {
        preconditionFailure(
            "\(table).tsv: the row of \(kind) says '\(self[column])' as '\(column)', which means nothing")
    }

    fileprivate var kind: String { text("kind") ?? "" }

    /// As it stands in the file; empty where the row has none.
    private func cell(_ column: String) -> ArraySlice<UInt8> {
        guard let index = columns.firstIndex(of: column) else { return [] }
        var rest = line
        for _ in 0..<index {
            guard let tab = rest.firstIndex(of: Self.tab) else { return [] }
            rest = rest[(tab + 1)...]
        }
        return rest[..<(rest.firstIndex(of: Self.tab) ?? rest.endIndex)]
    }

    private static let tab = UInt8(ascii: "\t")

    /// The first column of the table of that name, which a module reads that does not know the cases.
    package static func kinds(of name: String) -> [String] { rows(of: name).map(\.kind) }

    /// All rows of the table of that name, without its ending, in their order.
    package static func rows(of name: String) -> [TableCells] {
        var rest = ContainedFile.bytes(of: "Tables/\(name).tsv")[...]
        var lines: [ArraySlice<UInt8>] = []
        while let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
            lines.append(rest[..<end])
            rest = rest[(end + 1)...]
        }
        let columns = (lines.first ?? []).split(separator: tab).map { String(decoding: $0, as: UTF8.self) }
        return lines.dropFirst().map { TableCells(table: name, columns: columns, line: $0) }
    }
}
