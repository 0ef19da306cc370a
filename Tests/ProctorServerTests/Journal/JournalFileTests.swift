import Foundation
import ProctorBase
import ProctorTestWire
import Testing

@testable import ProctorJournal
@testable import ProctorServer

/// The file beside the journals: what stood there stays, and a disk that is full costs lines and says so.
struct JournalFileTests {
    /// A path of its own, which goes with it.
    private final class Place {
        let path = "/tmp/proctor-\(UUID().uuidString.prefix(8)).jsonl"
        deinit { try? FileManager.default.removeItem(atPath: path) }

        var text: String { (try? String(contentsOfFile: path, encoding: .utf8)) ?? "" }

        func write(_ text: String) throws { try text.write(toFile: path, atomically: false, encoding: .utf8) }
    }

    private static let header = "{\"journal\":\"proctor\",\"version\":2,\"clock\":\"monotonic\",\"unit\":\"ns\"}\n"

    private func entry(_ number: Int) -> JournalEntry {
        JournalEntry(
            sequence: UInt64(number), nanoseconds: 5, connection: 0, request: nil,
            event: .replySent(status: 200, byteCount: number))
    }

    private func line(_ number: Int) -> String {
        "{\"seq\":\(number),\"ns\":5,\"connection\":0,\"ev\":\"replySent\",\"status\":200,\"byteCount\":\(number)}\n"
    }

    /// A disk with room for so many bytes.
    private final class Disk: Sendable {
        private let room: Locked<Int>

        init(room: Int) { self.room = Locked(room) }

        func setRoom(_ byteCount: Int) { room.withLock { $0 = byteCount } }

        func write(_ bytes: borrowing Span<UInt8>, to descriptor: Int32) -> (byteCount: Int, failure: CallFailure?) {
            let byteCount = bytes.count
            let count = room.withLock { room in
                defer { room -= min(room, byteCount) }
                return min(room, byteCount)
            }
            let (written, failure) = FullWrite.write(bytes.extracting(..<count), to: descriptor)
            return (written, failure ?? (count < bytes.count ? .system("write", code: ENOSPC) : nil))
        }
    }

    // MARK: What stands there

    @Test func `a journal that stands there stays, and what comes is behind a header of its own`() throws {
        let place = Place()
        for number in 1...2 {
            let file = try JournalFile(path: place.path) { Issue.record("\($0)") }
            file.add(entry(number))
            file.flush()
        }
        #expect(place.text == Self.header + line(1) + Self.header + line(2))
    }

    @Test func `behind a line that a killed server broke off, a line of its own begins`() throws {
        let place = Place()
        try place.write(Self.header + line(1) + "{\"seq\":2,\"n")
        let file = try JournalFile(path: place.path) { Issue.record("\($0)") }
        file.flush()
        #expect(place.text == Self.header + line(1) + "{\"seq\":2,\"n\n" + Self.header)
        let parts = try JournalParts(Array(place.text.utf8), file: "j")
        #expect(parts.cutCount == 1 && parts.startCount == 2 && parts.parts.count == 1)
    }

