import ProctorBase
import ProctorScenario

/// The tables of the pages in Docs/format, generated from the tables of the language.
package enum FixtureReference {
    /// By name: the text between `<!-- keys: NAME -->` and `<!-- end -->`.
    package static let tables =
        ofCore
        + [
            ScenarioReader.nameServer.tables, ScenarioReader.webSocket.tables, ScenarioReader.eventStream.tables,
            ScenarioReader.frame.tables, ScenarioReader.settings.tables, ScenarioReader.http2.tables,
            ScenarioReader.http3.tables, ScenarioReader.streamBytes.tables,
        ].flatMap(\.self).map { ($0.name, keys($0.rows)) }

    private static let ofCore: [(name: String, text: String)] = [
        ("scenario", keys(ScenarioReader.table.rows)),
        ("request", keys(ScenarioReader.requestTable.rows)),
        ("part of a request", keys(ScenarioReader.partPatternTable.rows)),
        ("condition", keys(ScenarioReader.conditionTable.rows)),
        ("json", keys(ScenarioReader.jsonWordTable.rows)),
        ("content", keys(ScenarioReader.contentTable.rows)),
        ("expect", keys(ScenarioReader.service.rows)),
        ("condition on tls", keys(ScenarioReader.securityTable.rows)),
        ("exchange", keys(ScenarioReader.exchangeTable.rows)),
        ("reply", keys(ScenarioReader.replyTable.rows)),
        ("chunks", keys(ScenarioReader.chunkTable.rows)),
        ("coding", keys(ScenarioReader.codingTable.rows)),
        (
            "coding options",
            options([
                ("gzip", ScenarioReader.gzipTable.rows), ("deflate", ScenarioReader.deflateTable.rows),
                ("br", ScenarioReader.brotliTable.rows), ("zstd", ScenarioReader.zstdTable.rows),
                ("identity", ScenarioReader.identityTable.rows),
            ])
        ),
        ("multipart", keys(ScenarioReader.multipartTable.rows)),
        ("made body", keys(ScenarioReader.madeBodyTable.rows)),
        ("opaque", keys(ScenarioReader.opaqueStepTable.rows)),
        ("bytes", keys(ScenarioReader.bytesTable.rows)),
        ("archive", keys(ScenarioReader.macBinaryTable.rows)),
        ("effects", verbs),
        ("effect", keys(ScenarioReader.effectTable.rows)),
        ("connection effect", keys(ScenarioReader.connectionEffectTable.rows)),
        (
            "sync point",
            keys(
                ScenarioReader.mappedEffectTable.rows.filter { ["await", "task", "count", "within"].contains($0.name) })
        ),
        ("push", keys(ScenarioReader.pushTable.rows)),
        ("pace", keys(ScenarioReader.paceTable.rows)), ("tunnel", keys(ScenarioReader.tunnelTable.rows)),
        ("socks", keys(ScenarioReader.socks.rows)), ("socks-reply", keys(ScenarioReader.socksReply.rows)),
        ("origin", keys(ScenarioReader.originTable.rows)),
        ("limits", keys(ScenarioReader.limitsTable.rows)),
        ("guard", keys(ScenarioReader.guardTable.rows)),
        ("schemes", schemes),
        (
            "scheme options",
            options([("basic", ScenarioReader.basicTable.rows), ("bearer", ScenarioReader.bearerTable.rows)])
        ),
        ("digest", keys(ScenarioReader.digestTable.rows)),
        ("ntlm", keys(ScenarioReader.ntlmTable.rows)),
        ("negotiate", keys(ScenarioReader.negotiateTable.rows)),
        ("messages", keys(Table("ntlm", MessageKeys("the scheme")).rows)),
        ("tls", keys(ScenarioReader.tlsTable.rows)),
        ("case", keys(ScenarioReader.caseTable.rows)),
        ("tolerances", keys(ScenarioReader.toleranceTable.rows)),
        ("client", keys(ScenarioReader.clientTable.rows)),
        ("conversation", keys(ScenarioReader.conversationActTable.rows)),
        ("moment", keys(MomentReader.table.rows)),
        ("schedule", keys(ScenarioReader.scheduleTable.rows)),
        ("fetch", keys(ScenarioReader.fetchOptionsTable.rows)),
        ("download file", keys(ScenarioReader.downloadFileTable.rows)),
        ("session", keys(ScenarioReader.sessionTable.rows)),
        ("protocol class", keys(ScenarioReader.protocolClassTable.rows)),
    ]

    /// A page of Docs/format with current tables, and their names in its order; nil where the page names a table that is none.
    ///
    /// Links of a table name their page, as in `conditions.md#json`; those to the page itself keep the anchor alone.
    package static func page(_ page: String, named file: String) -> (text: String, tables: [String])? {
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

    private static func options(_ owners: [(name: String, rows: [Row])]) -> String {
        var lines: [[String]] = []
        var told: Set<String> = []
        for row in owners.flatMap(\.rows) where told.insert("\(row.name) \(row.sentence)").inserted {
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
                ["`\(row.name.rawValue)`", row.isWhole ? "yes" : "no", row.sentence]
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
