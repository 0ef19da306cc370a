import ProctorBase

/// A foreign format with the keys of its objects: which are read, and which are left out for a reason.
///
/// They are rows of `CFiles/Tables/import-keys.tsv`. A key that is in none of them is told, unless its value is empty.
enum SourceForm: String, Sendable {
    /// HTTP Archive 1.2.
    case har
    case cassette
    /// Collections, version 2.0 and 2.1; what is told where it stands is among those that are read.
    case postman
    /// Descriptions, 3.0 and 3.1.
    case openapi
    case wiremock

    /// Tells the members of an object that are not known here; `what` is the object, as in "the response".
    func check(_ object: SourceValue?, _ what: String, _ remarks: inout ImportRemarks) {
        guard let keys = Self.keys[rawValue]?[what] else {
            preconditionFailure("import-keys.tsv has no row for \(what) of \(self)")
        }
        for (name, value) in object?.members ?? [] where !keys.contain(name) && !value.isEmpty {
            remarks.add(at: value.place, "\(what) has the key \(name), which is not known here, and is left out")
        }
    }

    private struct Keys {
        var names: Set<String> = []
        /// Beginnings that the format keeps for extensions: `_*` in the table.
        var beginnings: [String] = []

        func contain(_ name: String) -> Bool { names.contains(name) || beginnings.contains { name.hasPrefix($0) } }
    }

    private static let keys: [String: [String: Keys]] = TableCells.rows(of: "import-keys").reduce(into: [:]) {
        forms, row in
        for name in row["keys"].split(separator: " ") {
            if name.hasSuffix("*") {
                forms[row["form"], default: [:]][row["object"], default: Keys()].beginnings.append(
                    String(name.dropLast()))
            } else {
                forms[row["form"], default: [:]][row["object"], default: Keys()].names.insert(String(name))
            }
        }
    }
}
