import Foundation
import Testing

@testable import ProctorJournal
@testable import ProctorPages
@testable import ProctorReplies
@testable import ProctorServer
@testable import ProctorServing

/// A journal as Server-Sent Events: parts of it, and how many there may be.
struct EventStreamTests {
    /// One event as it came.
    private struct Event {
        let name: String
        let id: Int?
        let json: [String: Any]

        /// nil for a comment and for `retry`.
        init?(_ block: Substring) throws {
            var (name, id, data) = ("message", Int?.none, "")
            for line in block.split(separator: "\n") {
                if line.hasPrefix("event: ") { name = String(line.dropFirst(7)) }
                if line.hasPrefix("id: ") { id = Int(line.dropFirst(4)) }
                if line.hasPrefix("data: ") { data = String(line.dropFirst(6)) }
            }
            guard !data.isEmpty else { return nil }
            (self.name, self.id) = (name, id)
            json = try #require(try JSONSerialization.jsonObject(with: Data(data.utf8)) as? [String: Any])
        }

        static func all(in text: String) throws -> [Event] {
            try text.replacing("\r\n", with: "\n").split(separator: "\n\n").compactMap { try Event($0) }
        }
    }

    @Test func `a reader that is far behind gets the newest entries, and how many were left out`() throws {
        let journal = Journal(
            encoder: JournalEncoder(), limits: Journal.Limits(entryCount: 7_000, byteCount: 64 << 20), file: nil)
        for _ in 0..<6_500 { journal.append(connection: 0, .continueSent) }
        var stream = JournalStream(journal, of: nil, after: 100, server: 1)
        var events: [Event] = []
        var part = stream.nextPart(isStopping: false)
        events += try Event.all(in: String(decoding: part.bytes, as: UTF8.self))
        while part.hasMore {
            part = stream.nextPart(isStopping: false)
            events += try Event.all(in: String(decoding: part.bytes, as: UTF8.self))
        }
        let gap = try #require(events.first { $0.name == "gap" })
        #expect(gap.json["thinned"] as? Int == 5_900 && gap.json["dropped"] as? Int == 0)
        #expect(events.filter { $0.name == "message" }.map(\.id) == Array(6_001...6_500))
        #expect(stream.nextPart(isStopping: false).bytes.isEmpty)
        #expect(stream.nextPart(isStopping: true).isLast)
    }

    @Test func `the number of an earlier server's entry begins the journal from the start`() throws {
        let journal = Journal(encoder: JournalEncoder(), limits: Journal.Limits(), file: nil)
        journal.append(connection: 0, .continueSent)
        var stream = JournalStream(journal, of: nil, after: 900, server: 1)
        let events = try Event.all(in: String(decoding: stream.nextPart(isStopping: false).bytes, as: UTF8.self))
        // The reader sees by `server` that what it has is of another start, and asks once more.
        #expect(events.map(\.name) == ["open"])
        let next = try Event.all(in: String(decoding: stream.nextPart(isStopping: false).bytes, as: UTF8.self))
        #expect(next.map(\.id) == [1])
    }

    @Test func `the streams that are open at a time are bounded`() {
        let count = StreamCount()
        for _ in 0..<StreamCount.limit { #expect(count.enter()) }
        #expect(!count.enter())
        count.decrement()
        #expect(count.enter())
    }

    @Test func `a server that stops ends its streams at once`() throws {
        let journal = Journal(encoder: JournalEncoder(), limits: Journal.Limits(), file: nil)
        var stream = JournalStream(journal, of: nil, after: 0, server: 1)
        let part = stream.nextPart(isStopping: true)
        #expect(part.isLast)
        let events = try Event.all(in: String(decoding: part.bytes, as: UTF8.self))
        #expect(events.map(\.name) == ["open", "end"] && events[1].json["why"] as? String == "server-stopped")
    }
}
