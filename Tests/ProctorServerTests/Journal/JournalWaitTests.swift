import ProctorLoop
import ProctorServing
import ProctorTestSupport
import Testing

@testable import ProctorJournal

/// Waits for what a journal says of its connections.
@Suite(.limit(minutes: 2))
struct JournalWaitTests {
    private static let opened = JournalEvent.connectionOpened(origin: "main", peer: "here", local: "there")
    private static let closed = JournalEvent.connectionClosed(by: .client, how: .closed)

    private func withLoop<Result: Sendable>(
        _ body: @escaping @Sendable (EventLoop) async throws -> Result
    ) async throws -> Result {
        let loop = try EventLoop()
        defer { loop.stop() }
        return try await loop.run { try await body(loop) }
    }

    private func journal(_ limits: Journal.Limits = Journal.Limits()) -> Journal {
        Journal(encoder: JournalEncoder(), limits: limits, file: nil)
    }

    @Test func `a connection without a request is under way, and no more once it is closed`() async throws {
        let journal = journal()
        journal.append(connection: 0, Self.opened)
        #expect(
            try await withLoop { await journal.waitForQuiet(.zero, on: $0, within: .milliseconds(1), whileStays: nil) })
        journal.append(connection: 0, Self.closed)
        #expect(
            try await withLoop { await journal.waitForQuiet(.zero, on: $0, within: Patience.whole, whileStays: nil) }
                == false)
    }

    @Test func `a wait ends with the last connection, and begins again after a reset`() async throws {
        let journal = journal()
        journal.append(connection: 0, Self.opened)
        let start = ContinuousClock.now
        try await withLoop { loop in
            async let isOver: Void = journal.waitForConnectionEnds(
                on: loop, within: Patience.whole * 2, whileStays: nil)
            while !journal.isAwaited { await loop.sleep(for: .milliseconds(1)) }
            // The end of what stood in the epoch that is over can't come any more.
            let epoch = journal.removeAll()
            journal.append(epoch: epoch, connection: 1, Self.opened)
            journal.append(epoch: epoch, connection: 1, Self.closed)
            await isOver
        }
        #expect(ContinuousClock.now - start < Patience.whole)
    }

    @Test(arguments: [false, true])
    func `what a full journal dropped before it was read leaves nothing open`(keepsBeginning: Bool) async throws {
        var limits = Journal.Limits(entryCount: 6)
        limits.keepsBeginning = keepsBeginning
        let journal = journal(limits)
        let start = ContinuousClock.now
        try await withLoop { loop in
            // Its end is among the entries that are dropped at once.
            if !keepsBeginning { journal.append(connection: 0, Self.opened) }
            async let isOver: Void = journal.waitForConnectionEnds(
                on: loop, within: Patience.whole * 2, whileStays: nil)
            if !keepsBeginning {
                while !journal.isAwaited { await loop.sleep(for: .milliseconds(1)) }
                journal.append(connection: 0, Self.closed)
            }
            for _ in 0..<20 {
                journal.append(connection: 1, Self.opened)
                journal.append(connection: 1, Self.closed)
            }
            await isOver
        }
        #expect(ContinuousClock.now - start < Patience.whole)
    }

    @Test func `a journal that has ended is not waited for`() async throws {
        let journal = journal()
        journal.append(connection: 0, Self.opened)
        journal.close()
        let start = ContinuousClock.now
        try await withLoop { await journal.waitForConnectionEnds(on: $0, within: Patience.whole * 2, whileStays: nil) }
        #expect(ContinuousClock.now - start < Patience.whole)
    }
}
