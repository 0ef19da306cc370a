internal import ProctorBase

@testable internal import ProctorFixtures
@testable internal import ProctorScenario

/// The tables of the pages in Docs/format, generated from the tables of the language.
enum FixtureReference {
    /// By name: the text between `<!-- keys: NAME -->` and `<!-- end -->`.
    static let tables: [(name: String, text: String)] =
        LanguageTables.pages.map { ($0.name, keys($0.rows)) } + [
            ("effects", verbs), ("schemes", schemes),
            (
                "coding options",
                options(
                    ["gzip", "deflate", "br", "zstd", "identity"], ["Gzip", "Deflate", "Brotli", "Zstd", "Identity"])
            ),
            ("scheme options", options(["basic", "bearer"], ["Basic", "Bearer"])),
        ]

    /// A page of Docs/format with current tables, and their names in its order; nil where the page names a table that is none.
    ///
    /// Links of a table name their page, as in `conditions.md#json`; those to the page itself keep the anchor alone.
    static func page(_ page: String, named file: String) -> (text: String, tables: [String])? {
        var result = ""
        var names: [String] = []
        var lines = page.split(separator: "\n", omittingEmptySubsequences: false)[...]
        while let line = lines.popFirst() {
            result += line + "\n"
            guard line.hasPrefix("<!-- keys: "), line.hasSuffix(" -->") else { continue }
            let name = String(line.dropFirst(11).dropLast(4))
            guard let table = tables.first(where: { $0.name == name }), let end = lines.firstIndex(of: "<!-- end -->")
            else { return nil }
            names.append(name)
            result += "\n" + table.text.replacing(text: "](\(file)#", with: "](#") + "\n"
            lines = lines[end...]
        }
        return (String(result.dropLast()), names)
    }

    private static func keys(_ rows: [Row]) -> String {
        table(
            ["key", "takes", "left out", "meaning"],
            rows.map { row in
                ["`\(row.name)`", row.takes + example(of: row), row.leftOut, row.sentence]
            })
    }

    private static func example(of row: Row) -> String { row.example.map { ", like `\($0)`" } ?? "" }

    /// The options of several mappings, whose keys are those of `KINDKeys`.
    private static func options(_ names: [String], _ kinds: [String]) -> String {
        let owners = zip(names, kinds).map { (name: $0, rows: LanguageTables.rows(of: "\($1)Keys")) }
        var lines: [[String]] = []
        var seen: Set<String> = []
        for row in owners.flatMap(\.rows) where seen.insert("\(row.name) \(row.sentence)").inserted {
            let having = owners.filter { owner in
                owner.rows.contains { $0.name == row.name && $0.sentence == row.sentence }
            }
            let takes = having.compactMap { owner in
                owner.rows.first { $0.name == row.name }.map { "\($0.takes)\(example(of: $0))" }
            }
            let names = having.map { "`\($0.name)`" }
            let isOne = Set(takes).count == 1
            lines.append([
                "`\(row.name)`", having.count == owners.count ? "all" : names.joined(separator: ", "),
                isOne ? takes[0] : zip(takes, names).map { "\($0) (\($1))" }.joined(separator: ", "), row.sentence,
            ])
        }
        return table(["option", "of", "takes", "meaning"], lines)
    }

    private static var verbs: String {
        table(
            ["`do`", "what happens"],
            EffectForm.all.compactMap { form in form.sentence.map { ["`\(form.shown)`", $0] } })
    }

    private static var schemes: String {
        table(
            ["scheme", "alone", "meaning"],
            SchemeRow.all.map { row in
                let sentence = LanguageData.words["SchemeRow \(row.name)"]?.sentence ?? ""
                return ["`\(row.name)`", row.isWhole ? "yes" : "no", sentence]
            })
    }

    private static func table(_ head: [String], _ lines: [[String]]) -> String {
        let rule = head.map { _ in "---" }
        return ([head, rule] + lines).map { cells in
            cells[0] == "---"
                ? "|" + cells.joined(separator: "|") + "|"
                : "| "
                    + cells.map { $0.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|") }
                    .joined(separator: " | ") + " |"
        }.joined(separator: "\n") + "\n"
    }
}
