import ProctorBase

/// The short names that traces and expectations give to errors, instead of a domain and a number.
package enum URLErrorName {
    package static let domain = "NSURLErrorDomain"

    package static let success = "ok"

    /// A short name, or `DOMAIN#CODE` for an error without one.
    package static func name(domain: String, code: Int) -> String {
        if domain == self.domain, let name = byCode[code] { return name }
        return "\(domain)#\(code)"
    }

    /// The error of a short name, of Foundation's own name or of `DOMAIN#CODE`; nil for `ok` and for unknown names.
    package static func code(named name: String) -> (domain: String, code: Int)? {
        if let code = byName[name] { return (domain, code) }
        guard let mark = name.lastIndex(of: "#"), mark != name.startIndex,
            let code = Int(name[name.index(after: mark)...])
        else { return nil }
        return (String(name[..<mark]), code)
    }

    package static let names: [String] = table.map(\.name)

    /// Foundation has another name for some.
    private static let table: [(code: Int, name: String, other: String?)] = TableCells.rows(of: "url-errors").map {
        ($0.value("code") { Int($0) }, $0["name"], $0.text("other name"))
    }

    private static let byCode = Dictionary(uniqueKeysWithValues: table.map { ($0.code, $0.name) })
    private static let byName = Dictionary(
        uniqueKeysWithValues: table.flatMap { row in [row.name, row.other].compactMap { $0 }.map { ($0, row.code) } })
}