    @Test(arguments: ["summary: a fixture\n", "{\"seq\":1}\n", "{\"journal\":\"prector\",", "\n", "x"])
    func `a file with something else is refused, and keeps every byte`(content: String) throws {
        let place = Place()
        try place.write(content)
        let failure = #expect(throws: CallFailure.self) {
            _ = try JournalFile(path: place.path) { Issue.record("\($0)") }
        }
        #expect(failure?.text.contains("is no journal") == true && failure?.text.contains("name another file") == true)
        #expect(place.text == content)
    }

    @Test func `an empty file is taken, and a second writer is refused`() throws {
        let place = Place()
        try place.write("")
        let file = try JournalFile(path: place.path) { Issue.record("\($0)") }
        let failure = #expect(throws: CallFailure.self) {
            _ = try JournalFile(path: place.path) { Issue.record("\($0)") }
        }
        #expect(failure?.text == "another proctor is writing it")
        file.flush()
        #expect(place.text == Self.header)
    }

    // MARK: A full disk

    /// Whatever fits, the file ends with a whole line, and goes on where it ended.
    @Test func `a disk that is full at any byte leaves whole lines, and nothing is missing when there is room again`()
        throws
    {
        let whole = Self.header + line(1) + line(2) + line(3)
        for room in 0..<whole.utf8.count {
            let place = Place()
            let reports = Locked<[String]>([])
            let disk = Disk(room: room)
            let file = try JournalFile(
                path: place.path, report: { report in reports.withLock { $0.append(report) } },
                write: { disk.write($0, to: $1) })
            for number in 1...3 { file.add(entry(number)) }
            file.flush()
            let text = place.text
            #expect(whole.hasPrefix(text) && (text.isEmpty || text.hasSuffix("\n")), "\(room): \(text)")
            #expect(file.condition.failure?.contains("No space left") == true)
            #expect(file.lostLineCount == whole.dropFirst(text.count).count { $0 == "\n" })
            disk.setRoom(.max)
            file.add(entry(4))
            file.flush()
            #expect(place.text == whole + line(4))
            #expect(file.condition.failure == nil && file.lostLineCount == 0)
            let said = reports.withLock { $0 }
            #expect(
                said.count == 2 && said[0].contains("can't be written") && said[1].hasSuffix("can be written again"))
        }
    }

    @Test func `beyond what may wait, lines are lost, and the file says how many and where`() throws {
        let place = Place()
        let reports = Locked<[String]>([])
        let disk = Disk(room: 0)
        let file = try JournalFile(
            path: place.path, report: { report in reports.withLock { $0.append(report) } },
            write: { disk.write($0, to: $1) })
        file.flush()
        // More than can wait.
        let count = 2 * JournalFile.waitingByteLimit / line(1_000_000).utf8.count
        for number in 1...count { file.add(entry(number)) }
        file.flush()
        #expect(file.lostLineCount == count + 1)
        disk.setRoom(.max)
        file.flush()
        file.add(entry(count + 1))
        file.flush()
        let lost = file.lostLineCount
        #expect(lost > 0 && lost < count)
        let bytes = Array(place.text.utf8)
        let lines = try JournalLines(bytes, file: "j")
        #expect(lines.droppedCount == lost && lines.entries.count == count + 1 - lost)
        #expect(lines.entries.first?.sequence == 1 && lines.entries.last?.sequence == UInt64(count + 1))
        let note = try #require(place.text.split(separator: "\n").first { $0.contains("linesLost") })
        #expect(note.hasPrefix("{\"ev\":\"linesLost\",\"count\":\(lost),\"reason\":\"write: No space left on device"))
        #expect(place.text.split(separator: "\n").dropLast().last == note)
        #expect(try JournalParts(bytes, file: "j").lostLineCount == lost)
        #expect(reports.withLock { $0.last }?.hasSuffix("can be written again; \(lost) lines are lost") == true)
    }

    @Test func `health tells of it, and is well again when the file is`() async throws {
        let place = Place()
        let disk = Disk(room: .max)
        let file = try JournalFile(path: place.path, report: { _ in }, write: { disk.write($0, to: $1) })
        try await withControl(configure: { $0.journalFile = file }) { server in
            func health() async throws -> (status: String?, journal: [String: Any]) {
                let json = try await call("GET /health", on: server).json
                return (json["status"] as? String, try #require(json["journalFile"] as? [String: Any]))
            }
            let well = try await health()
            #expect(well.status == "ok" && well.journal["path"] as? String == place.path)
            #expect(well.journal["lostLines"] as? Int == 0 && well.journal["failure"] == nil)
            disk.setRoom(0)
            _ = try await exchange(.request("GET /other/"), with: server.base)
            file.flush()
            let ill = try await health()
            #expect(ill.status == "degraded" && (ill.journal["lostLines"] as? Int ?? 0) > 0)
            #expect((ill.journal["failure"] as? String)?.contains("No space left") == true)
            disk.setRoom(.max)
            file.flush()
            #expect(try await health().status == "ok")
        }
    }
}

extension JournalFile {
    fileprivate func add(_ entry: JournalEntry) { fulfil(append(entry, by: JournalEncoder())) }
}
