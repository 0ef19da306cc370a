import ProctorBase

/// The facts of one group, found by their names.
struct FactTable: Sendable {
    /// In the order of the schema.
    let rows: [FactRow]
    private let byName: [String: FactRow]
    /// Facts whose names end with a word of the file, and what stands before it; the longest first.
    private let worded: [(stem: String, row: FactRow)]
    /// What stands before a number in brackets: `parts`.
    private let numbered: [String]
    /// What several names begin with, which is itself no name: `reply.`, `parts[N].`.
    private let parts: [String]

    init(_ rows: [FactRow]) {
        self.rows = rows
        byName = Dictionary(rows.map { ($0.name, $0) }) { first, _ in first }
        worded = rows.compactMap { row in row.stem.map { (stem: $0, row: row) } }
            .sorted { $0.stem.utf8.count > $1.stem.utf8.count }
        numbered =
            rows.compactMap { row in
                row.name.firstRange(ofText: "[N]").map { String(row.name[..<$0.lowerBound]) }
            }.unique
        let names = Set(rows.map(\.name))
        let stems = rows.compactMap { row in row.name.firstIndex(of: ".").map { String(row.name[..<$0]) } }
        parts = stems.unique.filter { stem in
            !names.contains(stem) && stems.count(where: { $0 == stem }) > 1
        }.map { "\($0)." }
    }

    /// The names for messages, in which those of one of several are a single one: `parts[N].NAME`.
    var names: [String] { Self.names(rows.map(\.name)) }

    private static func names(_ rows: [String]) -> [String] {
        rows.map { name in name.firstRange(ofText: "[N]").map { name[..<$0.upperBound] + ".\(FactRow.word)" } ?? name }
            .unique
    }

    /// The row of a fact that was read, with its number and its word.
    func row(of fact: NamedFact) -> FactRow? { byName[fact.row]?.naming(fact) }

    /// The fact of that name, in which the number, if there is one, is still an `N`; nil where there is none.
    func find(_ name: String, number: Int? = nil) -> NamedFact? {
        if let row = byName[name], row.stem == nil { return NamedFact(row.name, number: number) }
        return worded.lazy.compactMap { stem, row in
            name.dropping(prefix: stem).flatMap { word in
                row.accepts(word) ? NamedFact(row.name, number: number, word: word) : nil
            }
        }.first
    }

    /// Reads a name; nil for one that is none.
    ///
    /// A name that begins as several do is refused with the names that are meant; `prefix` is what the file has before it.
    func read(_ text: String, below prefix: String) throws(FactNameError) -> NamedFact? {
        var (name, number) = (text, Int?.none)
        for stem in numbered {
            guard let (index, rest) = try FactName.indexed(text, stem, within: prefix) else { continue }
            (name, number) = ("\(stem)[N].\(rest)", index)
        }
        if let fact = find(name, number: number) { return fact }
        guard let part = parts.first(where: name.hasPrefix), let rest = name.dropping(prefix: part) else { return nil }
        let outer = prefix + (number.map { part.replacing(text: "[N]", with: "[\($0)]") } ?? part)
        throw .unknown(rest, below: outer, among: rows.compactMap { $0.name.dropping(prefix: part) })
    }
}
