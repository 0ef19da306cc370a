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

    @Test func `every outcome of a field and every kind of difference is in the document`() throws {
        let words = Set(try Self.text().matches(of: /`([A-Za-z0-9-]+)`/).map { String($0.1) })
        for outcome in SetCookieNote.Outcome.allCases { #expect(words.contains(outcome.rawValue), "\(outcome)") }
        for kind in CookieDifference.Kind.allCases { #expect(words.contains(kind.rawValue), "\(kind)") }
        for edition in CookieEdition.allCases { #expect(words.contains(edition.rawValue), "\(edition)") }
        for routing in JournalEvent.Routing.allCases { #expect(words.contains(routing.rawValue), "\(routing)") }
        for kind in ReachedBound.Kind.allCases { #expect(words.contains(kind.rawValue), "\(kind)") }
        for kind in ReceivedBytes.Kind.allCases { #expect(words.contains(kind.rawValue), "\(kind)") }
        for outcome in ExpectedBytes.Outcome.allCases { #expect(words.contains(outcome.rawValue), "\(outcome)") }
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

    @Test func `the document's examples of handshakes, names, cookies and replies can be read and written`() throws {
        let kinds = [
            "clientHello", "secured", "handshakeFailed", "alert", "routed", "tunnelOpened", "cookiesSet",
            "cookiesJudged", "replyBegun", "bytesReceived", "bytesExpected",
        ]
        let lines = try Self.text().split(separator: "\n").filter { line in
            kinds.contains { line.contains("\"ev\":\"\($0)\"") }
        }
        #expect(lines.count == kinds.count)
        let entries = try JournalLines(Array(lines.joined(separator: "\n").utf8), file: "journal.md").entries
        var bytes: [UInt8] = []
        for entry in entries { JournalEncoder().append(entry, to: &bytes) }
        #expect(String(decoding: bytes, as: UTF8.self) == lines.joined(separator: "\n") + "\n")
    }

    @Test func `every key of an event of TLS, names and cookies is in its row`() throws {
        let rows = try Self.text().split(separator: "\n").filter { $0.hasPrefix("| `") }
        let samples: [JournalEvent] = [
            .clientHello(TLSNoteSamples.hello), .secured(TLSNoteSamples.handshake),
            .handshakeFailed(moment: "m", reason: "r"), .alert(TLSNoteSamples.alert),
            .routed(origin: "o", by: .host), .tunnelOpened(authority: "a", origin: "o", connection: 1),
            .cookiesSet(CookieNoteSamples.notes), .cookiesJudged(CookieNoteSamples.verdict),
            .replyBegun(
                SentReply(
                    status: 200, fields: FieldSection(), headByteCount: 19, content: .empty, codedContent: .empty)),
        ]
        for event in samples {
            let keys = try JournalEncoderTests.decoded(JournalEncoderTests.line(event)).allKeys.compactMap {
                $0 as? String
            }
            let name = try #require(try JournalEncoderTests.decoded(JournalEncoderTests.line(event))["ev"] as? String)
            let row = try #require(rows.first { $0.hasPrefix("| `\(name)` |") })
            for key in keys where !["seq", "ns", "connection", "ev"].contains(key) {
                #expect(row.contains("`\(key)`"), "\(name) \(key)")
            }
        }
    }
}
