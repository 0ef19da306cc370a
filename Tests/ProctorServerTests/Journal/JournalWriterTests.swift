import Foundation
import ProctorBase
import ProctorTestSupport
import Testing

@testable import ProctorJournal
@testable import ProctorReplies
@testable import ProctorServer

/// The thread that writes a journal file.
@Suite(.limit(minutes: 5))
struct JournalWriterTests {
    /// A disk whose writes wait until they are let through.
    private final class Gate: Sendable {
        private let state = Monitor(State())

        private struct State {
            var isOpen = false
            var writeCount = 0
            var bytes: [UInt8] = []
        }

        func write(_ bytes: borrowing Span<UInt8>) -> (byteCount: Int, failure: CallFailure?) {
            let count = bytes.count
            let copy = bytes.array
            state.withLock { $0.writeCount += 1 }
            state.wakeAll()
            state.wait { state -> Monitor<State>.Look<Void> in
                guard state.isOpen else { return .wait() }
                state.bytes += copy
                return .done(())
            }
            return (count, nil)
        }

        func open() {
            state.withLock { $0.isOpen = true }
            state.wakeAll()
        }

        func waitForWrite(_ number: Int) { state.wait { $0.writeCount >= number ? .done(()) : .wait() } }

        var bytes: [UInt8] { state.withLock { $0.bytes } }
    }

    private static func entry(_ number: Int) -> JournalEntry {
        JournalEntry(
            sequence: UInt64(number), nanoseconds: MonotonicClock.nanoseconds, connection: 0, request: nil,
            event: .replySent(status: 200, byteCount: number))
    }

    private static func file(
        _ gate: Gate, report: @escaping @Sendable (String) -> Void = { Issue.record("\($0)") }
    ) throws -> JournalFile {
        try JournalFile(path: "/dev/null", report: report, write: { bytes, _ in gate.write(bytes) })
    }

    private static func sequences(_ bytes: [UInt8]) throws -> [UInt64] {
        try JournalLines(bytes, file: "j").entries.map(\.sequence)
    }

    @Test func `lines are written without a flush, and what comes meanwhile is written behind them`() throws {
        let gate = Gate()
        let file = try Self.file(gate)
        file.fulfil(file.append(Self.entry(1), by: JournalEncoder()))
        gate.waitForWrite(1)
        // The lock is free while the thread writes.
        file.fulfil(file.append(Self.entry(2), by: JournalEncoder()))
        #expect(file.lostLineCount == 0)
        gate.open()
        file.flush()
        #expect(try Self.sequences(gate.bytes) == [1, 2])
    }

    @Test func `a flush while the thread writes returns when all is written, and the end of the file is one`() throws {
        let gate = Gate()
        gate.open()
        do {
            let file = try Self.file(gate)
            for number in 1...10_000 { file.fulfil(file.append(Self.entry(number), by: JournalEncoder())) }
            file.flush()
            #expect(try Self.sequences(gate.bytes) == Array(1...10_000))
            file.fulfil(file.append(Self.entry(10_001), by: JournalEncoder()))
        }
        #expect(try Self.sequences(gate.bytes) == Array(1...10_001))
    }

    @Test func `a slow disk makes those wait who have more lines, within a bound, and nothing is lost`() throws {
        let gate = Gate()
        let reports = Monitor([String]())
        let file = try Self.file(gate) { report in
            reports.withLock { $0.append(report) }
            reports.wakeAll()
        }
        // More than may wait, from a thread that is held up.
        let count = 100_000
        let thread = try #require(
            WorkerThread {
                for number in 1...count { file.fulfil(file.append(Self.entry(number), by: JournalEncoder())) }
            })
        let report = reports.wait { reports in reports.first.map { .done($0) } ?? .wait() }
        #expect(report.contains("written more slowly than lines come: 4 MiB of them wait"))
        gate.open()
        thread.join()
        file.flush()
        #expect(file.lostLineCount == 0 && file.condition.failure == nil)
        #expect(gate.bytes.count > JournalFile.waitingByteLimit)
        #expect(try Self.sequences(gate.bytes) == (1...count).map(UInt64.init))
        #expect(reports.withLock { $0.count } == 1)
    }

    @Test func `lines of several threads are whole, and each thread's stand in its order`() throws {
        let gate = Gate()
        gate.open()
        let file = try Self.file(gate)
        let threads = (0..<4).compactMap { number in
            WorkerThread {
                for index in 1...5_000 {
                    let entry = JournalEntry(
                        sequence: UInt64(index), nanoseconds: MonotonicClock.nanoseconds, connection: number,
                        request: nil, event: .continueSent)
                    file.fulfil(file.append(entry, by: JournalEncoder()))
                }
            }
        }
        for thread in threads { thread.join() }
        file.flush()
        let lines = String(decoding: gate.bytes, as: UTF8.self).split(separator: "\n").dropFirst()
        #expect(lines.count == 20_000)
        for number in 0..<4 {
            let own = lines.filter { $0.contains("\"connection\":\(number),") }
            #expect(own.compactMap { $0.dropFirst(7).prefix { $0 != "," } }.map { Int($0) } == Array(1...5_000))
        }
    }
}
