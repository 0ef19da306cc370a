import Foundation
import ProctorEvents
import ProctorGrading
import ProctorReferenceAdapter
import ProctorTestSupport
import Testing

/// Every change to a true trace is shown by what `Scripts/edits.tsv` names, or stands there as what no document forbids.
///
/// With `PROCTOR_WRITE_EDITS` in the environment the table is written anew, of all families or of those that it names, as
/// `ws,sse`; an edit that nothing shows then has the
/// reason it had, or `open ?`, which fails.
@Suite(.serialized, .limit(minutes: 10))
struct EditTableTests {
    private static let written = ProcessInfo.processInfo.environment["PROCTOR_WRITE_EDITS"]
    private static let writes = written != nil

    @Test(.enabled(if: !writes), arguments: EditedFamily.all)
    func `each edit of a trace is shown as the table says`(family: EditedFamily) async throws {
        let rows = try #require(try EditTable().families[family.name], "edits.tsv has no row of \(family.name)")
        let (evidence, grader) = try await family.sit()
        let whole = grader.grade(evidence)
        #expect(whole.outcome == .pass && whole.failures.isEmpty, "\(whole)")
        let edits = TraceEdit.all(of: evidence.events)
        #expect(edits.count >= 30, "\(family.name) has \(edits.count) edits")
        #expect(Set(edits.map(\.name)) == Set(rows.keys), "\(Set(edits.map(\.name)).symmetricDifference(rows.keys))")
        for edit in Extent.of(edits, stride: 28) {
            guard let row = rows[edit.name] else { continue }
            var edited = evidence
            edited.events = edit.events
            let verdict = grader.grade(edited)
            let words = verdict.shownBy
            if row.hasPrefix("open ") {
                #expect(words.isEmpty, "\(family.name): \(edit.name) is open, and shown by \(words)")
            } else {
                #expect(words.contains(row), "\(family.name): \(edit.name) is to be shown by \(row): \(verdict)")
            }
        }
    }

    @Test func `fifteen families have rows, and each open one has a reason on the page`() throws {
        let table = try EditTable()
        #expect(table.families.count >= 15)
        #expect(Set(table.families.keys) == Set(EditedFamily.all.map(\.name)))
        let page = try String(contentsOf: EditTable.page, encoding: .utf8)
        let reasons = Set(table.families.values.flatMap { $0.values.filter { $0.hasPrefix("open ") } })
        for reason in reasons {
            let key = reason.dropFirst("open ".count)
            #expect(page.contains("| `\(key)` |"), "Docs/inside/edits.md has no reason \(key)")
        }
    }

    @Test func `the page says of every fact what holds it`() throws {
        let page = try String(contentsOf: EditTable.page, encoding: .utf8)
        let table = page.split(separator: "## Facts, and what holds them").last ?? ""
        let rows = table.split(separator: "\n").filter { $0.hasPrefix("| `") }
        let named = rows.flatMap { row in
            row.split(separator: "|").first?.split(separator: ",").map { $0.filter { $0.isLetter || $0.isNumber } }
                ?? []
        }
        #expect(named.sorted() == FactKey.allCases.map(\.rawValue).sorted())
    }

    @Test(.enabled(if: writes)) func `the table is written anew`() async throws {
        let old = try EditTable().families
        var lines: [String] = []
        let named = Set(Self.written?.split(separator: ",").map(String.init) ?? [])
        for family in EditedFamily.all {
            if !named.isDisjoint(with: EditedFamily.all.map(\.name)), !named.contains(family.name) {
                lines += try EditTable.lines(of: family.name)
                continue
            }
            let (evidence, grader) = try await family.sit()
            let whole = grader.grade(evidence)
            #expect(whole.outcome == .pass, "\(whole)")
            for edit in TraceEdit.all(of: evidence.events) {
                var edited = evidence
                edited.events = edit.events
                let words = grader.grade(edited).shownBy
                let before = old[family.name]?[edit.name]
                let kept = before.flatMap { $0.hasPrefix("open ") ? $0 : nil } ?? "open ?"
                let word = words.isEmpty ? kept : before.flatMap { words.contains($0) ? $0 : nil } ?? words[0]
                lines.append("\(family.name)\t\(edit.name)\t\(word)")
            }
        }
        let head =
            "# family, edit, what shows it: a rule, a content check, the case's own words; Docs/inside/edits.md\n"
        try Data((head + lines.joined(separator: "\n") + "\n").utf8).write(to: EditTable.file)
    }
}
