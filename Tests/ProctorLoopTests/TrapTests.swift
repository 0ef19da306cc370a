import ProctorTestSupport
import Testing

@testable import ProctorLoop

@Suite(.limit(minutes: 5))
struct TrapTests {
    @Test func `a listener made off its loop traps and says how to enter`() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let loop = try EventLoop()
            _ = try Listener(on: loop, address: loopback)
        }
        expectAdvice(result, about: "init(on:address:sharesPort:receiveBufferByteCount:)")
    }

    @Test func `a sleep off its loop traps`() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let loop = try EventLoop()
            await loop.sleep(for: .milliseconds(1))
        }
        expectAdvice(result, about: "sleep(for:)")
    }

    @Test func `a socket read from another loop traps`() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let group = try EventLoopGroup(count: 2)
            let (loop, other) = (group.loops[0], group.loops[1])
            let pair = try await loop.run { try await Pair.make(on: loop) }
            _ = try await other.run { try await pair.ours.read { $0.count } }
        }
        expectAdvice(result, about: "requireUsable()")
    }

    @Test func `a socket closed from a bare task traps`() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let loop = try EventLoop()
            try await loop.run {
                let pair = try await Pair.make(on: loop)
                await Task { pair.ours.close() }.value
            }
        }
        expectAdvice(result, about: "close()")
    }

    @Test func `two readers of one socket trap`() async throws {
        let result = try await #require(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let loop = try EventLoop()
            try await loop.run {
                let pair = try await Pair.make(on: loop)
                async let first = pair.ours.read { $0.count }
                async let second = pair.ours.read { $0.count }
                _ = try await (first, second)
            }
        }
        #expect(text(result).contains("two tasks wait for the same thing of one socket"))
    }

    private func expectAdvice(_ result: ExitTest.Result, about primitive: String) {
        let text = text(result)
        #expect(
            text.contains(
                "\(primitive) was used off its loop's thread; enter the loop with EventLoop.run or executorPreference"),
            "standard error was: \(text)")
    }

    private func text(_ result: ExitTest.Result) -> String {
        String(decoding: result.standardErrorContent, as: UTF8.self)
    }
}

@Suite struct LoopBoundTests {
    /// What a connection may hold: a class without `Sendable`, and a value.
    private final class Journal {
        var lines: [String] = []
        func note(_ line: String) { lines.append(line) }
    }

    private struct Counts {
        var reads = 0
        var names: [String] = []
    }

    @Test func `state is made elsewhere, then changed and read on the loop`() async throws {
        let loop = try EventLoop()
        let journal = LoopBound(Journal(), on: loop)
        let counts = LoopBound(Counts(), on: loop)
        let seen = try await loop.run {
            journal.value.note("first")
            journal.value.note("second")
            counts.value.reads += 1
            counts.value.names.append("a")
            return (journal.value.lines, counts.value.reads, counts.value.names)
        }
        #expect(seen == (["first", "second"], 1, ["a"]))
        loop.stop()
        await loop.ended()
    }

    @Test func `the state is still there for a task's last steps after the loop's end`() async throws {
        let loop = try EventLoop()
        let counts = LoopBound(Counts(), on: loop)
        _ = try await loop.run { counts.value.reads += 1 }
        loop.stop()
        await loop.ended()
        #expect(counts.value.reads == 1)
    }

    #if DEBUG
        @Test func `an access on another thread traps in a debug build`() async {
            await #expect(processExitsWith: .failure) {
                let loop = try EventLoop()
                try await loop.run {}
                LoopBound(Counts(), on: loop).value.reads += 1
            }
        }
    #endif
}
