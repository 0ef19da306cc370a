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
        for kind in FieldBlockNote.Kind.allCases { #expect(words.contains(kind.rawValue), "\(kind)") }
        for kind in FieldBlockNote.Representation.allCases { #expect(words.contains(kind.rawValue), "\(kind)") }
        for scope in FrameViolationNote.Scope.allCases { #expect(words.contains(scope.rawValue), "\(scope)") }
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

    /// Writes the tables into the pages instead of comparing them.
    private static let isRecording = ProcessInfo.processInfo.environment["PROCTOR_RECORD"] == "journal-events"

    private static let tables = [
        ("journal.md", "line", lineTable), ("entries.md", "events", eventTable(allEvents[..<firstOfReplies])),
        ("entries-replies.md", "replies", eventTable(allEvents[firstOfReplies...])),
    ]

    @Test func `the tables of the document are those of the journal's list of fields`() throws {
        for (page, name, table) in Self.tables {
            var text = try Self.text(of: page)
            let (begin, end) = ("<!-- \(name): begin -->\n", "<!-- \(name): end -->")
            let start = try #require(text.range(of: begin)).upperBound
            let range = start..<(try #require(text.range(of: end)).lowerBound)
            if Self.isRecording {
                text.replaceSubrange(range, with: table)
                try text.write(to: Self.folder.appendingPathComponent(page), atomically: true, encoding: .utf8)
            } else {
                #expect(
                    text[range] == table[...],
                    "PROCTOR_RECORD=journal-events make test ARGS='--filter JournalDocTests' writes Docs/judging/\(page)"
                )
            }
        }
    }

    private static var lineTable: String {
        "| key | type | value |\n|---|---|---|\n" + JournalTable.line.notes.map { row($0) }.joined()
    }

    private typealias Event = (name: String, says: String, notes: [JournalFieldNote])

    private static let allEvents: [Event] = {
        let gaps = [
            (JournalTable.entriesDropped.name, JournalTable.entriesDropped.says, JournalTable.entriesDropped.notes),
            (JournalTable.linesLost.name, JournalTable.linesLost.says, JournalTable.linesLost.notes),
        ]
        return JournalTable.events.map { ($0.name, $0.says, $0.notes) } + gaps
    }()

    /// With it the second page begins.
    private static let firstOfReplies = allEvents.firstIndex { $0.name == JournalTable.exchangeChosen.name } ?? 0

    private static func eventTable(_ events: ArraySlice<Event>) -> String {
        "| `ev` | key | type | value |\n|---|---|---|---|\n"
            + events.map { event in
                "| `\(event.name)` | | | \(event.says) |\n" + event.notes.map { row($0, before: "| ") }.joined()
            }.joined()
    }

    /// One row, and those of the objects that stand under the key.
    private static func row(_ note: JournalFieldNote, before: String = "", path: String = "") -> String {
        let key = path + note.key
        let when = note.when.map { "; \($0)" } ?? ""
        return before + "| `\(key)` | \(note.type) | \(note.says)\(when) |\n"
            + note.members.map { row($0, before: before, path: key + ".") }.joined()
    }
}
