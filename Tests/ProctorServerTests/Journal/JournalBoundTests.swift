import Foundation
import ProctorBase
import ProctorHTTP
import ProctorTestWire
import Testing

@testable import ProctorJournal
@testable import ProctorServer

/// What keeps a journal file small: content that is written once, and a bound.
struct JournalBoundTests {
    /// A path of its own, which goes with it.
    private final class Place {
        let path = "/tmp/proctor-bound-\(UUID().uuidString.prefix(8)).jsonl"
        deinit { try? FileManager.default.removeItem(atPath: path) }

        var text: String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }
    }

    private static func reply(_ byteCount: Int) -> SentReply {
        SentReply(
            status: 200, fields: FieldSection(), headByteCount: 19,
            content: SentContent(byteCount: byteCount, kept: Array(repeating: 0x61, count: byteCount)))
    }

    private func entry(_ number: Int, _ event: JournalEvent) -> JournalEntry {
        JournalEntry(sequence: UInt64(number), nanoseconds: 5, connection: 0, request: number, event: event)
    }

    private func contents(_ entries: [JournalEntry]) -> [Int?] {
        entries.map { if case .replyBegun(let reply) = $0.event { reply.content?.kept.count } else { nil } }
    }

    // MARK: Shared content

    @Test func `content of many replies is written once, and read for all of them`() throws {
        let place = Place()
        let file = try JournalFile(path: place.path) { Issue.record("\($0)") }
        let (long, other, short) = (Self.reply(2_000), Self.reply(3_000), Self.reply(10))
        let encoder = JournalEncoder(scenario: "a/b", run: "r1")
        for (number, reply) in [long, short, other, long, short, other, long].enumerated() {
            file.fulfil(file.append(entry(number + 1, .replyBegun(reply)), by: encoder))
        }
        file.flush()
        let lines = place.text.split(separator: "\n").dropFirst()
        #expect(lines.map { $0.contains("\"contentOf\":") } == [false, false, false, true, false, true, true])
        #expect(lines.last?.contains("\"contentOf\":1}") == true)
        #expect(lines.dropLast().last?.contains("\"contentOf\":3}") == true)
        let wanted = [2_000, 10, 3_000, 2_000, 10, 3_000, 2_000]
        let bytes = Array(place.text.utf8)
        #expect(contents(try JournalLines(bytes, file: "j").entries) == wanted)
        #expect(contents(try JournalParts(bytes, file: "j").parts[0].entries) == wanted)
    }

    @Test func `two files and two journals have the content each`() throws {
        let (first, second) = (Place(), Place())
        let reply = Self.reply(2_000)
        let files = try [first, second].map { try JournalFile(path: $0.path) { Issue.record("\($0)") } }
        let encoders = [JournalEncoder(scenario: "a/b", run: "r1"), JournalEncoder(scenario: "a/b", run: "r2")]
        for number in 1...4 {
            for (file, encoder) in zip(files, encoders) {
                file.fulfil(file.append(entry(number, .replyBegun(reply)), by: encoder))
            }
        }
        for file in files { file.flush() }
        for place in [first, second] {
            let read = try JournalLines(Array(place.text.utf8), file: "j").entries
            #expect(contents(read) == [2_000, 2_000, 2_000, 2_000])
        }
    }

    // MARK: The bound

    @Test func `lines beyond the bound are left out, and the file says so at once and how many at the end`() throws {
        let place = Place()
        let reports = Locked<[String]>([])
        let limit = 2_000
        let encoder = JournalEncoder()
        do {
            let file = try JournalFile(path: place.path, byteLimit: limit) { report in
                reports.withLock { $0.append(report) }
            }
            for number in 1...100 {
                file.fulfil(file.append(entry(number, .replySent(status: 200, byteCount: number)), by: encoder))
            }
            file.flush()
            let condition = file.condition
            let read = try JournalLines(Array(place.text.utf8), file: "j")
            #expect(condition.leftOutLineCount > 0 && condition.lostLineCount == 0 && condition.failure == nil)
            #expect(read.entries.count + condition.leftOutLineCount == 100)
            #expect(read.entries.map(\.sequence) == (1...UInt64(read.entries.count)).map { $0 })
            #expect(read.droppedCount == condition.leftOutLineCount)
            #expect(place.text.utf8.count < limit + 400)
            let notes = place.text.split(separator: "\n").filter { $0.contains("linesLost") }
            #expect(notes.count == 2)
            #expect(notes[0].hasPrefix("{\"ev\":\"linesLost\",\"count\":1,\"reason\":\"the file has its bound"))
            file.flush()
            #expect(place.text.split(separator: "\n").count { $0.contains("linesLost") } == 2)
        }
        #expect(reports.withLock { $0 }.count == 1)
        #expect(reports.withLock { $0 }[0].contains("has its bound of \(limit) bytes"))
        let failure = #expect(throws: CallFailure.self) {
            _ = try JournalFile(path: place.path, byteLimit: 1_000) { Issue.record("\($0)") }
        }
        #expect(failure?.text.contains("name another file, or allow more") == true)
    }
}
