import Foundation
import ProctorGrading
import ProctorHTTP
import ProctorTestWire
import Testing

@testable import ProctorJournal
@testable import ProctorServer

/// Entries that found no room in memory are told wherever a journal is shown.
struct DroppedEntryTests {
    private static let yaml = """
        summary: One reply
        exchanges: [ { request: GET /, reply: { status: 200, body: one } } ]
        cases: { many: { client: { url: / }, wire: request(GET /) request(GET /) } }
        """

    /// A run whose journal keeps ten entries, after so many requests that it dropped some.
    private func withFullRun(_ body: (Server, String, Run) async throws -> Void) async throws {
        try await withServer([try scenario(Self.yaml)], configure: { $0.limits.journal.entryCount = 10 }) { server in
            let run = try await server.run("test/one")
            _ = try await exchange(String(repeating: .request("GET /"), count: 9), with: run.base)
            _ = try await run.journal.lines(until: { $0.last?.contains("closed by") == true })
            try await body(server, run.id, run)
        }
    }

    @Test func `the call for a journal says it in a line, and only of what was not seen`() async throws {
        try await withFullRun { server, id, run in
            let snapshot = run.journal.snapshot()
            let first = try #require(snapshot.entries.first)
            #expect(snapshot.droppedCount == Int(first.sequence) - 1 && snapshot.droppedCount > 3)
            let entries = try await call("GET /runs/\(id)/journal", on: server).entries
            #expect(entries.first?["ev"] as? String == "entriesDropped" && entries.count == 11)
            #expect(entries.first?["count"] as? Int == snapshot.droppedCount)
            #expect(entries.first?["seq"] as? Int == Int(first.sequence) - 1)
            for (after, count) in [(2, snapshot.droppedCount - 2), (snapshot.droppedCount, 0)] {
                let rest = try await call("GET /runs/\(id)/journal?after=\(after)", on: server).entries
                #expect(rest.first?["count"] as? Int == (count == 0 ? nil : count), "\(after)")
            }
            let read = try JournalLines(run.journal.lines(after: 0), file: "j")
            #expect(read.droppedCount == snapshot.droppedCount && read.entries.count == 10)
        }
    }

    @Test func `a verdict and its timeline say it`() async throws {
        try await withFullRun { server, id, run in
            let dropped = run.journal.snapshot().droppedCount
            let verdict = try await call("GET /runs/\(id)/verdict", on: server).json
            #expect(verdict["verdict"] as? String == "setup-failed" && verdict["droppedEntries"] as? Int == dropped)
            let timeline = try #require(verdict["timeline"] as? [String])
            #expect(timeline.first == "… \(dropped) entries dropped, for want of room")
        }
    }

    @Test func `a journal that keeps its beginning says it in the middle`() throws {
        var limits = Journal.Limits(entryCount: 6)
        limits.keepsBeginning = true
        let journal = Journal(encoder: JournalEncoder(), limits: limits, file: nil)
        for number in 0..<20 { journal.append(connection: 0, .replySent(status: 200, byteCount: number)) }
        let lines = String(decoding: journal.lines(after: 0), as: UTF8.self).split(separator: "\n")
        #expect(lines.map { $0.contains("entriesDropped") } == [false, false, false, true, false, false, false])
        #expect(lines[3].hasPrefix("{\"seq\":17,") && lines[3].hasSuffix("\"ev\":\"entriesDropped\",\"count\":14}"))
        let snapshot = journal.snapshot()
        #expect(snapshot.leadingDroppedCount == 0)
        let text = WireTimeline(snapshot.entries, droppedCount: snapshot.droppedCount).lines
        #expect(text.count == 7 && text[3] == "… 14 entries missing")
    }

    @Test(arguments: [false, true])
    func `the bytes of replies count, whether made for one request or for any`(isOfOneRequest: Bool) {
        let limits = Journal.Limits(entryCount: 1_000, byteCount: 100_000)
        let journal = Journal(encoder: JournalEncoder(), limits: limits, file: nil)
        for _ in 0..<500 {
            let reply = SentReply(
                status: 200, fields: FieldSection(), headByteCount: 40,
                content: SentContent(byteCount: 1_000, kept: [UInt8](repeating: 0x61, count: 1_000)),
                isOfOneRequest: isOfOneRequest)
            journal.append(connection: 0, .replyBegun(reply))
        }
        let kept = journal.snapshot().entries.reduce(0) { sum, entry in
            if case .replyBegun(let reply) = entry.event { sum + reply.keptByteCount } else { sum }
        }
        #expect(70_000...100_000 ~= kept, "\(kept) bytes are kept")
    }

    @Test func `after a reset nothing is missing`() async throws {
        try await withFullRun { server, id, run in
            run.reset()
            _ = try await exchange(.request("GET /"), with: run.base)
            let entries = try await call("GET /runs/\(id)/journal", on: server).entries
            #expect(!entries.isEmpty && entries.allSatisfy { $0["ev"] as? String != "entriesDropped" })
        }
    }
}
