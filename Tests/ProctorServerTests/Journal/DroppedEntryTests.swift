import ProctorGrading
import ProctorHTTP
import Testing

@testable import ProctorJournal
@testable import ProctorServer

/// What a journal keeps; how the entries are told that found no room stands in Tests/Data/conversations/control/dropped-entries.md.
struct DroppedEntryTests {
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
}
