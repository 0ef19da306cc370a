import Foundation
import ProctorHTTP
import Testing

@testable import ProctorJournal

/// Docs/judging/journal.md and the pages of entries against what a journal can hold.
struct JournalDocTests {
    private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Docs/judging")

    private static func text(of page: String) throws -> String {
        try String(contentsOf: folder.appendingPathComponent(page), encoding: .utf8)
    }

    private static func text() throws -> String {
        try ["journal.md", "entries.md", "entries-replies.md"].map { try text(of: $0) }.joined()
    }

    @Test func `every outcome of a guard and every kind of fault is in the document`() throws {
        let words = Set(try Self.text().matches(of: /`([A-Za-z0-9-]+)`/).map { String($0.1) })
        for outcome in GuardVerdict.Outcome.allCases { #expect(words.contains(outcome.rawValue), "\(outcome)") }
        for kind in CredentialFault.Kind.allCases { #expect(words.contains(kind.rawValue), "\(kind)") }
    }

    @Test func `every outcome of a field and every kind of difference is in the document`() throws {
        let words = Set(try Self.text().matches(of: /`([A-Za-z0-9-]+)`/).map { String($0.1) })
        for outcome in SetCookieNote.Outcome.allCases { #expect(words.contains(outcome.rawValue), "\(outcome)") }
        for kind in CookieDifference.Kind.allCases { #expect(words.contains(kind.rawValue), "\(kind)") }
        for edition in CookieEdition.allCases { #expect(words.contains(edition.rawValue), "\(edition)") }
        for routing in JournalEvent.Routing.allCases { #expect(words.contains(routing.rawValue), "\(routing)") }
        for kind in ReachedBound.Kind.allCases { #expect(words.contains(kind.rawValue), "\(kind)") }
        for kind in ReceivedBytes.Kind.allCases { #expect(words.contains(kind.rawValue), "\(kind)") }
        for outcome in ExpectedBytes.Outcome.allCases { #expect(words.contains(outcome.rawValue), "\(outcome)") }
        for kind in SectionKind.allCases { #expect(words.contains(kind.rawValue), "\(kind)") }
        for kind in FieldBlockNote.Representation.allCases { #expect(words.contains(kind.rawValue), "\(kind)") }
        for scope in ViolationScope.allCases { #expect(words.contains(scope.rawValue), "\(scope)") }
    }

    @Test func `the document's example of a verdict can be read`() throws {
        let line = try #require(try Self.text().split(separator: "\n").first { $0.contains(#""ev":"guarded""#) })
        let entry = try #require(try JournalLines(Array(line.utf8), file: "journal.md").entries.first)
        guard case .guarded(let verdict) = entry.event else {
            Issue.record("\(entry.event)")
            return
        }
        #expect(verdict.outcome == .refused && verdict.faults.map(\.kind) == [.wrongURI])
    }

    @Test func `the document's other examples can be read and written`() throws {
        let kinds = [
            "clientHello", "secured", "handshakeFailed", "alert", "routed", "tunnelOpened", "cookiesSet",
            "cookiesJudged", "replyBegun", "bytesReceived", "bytesExpected", "frame", "fieldBlock", "frameViolation",
        ]
        let lines = try Self.text().split(separator: "\n").filter { line in
            kinds.contains { line.contains(#""ev":"\#($0)""#) }
        }
        #expect(lines.count == kinds.count)
        let entries = try JournalLines(Array(lines.joined(separator: "\n").utf8), file: "journal.md").entries
        let bytes = JournalEncoder().lines(entries)
        #expect(String(decoding: bytes, as: UTF8.self) == lines.joined(separator: "\n") + "\n")
    }

    /// Writes the keys and their types into the pages, with the texts that stand there, instead of comparing them.
    private static let isRecording = ProcessInfo.processInfo.environment["PROCTOR_RECORD"] == "journal-events"

    private static let tables = [
        ("journal.md", "line", "| key | type | value |\n|---|---|---|\n", rows(of: JournalTable.line.notes)),
        ("entries.md", "events", eventHead, Array(eventRows[..<firstOfReplies])),
        ("entries-replies.md", "replies", eventHead, Array(eventRows[firstOfReplies...])),
    ]

    @Test func `the tables of the document are those of the journal's list of fields, and say what each means`() throws
    {
        for (page, name, head, rows) in Self.tables {
            var text = try Self.text(of: page)
            let (begin, end) = ("<!-- \(name): begin -->\n", "<!-- \(name): end -->")
            let start = try #require(text.range(of: begin)).upperBound
            let range = start..<(try #require(text.range(of: end)).lowerBound)
            let texts = Self.texts(in: text[range].dropFirst(head.count), hasEvents: head == Self.eventHead)
            let table = head + rows.map { "\($0.head) \(texts[$0.path] ?? "") |\n" }.joined()
            if Self.isRecording {
                text.replaceSubrange(range, with: table)
                try text.write(to: Self.folder.appendingPathComponent(page), atomically: true, encoding: .utf8)
            } else {
                #expect(
                    text[range] == table[...],
                    "PROCTOR_RECORD=journal-events make test ARGS='--filter JournalDocTests' writes Docs/judging/\(page)"
                )
            }
            for row in rows {
                let text = texts[row.path] ?? ""
                #expect(!text.isEmpty, "Docs/judging/\(page) has to say what \(row.path) means")
                #expect(
                    !row.isOptional || text.contains("; "),
                    "Docs/judging/\(page) has to say behind '; ' which lines have \(row.path)")
            }
        }
    }

    private struct Row {
        /// The event, and the key in it: `frame goAway.code`.
        let path: String
        /// The row without its text.
        let head: String
        var isOptional = false
    }

    private static let eventHead = "| `ev` | key | type | value |\n|---|---|---|---|\n"

    private static let events: [(name: String, notes: [JournalFieldNote])] =
        JournalTable.events.map { ($0.name, $0.notes) } + [
            (JournalTable.entriesDropped.name, JournalTable.entriesDropped.notes),
            (JournalTable.linesLost.name, JournalTable.linesLost.notes),
        ]

    private static let eventRows = events.flatMap { event in
        [Row(path: event.name, head: "| `\(event.name)` | | |")]
            + rows(of: event.notes, event: "\(event.name) ", before: "| ")
    }

    /// With it the second page begins.
    private static let firstOfReplies = eventRows.firstIndex { $0.path == JournalTable.exchangeChosen.name } ?? 0

    /// The rows of the keys, and of the objects that stand under them.
    private static func rows(
        of notes: [JournalFieldNote], event: String = "", before: String = "", key: String = ""
    ) -> [Row] {
        notes.flatMap { note in
            [
                Row(
                    path: event + key + note.key, head: "\(before)| `\(key)\(note.key)` | \(note.type) |",
                    isOptional: note.isOptional)
            ] + rows(of: note.members, event: event, before: before, key: "\(key)\(note.key).")
        }
    }

    /// The texts of a table, by the paths of its rows.
    private static func texts(in table: Substring, hasEvents: Bool) -> [String: String] {
        var texts: [String: String] = [:]
        var event = ""
        for line in table.split(separator: "\n") {
            var cells = line.split(separator: "|", maxSplits: hasEvents ? 4 : 3, omittingEmptySubsequences: false)
                .dropFirst().map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " `")) }
            let text = line.components(separatedBy: " | ").last.map { String($0.dropLast(2)) } ?? ""
            if hasEvents {
                let name = cells.removeFirst()
                if !name.isEmpty { event = name }
                texts[name.isEmpty ? "\(event) \(cells[0])" : name] = text
            } else {
                texts[cells[0]] = text
            }
        }
        return texts
    }
}
