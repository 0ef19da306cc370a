import Foundation
import ProctorHTTP
import ProctorTrace
import Testing

/// Docs/journal.md against what a journal can hold.
struct JournalDocTests {
    private static func text() throws -> String {
        let root = URL(fileURLWithPath: #filePath)
            .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        return try String(contentsOf: root.appendingPathComponent("Docs/journal.md"), encoding: .utf8)
    }

    @Test func `every outcome of a guard and every kind of fault is in the document`() throws {
        let words = Set(try Self.text().matches(of: /`([A-Za-z0-9-]+)`/).map { String($0.1) })
        for outcome in GuardVerdict.Outcome.allCases { #expect(words.contains(outcome.rawValue), "\(outcome)") }
        for kind in CredentialFault.Kind.allCases { #expect(words.contains(kind.rawValue), "\(kind)") }
    }

    @Test func `the document's example of a verdict can be read`() throws {
        let line = try #require(try Self.text().split(separator: "\n").first { $0.contains("\"ev\":\"guarded\"") })
        let entry = try #require(try JournalLines(Array(line.utf8), file: "journal.md").entries.first)
        guard case .guarded(let verdict) = entry.event else {
            Issue.record("\(entry.event)")
            return
        }
        #expect(verdict.outcome == .refused && verdict.faults.map(\.kind) == [.wrongURI])
    }
}
