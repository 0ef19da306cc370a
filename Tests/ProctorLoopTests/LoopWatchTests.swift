import ProctorBase
import ProctorTestSupport
import Testing

@testable import ProctorLoop

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

@Suite struct LoopWatchTests {
    /// Watches a group of loops with a short bound, to the end of `body`.
    private func watching(
        _ count: Int, _ onHeld: @escaping @Sendable (LoopWatch.BusyLoop) -> Void,
        _ body: (LoopWatch, EventLoopGroup) async throws -> Void
    ) async throws {
        let watch = LoopWatch(bound: .milliseconds(40))
        let group = try EventLoopGroup(count: count, watchedBy: watch)
        watch.start(watching: group.loops, onHeld: onHeld)
        try await body(watch, group)
        group.stop()
        await group.ended()
        watch.stop()
    }

    private final class Name: Sendable {}

    @Test func `a loop that works at one thing is found, with the request that was noted for it`() async throws {
        let found = Monitor([LoopWatch.BusyLoop]())
        let (subject, owner) = (Name(), Name())
        try await watching(2) { held in
            found.withLock { $0.append(held) }
            found.wakeAll()
        } _: { watch, group in
            let loop = group.loops[1]
            loop.submit {
                loop.noteRequest(subject, of: owner, number: 7, connection: 3, request: -1)
                loop.noteStep(2, detail: 5)
                // Works until it was found.
                found.wait { $0.isEmpty ? .wait() : .done(()) }
            }
            found.wait { $0.isEmpty ? .wait() : .done(()) }
            try await loop.run {}
        }
        let held = found.withLock { $0 }
        #expect(held.map(\.loop) == [1])
        #expect(held.allSatisfy { $0.nanoseconds >= 40_000_000 })
        let request = try #require(held.first?.request)
        #expect(request.subject === subject && request.owner === owner)
        #expect([request.connection, Int(request.step), request.detail] == [3, 2, 5] && request.request == nil)
    }

    @Test func `what was noted in an earlier turn is not of the present one`() async throws {
        let found = Monitor([LoopWatch.BusyLoop]())
        let subject = Name()
        try await watching(1) { held in
            found.withLock { $0.append(held) }
            found.wakeAll()
        } _: { watch, group in
            let loop = group.loops[0]
            loop.submit { loop.noteRequest(subject, of: subject, number: 1, connection: 0, request: 0) }
            loop.submit {
                #expect(watch.present.map(\.loop) == [0] && watch.present[0].request == nil)
                found.wait { $0.isEmpty ? .wait() : .done(()) }
            }
            found.wait { $0.isEmpty ? .wait() : .done(()) }
        }
        #expect(found.withLock { $0.map { $0.request == nil } } == [true])
    }

    @Test func `many short turns hold nothing, and the watch sleeps when they are over`() async throws {
        let heldCount = Locked(0)
        try await watching(1) { _ in
            heldCount.withLock { $0 += 1 }
        } _: { watch, group in
            #expect(!watch.isAwake)
            let end = MonotonicClock.nanoseconds + 100_000_000
            try await group.loops[0].run {
                while MonotonicClock.nanoseconds < end { await group.loops[0].yieldToOthers() }
            }
            let patience = MonotonicClock.nanoseconds + patience
            while watch.isAwake, MonotonicClock.nanoseconds < patience { usleep(2_000) }
            #expect(!watch.isAwake && watch.present.isEmpty)
            // Nothing of the kind comes by itself; the next turn wakes it.
            try await group.loops[0].run { #expect(watch.isAwake) }
        }
        #expect(heldCount.withLock { $0 } == 0)
    }
}
